"""Reading the search space of a schedule from its transform IR.

Knobs and alternatives without a selected value are open; those in a branch are open
only there. An included sequence is read where it is included, with its arguments.

A constraint on a number that only a run knows is not counted: the run refuses the
points that violate it. With a payload, what the schedule looks up before it changes
anything is known. A constraint in a `try` is not counted either: where it fails,
another branch runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import is_

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.transforms.control.choices import constrain
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.constraint_text import (
    parameter_name,
    parameter_names,
)
from tilewright.transforms.control.choices.formulas import Formula, FormulaBuilder
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.sequence import IncludeOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.handles.handle_facts import NumAssociationsOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.handles.payload_numbers import PayloadNumberOp
from tilewright.tuning.space.choices import (
    REQUIRE,
    Alternative,
    Constraint,
    Item,
    Knob,
    Value,
    uncounted,
)
from tilewright.tuning.space.payload_lookups import Found, PayloadLookups
from tilewright.tuning.space.sources import (
    Computed,
    Known,
    Measured,
    Named,
    Source,
    measured_in,
    text_of,
)
from tilewright.tuning.space.space import Space

_ENTRY = "__transform_main"
_LARGEST = 10_000
"""Most items in branches; an item of a sequence counts once for each include."""


@dataclass(frozen=True)
class _Include:
    """A sequence and its arguments; including it again opens nothing new."""

    name: str
    given: tuple[Source | None, ...]
    found: tuple[Found | None, ...]
    is_changed: bool
    may_fail: bool


@dataclass(frozen=True)
class _Read:
    """What reading a sequence gave."""

    items: tuple[Item, ...]
    yielded: list[Source | None]
    found: list[Found | None]
    is_changed: bool


def read_space(
    module: ModuleOp, entry: str = _ENTRY, payload: ModuleOp | None = None
) -> Space:
    """The open choices and the constraints of a schedule that starts at `entry`.

    With the payload, constraints on its numbers count.
    """
    return Space(_Reader(module, entry, payload).read())


class _Reader:
    """Walks the ops in the order of their execution, and records parameter sources.

    One table holds the sources of the whole walk: every value has one definition, and a
    sequence that is included twice gets its new arguments before each walk.
    """

    def __init__(self, module: ModuleOp, entry: str, payload: ModuleOp | None) -> None:
        self._module = module
        self._entry = entry
        self._sequences = {
            op.sym_name.data: op
            for op in module.walk()
            if isinstance(op, NamedSequenceOp)
        }
        self._sources: dict[SSAValue, Source] = {}
        self._lookups = None if payload is None else PayloadLookups(module, payload)
        self._entered: list[str] = []
        self._builder = FormulaBuilder()
        self._labels: dict[str, Sequence[str]] = {}
        self._known: dict[_Include, _Read] = {}
        self._size = 0
        self._included: list[set[_Include]] = [set()]
        """The includes so far of the current block and of each block around it."""

    def read(self) -> tuple[Item, ...]:
        entry = self._sequences.get(self._entry)
        if entry is not None:
            if self._lookups is not None:
                self._lookups.enter(entry)
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

    def _branches(self, op: AlternativesOp) -> tuple[tuple[Item, ...], ...]:
        """The branches; what one changes, the others do not see."""
        lookups = self._lookups
        if lookups is None:
            return tuple(self._branch(region.block) for region in op.alternatives)
        before, after = lookups.is_changed, False
        branches: list[tuple[Item, ...]] = []
        for region in op.alternatives:
            lookups.is_changed = before
            branches.append(self._branch(region.block))
            after = after or lookups.is_changed
        lookups.is_changed = before or after
        return tuple(branches)

    def _branch(self, block: Block) -> tuple[Item, ...]:
        self._included.append(set())
        items = self._block(block)
        self._included.pop()
        return items

    def _op(self, op: Operation) -> Sequence[Item]:
        if self._lookups is not None and isinstance(op, TransformOp):
            self._lookups.visit(op)
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
            case PayloadNumberOp() | NumAssociationsOp():
                return self._number(op)
            case _:
                blocks = [block for region in op.regions for block in region.blocks]
                items = [item for block in blocks for item in self._block(block)]
                catches = isinstance(op, TransformOp) and op.catches_failures
                return _uncounted(items) if catches else items

    def _number(self, op: PayloadNumberOp | NumAssociationsOp) -> Sequence[Item]:
        """Nothing is open about a number of the payload, which may be known."""
        (result,) = op.results
        numbers = None if self._lookups is None else self._lookups.numbers(result)
        self._sources.pop(result, None)
        if numbers is not None:
            text = parameter_name(result)
            number = numbers[0] if numbers else None
            self._sources[result] = Measured(text, number)
        return ()

    def _knob(self, op: KnobOp) -> Sequence[Item]:
        if op.value is not None:
            self._sources[op.result] = op.value
            return ()
        name = op.knob_name.data
        self._sources[op.result] = Named(name)
        return [Knob(name, op.values, place_of(op), op.default)]

    def _alternatives(self, op: AlternativesOp) -> Sequence[Item]:
        branches = self._branches(op)
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
            self._sources[op.result] = Named(name)
        return ()

    def _constraint(self, op: ConstrainParamsOp) -> Sequence[Item]:
        sources = [self._sources.get(param) for param in op.params]
        verb = op.title() if op.res else op.written_as or REQUIRE
        if any(isinstance(s, Measured) and s.number is None for s in sources):
            return ()  # a requirement on a size that the payload leaves open
        known = [s for s in sources if isinstance(s, Known)]
        if len(known) < len(sources):
            return self._unknown(op, sources, verb)
        given = [self._instruction(source) for source in known]
        numbers = constrain.instructions(op, self._builder, given)
        asserted = [numbers[one.input] for one in constrain.asserts(op)]
        names = [text_of(source) for source in known]
        measured = measured_in(known)
        for result, value in zip(op.res, op.yielded, strict=True):
            text = result.name_hint or f"({constrain.text(op, names)})"
            self._sources[result] = Computed(numbers[value], text, measured)
        if not asserted:
            return ()
        formula = self._builder.formula(asserted)
        text = constrain.condition_text(op, names)
        holds, place = self._holds(formula), place_of(op)
        return [Constraint(formula.names, text, holds, place, formula, verb, measured)]

    def _unknown(
        self, op: ConstrainParamsOp, sources: Sequence[Source | None], verb: str
    ) -> Sequence[Item]:
        """The constraint of an op whose numbers only a run knows."""
        for result in op.res:
            self._sources.pop(result, None)
        if not constrain.asserts(op):
            return ()
        names = [
            text_of(source) if isinstance(source, Known) else name
            for source, name in zip(sources, parameter_names(op), strict=True)
        ]
        text = constrain.condition_text(op, names)
        return [
            uncounted(Constraint((), text, lambda _: True, place_of(op), None, verb))
        ]

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

    def _instruction(self, source: Known) -> int:
        """The instruction that computes the value of a source."""
        if isinstance(source, Measured):
            assert source.number is not None
            return self._builder.constant(source.number)
        if isinstance(source, Named):
            return self._builder.name(source.name)
        if isinstance(source, Computed):
            return source.number
        return self._builder.constant(source)

    def _include(self, op: IncludeOp) -> Sequence[Item]:
        name = op.target.string_value()
        sequence = self._sequences.get(name)
        # The schedule's check reports missing and recursive sequences.
        if sequence is None or name in self._entered:
            return ()
        key = self._key(op)
        again = any(key in included for included in self._included)
        if key not in self._known:
            self._known[key] = self._read(sequence, key)
        read = self._known[key]
        self._included[-1].add(key)
        for result, source in zip(op.res, read.yielded, strict=False):
            if source is not None:
                self._sources[result] = source
        if self._lookups is not None:
            self._lookups.is_changed = read.is_changed
            for result, found in zip(op.res, read.found, strict=False):
                self._lookups.bind(result, found)
        # The choices of an earlier include here or around here are open already.
        return () if again else read.items

    def _key(self, op: IncludeOp) -> _Include:
        given = tuple(self._sources.get(argument) for argument in op.args)
        lookups = self._lookups
        found = () if lookups is None else tuple(map(lookups.found, op.args))
        is_changed = lookups is not None and lookups.is_changed
        name = op.target.string_value()
        return _Include(name, given, found, is_changed, op.catches_failures)

    def _read(self, sequence: NamedSequenceOp, key: _Include) -> _Read:
        """Read a sequence with the arguments of an include."""
        block, lookups = sequence.body.block, self._lookups
        for source, parameter in zip(key.given, block.args, strict=False):
            self._sources.pop(parameter, None)
            if source is not None:
                self._sources[parameter] = source
        if lookups is not None:
            for one, parameter in zip(key.found, block.args, strict=False):
                lookups.bind(parameter, one)
        self._entered.append(key.name)
        items = self._block(block)
        if key.may_fail:
            items = tuple(_uncounted(items))
        self._entered.pop()
        yielded = () if block.last_op is None else block.last_op.operands
        sources = [self._sources.get(value) for value in yielded]
        if lookups is None:
            return _Read(items, sources, [], False)
        return _Read(items, sources, [*map(lookups.found, yielded)], lookups.is_changed)


def _uncounted(items: Sequence[Item]) -> list[Item]:
    """The items with constraints that do not count, in branches too."""
    found: list[Item] = []
    for item in items:
        if isinstance(item, Constraint):
            found.append(uncounted(item))
        elif isinstance(item, Alternative):
            branches = tuple(tuple(_uncounted(branch)) for branch in item.branches)
            found.append(replace(item, branches=branches))
        else:
            found.append(item)
    return found


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
