"""What a planned schedule does first.

Ops that are not one loop nest become several, and loops that run once go. Convolutions
become matmuls of gathered columns, and other inputs that are read at computed indices,
such as the image of a pooling, are gathered; a convolution that a library computes is
left to it. Element-wise ops run on the parts of a concat, and those behind a matmul on
its matrix. Readers compute what is cheaper to compute than to store, and short
reductions become element-wise ops. What is read many times is computed in the order in
which it is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Operation

from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    SoftmaxOp,
    StructuredOp,
)
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.matmul_tails import absorbed_matmul
from tilewright.ir.structured.scatters import scatter_of
from tilewright.ir.text import place_of
from tilewright.planning.sketches.library.calls import why_refused
from tilewright.planning.writing.lines import action, match_ops
from tilewright.planning.writing.terms import text
from tilewright.schedules.language.syntax import Statement
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.cleanup.patterns.linalg.concats import is_computed
from tilewright.transforms.cleanup.patterns.linalg.filled_inputs import (
    has_filled_inputs,
)
from tilewright.transforms.cleanup.patterns.linalg.flat_elements import (
    flat_loops,
    reduced_rows,
)
from tilewright.transforms.cleanup.patterns.linalg.gathered_elements import (
    producers_for,
)
from tilewright.transforms.cleanup.patterns.linalg.readers_order import readers_order
from tilewright.transforms.cleanup.patterns.linalg.row_reductions import (
    has_row_reductions,
)
from tilewright.transforms.cleanup.patterns.linalg.short_reductions import is_short
from tilewright.transforms.cleanup.patterns.linalg.sums_order import sums_across
from tilewright.transforms.cleanup.patterns.linalg.unit_loops import has_unit_loops
from tilewright.transforms.cleanup.patterns.linalg.zero_points import has_zero_points
from tilewright.transforms.cleanup.patterns.tensor.slices_after_reshapes import (
    reshapes_slice,
)
from tilewright.transforms.interpreter import ENTRY
from tilewright.transforms.interpreter import prepare as prepare_run
from tilewright.transforms.structured.convolutions.unfold import unfolded_product
from tilewright.transforms.structured.rewrite.gather_operands import (
    computed_inputs,
    unbounded_loop,
)


@dataclass(frozen=True)
class RefusedCall:
    """A convolution or a pooling that no library computes: kernels of ours do."""

    name: str
    line: int | None
    library: str
    reason: str


@dataclass(frozen=True)
class Prepared:
    """The payload as the planner sees it, and the statements that make it so."""

    payload: ModuleOp
    statements: tuple[Statement, ...]
    refused_calls: tuple[RefusedCall, ...] = ()


def prepare(payload: ModuleOp) -> Prepared:
    """Write out the ops that are several loop nests; fills are not shared."""
    return next(preparations(payload))


def preparations(payload: ModuleOp) -> Iterator[Prepared]:
    """The ways to prepare a payload, the plainest first; the estimates decide."""
    statements = _own_fills(payload)
    if any(isinstance(op, SoftmaxOp) for op in payload.walk()):
        statements += [
            action("match", text("linalg.softmax"), "in", "root", to=("softmaxes",)),
            action("decompose", "softmaxes", to=("softmaxes",)),
        ]
    first = prepared_by(Prepared(payload, ()), statements)
    first = prepared_by(first, _patterns(first.payload, FILLED_INPUTS))
    first = prepared_by(first, _patterns(first.payload, CONCATS))
    if without_units := _patterns(first.payload, UNIT_LOOPS):
        first = _without_twins(prepared_by(first, without_units))
    applied = {n: f for n, f in TRIED.items() if _applies(first.payload, f)}
    for count in range(len(applied) + 1):
        for names in combinations(applied, count):
            tried = _patterns(first.payload, {name: applied[name] for name in names})
            whole = _with_matmuls(prepared_by(first, tried))
            yield whole
            if ordered := _patterns(whole.payload, TRIED_LAST):
                yield prepared_by(whole, ordered)


def _own_fills(payload: ModuleOp) -> list[Statement]:
    """The statement that gives each reader of a filled tensor a fill of its own."""
    fills = [op for op in payload.walk() if isinstance(op, FillOp) and op.results]
    if all(len(list(fill.results[0].uses)) < 2 for fill in fills):
        return []
    return [action("patterns", "root", ["tilewright.own_fills"])]


def _without_twins(prepared: Prepared) -> Prepared:
    """Ops that are equal without their unit loops are one: rows and columns of ids.

    Places and values that are stored stay apart: each kernel stores its own.
    """
    structured = (op for op in prepared.payload.walk() if isinstance(op, StructuredOp))
    if any(scatter_of(op) is not None for op in structured):
        return prepared
    merged = prepared_by(prepared, [action("cse", "root")])
    if _generic_ops(merged.payload) == _generic_ops(prepared.payload):
        return prepared
    return prepared_by(merged, [action("patterns", "root", ["tilewright.own_fills"])])


def _generic_ops(payload: ModuleOp) -> int:
    return sum(isinstance(op, GenericOp) for op in payload.walk())


def _with_matmuls(prepared: Prepared) -> Prepared:
    """Make matmuls of windows, and apply the patterns that pay everywhere."""
    refused = tuple(_refused_calls(prepared.payload))
    prepared = prepared_by(prepared, _unfolds(prepared.payload))
    prepared = prepared_by(prepared, _patterns(prepared.payload, PATTERNS))
    prepared = prepared_by(prepared, _gathers(prepared.payload))
    return replace(prepared, refused_calls=refused)


Patterns = Mapping[str, Callable[[Operation], bool]]
"""Groups of patterns that a plan may begin with, and the ops that they are for."""
FILLED_INPUTS: Patterns = {"filled_inputs": has_filled_inputs}
"""It comes first: a tensor of one number has no place in a kernel."""
CONCATS: Patterns = {"concats": is_computed}
"""It comes next: others see the element-wise ops that pads and concats become."""
UNIT_LOOPS: Patterns = {"unit_loops": has_unit_loops}
"""It comes next: loops that run once hide which loops of two ops are the same."""
TRIED: Patterns = {
    "zero_points": has_zero_points,
    "row_reductions": has_row_reductions,
}
"""Payloads are planned with them and without them: they do not pay at every size."""
TRIED_LAST: Patterns = {"sums_order": sums_across}
"""The same, once element-wise ops are behind no reshapes."""
PATTERNS: Patterns = {
    "slices_after_reshapes": reshapes_slice,
    "flat_elements": lambda op: (
        flat_loops(op) is not None or reduced_rows(op) is not None
    ),
    "gathered_elements": lambda op: bool(producers_for(op)),
    "short_reductions": is_short,
    "readers_order": lambda op: readers_order(op) is not None,
}


def _patterns(payload: ModuleOp, patterns: Patterns) -> list[Statement]:
    """The statement that applies the groups of patterns that a payload has ops for."""
    groups = [
        f"tilewright.{name}"
        for name, applies in patterns.items()
        if _applies(payload, applies)
    ]
    return [action("patterns", "root", groups)] if groups else []


def _applies(payload: ModuleOp, applies: Callable[[Operation], bool]) -> bool:
    """Whether a payload has an op that a group of patterns is for."""
    return any(applies(op) for op in payload.walk())


def _unfolds(payload: ModuleOp) -> list[Statement]:
    """The statements that make matmuls of convolutions that no library computes."""
    lines = _each_window(
        payload,
        _is_unfolded,
        lambda name: action("unfold", name, to=(f"{name}_columns", name)),
    )
    return [*lines, action("canonicalize", "root")] if lines else []


def _gathers(payload: ModuleOp) -> list[Statement]:
    """The statements that gather the inputs of other windows."""
    return _each_window(
        payload, _is_gathered, lambda name: action("gather", name, to=(name,))
    )


def _each_window(
    payload: ModuleOp,
    wanted: Callable[[StructuredOp], bool],
    write: Callable[[str], Statement],
) -> list[Statement]:
    """A statement for each structured op of some kind, and those that find them."""
    ops = [op for op in payload.walk() if isinstance(op, StructuredOp)]
    windows = [at for at, op in enumerate(ops) if wanted(op)]
    if not windows:
        return []
    if len(ops) == 1:
        return [match_ops("window"), write("window")]
    names = [f"window_{at}" if at in windows else f"op_{at}" for at in range(len(ops))]
    return [
        match_ops("ops"),
        action("split_handle", "ops", to=names),
        *(write(names[at]) for at in windows),
    ]


def _refused_calls(payload: ModuleOp) -> Iterator[RefusedCall]:
    """The window ops that become matmuls of columns, or gather their inputs."""
    for op in payload.walk():
        if isinstance(op, StructuredOp) and (_is_unfolded(op) or _is_gathered(op)):
            reason = why_refused(op, "cudnn")
            place = place_of(op)
            name = (op.results[0].name_hint if op.results else None) or op.name
            line = None if place is None else place.line
            if reason is not None:
                yield RefusedCall(name, line, "cudnn", reason)


FEWEST_COLUMNS = 8
"""The columns of the narrowest tile that a tensor core multiplies."""


def _is_unfolded(op: StructuredOp) -> bool:
    """Whether a kernel multiplies the columns of an op's image."""
    plan = unfolded_product(op)
    if plan is None or _is_called(op):
        return False
    filters = [named_loops(op.maps[at]) for at in range(2) if at != plan.image]
    extents = op.get_static_loop_ranges()
    if DYNAMIC_INDEX in extents:
        # Nothing proves yet that tiles of a batch times a place cover the output.
        return False
    read = op.maps[plan.image].used_dims()
    features = math.prod(extents[x] for x in filters[0] if x not in read)
    return features >= FEWEST_COLUMNS


