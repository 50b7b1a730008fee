"""Steps that compute chains of reductions in a loop, and those that go with them."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation

from fuzz.schedules.drawing import ANY, Draw
from tilewright.ir.dialects.linalg import GenericOp, StructuredOp
from tilewright.ir.structured.loops import nest_of


def reductions(d: Draw) -> list[Operation]:
    """The structured ops that reduce."""
    return d.find(lambda op: isinstance(op, StructuredOp) and bool(nest_of(op).reduced))


def _last(d: Draw) -> str | None:
    """A handle to one of the last reductions, or rarely to another op."""
    found = reductions(d)
    if not found or d.chance(0.05):
        return d.handle(d.structured())
    if d.chance(0.7):
        return d.exact(found[-1])
    return d.exact(d.random.choice(found))


def along(d: Draw, target: str) -> str:
    """The loop to stream along; mostly left out if there is one only."""
    reduced = [at for at, is_reduced in enumerate(d.reductions(target)) if is_reduced]
    if not reduced or (len(reduced) == 1 and d.chance(0.8)) or d.chance(0.05):
        return ""
    return f" along {d.random.choice(reduced)}"


def _length(d: Draw, target: str) -> int:
    pairs = zip(d.extents(target), d.reductions(target), strict=False)
    lengths = [extent for extent, is_reduced in pairs if is_reduced and extent]
    return d.random.choice(lengths) if lengths else 8


def stream(d: Draw) -> None:
    """Stream a reduction, or the last reductions of a loop."""
    around = [*d.grids(), *d.loops()]
    target = d.handle(around, many=0) if around and d.chance(0.3) else _last(d)
    if target is None:
        return
    size = d.size(_length(d, target)) or 1
    if d.chance(0.08) and (parameter := d.parameter(size)) is not None:
        d.do(
            "tilewright.stream",
            f"{target} by {parameter} : ({d.types([target, parameter])}) -> "
            f"({ANY}, {ANY})",
            [target, parameter],
            d.names(2),
        )
        return
    rest = f"by {size}{along(d, target)}"
    made = d.one("tilewright.stream", target, rest, 2)
    if made is not None and d.chance(0.5):
        masks(d, made[1])


def split_stream(d: Draw) -> None:
    """Cut a chain into parallel chunks."""
    target = _last(d)
    if target is None:
        return
    length = _length(d, target)
    divisors = [n for n in range(1, length + 1) if length % n == 0]
    into = d.random.choice(divisors if d.chance(0.95) else [3, 0])
    d.one("tilewright.split_stream", target, f"into {into}{along(d, target)}", 2)


def use_exp2(d: Draw) -> None:
    """Compute exponentials by exp2: of a function mostly, or of an op."""
    found = d.find(
        lambda op: (
            isinstance(op, GenericOp)
            and any(inner.name == "math.exp" for inner in op.walk())
        )
    )
    if not found and d.chance(0.9):
        return
    target = d.function() if d.chance(0.6) else d.handle(found)
    if target is not None:
        d.one("tilewright.use_exp2", target)


def fuse_all(d: Draw) -> None:
    """Fuse all producers into a loop."""
    container = d.handle(d.grids() if d.chance(0.7) else d.loops(), many=0)
    if container is None:
        return
    fuse_all_into(d, container)


def fuse_all_into(d: Draw, container: str, everything: float = 0.8) -> str | None:
    """Fuse everything that `match` finds, or ops of one name, into a loop."""
    producer, root = d.name(), d.session.root
    if d.chance(everything):
        what = "interface{LinalgOp}"
    else:
        names = sorted({op.name for op in d.structured()}) or ["linalg.fill"]
        what = f'ops{{["{d.random.choice(names)}"]}}'
    rest = f"{what} in {root} : ({d.session.types[root]}) -> {ANY}"
    if not d.do("structured.match", rest, [root], [producer]):
        return None
    made = d.names(2)
    done = d.do(
        "tilewright.fuse_all",
        f"{producer} into {container} : ({d.types([producer, container])}) -> "
        f"({ANY}, {ANY})",
        [producer, container],
        made,
    )
    return made[1] if done else None


def masks(d: Draw, loop: str) -> None:
    """Trim a loop, split it by its mask, or both."""
    if d.chance(0.75):
        made = d.one("tilewright.trim_loop", loop, "", 1)
        if made is not None:
            loop = made[0]
    if d.chance(0.6):
        d.one("tilewright.split_by_mask", loop, "", 2)


def trim_loop(d: Draw) -> None:
    """Trim a loop."""
    if (loop := d.handle(d.loops(), many=0.1)) is not None:
        d.one("tilewright.trim_loop", loop, "", 1)


def split_by_mask(d: Draw) -> None:
    """Split a loop by its mask."""
    if (loop := d.handle(d.loops(), many=0.1)) is not None:
        d.one("tilewright.split_by_mask", loop, "", 2)


def pad_rows(d: Draw) -> None:
    """Read inputs from copies with longer rows."""
    target = d.handle(d.structured(), many=0.05)
    if target is None:
        return
    (op, *_) = d.session.ops(target)
    inputs = len(op.inputs) if isinstance(op, StructuredOp) else 1
    chosen = [at for at in range(inputs) if d.chance(0.6)]
    if d.chance(0.03):
        chosen.append(inputs)
    to = f" to {d.random.choice([16, 32, 128, 24])}" if d.chance(0.3) else ""
    d.one("tilewright.pad_rows", target, f"at {chosen or [0]}{to}", 2)


def streamed_grid(d: Draw) -> None:
    """Rows onto a grid, the chain into it, a loop along the chain: as a person does."""
    found = d.structured()
    if not found:
        return
    if d.chance(0.4):
        use_exp2(d)
    if d.chance(0.12):
        split_stream(d)
        found = d.structured()
    last = found[-1] if d.chance(0.85) else d.random.choice(found)
    target = d.exact(last)
    if target is None:
        return
    extents, reduced = d.extents(target), d.reductions(target)
    sizes = [
        0 if is_reduced or d.chance(0.3) else d.random.choice([1, 2, 4, 8, extent or 4])
        for extent, is_reduced in zip(extents, reduced, strict=True)
    ]
    if not any(sizes):
        return stream(d)
    made = d.one("structured.tile_using_forall", target, f"tile_sizes {sizes}", 2)
    grid = made and fuse_all_into(d, made[1])
    if grid is None:
        return
    clean(d)
    stream(d)


def clean(d: Draw) -> None:
    """Simplify the function, as before streaming."""
    function = d.match("func.func")
    if function is not None and d.chance(0.7):
        patterns = "{ transform.apply_patterns.canonicalization }"
        of = d.session.types[function]
        d.do("apply_patterns", f"to {function} {patterns} : {of}", [function])
        d.do("apply_cse", f"to {function} : {of}", [function])
        d.do("apply_dce", f"to {function} : {of}", [function])


OFTEN: dict[Callable[[Draw], None], int] = {
    stream: 16,
    split_stream: 8,
    streamed_grid: 40,
    use_exp2: 8,
    fuse_all: 8,
    trim_loop: 4,
    split_by_mask: 4,
    pad_rows: 2,
}
"""How often each is drawn for a payload with a chain of reductions."""

SELDOM = {step: 1 for step in OFTEN}
"""And for any other payload."""
