"""`transform.split_handle`: one handle for each op that a handle points at.

    %a, %b = transform.split_handle %h : (!transform.any_op)
        -> (!transform.any_op, !transform.any_op)

Too many ops: those left over go to the result `overflow_result` too. Too few: the last
results are empty if `fail_on_payload_too_small` is false. No op at all: every
result is empty, unless `pass_through_empty_handle` is false.

Requires: as many ops as results, unless an attribute says what to do.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import TransformHandleType, TransformOp
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class SplitHandleOp(TransformOp):
    """One handle for each op, value or parameter."""

    name = "transform.split_handle"
    ONLY_LOOKS: ClassVar[bool] = True

    handle = operand_def(TransformHandleType)
    pass_through_empty_handle = opt_prop_def(BoolAttr)
    fail_on_payload_too_small = opt_prop_def(BoolAttr)
    overflow_result = opt_prop_def(IntegerAttr[IntegerType])
    res = var_result_def(TransformHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$handle attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        """Check that the overflow result exists."""
        overflow = self.overflow_result
        if overflow is not None and not 0 <= overflow.value.data < len(self.res):
            raise VerifyException("overflow_result is not a valid result index")

    def foresee(self, results: Foreseen) -> None:
        """Parts of the handle; some may be empty where it may be too small."""
        results.parts(certain=self.fail_on_payload_too_small is None)

    def apply(self, state: TransformState) -> None:
        """Distribute the payload over the results."""
        items = state.items(self.handle)
        count, wanted = len(items), len(self.res)
        empty_passes = _or_true(self.pass_through_empty_handle)
        if count == 0 and empty_passes:
            wanted = 0
        elif count > wanted and self.overflow_result is None:
            raise self.refuse(
                f"the handle points at {count} ops, {wanted} results are bound",
                items[-1] if isinstance(items[-1], Operation) else None,
                f"bind {count} results, or set overflow_result",
            )
        elif count < wanted and _or_true(self.fail_on_payload_too_small):
            raise self.refuse(
                f"the handle points at {count} ops, {wanted} results are bound",
                remedy="bind fewer, or set fail_on_payload_too_small = false",
            )
        shares: list[list[Operation | SSAValue | Attribute]] = [[] for _ in self.res]
        overflow = self.overflow_result
        for index, item in enumerate(items):
            if index >= len(shares):
                assert overflow is not None, "checked above"
                index = overflow.value.data
            shares[index].append(item)
        for result, share in zip(self.res, shares, strict=True):
            state.set_items(result, share)


def _or_true(flag: BoolAttr | None) -> bool:
    return True if flag is None else bool(flag.value.data)
