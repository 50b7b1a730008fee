"""`pad`: pad the operands of a structured op up to whole tiles.

Before:
    %r = linalg.matmul ins(%a, %b : tensor<10x7xf32>, tensor<7x6xf32>)
        outs(%c : tensor<10x6xf32>) -> tensor<10x6xf32>

After `pad %r pad_to_multiple_of [4] {padding_dimensions = [0]}`:
    %p = tensor.pad %a low[0, 0] high[2, 0] { ... yield %zero } : ... tensor<12x7xf32>
    %q = tensor.pad %c low[0, 0] high[2, 0] { ... yield %zero } : ... tensor<12x6xf32>
    %t = linalg.matmul ins(%p, %b : tensor<12x7xf32>, tensor<7x6xf32>)
        outs(%q : tensor<12x6xf32>) -> tensor<12x6xf32>
    %s = tensor.extract_slice %t[0, 0] [10, 6] [1, 1] : ...
    %r = bufferization.materialize_in_destination %s in %c : ...

A partial tile is padded to its tile's size: the op's shapes are static then. With
`use_prescribed_tensor_shapes` sizes of the run time stay such and are rounded up.

Requires: a structured op on tensors; loops that index operands alone; sizes with a
bound known now; for a reduction, padding values that change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.bufferization import MaterializeInDestinationOp
from tilewright.ir.dialects.linalg import CopyOp, StructuredOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import resolve_sizes
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import Sizes
from tilewright.transforms.core.target_op import Ops, PlannedOp
from tilewright.transforms.structured.pad.operand_padding import (
    Padding,
    is_whole,
    multiples_of,
    output_sizes,
    pad_operand,
    padding_values,
)
from tilewright.transforms.structured.pad.padded_reductions import changed_output
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile.one_tile import (
    is_empty,
    known_ranges,
    loop_ranges,
)

MATERIALIZE = "bufferization.materialize_in_destination"
COPY_BACK = (MATERIALIZE, "linalg.copy", "none")

Integers = ArrayAttr[IntegerAttr]


@irdl_op_definition
class PadOp(PlannedOp):
    """Pad operands; consumes the target.

    Returns the padded op, the pads, and the ops that copy results back.
    """

    name = "transform.structured.pad"
    FORM: ClassVar[str] = (
        "pad <target:handle> along <padding_dimensions:any> [to "
        "<pad_to_multiple_of:sizes>] [values = <padding_values:any>] [nofold = "
        "<nofold_flags:any>] [copy_back = <copy_back_op:any>]"
    )
    SUMMARY: ClassVar[str] = "enlarge the operands of an op, up to a size or a multiple"

    target = operand_def(TransformOpHandleType)
    pad_to_multiple_of = var_operand_def()
    padding_values = prop_def(ArrayAttr, default_value=ArrayAttr[Attribute]([]))
    padding_dimensions = prop_def(Integers, default_value=Integers([]))
    nofold_flags = prop_def(Integers, default_value=Integers([]))
    transpose_paddings = prop_def(
        ArrayAttr[Integers], default_value=ArrayAttr[Integers]([])
    )
    copy_back_op = prop_def(StringAttr, default_value=StringAttr(MATERIALIZE))
    static_pad_to_multiple_of = opt_prop_def(DenseArrayBase.constr(i64))
    use_prescribed_tensor_shapes = opt_prop_def(UnitAttr)
    padded = result_def(TransformOpHandleType)
    pad = result_def(TransformOpHandleType)
    copy_op = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (Sizes,)
    assembly_format = (
        "$target (`pad_to_multiple_of` custom<Sizes>($pad_to_multiple_of, "
        "$static_pad_to_multiple_of)^)? "
        "(`use_prescribed_tensor_shapes` $use_prescribed_tensor_shapes^)? attr-dict "
        "`:` functional-type(operands, results)"
    )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is gone; the padded op stands for it."""
        return (self.target,)

    def verify_(self) -> None:
        """Check loops, flags, permutations and the copy op."""
        dims = _numbers(self.padding_dimensions)
        if any(dim < 0 for dim in dims):
            raise VerifyException(
                f"expected padding_dimensions to be numbers of loops, found {dims}"
            )
        flags = _numbers(self.nofold_flags)
        if any(flag not in (0, 1) for flag in flags):
            raise VerifyException(f"expected nofold_flags of 0 and 1, found {flags}")
        for order in self.transpose_paddings:
            if sorted(_numbers(order)) != list(range(len(order))):
                raise VerifyException(
                    f"expected transpose_paddings to hold permutations, found "
                    f"{_numbers(order)}"
                )
        multiples = self.static_pad_to_multiple_of
        if multiples is not None and len(multiples) != len(dims):
            raise VerifyException(
                f"expected as many multiples as padding_dimensions ({len(dims)}), "
                f"found {len(multiples)}"
            )
        if self.copy_back_op.data not in COPY_BACK:
            raise VerifyException(
                f"expected copy_back_op to be one of {', '.join(COPY_BACK)}, found "
                f"'{self.copy_back_op.data}'"
            )

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each op that the target points at."""
        dims = _numbers(self.padding_dimensions)
        if self.static_pad_to_multiple_of is None:
            multiples = (1,) * len(dims)
        else:
            multiples = resolve_sizes(
                self, state, self.static_pad_to_multiple_of, self.pad_to_multiple_of
            )
        if 0 in multiples:
            raise self.broken("nothing is a multiple of 0")
        of_loop = dict(zip(dims, multiples, strict=True))
        plans = [analyze(self, op, of_loop) for op in state.payload_ops(self.target)]
        for plan in plans:
            if (wrong := _changed_reduction(self, plan, of_loop)) is not None:
                state.doubt(self, wrong)
        return plans

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> tuple[Ops, Ops, Ops]:
        """Pad one op; the padded op, the pads, and the ops that copy back."""
        made = rewrite(plan, rewriter)
        return made.padded, made.pads, made.copies


def _numbers(values: Integers) -> list[int]:
    return [value.value.data for value in values]


@dataclass(frozen=True)
class Plan:
    """A structured op, and how each operand is padded; None where it is not."""

    op: StructuredOp
    paddings: tuple[Padding | None, ...]
    prescribed: bool
    """Whether sizes of the run time are rounded up, or replaced by their bounds."""
    copy_back: str


@dataclass(frozen=True)
class Padded:
    """The new ops for one target."""

    padded: Operation
    pads: tuple[Operation, ...]
    copies: tuple[Operation, ...]


def analyze(user: PadOp, op: Operation, of_loop: Mapping[int, int]) -> Plan:
    """Check that `op` can be padded, loop by loop, and plan it."""
    op = structured_op(user, op)
    if len(op.results) != len(op.outputs):
        raise user.refuse("the op works on buffers", op, "pad, then bufferize")
    if is_empty(op):
        raise user.refuse("an operand has no elements: there is nothing to pad", op)
    loops = op.get_num_loops()
    if (beyond := next((loop for loop in of_loop if loop >= loops), None)) is not None:
        raise user.refuse(
            f"padding_dimensions names loop {beyond} of an op with {loops} loops",
            op,
            "name loops by number, from 0",
        )
    prescribed = user.use_prescribed_tensor_shapes is not None
    values = padding_values(user, op, user.padding_values.data)
    flags = _numbers(user.nofold_flags)
    paddings: list[Padding | None] = []
    for index, operand in enumerate(op.operands):
        nofold = index < len(flags) and flags[index] == 1
        multiples = multiples_of(user, op, index, of_loop, prescribed)
        if not is_tensor(operand.type) or (not nofold and is_whole(operand, multiples)):
            paddings.append(None)
            continue
        if index >= len(values):
            raise user.refuse(
                f"there is no padding value for operand {index}",
                op,
                f"give {len(op.operands)} padding_values",
            )
        paddings.append(Padding(values[index], multiples, nofold))
    return Plan(op, tuple(paddings), prescribed, user.copy_back_op.data)


def _changed_reduction(
    user: TransformOp, plan: Plan, of_loop: Mapping[int, int]
) -> SilenceableFailure | None:
    """What is wrong with padding values that would change the result of a reduction."""
    op = plan.op
    ranges = known_ranges(op)
    longer = [
        loop
        for loop, multiple in of_loop.items()
        if is_reduction(op, loop)
        and not (isinstance(n := ranges[loop], int) and n % multiple == 0)
        and not (plan.prescribed and multiple == 1)
    ]
    values = {i: p.value for i, p in enumerate(plan.paddings) if p is not None}
    if longer and (output := changed_output(op, longer, values)) is not None:
        return user.refuse(
            f"these padding_values would change result {output}, which is reduced "
            f"over loop {', '.join(str(loop) for loop in longer)}",
            op,
            "pad with what changes nothing (0 for a sum, -inf for a maximum), or leave "
            "the loop out of padding_dimensions",
        )
    return None


def rewrite(plan: Plan, rewriter: Rewriter) -> Padded:
    """Replace the op by one on padded operands, and slices of its results."""
    op, new = plan.op, OpList()
    ranges = loop_ranges(op, new)
    operands: list[SSAValue] = []
    pads: list[Operation] = []
    for operand, padding in zip(op.operands, plan.paddings, strict=True):
        if padding is None:
            operands.append(operand)
            continue
        pad = pad_operand(operand, padding, plan.prescribed, new)
        pads.append(pad)
        operands.append(pad.result)
    padded = type(op).create(
        operands=operands,
        result_types=[operand.type for operand in operands[len(op.inputs) :]],
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
        regions=[op.body.clone()],
    )
    new.ops.append(padded)
    results: list[SSAValue] = []
    copies: list[Operation] = []
    for result, output in zip(padded.results, op.outputs, strict=True):
        sizes = output_sizes(op, output, ranges, new)
        zeros, ones = [0] * len(sizes), [1] * len(sizes)
        kept = tensor.ExtractSliceOp(result, zeros, sizes, ones, output.type)
        results.append(new.add(kept))
        if plan.copy_back == "none":
            continue
        copy = (
            CopyOp([kept.result], [output])
            if plan.copy_back == "linalg.copy"
            else MaterializeInDestinationOp(kept.result, output)
        )
        copies.append(copy)
        results[-1] = new.add(copy)
    for new_op in new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, results, stands_for=padded)
    return Padded(padded, tuple(pads), tuple(copies))
