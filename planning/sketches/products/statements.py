"""Statements that sketches of products share: grids, loops over k, launches."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.sketches.products.shape import ProductShape
from tilewright.planning.writing.lines import Lines


def fuse_products(lines: Lines, shape: ProductShape, grid: str) -> None:
    """Fuse everything but the sink into the grid, readers before what they read."""
    lines.fuse_all(shape.group.ops[:-1], grid, lines.shared)


def loop_over_k(lines: Lines, shape: ProductShape, step: str) -> None:
    """Tile the sums of all products in one loop `k`, with the prologues inside."""
    loops: list[str] = []
    for number, product in enumerate(shape.products, start=1):
        loop = "k" if len(shape.products) == 1 else f"k{number}"
        loops.append(loop)
        sizes = ["0"] * len(product.extents)
        for outer in shape.dims.k:
            sizes[outer] = "1"
        sizes[shape.dims.k[-1]] = step
        while sizes[-1] == "0":
            sizes.pop()
        around = "".join(f"k_{i}, " for i in range(1, len(shape.dims.k)))
        listed = ", ".join(sizes)
        lines.add(f"{product.name}, {around}{loop} = tile {product.name} by [{listed}]")
    for loop in loops[1:]:
        first = "k" if loop != "k2" else loops[0]
        lines.add(f"k = fuse_sibling {first} into {loop}")
    for facts in sorted(shape.group.prologues, key=lambda f: -f.number):
        if facts not in lines.shared:
            lines.add(f"{facts.name}, k = fuse {facts.name} into k")


def choose_loads(lines: Lines, name: str, grid: str, default: str) -> None:
    """Pointers or descriptors; pointers alone where descriptors cannot be."""
    with lines.block(f"choose {lines.knob(name)} default {default}"):
        lines.add("pointers { }")
        lines.add(f"descriptors {{ descriptors {grid} }}")


def loop_sizes(
    facts: OpFacts, given: dict[int | None, str], others: str = "1"
) -> list[str]:
    """A tile size for each loop of an op: those given, `others` for the rest."""
    return [given.get(loop, others) for loop in range(len(facts.extents))]


def without_tail(sizes: Sequence[str]) -> str:
    """Sizes as a list, without the zeros at its end."""
    kept = list(sizes)
    while kept and kept[-1] == "0":
        kept.pop()
    return f"[{', '.join(kept)}]"