def _is_gathered(op: StructuredOp) -> bool:
    """Whether kernels have to gather an input of an op."""
    gathered = computed_inputs(op)
    if not gathered or unbounded_loop(op, gathered) is not None:
        return False
    return not _is_called(op)


def _is_called(op: StructuredOp) -> bool:
    """Whether a library computes a window op, alone or with an op that reads it."""
    readers = [use.operation for result in op.results for use in result.uses]
    return any(
        _has_call(op, reader)
        for reader in (None, *readers)
        if reader is None or isinstance(reader, StructuredOp)
    )


def _has_call(op: StructuredOp, tail: StructuredOp | None) -> bool:
    """Whether a library has a call for a window op and what follows it."""
    form = None
    if tail is not None:
        form = absorbed_matmul(tail, lambda value: value.owner)
        if form is None or tail.inputs[form.matmul].owner is not op:
            return False
    return why_refused(op, "cudnn", tail, form) is None


def prepared_by(before: Prepared, statements: Sequence[Statement]) -> Prepared:
    """The payload after some statements more; the one before stays as it is."""
    if not statements:
        return before
    schedule = Schedule.of_statements(statements)
    # Building the plan runs the statements again, and verifies them if asked to.
    run = prepare_run(schedule.bound({}), before.payload.clone(), verify_steps=False)
    run.start(ENTRY)
    return replace(
        before, payload=run.payload, statements=(*before.statements, *statements)
    )
