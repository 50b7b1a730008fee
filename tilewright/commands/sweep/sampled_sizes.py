"""The sizes of a sweep: a range of one size becomes some numbers in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.commands.terminal.failure import UsageError

SAMPLES = 9
STEP = 16
"""Sizes between the ends are multiples of this, where they are larger: rows of others
cannot be read through descriptors, so a sample would say little about its neighbours.
"""


@dataclass(frozen=True)
class Sweep:
    """The size that varies, and `--size` as other commands read it."""

    name: str
    values: tuple[int, ...]
    sizes: tuple[str, ...]


def swept(sizes: Sequence[str], samples: int) -> Sweep:
    """Expand `M=16..4096`; one size has a range or several values."""
    found: list[tuple[str, tuple[int, ...]]] = []
    written: list[str] = []
    for size in sizes:
        name, _, text = size.rpartition("=")
        values = _values(size, text, samples)
        if len(values) > 1:
            found.append((name, values))
        written.append(f"{name}={','.join(map(str, values))}" if values else size)
    if len(found) != 1 or not found[0][0]:
        raise UsageError(
            "one size varies in a sweep"
            + (f", not {len(found)}" if len(found) != 1 else "; name it"),
            remedy="such as --size M=16..4096, or --size M=16,100,4096",
        )
    ((name, values),) = found
    return Sweep(name, values, tuple(written))


def _values(size: str, text: str, samples: int) -> tuple[int, ...]:
    """The numbers of a range or of a list; none for anything else (`A=16x64`)."""
    if match := re.fullmatch(r"(\d+)\.\.(\d+)", text, re.ASCII):
        low, high = int(match[1]), int(match[2])
        if not 0 < low < high:
            raise UsageError(
                f"--size {size}: a range goes up, from 1 or more",
                remedy="such as M=16..4096",
            )
        return between(low, high, samples)
    if re.fullmatch(r"\d+(,\d+)*", text, re.ASCII):
        return tuple(sorted({int(number) for number in text.split(",")}))
    return ()


def between(low: int, high: int, samples: int) -> tuple[int, ...]:
    """Both ends, and numbers between them at equal ratios."""
    if samples < 2:
        raise UsageError("--samples: a range has two ends", remedy="2 or more")
    found = {low, high}
    for place in range(1, samples - 1):
        value = round(low * (high / low) ** (place / (samples - 1)))
        if value > STEP:
            value = STEP * round(value / STEP)
        if low < value < high:
            found.add(value)
    return tuple(sorted(found))
