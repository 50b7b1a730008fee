"""The search space of a schedule, read off its transform IR.

Knobs and alternatives that nobody has picked yet are open; what stands in a branch is
open only there. An included sequence counts where it is included, with the parameters
it is given. A constraint on anything but knobs and constants (a parameter computed
while the schedule runs) is left to the run, which refuses the points that break it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.text import place_of
from tilewright.transforms.control import constrain
from tilewright.transforms.control.constrain import ConstrainParamsOp
from tilewright.transforms.control.sequence import IncludeOp
from tilewright.transforms.control.tune import AlternativesOp, KnobOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.tuning.space import (
    Alternative,
    Constraint,
    Item,
    Knob,
    Space,
    Value,
)

_ENTRY = "__transform_main"


@dataclass(frozen=True)
class _Named:
    """A parameter whose value is a choice still open."""

    name: str


_Source: TypeAlias = _Named | Value
"""Where a parameter's value comes from: a choice, or known already."""


def read_space(module: ModuleOp) -> Space:
    """What a schedule leaves open, with its constraints."""
    return Space(_Reader(module).read())


class _Reader:
    """Walks the ops in the order they run, remembering where parameters come from.

    The sources are one table for the whole walk: every value has one definition, and a
    sequence included twice is given its arguments anew before it is walked.
    """

    def __init__(self, module: ModuleOp) -> None:
        self._module = module
        self._sequences = {
            op.sym_name.data: op
            for op in module.walk()
            if isinstance(op, NamedSequenceOp)
        }
        self._sources: dict[SSAValue, _Source] = {}
        self._entered: list[str] = []

    def read(self) -> tuple[Item, ...]:
        entry = self._sequences.get(_ENTRY)
        if entry is not None:
            return self._block(entry.body.block)
        items: list[Item] = []
        for op in self._module.ops:
            if not isinstance(op, NamedSequenceOp):
                items += self._op(op)
        return tuple(items)

    def _block(self, block: Block) -> tuple[Item, ...]:
        return tuple(item for op in block.ops for item in self._op(op))

    def _op(self, op: Operation) -> Sequence[Item]:
        match op:
            case KnobOp():
                return self._knob(op)
            case AlternativesOp():
                return self._alternatives(op)
            case ConstrainParamsOp():
                return self._constraint(op)
            case IncludeOp():
                return self._include(op)
            case ParamConstantOp():
                if isinstance(op.value, IntegerAttr):
                    self._sources[op.param] = op.value.value.data
                return ()
            case _:
                blocks = [block for region in op.regions for block in region.blocks]
                return [item for block in blocks for item in self._block(block)]

    def _knob(self, op: KnobOp) -> Sequence[Item]:
        if op.value is not None:
            self._sources[op.result] = op.value
            return ()
        name = op.knob_name.data
        self._sources[op.result] = _Named(name)
        return [Knob(name, op.values, place_of(op))]

    def _alternatives(self, op: AlternativesOp) -> Sequence[Item]:
        branches = tuple(self._block(region.block) for region in op.alternatives)
        if op.selected_region_param is not None:
            # A parameter picks the region: whatever may run counts as open. Points that
            # differ only in what does not run give the same kernel, measured once.
            return [item for branch in branches for item in branch]
        if op.selected_region is not None:
            return branches[op.selected_region]
        name = op.alternatives_name.data
        return [Alternative(name, op.labels, branches, place_of(op))]

    def _constraint(self, op: ConstrainParamsOp) -> Sequence[Item]:
        sources = [
            source
            for param in op.params
            if isinstance(source := self._sources.get(param), _Named | int)
        ]
        if len(sources) < len(op.params):
            return ()
        names = [
            source.name if isinstance(source, _Named) else str(source)
            for source in sources
        ]
        choices = tuple(dict.fromkeys(s.name for s in sources if isinstance(s, _Named)))

        def holds(values: Sequence[Value]) -> bool:
            chosen = dict(zip(choices, values, strict=True))
            given = [
                chosen[source.name] if isinstance(source, _Named) else source
                for source in sources
            ]
            # Integers are all a constraint can speak of; the run refuses the rest.
            integers = [value for value in given if isinstance(value, int)]
            return len(integers) < len(given) or constrain.evaluate(op, integers)

        return [Constraint(choices, constrain.text(op, names), holds, place_of(op))]

    def _include(self, op: IncludeOp) -> Sequence[Item]:
        name = op.target.string_value()
        sequence = self._sequences.get(name)
        # A sequence that is missing or includes itself is the checker's to report.
        if sequence is None or name in self._entered:
            return ()
        block = sequence.body.block
        for argument, parameter in zip(op.args, block.args, strict=False):
            self._sources.pop(parameter, None)
            if argument in self._sources:
                self._sources[parameter] = self._sources[argument]
        self._entered.append(name)
        items = self._block(block)
        self._entered.pop()
        last = block.last_op
        if last is not None:
            for result, value in zip(op.res, last.operands, strict=False):
                if value in self._sources:
                    self._sources[result] = self._sources[value]
        return items
