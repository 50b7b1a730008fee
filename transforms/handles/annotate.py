"""`transform.annotate`: put an attribute on payload ops.

    transform.annotate %grids "triton.num_warps" = %warps : !transform.any_op, ...
    transform.annotate %grids "triton.descriptors" : !transform.any_op

Before: `scf.forall ... {mapping = [...]}`
After: `scf.forall ... {mapping = [...], triton.num_warps = 8 : i64}`
Requires: a parameter with one value, or one for each payload op. A `triton.*` name must
stand in `ir/launch_attributes/table.py`, with a value and on an op that it allows.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def

from tilewright.ir.errors import UserError
from tilewright.ir.launch_attributes.table import LAUNCH_ATTRIBUTES, PREFIX, Host, Kind
from tilewright.ir.launch_attributes.values import check_launch_attribute
from tilewright.ir.phrases import did_you_mean
from tilewright.ir.text import place_of
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.core.foreseen import GRID, LOOP, KnownBefore
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class AnnotateOp(TransformOp):
    """Put an attribute on payload ops."""

    name = "transform.annotate"

    target = operand_def(TransformOpHandleType)
    annotation = prop_def(StringAttr, prop_name="name")
    param = opt_operand_def(TransformParamHandleType)

    assembly_format = (
        "$target $name attr-dict (`=` $param^)? `:` type($target) (`,` type($param)^)?"
    )

    def __init__(
        self, target: SSAValue, annotation: str, param: SSAValue | None = None
    ):
        super().__init__(
            operands=[target, param], properties={"name": StringAttr(annotation)}
        )

    def mistakes(self, known: KnownBefore) -> Iterator[UserError]:
        """An unknown launch attribute, or one on the wrong op or with a wrong value."""
        name = self.annotation.data
        if not name.startswith(PREFIX):
            return
        rows = {row.name: row for row in LAUNCH_ATTRIBUTES}
        if (row := rows.get(name)) is None:
            yield UserError(
                f"annotate: unknown launch attribute '{name}'",
                place_of(self),
                did_you_mean(name, list(rows)) or f"known: {', '.join(rows)}",
            )
            return
        kind = known.kind(self.target)
        if kind is not None and not any(_may_be(kind, host) for host in row.hosts):
            fact = f"'{self.word}' does not belong on '{kind}'"
            yield self._mistake(fact, row.place)
        values = known.values(self.param)
        illegal = [value for value in values if not row.legal(value)]
        # If some options of a knob are legal, the others only make points invalid.
        if row.kind in (Kind.NUMBER, Kind.FLAG) and len(illegal) == len(values):
            for value in illegal:
                fact = f"'{self.word}' cannot be {value}"
                yield self._mistake(fact, f"it takes {row.values}")

    @property
    def word(self) -> str:
        """The attribute in the words of its line: `warps`, or its own name."""
        setting = self.written_setting
        return self.annotation.data if setting is None else setting[0]

    def _mistake(self, fact: str, remedy: str) -> UserError:
        """An error at the setting, if the line has one."""
        if self.written_setting is None:
            return UserError(fact, place_of(self), remedy)
        _, place = self.written_setting
        return UserError(f"{self.title()}: {fact}", place, remedy)

    def apply(self, state: TransformState) -> None:
        """Check all ops, then set the attribute on all."""
        name = self.annotation.data
        targets = state.payload_ops(self.target)
        values: tuple[Attribute, ...] = (UnitAttr(),)
        if self.param is not None:
            values = state.params(self.param)
        if len(values) == 1:
            values *= len(targets)
        if len(values) != len(targets):
            raise self.refuse(
                f"the parameter holds {len(values)} values, the handle points at "
                f"{len(targets)} ops",
                remedy="give one value, or one for each op",
            )
        if name.startswith(PREFIX):
            for target, value in zip(targets, values, strict=True):
                self._check(target, name, value)
        for target, value in zip(targets, values, strict=True):
            target.attributes[name] = value
            state.rewriter.changed(target)

    def _check(self, target: Operation, name: str, value: Attribute) -> None:
        """Report an error of the table at this op, with the payload as a note."""
        try:
            check_launch_attribute(target, name, value, self.word)
        except UserError as error:
            failure = self.broken(error.fact, target, error.remedy)
            if self.written_setting is not None:
                failure.place = self.written_setting[1]
            raise failure from error


def _may_be(kind: str, host: Host) -> bool:
    if host is Host.OP:
        return kind.startswith("linalg.")
    return kind in (GRID if host is Host.GRID else LOOP)
