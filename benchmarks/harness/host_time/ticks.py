"""Time the statements of a generated function, by what they do.

Before:
    out = _empty((8, 64), (64, 1), torch.float32)

After:
    out = _empty((8, 64), (64, 1), torch.float32)
    _tick('allocations')

A tick adds the time since the last one to its kind. `tick_time` is what a
statement without effect has.
"""

from __future__ import annotations

import ast
import re
import time
from collections import defaultdict
from collections.abc import Collection

INPUTS = "inputs: unpacked, checked, addresses"
PAYLOADS = "calls of launchers, and what they drop"
LAUNCHES = "launches of kernels"
ALLOCATIONS = "allocations"
ADDRESSES = "addresses of new tensors"
LAYOUTS = "checks of layouts"
VIEWS = "views"
LIBRARY = "library"
RELEASE = "releases"
OTHER = "other statements"
_VIEW_METHODS = frozenset(
    "permute view t transpose unsqueeze squeeze select expand as_strided detach "
    "reshape".split()
)
_IMPORT = "from harness.host_time.ticks import tick as _tick\n"
_ROUNDS, _TICKS = 100, 200


class Clock:
    """Nanoseconds and counts of statements by kind."""

    def __init__(self) -> None:
        """Start with no time and no counts."""
        self.last = 0
        self.times: dict[str, int] = defaultdict(int)
        self.counts: dict[str, int] = defaultdict(int)

    def clear(self) -> None:
        """Forget all times."""
        self.times.clear()
        self.counts.clear()

    def raw(self) -> dict[str, tuple[int, int]]:
        """The nanoseconds of each kind with those of its ticks, and its statements."""
        return {kind: (taken, self.counts[kind]) for kind, taken in self.times.items()}


clock = Clock()


def tick(kind: str) -> None:
    """Add the time since the last tick to a kind."""
    now = time.perf_counter_ns()
    clock.times[kind] += now - clock.last
    clock.counts[kind] += 1
    clock.last = time.perf_counter_ns()


def start() -> None:
    """Begin to count here."""
    clock.last = time.perf_counter_ns()


def tick_time() -> float:
    """The nanoseconds that a statement without effect has: the least of many rounds."""
    kept = clock.times, clock.counts
    best = float("inf")
    for _ in range(_ROUNDS):
        clock.times, clock.counts = defaultdict(int), defaultdict(int)
        start()
        for _ in range(_TICKS):
            tick(OTHER)
        best = min(best, clock.times[OTHER] / _TICKS)
    clock.times, clock.counts = kept
    return best


def ticked(text: str, payloads: Collection[str] = ()) -> str:
    """The text of functions with a tick after each statement.

    `payloads` are the names of the calls of launchers in it.
    """
    tree = ast.parse(text)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            body = [_tick(PAYLOADS)]
            for statement in function.body:
                body += _timed(statement, payloads)
            function.body = body
    return _IMPORT + ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _timed(statement: ast.stmt, payloads: Collection[str]) -> list[ast.stmt]:
    """A statement and its tick; what a `return` gives is made before."""
    if isinstance(statement, ast.Return) and statement.value is not None:
        made = ast.Assign([ast.Name("_made", ast.Store())], statement.value)
        kind = VIEWS if "_view(" in ast.unparse(statement) else OTHER
        return [made, _tick(kind), ast.Return(ast.Name("_made", ast.Load()))]
    return [statement, _tick(kind_of(statement, payloads))]


def _tick(kind: str) -> ast.stmt:
    call = ast.Call(ast.Name("_tick", ast.Load()), [ast.Constant(kind)], [])
    return ast.Expr(call)


def kind_of(statement: ast.stmt, payloads: Collection[str] = ()) -> str:
    """What a statement of a graph's function or of a lean launcher does."""
    text = ast.unparse(statement)
    if isinstance(statement, ast.If):
        return LAUNCHES if re.search(r"\b_site\d+\b", text) else INPUTS
    if isinstance(statement, ast.Delete):
        return RELEASE
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Constant) and value.value is None:
        return RELEASE
    if not isinstance(value, ast.Call):
        is_input = "_at_" in text or text.endswith("= args")
        return INPUTS if is_input else OTHER
    return _kind_of_call(value, payloads)


def _kind_of_call(call: ast.Call, payloads: Collection[str]) -> str:
    called = ast.unparse(call.func)
    name = called.rpartition(".")[2]
    if called in payloads:
        return PAYLOADS
    if called in ("_stream_here", "args.clear"):
        return INPUTS
    if called == "_empty":
        return ALLOCATIONS
    if name == "data_ptr":
        return ADDRESSES
    if name == "contiguous":
        return LAYOUTS
    is_method = isinstance(call.func, ast.Attribute) and not called.startswith("torch.")
    if called == "_view" or (is_method and name in _VIEW_METHODS):
        return VIEWS
    return f"{LIBRARY}: {name}"
