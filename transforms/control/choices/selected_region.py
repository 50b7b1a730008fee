"""`transform.tilewright.selected_region`: which region of alternatives is picked.

    %tail = transform.tilewright.selected_region "tail" of ["fused", "separate"]
              -> !transform.param<i64>

Upstream has no parameter for the region that `transform.tune.alternatives` takes, and
constraints speak of parameters. `bind` writes the pick into this op as it does into the
alternatives; a schedule without choices has none of these ops left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, StringAttr, i64
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, result_def

from tilewright.transforms.core.base import (
    ParamType,
    TransformOp,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class SelectedRegionOp(TransformOp):
    """The number of the region that alternatives of this name take, from 0."""

    name = "transform.tilewright.selected_region"

    alternatives_name = prop_def(StringAttr, prop_name="name")
    labels = prop_def(ArrayAttr[StringAttr])
    selected = opt_prop_def(IntegerAttr[IndexType])
    result = result_def(TransformParamHandleType)

    VERB: ClassVar[str | None] = "require"
    IS_STEP: ClassVar[bool] = False

    assembly_format = (
        "$name `of` $labels (`=` $selected^)? attr-dict `->` type($result)"
    )

    def __init__(self, name: str, labels: Sequence[str]):
        super().__init__(
            properties={
                "name": StringAttr(name),
                "labels": ArrayAttr(map(StringAttr, labels)),
            },
            result_types=[ParamType(i64)],
        )

    def label(self, number: int) -> str:
        """The label of a region."""
        known = 0 <= number < len(self.labels)
        return self.labels.data[number].data if known else str(number)

    def apply(self, state: TransformState) -> None:
        """Set the parameter; leave it empty if the alternatives are not reached."""
        chosen = [] if self.selected is None else [self.selected]
        state.set_params(
            self.result, [IntegerAttr(one.value.data, i64) for one in chosen]
        )
