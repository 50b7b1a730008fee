"""Reading the search space of a schedule from its transform IR.

Knobs and alternatives without a selected value are open; those in a branch are open
only there. An included sequence is read where it is included, with its arguments. A
constraint on a parameter that is computed while the schedule runs is left out here: the
run refuses the points that violate it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import is_
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.transforms.control.choices import constrain
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.formulas import Formula, FormulaBuilder
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.sequence import IncludeOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.tuning.space.choices import (
    REQUIRE,
    Alternative,
    Constraint,
    Item,
    Knob,
    Value,
)
from tilewright.tuning.space.space import Space

_ENTRY = "__transform_main"
_LARGEST = 10_000
"""Most items in branches; an item of a sequence counts once for each include."""


@dataclass(frozen=True)
class _Named:
    """A parameter whose value is an open choice."""

    name: str


@dataclass(frozen=True)
class _Computed:
    """A parameter that is computed from others: its instruction, and its text."""

    number: int
    text: str


_Source: TypeAlias = _Named | _Computed | Value
"""The source of a parameter: a choice, a computation, or a known value."""

_Include: TypeAlias = tuple[str, tuple[_Source | None, ...]]
"""A sequence and its arguments; including it again opens nothing new."""


def read_space(module: ModuleOp, entry: str = _ENTRY) -> Space:
    """The open choices and the constraints of a schedule that starts at `entry`."""
    return Space(_Reader(module, entry).read())


class _Reader:
    """Walks the ops in the order of their execution, and records parameter sources.

    One table holds the sources of the whole walk: every value has one definition, and a
    sequence that is included twice gets its new arguments before each walk.
    """

    def __init__(self, module: ModuleOp, entry: str) -> None:
        self._module = module
        self._entry = entry
        self._sequences = {
            op.sym_name.data: op
            for op in module.walk()
            if isinstance(op, NamedSequenceOp)
        }
        self._sources: dict[SSAValue, _Source] = {}
        self._entered: list[str] = []
        self._builder = FormulaBuilder()
        self._labels: dict[str, Sequence[str]] = {}
        self._known: dict[_Include, tuple[tuple[Item, ...], list[_Source | None]]] = {}
        self._size = 0
        self._included: list[set[_Include]] = [set()]
        """The includes so far of the current block and of each block around it."""

    def read(self) -> tuple[Item, ...]:
        entry = self._sequences.get(self._entry)
        if entry is not None:
            return self._block(entry.body.block)
        items: list[Item] = []
        for op in self._module.ops:
            if not isinstance(op, NamedSequenceOp):
                items += self._op(op)
        return tuple(items)

    def _block(self, block: Block) -> tuple[Item, ...]:
        items: list[Item] = []
        required: set[Constraint] = set()
        for op in block.ops:
            for item in self._op(op):
                # Two expressions may need the same constraint; it is kept once.
                if isinstance(item, Constraint):
                    if item in required:
                        continue
                    required.add(item)
                items.append(item)
        return tuple(items)

    def _branch(self, block: Block) -> tuple[Item, ...]:
        self._included.append(set())
        items = self._block(block)
        self._included.pop()
        return items

    def _op(self, op: Operation) -> Sequence[Item]:
        match op:
            case KnobOp():
                return self._knob(op)
            case AlternativesOp():
                return self._alternatives(op)
            case ConstrainParamsOp():
                return self._constraint(op)
            case SelectedRegionOp():
                return self._selected_region(op)
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
        return [Knob(name, op.values, place_of(op), op.default)]

    def _alternatives(self, op: AlternativesOp) -> Sequence[Item]:
        branches = tuple(self._branch(region.block) for region in op.alternatives)
        if op.selected_region_param is not None:
            # A parameter selects the region, so the choices of all regions are open.
            # Points that differ only in a region that does not run give the same
            # kernel, which is measured once.
            return [item for branch in branches for item in branch]
        if op.selected_region is not None:
            return branches[op.selected_region]
        name = op.alternatives_name.data
        shared: tuple[Item, ...] = ()
        if len(branches) > 1 and all(_are_same(branches[0], b) for b in branches):
            # All branches include the same sequence: its choices are always open.
            shared, branches = branches[0], ((),) * len(branches)
        self._size += sum(_size(branch) for branch in branches)
        if self._size > _LARGEST:
            raise UserError(
                "choose: its branches lead to more than "
                f"{_LARGEST} places where a choice is made",
                place_of(op),
                "include what the branches share once, after the choose",
            )
        here = Alternative(name, op.labels, branches, place_of(op), op.default)
        return [here, *shared]

    def _selected_region(self, op: SelectedRegionOp) -> Sequence[Item]:
        name = op.alternatives_name.data
        if op.selected is not None:
            self._sources[op.result] = op.selected.value.data
        else:
            self._labels[name] = [label.data for label in op.labels]
            self._sources[op.result] = _Named(name)
        return ()

    def _constraint(self, op: ConstrainParamsOp) -> Sequence[Item]:
        sources = [self._sources.get(param) for param in op.params]
        known = [s for s in sources if isinstance(s, _Named | _Computed | int)]
        if len(known) < len(sources):
            return ()
        given = [self._instruction(source) for source in known]
        numbers = constrain.instructions(op, self._builder, given)
        asserted = [numbers[one.input] for one in constrain.asserts(op)]
        names = [_text(source) for source in known]
        for result, value in zip(op.res, op.yielded, strict=True):
            text = result.name_hint or f"({constrain.text(op, names)})"
            self._sources[result] = _Computed(numbers[value], text)
        if not asserted:
            return ()
        formula = self._builder.formula(asserted)
        text = constrain.condition_text(op, names)
        holds = self._holds(formula)
        verb = op.title() if op.res else op.written_as or REQUIRE
        return [Constraint(formula.names, text, holds, place_of(op), formula, verb)]

    def _holds(self, formula: Formula) -> Callable[[Sequence[Value]], bool]:
        labels = [self._labels.get(name) for name in formula.names]

        def holds(values: Sequence[Value]) -> bool:
            numbers: list[int] = []
            for value, known in zip(values, labels, strict=True):
                if known is not None:
                    numbers.append(known.index(str(value)))
                elif isinstance(value, int):
                    numbers.append(value)
                else:
                    # Constraints are about integers; the run refuses other values.
                    return True
            return formula.holds(numbers)

        return holds

    def _instruction(self, source: _Named | _Computed | int) -> int:
        """The instruction that computes the value of a source."""
        if isinstance(source, _Named):
            return self._builder.name(source.name)
        if isinstance(source, _Computed):
            return source.number
        return self._builder.constant(source)

    def _include(self, op: IncludeOp) -> Sequence[Item]:
        name = op.target.string_value()
        sequence = self._sequences.get(name)
        # The schedule's check reports missing and recursive sequences.
        if sequence is None or name in self._entered:
            return ()
        block = sequence.body.block
        given = tuple(self._sources.get(argument) for argument in op.args)
        key = (name, given)
        again = any(key in included for included in self._included)
        if key not in self._known:
            for source, parameter in zip(given, block.args, strict=False):
                self._sources.pop(parameter, None)
                if source is not None:
                    self._sources[parameter] = source
            self._entered.append(name)
            items = self._block(block)
            self._entered.pop()
            last = block.last_op
            yielded = (
                [] if last is None else [self._sources.get(v) for v in last.operands]
            )
            self._known[key] = (items, yielded)
        items, yielded = self._known[key]
        self._included[-1].add(key)
        for result, source in zip(op.res, yielded, strict=False):
            if source is not None:
                self._sources[result] = source
        # The choices of an earlier include here or around here are open already.
        return () if again else items


def _are_same(one: Sequence[Item], other: Sequence[Item]) -> bool:
    """Whether two regions are the same item objects, from one include."""
    return len(one) == len(other) and all(map(is_, one, other))


def _size(items: Sequence[Item]) -> int:
    """The number of items, in branches too; counting stops after `_LARGEST`."""
    total, queue = 0, list(items)
    while queue and total <= _LARGEST:
        item = queue.pop()
        total += 1
        if isinstance(item, Alternative):
            queue += [inner for branch in item.branches for inner in branch]
    return total


def _text(source: _Named | _Computed | int) -> str:
    if isinstance(source, _Named):
        return source.name
    return source.text if isinstance(source, _Computed) else str(source)
