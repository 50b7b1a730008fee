"""Random payloads under random schedules, to be run on a GPU: drawn in parallel.

Nothing here needs a GPU. `draw` gives so many programs with inputs and expected
results, and what was refused or wrong on the way; `tests/fuzz` has the generators.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Drawn:
    """A program with its inputs, or the reason why there is none."""

    seed: int
    pair: Any
    program: Any = None
    asked: Sequence[Any] = ()
    why: str = ""

    @property
    def name(self) -> str:
        """`random 17 contraction`."""
        return f"random {self.seed} {self.pair.case.name if self.pair else ''}".strip()


def draw(count: int, seed: int) -> Iterator[Drawn]:
    """Pairs from a seed on until `count` programs were accepted; refusals too."""
    accepted = 0
    workers = max(1, (os.cpu_count() or 2) - 1)
    with ProcessPoolExecutor(workers) as pool:
        while accepted < count:
            chunk = range(seed, seed + max(workers, 2 * (count - accepted)))
            seed = chunk.stop
            for drawn in pool.map(draw_one, chunk):
                if accepted == count:
                    break
                accepted += drawn.program is not None
                yield drawn


def draw_one(seed: int) -> Drawn:
    """The pair of a seed, lowered and right at the kernel level, or refused."""
    from contextlib import redirect_stderr
    from io import StringIO

    from fuzz.kernels.pairs import check_kernel, draw_pair, questions, settled
    from fuzz.schedules.checks import Finding
    from tilewright.ir.errors import UserError

    pair = None
    try:
        with redirect_stderr(StringIO()):  # remarks
            pair, made, _ = settled(draw_pair(seed))
        if isinstance(made, UserError):
            return Drawn(seed, pair, why=f"refused: {made.fact}")
        asked = check_kernel(pair, made, questions(pair))
    except Finding as finding:
        return Drawn(seed, pair, why=f"WRONG before it ran: {finding}")
    return Drawn(seed, pair, made.program, asked)
