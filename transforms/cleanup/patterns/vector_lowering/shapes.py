"""Lower transpositions, broadcasts and shape casts to extractions and insertions."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

from xdsl.ir import SSAValue

from tilewright.ir.dialects.vector import (
    BroadcastOp,
    ShapeCastOp,
    TransposeOp,
)
from tilewright.ir.types import is_vector, vector_type, vector_with
from tilewright.transforms.cleanup.driver import Pattern, pattern
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import (
    Steps,
    positions,
)
from tilewright.transforms.core.rewriter import Rewriter

# -- transpositions --------------------------------------------------------------------

SHUFFLES = ("shuffle_1d", "shuffle_16x16")


def lower_transpose(strategy: str, avx2: bool) -> tuple[Pattern, ...]:
    """The patterns of one lowering strategy; the caller refuses AVX2."""
    assert not avx2

    @pattern(TransposeOp)
    def lower(op: TransposeOp, rewriter: Rewriter) -> None:
        """Lower by shuffles where the strategy asks for it, else element by element."""
        steps = Steps()
        swapped = _swapped_dims(op) if strategy in SHUFFLES else None
        if swapped is None:
            result = _by_elements(op, steps)
        else:
            result = _by_shuffles(op, swapped, strategy, steps)
        steps.replace(op, rewriter, result)

    @pattern(TransposeOp)
    def reshape(op: TransposeOp, rewriter: Rewriter) -> None:
        """Reshape a matrix of one row or one column."""
        shape = vector_type(op.vector).get_shape()
        moved = [dim for dim in op.order if shape[dim] != 1]
        if moved == sorted(moved) and len(shape) == 2:
            steps = Steps()
            result = steps.cast(op.vector, vector_type(op.result).get_shape())
            steps.replace(op, rewriter, result)

    return (reshape, lower)


def _by_elements(op: TransposeOp, steps: Steps) -> SSAValue:
    """Move elements, or whole trailing parts that keep their places."""
    order = list(op.order)
    while order and order[-1] == len(order) - 1:
        order.pop()
    shape = vector_type(op.vector).get_shape()[: len(order)]
    result = steps.poison(op.result.type)
    for place in positions(shape):
        part = steps.extract(op.vector, *place)
        result = steps.insert(part, result, *(place[dim] for dim in order))
    return result


def _swapped_dims(op: TransposeOp) -> tuple[int, int] | None:
    """The two dimensions that change places, if all others have extent 1."""
    shape = vector_type(op.vector).get_shape()
    large = [dim for dim, extent in enumerate(shape) if extent > 1]
    if len(large) != 2 or op.order.index(large[0]) < op.order.index(large[1]):
        return None
    return large[0], large[1]


def _by_shuffles(
    op: TransposeOp, swapped: tuple[int, int], strategy: str, steps: Steps
) -> SSAValue:
    shape = vector_type(op.vector).get_shape()
    m, n = (shape[dim] for dim in swapped)
    flat = steps.cast(op.vector, [m * n])
    if strategy == "shuffle_16x16" and (m, n) == (16, 16):
        result = _shuffled_16x16(steps.cast(flat, [m, n]), steps)
    else:
        picks = [i * n + j for j, i in positions((n, m))]
        result = steps.shuffle(flat, flat, picks)
    return steps.cast(result, vector_type(op.result).get_shape())


QUARTERS = range(0, 16, 4)


def _shuffled_16x16(value: SSAValue, steps: Steps) -> SSAValue:
    """Transpose 16x16 by exchanging lanes of width 1 and 2, then quarters of rows."""

    def exchange(rows: list[SSAValue], distance: int) -> list[SSAValue]:
        made: list[SSAValue] = []
        for start in range(0, 16, 2 * distance):
            for at in range(distance):
                pair = rows[start + at], rows[start + at + distance]
                for first in (0, 2):
                    made.append(steps.shuffle(*pair, _unpacked(first, distance)))
        return made

    rows = [steps.extract(value, row) for row in range(16)]
    singles = exchange(rows, 1)
    pairs: list[SSAValue] = []
    for start in range(0, 16, 4):
        t0, t1, t2, t3 = singles[start : start + 4]
        for low, high in ((t0, t2), (t1, t3)):
            pairs += [steps.shuffle(low, high, _unpacked(first, 2)) for first in (0, 2)]
    quarters: list[SSAValue] = []
    for start in (0, 8):
        for pick in ((0, 2), (1, 3)):
            for at in range(start, start + 4):
                quarters.append(
                    steps.shuffle(pairs[at], pairs[at + 4], _quarters(pick))
                )
    done: list[SSAValue] = []
    for pick in ((0, 2), (1, 3)):
        for at in range(8):
            done.append(steps.shuffle(quarters[at], quarters[at + 8], _quarters(pick)))
    result = steps.poison(vector_with(vector_type(value).element_type, [16, 16]))
    for row, lanes in enumerate(done):
        result = steps.insert(lanes, result, row)
    return result


def _unpacked(first: int, width: int) -> list[int]:
    """In each quarter, lanes `first` and `first + 1` of both rows."""
    picks = (
        [first, first + 16, first + 1, first + 17]
        if width == 1
        else [first, first + 1, first + 16, first + 17]
    )
    return [pick + quarter for quarter in QUARTERS for pick in picks]


def _quarters(picks: Sequence[int]) -> list[int]:
    """Two quarters of the first row, then the same of the second."""
    return [
        base + 4 * pick + lane
        for base in (0, 16)
        for pick in picks
        for lane in range(4)
    ]


# -- broadcasts ------------------------------------------------------------------------


@pattern(BroadcastOp)
def lower_broadcast(op: BroadcastOp, rewriter: Rewriter) -> None:
    """Repeat along the first dimension, by broadcasts of lower rank."""
    if not is_vector(op.source.type):
        return
    steps = Steps()
    steps.replace(op, rewriter, _repeated(op, steps))


def _repeated(op: BroadcastOp, steps: Steps) -> SSAValue:
    have, want = vector_type(op.source).get_shape(), vector_type(op.vector).get_shape()
    if len(have) <= 1 and len(want) == 1:
        return steps.broadcast(steps.extract(op.source, *[0] * len(have)), want)
    if len(have) == len(want) and have == want:
        return op.source
    rest = want[1:]
    result = steps.poison(op.vector.type)
    if len(have) < len(want) or have[:1] != want[:1]:
        part = op.source if len(have) < len(want) else steps.extract(op.source, 0)
        row = steps.broadcast(part, rest)
        for at in range(want[0]):
            result = steps.insert(row, result, at)
        return result
    for at in range(want[0]):
        row = steps.broadcast(steps.extract(op.source, at), rest)
        result = steps.insert(row, result, at)
    return result


# -- shape casts -----------------------------------------------------------------------


@pattern(ShapeCastOp)
def lower_shape_cast(op: ShapeCastOp, rewriter: Rewriter) -> None:
    """Move the largest parts that lie together in both shapes."""
    have, want = vector_type(op.source).get_shape(), vector_type(op.result).get_shape()
    steps = Steps()
    common = 0
    while common < min(len(have), len(want)) and have[-1 - common] == want[-1 - common]:
        common += 1
    if common == min(len(have), len(want)):
        part = steps.extract(op.source, *[0] * (len(have) - common))
        into = steps.poison(op.result.type)
        result = steps.insert(part, into, *[0] * (len(want) - common))
    else:
        result = _moved(op, common, steps)
    steps.replace(op, rewriter, result)


def _moved(op: ShapeCastOp, common: int, steps: Steps) -> SSAValue:
    have, want = vector_type(op.source).get_shape(), vector_type(op.result).get_shape()
    outer, into = len(have) - common - 1, len(want) - common - 1
    unit = gcd(have[outer], want[into])
    result = steps.poison(op.result.type)
    if unit == 1:
        places = zip(
            positions(have[: outer + 1]), positions(want[: into + 1]), strict=True
        )
        for source, target in places:
            part = steps.extract(op.source, *source)
            result = steps.insert(part, result, *target)
        return result
    suffix = have[outer + 1 :]
    empty = steps.poison(vector_with(vector_type(op.result).element_type, want[into:]))
    sources, targets = positions(have[:outer]), positions(want[:into])
    row, made = empty, empty
    for at in range(prod(have[: outer + 1]) // unit):
        start = at * unit % have[outer]
        if start == 0:
            row = steps.extract(op.source, *next(sources))
        zeros = [0] * len(suffix)
        part = steps.extract_box(row, [start, *zeros], [unit, *suffix])
        target = at * unit % want[into]
        made = steps.insert_box(part, empty if target == 0 else made, [target, *zeros])
        if target + unit == want[into]:
            result = steps.insert(made, result, *next(targets))
    return result


BROADCASTS = (lower_broadcast,)
SHAPE_CASTS = (lower_shape_cast,)
