"""Loops of the payload become loops of the kernel, with the schedule's attributes.

**Before** (buffer level)

    scf.for %k = %c0 to %c4096 step %c64 iter_args(%acc = %zero) -> ... {
      ...
    } {triton.num_stages = 4 : i64}

**After** (kernel level): the same on tiles, with loop-invariant addresses before it and
with the attributes that `ir/launch_attributes/table.py` lists for loops.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i32, i64
from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.elements.atoms import Atom, Linear
from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.tiles import tile_type
from tilewright.codegen.analysis.hazards import Hazards
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.lower.grid_facts import GridFacts
from tilewright.codegen.lower.ops.branches import LowerBlock, refuse_indices
from tilewright.codegen.lower.values import TileValues
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import FullOp
from tilewright.ir.dialects.vector import ContractOp
from tilewright.ir.launch_attributes.table import LOOP_ATTRIBUTES, RING, STAGES
from tilewright.ir.launch_attributes.values import (
    default_of,
    launch_attribute,
    launch_number,
)

SAMPLES = tuple((place + 0.5) / 16 for place in range(16))
"""Shares of the ranges of indices for which the trips of a loop are counted."""


def lower_loop(
    op: scf.ForOp,
    facts: GridFacts,
    builder: Builder,
    values: TileValues,
    hazards: Hazards,
    lower_block: LowerBlock,
) -> None:
    """Lower a loop: its body in a scope of its own, its initial values before it."""
    refuse_indices(op)
    axes, indices = facts.axes, facts.indices
    source = op.body.block
    types = [tile_type(value.type) for value in op.iter_args]
    lower_form, upper_form = indices.bound(op.lb), indices.bound(op.ub)
    step_form = indices.linear(op.step)
    atom = facts.atom_of(source.args[0])
    width = _width(atom, lower_form, upper_form, step_form.constant)
    body = Block(arg_types=[width, *types])
    letter = axes.letter_of_atom(atom)
    body.args[0].name_hint = letter.lower() if letter else "step"
    builder.atoms[atom] = body.args[0]
    terminator = source.last_op
    assert isinstance(terminator, scf.YieldOp)
    for payload, argument, yielded in zip(
        source.args[1:], body.args[1:], terminator.arguments, strict=True
    ):
        argument.name_hint = _carried_name(payload, yielded)
        values[payload] = argument
    with builder.inside(body):
        hazards.enter()
        lower_block(source)
        hazards.leave(atom, step_form.constant)
        builder.add(scf.YieldOp(*[values[value] for value in terminator.arguments]))
    lower = builder.scalar(lower_form, width)
    upper = _size(
        builder,
        upper_form,
        lambda size: axes.extent_name(letter, size) or axes.block_name(letter, size),
        width,
    )
    for bound, word in ((lower, "first"), (upper, "end")):
        is_extremum = isinstance(bound.owner, arith.MaxSIOp | arith.MinSIOp)
        if letter and is_extremum and bound.name_hint is None:
            bound.name_hint = f"{word}_{letter.lower()}"
    step = _size(builder, step_form, lambda size: axes.block_name(letter, size), width)
    initial = [
        _initial(value, result, builder, values)
        for value, result in zip(op.iter_args, op.res, strict=True)
    ]
    loop = scf.ForOp(lower, upper, step, initial, body)
    _set_stages(loop, op)
    add_hints(loop, op)
    _set_trips(loop, lower_form, upper_form, step_form)
    builder.add(loop, like=op)
    for payload, result in zip(op.res, loop.res, strict=True):
        values[payload] = result


def _carried_name(payload: SSAValue, yielded: SSAValue) -> str:
    """The payload's name of a value or of its next value; `acc` for dots."""
    if isinstance(yielded.owner, ContractOp):
        return reader_name(payload.name_hint) or "acc"
    return reader_name(payload.name_hint) or reader_name(yielded.name_hint) or "acc"


def add_hints(loop: Operation, like: Operation) -> None:
    """Copy the loop attributes of a payload loop or grid that are not the default."""
    for row in LOOP_ATTRIBUTES:
        value = launch_number(like, row.name)
        if value != row.default:
            loop.attributes[row.name] = IntegerAttr(value, i64)


def _initial(
    payload: SSAValue, like: SSAValue, builder: Builder, values: TileValues
) -> SSAValue:
    """The initial value of a loop-carried value; a constant becomes a tile."""
    constant = constant_of(payload)
    if payload in values or constant is None:
        return values[payload]
    extents = builder.axes.tile_extents(like)
    return builder.add(FullOp(constant, tile_type(payload.type), extents))


def _width(atom: Atom, lower: Linear, upper: Linear, step: int) -> IntegerType:
    """The type of a loop's variable: it also holds the first value past the bound.

    Otherwise the variable would wrap around and the loop would not end.
    """
    after = Linear({atom: 1}).reaches(step)
    return i32 if after and lower.fits and upper.fits else i64


def _size(
    builder: Builder,
    form: Linear,
    name_of: Callable[[int], str | None],
    width: IntegerType,
) -> SSAValue:
    """A loop's bound or step, by name where the size has one."""
    name = name_of(form.constant) if form.is_constant else None
    if name is None:
        return builder.scalar(form, width)
    return builder.named(name, form.constant, width)


def _set_stages(loop: scf.ForOp, op: scf.ForOp) -> None:
    """Set the pipeline depth, of the schedule or the default for loops with a dot.

    Triton pipelines a loop with a ring as deep as the ring, if it writes the kernel.
    """
    stages = launch_attribute(op, STAGES) or launch_number(op, RING) or None
    if stages is None and any(isinstance(o, ContractOp) for o in op.body.block.ops):
        stages = default_of(STAGES)
    if stages is not None:
        loop.attributes[STAGES] = IntegerAttr(stages, i64)


def _set_trips(loop: scf.ForOp, lower: Linear, upper: Linear, step: Linear) -> None:
    """Record the mean trip count of a loop if it varies from tile to tile.

    The work of a launch is that of a tile times their number: half of a triangle.
    """
    if lower.is_given and upper.is_given:
        return
    spans = [max(0.0, _at(upper, x) - _at(lower, x)) for x in SAMPLES]
    mean = int(round(sum(spans) / len(spans), 6))
    trips = -(-mean // step.constant)
    loop.attributes["kernel.mean_trips"] = IntegerAttr(trips, i64)


def _at(form: Linear, share: float) -> float:
    """The value of a form where each index is at this share of its range."""
    return form.constant + sum(c * _atom_at(a, share) for a, c in form.terms.items())


def _atom_at(atom: Atom, share: float) -> float:
    if atom.extremum is not None:
        choose = max if atom.extremum.is_greatest else min
        return choose(_at(form, share) for form in atom.extremum.forms)
    return atom.low + share * (atom.high - atom.low)
