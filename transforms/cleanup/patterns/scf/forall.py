"""Patterns on scf.forall: static bounds, single iterations, unused outputs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import is_tensor
from tilewright.transforms.cleanup.build import owner_named, remade
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.cleanup.shapes import (
    Size,
    Slice,
    cast_to,
    is_more_static,
    known,
    shape_of,
    slice_op,
)
from tilewright.transforms.core.rewriter import Rewriter

PARALLEL = "tensor.parallel_insert_slice"


def _with(
    op: ForallOp,
    outputs: Sequence[SSAValue],
    bounds: tuple[Sequence[Size], Sequence[Size], Sequence[Size]],
    rewriter: Rewriter,
) -> ForallOp:
    """A forall with other bounds and outputs in front of `op`; it takes its body."""
    new = ForallOp(
        *bounds, outputs, op.detach_region(0), op.mapping, op.attributes.copy()
    )
    new.location = op.location
    rewriter.insert_before(op, new)
    return new


def _bounds(op: ForallOp) -> tuple[list[Size], list[Size], list[Size]]:
    return op.lower_bounds, op.upper_bounds, op.steps


@pattern(ForallOp)
def constant_bounds(op: ForallOp, rewriter: Rewriter) -> None:
    """Make constant bounds and steps part of the op."""
    before = _bounds(op)
    lower, upper, step = ([known(size) for size in part] for part in before)
    if (lower, upper, step) == before:
        return
    new = _with(op, op.outputs, (lower, upper, step), rewriter)
    rewriter.replace(op, new.results, stands_for=new)


def _inserts(op: ForallOp) -> list[Operation]:
    return list(op.terminator.region.block.ops)


@pattern(ForallOp)
def drop_outputs(op: ForallOp, rewriter: Rewriter) -> None:
    """Drop outputs that are not written, or whose results are not used."""
    written = {insert.operands[1] for insert in _inserts(op)}
    keep: list[int] = []
    for position, (arg, output, result) in enumerate(
        zip(op.shared_outs, op.outputs, op.results, strict=True)
    ):
        if arg in written and result.first_use is not None:
            keep.append(position)
            continue
        for insert in _inserts(op):
            if insert.operands[1] is arg:
                rewriter.erase(insert)
        rewriter.replace_uses(result, output)
        rewriter.replace_uses(arg, output)
    if len(keep) == len(op.outputs):
        return
    outputs, bounds = list(op.outputs), _bounds(op)
    block = op.body.block
    for position in reversed(range(len(outputs))):
        if position not in keep:
            block.erase_arg(block.args[op.rank + position])
    new = _with(op, [outputs[position] for position in keep], bounds, rewriter)
    values = [
        new.results[keep.index(i)] if i in keep else outputs[i]
        for i in range(len(outputs))
    ]
    rewriter.replace(op, values, stands_for=new)


def _is_single(lower: Size, upper: Size, step: Size) -> bool | None:
    """Whether a loop runs once (True) or never (False); None if unknown."""
    numbers = [constant_int(size) for size in (lower, upper, step)]
    if numbers[0] is None or numbers[1] is None or numbers[2] is None:
        return None
    if numbers[1] <= numbers[0]:
        return False
    return True if numbers[1] - numbers[0] <= numbers[2] else None


@pattern(ForallOp)
def drop_single_iterations(op: ForallOp, rewriter: Rewriter) -> None:
    """Drop loops that run once; inline the body if none is left.

    Mapped loops stay: each is a dimension of the grid.
    """
    trips = [_is_single(*bound) for bound in zip(*_bounds(op), strict=True)]
    if False in trips:
        rewriter.replace(op, list(op.outputs))
        return
    if True not in trips or (op.mapping is not None and len(op.mapping)):
        return
    outputs, bounds = list(op.outputs), _bounds(op)
    for position, trip in enumerate(trips):
        if trip:
            first = bounds[0][position]
            if isinstance(first, int):
                number = index_constant(first)
                rewriter.insert_before(op, number)
                first = number.result
            rewriter.replace_uses(op.induction_vars[position], first)
    if all(trips):
        _inline(op, rewriter)
        return
    kept = [position for position, trip in enumerate(trips) if not trip]
    block = op.body.block
    for position in reversed(range(len(trips))):
        if position not in kept:
            block.erase_arg(block.args[position])
    lower, upper, step = ([part[position] for position in kept] for part in bounds)
    new = _with(op, outputs, (lower, upper, step), rewriter)
    rewriter.replace(op, new.results, stands_for=new)


def _inline(op: ForallOp, rewriter: Rewriter) -> None:
    """Replace a forall that runs once by its body; writes become insertions."""
    values: dict[SSAValue, SSAValue] = {}
    for arg, output in zip(op.shared_outs, op.outputs, strict=True):
        values[arg] = output
    inserts = _inserts(op)
    for nested in list(op.body.block.ops):
        if nested is not op.terminator:
            rewriter.move_before(nested, op)
    for insert in inserts:
        source, arg = insert.operands[:2]
        into = values[arg]
        place = Slice.of(insert)
        new = slice_op("tensor.insert_slice", [source, into], place, [into.type])
        new.location = insert.location
        rewriter.insert_before(op, new)
        values[arg] = new.results[0]
    results = [values[arg] for arg in op.shared_outs]
    for arg, output in zip(op.shared_outs, op.outputs, strict=True):
        rewriter.replace_uses(arg, output)
    rewriter.replace(op, results)


@pattern(ForallOp)
def constant_indices(op: ForallOp, rewriter: Rewriter) -> None:
    """Replace the index of a loop that runs once by its lower bound."""
    for index, *bound in zip(op.induction_vars, *_bounds(op), strict=True):
        if index.first_use is None or not _is_single(*bound):
            continue
        first = bound[0]
        if isinstance(first, int):
            number = index_constant(first)
            rewriter.insert_before(op, number)
            first = number.result
        rewriter.replace_uses(index, first)


@pattern(ForallOp)
def write_into_what_was_cast(op: ForallOp, rewriter: Rewriter) -> None:
    """Write into an output before a cast that only makes extents dynamic."""
    casts: dict[int, SSAValue] = {}
    for position, output in enumerate(op.outputs):
        cast = owner_named(output, "tensor.cast")
        if cast is None or not is_tensor(cast.operands[0].type):
            continue
        source = cast.operands[0]
        if source.type != output.type and is_more_static(
            shape_of(source), shape_of(output)
        ):
            casts[position] = source
    if not casts:
        return
    block, outputs, bounds = op.body.block, list(op.outputs), _bounds(op)
    for position, source in casts.items():
        arg = op.shared_outs[position]
        new_arg = block.insert_arg(source.type, op.rank + position)
        new_arg.name_hint = arg.name_hint
        inside = cast_to(new_arg, arg.type)
        first = block.first_op
        assert first is not None
        for insert in _inserts(op):
            if insert.operands[1] is arg:
                rewriter.set_operand(insert, 1, new_arg)
        rewriter.insert_before(first, inside)
        rewriter.replace_uses(arg, inside.results[0])
        block.erase_arg(arg)
        outputs[position] = source
    new = _with(op, outputs, bounds, rewriter)
    values = list[SSAValue](new.results)
    for position in casts:
        after = cast_to(new.results[position], op.results[position].type)
        rewriter.insert_before(op, after)
        values[position] = after.results[0]
    rewriter.replace(op, values, stands_for=new)


@pattern_on("tensor.dim")
def dim_of_result(op: Operation, rewriter: Rewriter) -> None:
    """Read an extent of a result from the output it is written into."""
    value = op.operands[0]
    if isinstance(value, OpResult) and isinstance(value.op, ForallOp):
        output = value.op.outputs[value.index]
        rewriter.replace_with(op, remade(op, [output, op.operands[1]]))


PATTERNS = (
    constant_bounds,
    drop_outputs,
    drop_single_iterations,
    constant_indices,
    write_into_what_was_cast,
    dim_of_result,
)
