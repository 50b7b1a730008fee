"""Runs of one schedule at many points share the payload up to where they differ.

    tail, grid = tile tail by [BM, BN] ...     the points (BM 64, stages 3) and
    mm, k      = tile mm by [0, 0, BK]         (BM 64, stages 4) share these steps,
    pipeline k stages = stages                 and part here

A run keeps a *snapshot* before an op that reads a choice: a copy of the payload and the
payload of every handle. A later run of a point that agrees in all choices that were
read until then goes on from there. The result is the same IR as without snapshots.

Ops that only compute parameters are not part of a prefix. They run again every time, so
that each run has its own parameters, and checks its own constraints.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.errors import Note, UserError
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.core.run import Step
from tilewright.transforms.core.state import Invalidation, Mapping, TransformState
from tilewright.transforms.core.walking import walked
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.interpreter import Ran, ScheduleRun

_MOST = 64
"""Snapshots that are kept; the one that was used longest ago goes first."""

_PAYS = 3.0
"""A snapshot is made if the steps since the last one took this many times as long as a
copy takes: it costs a copy now, and another whenever it is used."""


@dataclass(frozen=True)
class _Snapshot:
    """A run in the middle of its main sequence; handles have numbers in it."""

    payload: ModuleOp
    ops: dict[int, list[int]]
    """For each handle, the places of its ops in a walk over the payload."""
    params: dict[int, tuple[Attribute, ...]]
    invalid: dict[int, Invalidation]
    steps: tuple[Step, ...]
    ran: tuple[Ran, ...]
    warnings: tuple[UserError, ...]
    remarks: tuple[Note, ...]


class SharedPrefixes:
    """The snapshots of one schedule over one payload."""

    def __init__(self) -> None:
        self._snapshots: OrderedDict[int, _Snapshot] = OrderedDict()
        self._prefixes: dict[tuple[int, object], int] = {}
        """Numbers of prefixes, from that of the prefix before and what an op reads."""
        self._copy_seconds = 0.0
        self.reused = 0
        """Runs that went on from a snapshot."""

    def resume(self, run: ScheduleRun, block: Block) -> SharedRun:
        """Restore the longest known prefix of a run that is about to begin."""
        shared = SharedRun(self, run, block)
        shared.resume()
        return shared

    def number(self, before: int, read: object) -> int:
        """The number of the prefix that goes on from another by an op."""
        return self._prefixes.setdefault((before, read), len(self._prefixes) + 1)

    def find(self, number: int) -> _Snapshot | None:
        """The snapshot after a prefix."""
        return self._snapshots.get(number)

    def use(self, number: int) -> None:
        """Count a use of a snapshot, which keeps it."""
        self._snapshots.move_to_end(number)
        self.reused += 1

    def pays(self, seconds: float) -> bool:
        """Whether steps that took `seconds` are worth a snapshot."""
        return seconds > _PAYS * self._copy_seconds

    def keep(self, number: int, snapshot: _Snapshot, seconds: float) -> None:
        """Keep a snapshot, which took `seconds` to make."""
        self._copy_seconds = seconds
        self._snapshots[number] = snapshot
        while len(self._snapshots) > _MOST:
            self._snapshots.popitem(last=False)


class SharedRun:
    """One run: where its prefixes end, and what it has in common with others."""

    def __init__(self, cache: SharedPrefixes, run: ScheduleRun, block: Block) -> None:
        self._cache = cache
        self._run = run
        self._ops = list(block.ops)
        self._values = [*block.args, *(r for op in self._ops for r in op.results)]
        self._known: set[SSAValue] = set()
        """Parameters that do not depend on payload."""
        self._numbers: dict[int, int] = {}
        """The number of the prefix that ends with an op, by the op's place."""
        self._reads: set[int] = set()
        """The places of ops that read a choice."""
        self._since = time.process_time()
        self.first = 0
        """The place of the first op to run."""

    def resume(self) -> None:
        """Number the prefixes, and restore the longest one that is known."""
        number = self._cache.number(0, _choices_outside(self._ops))
        found: tuple[int, int] | None = None
        for place, op in enumerate(self._ops):
            if isinstance(op, _FREE) and self._known.issuperset(op.operands):
                try:
                    op.apply(self._run.state)
                except UserError:
                    break  # the run comes to the same error
                self._known.update(op.results)
                continue
            read = self._read(op)
            if read:
                self._reads.add(place)
            number = self._cache.number(number, (place, read))
            self._numbers[place] = number
            if self._cache.find(number) is not None:
                found = place, number
        if found is not None:
            self.first = found[0] + 1
            snapshot = self._cache.find(found[1])
            assert snapshot is not None
            self._cache.use(found[1])
            self._restore(snapshot)
        self._since = time.process_time()

    def passed(self, place: int) -> None:
        """Keep a snapshot after an op, if the next one reads a choice."""
        number = self._numbers.get(place)
        following = next((p for p in self._numbers if p > place), None)
        if number is None or following not in self._reads:
            return
        if not self._cache.pays(time.process_time() - self._since):
            return
        if any(step.records or step.took_back for step in self._run.steps):
            return  # observers have seen what a copy does not show
        start = time.process_time()
        snapshot = self._taken()
        self._since = time.process_time()
        if snapshot is not None:
            self._cache.keep(number, snapshot, self._since - start)

    def _read(self, op: Operation) -> tuple[object, ...]:
        """The choices and the parameters that an op reads."""
        found: list[object] = []
        for inner in walked(op):
            found += _selected(inner)
            found += [
                self._run.state.params(operand)
                for operand in inner.operands
                if operand in self._known
            ]
        return tuple(found)

    def _taken(self) -> _Snapshot | None:
        run, mapping = self._run, self._run.state.mapping()
        if any(mapping.values.values()):
            return None
        copy, places = _copied(run.payload)
        ops = {
            at: [places[op] for op in mapping.ops[value]]
            for at, value in enumerate(self._values)
            if value in mapping.ops
        }
        params = {
            at: mapping.params[value]
            for at, value in enumerate(self._values)
            if value in mapping.params and value not in self._known
        }
        invalid = {
            at: mapping.invalid[value]
            for at, value in enumerate(self._values)
            if value in mapping.invalid
        }
        return _Snapshot(
            copy,
            ops,
            params,
            invalid,
            tuple(run.steps),
            tuple(run.ran),
            tuple(run.warnings),
            tuple(run.remarks),
        )

    def _restore(self, snapshot: _Snapshot) -> None:
        run, values = self._run, self._values
        copy, _ = _copied(snapshot.payload)
        ops = walked(copy)
        ops[0] = run.payload  # others hold the module itself
        for old, new in zip(run.payload.regions, copy.regions, strict=True):
            for block in list(old.blocks):
                old.erase_block(block)
            new.move_blocks(old)
        state: TransformState = run.state
        known = {value: state.params(value) for value in self._known}
        made = {values[at]: params for at, params in snapshot.params.items()}
        state.restore(
            Mapping(
                {values[at]: [ops[p] for p in ps] for at, ps in snapshot.ops.items()},
                {},
                {**made, **known},
                {values[at]: lost for at, lost in snapshot.invalid.items()},
            )
        )
        run.steps[:] = snapshot.steps
        run.ran[:] = snapshot.ran
        run.warnings[:] = snapshot.warnings
        run.remarks[:] = snapshot.remarks


