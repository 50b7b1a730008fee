"""The open sizes of a program: their names, and the extents that have them.

A stand-alone file takes them as options. Extents that the payload requires to be equal
are one size; an extent that must equal a number is not a size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.kernel.axes import letter_order
from tilewright.codegen.program import (
    DYNAMIC,
    NOMINAL,
    GeneratedProgram,
    TensorSpec,
)
from tilewright.codegen.source.names import Names
from tilewright.ir.structured.equal_extents import Extent, Extents

_MOST_ELEMENTS = 2**26
"""Most elements of a tensor with default sizes."""
_LEAST = 16
_LONG = 2**20
"""The default size where all tensors with open sizes have one dimension."""


@dataclass(frozen=True)
class OpenSize:
    """One size that the caller chooses."""

    name: str
    places: tuple[Extent, ...]
    """Argument and dimension of each extent that has this size."""


class OpenSizes:
    """The open sizes of a program, and its extents in terms of them."""

    def __init__(self, program: GeneratedProgram, extents: Extents, names: Names):
        self.program = program
        self.known: dict[Extent, str] = {}
        """The text of each open extent of an argument: a size's name, or a number."""
        self.sizes: list[OpenSize] = []
        self._renamed: dict[str, str] = {}
        for group in extents.groups() or self._each_alone():
            places = [entry for entry in group if not isinstance(entry, int)]
            numbers = [entry for entry in group if isinstance(entry, int)]
            text = str(numbers[0]) if numbers else self._open(places, names)
            self.known |= dict.fromkeys(places, text)

    def _each_alone(self) -> list[list[Extent | int]]:
        return [
            [(position, dim)]
            for position, spec in enumerate(self.program.arguments)
            for dim, size in enumerate(spec.shape)
            if size == DYNAMIC
        ]

    def _open(self, places: Sequence[Extent], names: Names) -> str:
        """Add a size, with the program's name for it."""
        argument, dim = places[0]
        known = self.program.arguments[argument].extents[dim]
        name = self._renamed[known] = names.fresh(known)
        self.sizes.append(OpenSize(name, tuple(places)))
        return name

    def in_order(self) -> list[OpenSize]:
        """The sizes in the usual order, rows before columns."""
        return sorted(self.sizes, key=lambda size: letter_order(size.name))

    def argument(self, position: int) -> list[str]:
        """The extents of an argument: numbers and names of sizes."""
        shape = self.program.arguments[position].shape
        return [
            str(size) if size != DYNAMIC else self.known[position, dim]
            for dim, size in enumerate(shape)
        ]

    def result(self, spec: TensorSpec) -> list[str] | None:
        """The extents of a result; None where one is computed from several sizes."""
        names = spec.extents or ("",) * len(spec.shape)
        found = [
            str(size) if size != DYNAMIC else self._renamed.get(name, "")
            for size, name in zip(spec.shape, names, strict=True)
        ]
        return found if all(found) else None

    def defaults(self) -> Mapping[str, int]:
        """A default for each size: large enough to time, as far as memory allows."""
        open_ranks = [
            len(spec.shape) for spec in self.program.arguments if DYNAMIC in spec.shape
        ]
        size = NOMINAL if max(open_ranks) > 1 else _LONG
        while size > _LEAST and self._largest(size) > _MOST_ELEMENTS:
            size //= 2
        return {entry.name: size for entry in self.in_order()}

    def _largest(self, size: int) -> int:
        shapes = [self.argument(p) for p in range(len(self.program.arguments))]
        shapes += [self.result(spec) or [] for spec in self.program.results]
        return max(
            math.prod(int(e) if e.isdigit() else size for e in shape)
            for shape in shapes
        )


def sizes_of(
    program: GeneratedProgram, payload: ModuleOp, names: Names
) -> OpenSizes | None:
    """The open sizes of a program; None where all sizes are known."""
    if not program.is_dynamic:
        return None
    return OpenSizes(program, Extents(payload), names)


def polynomial(products: Sequence[tuple[int, Sequence[str]]]) -> str:
    """A sum of numbers times sizes: `1024 * M + 262144`."""
    terms: dict[tuple[str, ...], tuple[int, Sequence[str]]] = {}
    for number, extents in products:
        known = math.prod(int(extent) for extent in extents if extent.isdigit())
        names = [extent for extent in extents if not extent.isdigit()]
        key = tuple(sorted(names))
        before, order = terms.get(key, (0, names))
        terms[key] = (before + number * known, order)
    texts = [
        " * ".join([*([str(number)] if number != 1 or not names else []), *names])
        for number, names in terms.values()
        if number
    ]
    return " + ".join(texts) or "0"
