"""Requirements on sizes known only at run time, without which a kernel is wrong.

A kernel for any M is compiled once. Its offsets have a fixed width, and its masks keep
accesses inside the buffers only if the buffers have the expected sizes. The launcher
checks both before it launches anything.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpKind

from tilewright.codegen.analysis.elements.atoms import MAX_EXTENT, Atom, Given, Linear
from tilewright.codegen.analysis.elements.views import Access
from tilewright.codegen.kernel.accesses import is_wide
from tilewright.ir.dtypes import element


@dataclass(frozen=True)
class Requirement:
    """A product of sizes compared with a size."""

    factors: tuple[Linear, ...]
    predicate: str
    """One of le, ge, eq."""
    other: Linear
    message: str
    """{0} stands for the product, {1} for the other size, {name} for the buffer.
    Requirements with the same message become one check for several buffers."""
    name: str
    multiple: int = 0
    """If not 0, the remainder of the product by this number is compared."""


def requirements_of(
    accesses: Iterable[Access],
    names: Mapping[SSAValue, str],
    *,
    wide: bool,
) -> Iterator[Requirement]:
    """The requirements of a kernel on the buffers it accesses."""
    for access in accesses:
        if DYNAMIC_INDEX not in access.buffer.get_shape():
            continue
        name = names[access.base]
        yield from _reached(access, name)
        if not is_wide(access.buffer, access.op, asked=wide):
            yield Requirement(
                _factors(access.sizes),
                "le",
                Linear({}, MAX_EXTENT),
                "{name} has more than {1} elements, as many as these kernels number; "
                "'triton.wide_offsets' makes kernels that number more",
                name,
            )
            continue
        for size in access.sizes:
            if not size.is_constant:
                yield Requirement(
                    (size,),
                    "le",
                    Linear({}, MAX_EXTENT),
                    "{name} has an extent of more than {1}, which kernels do not take",
                    name,
                )


def computed_sizes(
    numbers: Iterable[Atom], accesses: Iterable[Access], name: str
) -> Iterator[Requirement]:
    """The requirement that 32 bits hold a number that the launcher computes.

    The limit on the elements of buffers implies it for those that are extents.
    """
    extents = {atom for each in accesses for size in each.sizes for atom in size.terms}
    for atom in numbers:
        if atom not in extents:
            yield Requirement(
                (Linear({atom: 1}),),
                "le",
                Linear({}, MAX_EXTENT),
                "{name} takes the product {0} of sizes, kernels take at most {1}",
                name,
            )


def countable(tiles: Sequence[Linear], name: str) -> Iterator[Requirement]:
    """The requirement that one launch axis can number the tiles of a grid.

    With 32-bit offsets, the limit on the elements of buffers implies it.
    """
    if not all(extent.is_constant for extent in tiles):
        yield Requirement(
            _factors(tiles),
            "le",
            Linear({}, MAX_EXTENT),
            "{name} has {0} blocks, a launch has at most {1}; tile by larger sizes",
            name,
        )


def row_pitch(
    access: Access, name: str, tiles: Sequence[Linear]
) -> Iterator[Requirement]:
    """Requirements of a descriptor: no empty buffer, rows a multiple of 16 bytes apart.

    An empty buffer is allowed if the grid then has no tiles: nothing is launched.
    """
    width = element(access.buffer.element_type).byte_width
    needed = max(16 // width, 1)
    shape = access.buffer.get_shape()
    for size in access.sizes:
        empties_grid = any(_vanishes_with(extent, size) for extent in tiles)
        if not size.is_constant and not empties_grid:
            yield Requirement(
                (size,),
                "ge",
                Linear({}, 1),
                "{name} goes through a tensor descriptor, it must not be empty",
                name,
            )
    for dim in range(len(shape) - 1):
        inner = shape[dim + 1 :]
        known = math.prod(size for size in inner if size != DYNAMIC_INDEX)
        if DYNAMIC_INDEX in inner and known % needed:
            yield Requirement(
                _factors(access.sizes[dim + 1 :]),
                "eq",
                Linear(),
                "{name} goes through a tensor descriptor, its rows must be a multiple "
                f"of {needed} elements",
                name,
                needed,
            )


def _vanishes_with(extent: Linear, size: Linear) -> bool:
    """Whether a grid has no tiles along this extent if the size is 0."""
    if extent == size:
        return True
    if len(extent.terms) != 1 or extent.constant:
        return False
    quotient = next(iter(extent.terms)).quotient
    return (
        quotient is not None
        and quotient.kind is AffineBinaryOpKind.CeilDiv
        and quotient.dividend == size
    )


def _reached(access: Access, name: str) -> Iterator[Requirement]:
    """Requirements that a buffer covers the elements an access may reach."""
    for bound in access.bounds:
        size, limit = access.sizes[bound.dim], access.limit_in_base(bound)
        if size.is_constant or not limit.is_given or (size - limit).low >= 0:
            continue
        yield Requirement(
            (size,),
            "ge",
            limit,
            f"{{name}}.shape[{bound.dim}] is {{0}}, at least {{1}} is needed",
            name,
        )
    masked = {bound.dim for bound in access.bounds}
    for dim, (size, start) in enumerate(zip(access.sizes, access.starts, strict=True)):
        reach = start.high + access.reach(dim)
        # The payload promises that starts which depend on sizes are in range.
        if dim not in masked and size.low < reach and not start.is_open:
            yield Requirement(
                (size,),
                "ge",
                Linear({}, reach),
                f"{{name}}.shape[{dim}] is {{0}}, at least {{1}} is needed",
                name,
            )


def _factors(sizes: Iterable[Linear]) -> tuple[Linear, ...]:
    """Factors of a product: unknown sizes, then the product of the numbers."""
    unknown = [size for size in sizes if not size.is_constant]
    known = math.prod(size.constant for size in sizes if size.is_constant)
    return (*unknown, *([Linear({}, known)] if known != 1 else []))


@dataclass(frozen=True)
class Product:
    """A product of the caller's sizes, in a form that can be compared."""

    unknown: frozenset[tuple[Given, int]]
    """The factors, each with its exponent."""
    known: int


def product_of(factors: Iterable[Linear]) -> Product | None:
    """The product; None unless each factor is a number or a multiple of one size."""
    unknown: list[Given] = []
    known = 1
    for form in factors:
        if form.is_constant:
            known *= form.constant
        elif len(form.terms) == 1 and form.constant == 0:
            ((atom, coefficient),) = form.terms.items()
            if atom.runtime is None:
                return None
            unknown.append(atom.runtime)
            known *= coefficient
        else:
            return None
    return Product(frozenset(Counter(unknown).items()), known)