_FREE = (KnobOp, SelectedRegionOp, ConstrainParamsOp, ParamConstantOp)
"""Ops that read and set parameters only."""


def _copied(module: ModuleOp) -> tuple[ModuleOp, dict[Operation, int]]:
    """A copy of a module with its locations, and the places of the module's ops."""
    copy = module.clone()
    places: dict[Operation, int] = {}
    for place, (old, new) in enumerate(zip(walked(module), walked(copy), strict=True)):
        new.location = old.location
        places[old] = place
    return copy, places


def _selected(op: Operation) -> list[object]:
    """What was chosen at an op; nothing if it is no choice."""
    match op:
        case KnobOp() | SelectedRegionOp():
            return [op.selected]
        case AlternativesOp():
            return [op.selected_region_attr]
        case _:
            return []


def _choices_outside(ops: list[Operation]) -> tuple[object, ...]:
    """What was chosen in the sequences that the main one may include."""
    main = ops[0].parent_op() if ops else None
    module = main.parent_op() if main is not None else None
    if module is None:
        return ()
    others = {
        op.sym_name.data: op
        for op in module.regions[0].block.ops
        if op is not main and isinstance(op, NamedSequenceOp)
    }
    wanted = [name for op in ops for name in _named(op)]
    reached: dict[str, None] = {}
    while wanted:
        name = wanted.pop()
        if name in others and name not in reached:
            reached[name] = None
            wanted += _named(others[name])
    included = [others[name] for name in sorted(reached)]
    return tuple(c for other in included for op in walked(other) for c in _selected(op))


def _named(op: Operation) -> list[str]:
    """The sequences that an op, or an op inside it, runs."""
    found: list[str] = []
    for inner in walked(op):
        for value in inner.properties.values():
            symbols = value.data if isa(value, ArrayAttr) else (value,)
            found += [s.string_value() for s in symbols if isa(s, SymbolRefAttr)]
    return found
