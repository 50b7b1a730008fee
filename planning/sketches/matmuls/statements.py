"""Statements that sketches of matmuls share: grids, loops over k, launches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, OpResult

from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.sketches.matmuls.shape import MatmulShape
from tilewright.planning.writing.lines import Lines, action
from tilewright.planning.writing.terms import Term, text
from tilewright.schedules.language.syntax import Setting

SWAP = 64
"""The rows and columns of a tile that is transposed."""


def write_grid(lines: Lines, shape: MatmulShape, rows: Term, columns: Term) -> None:
    """Tile the sinks, and fuse everything else into their grids, readers first.

    With several sinks there is a grid for each; `loop_over_k` makes them one.
    """
    if not shape.group.also_sinks:
        sizes = shape.sink_sizes(shape.group.sink, rows, columns)
        lines.tile_sink(shape.group, sizes, "grid")
        lines.fuse_all(shape.group.fused, "grid")
        return
    for number, sink in enumerate(shape.sinks, start=1):
        lines.tile_op(sink.name, shape.sink_sizes(sink, rows, columns), f"grid{number}")
        lines.fuse_all(_behind(shape, sink), f"grid{number}")


def _behind(shape: MatmulShape, sink: OpFacts) -> list[OpFacts]:
    """The ops of the group that a sink needs."""
    by_op: dict[Operation, OpFacts] = {facts.op: facts for facts in shape.group.ops}
    found: list[OpFacts] = []
    pending = [sink]
    while pending:
        for value in pending.pop().op.operands:
            facts = by_op.get(value.owner) if isinstance(value, OpResult) else None
            if facts is not None and facts not in found:
                found.append(facts)
                pending.append(facts)
    return found


def loop_over_k(lines: Lines, shape: MatmulShape, step: Term) -> None:
    """Tile the sums of all matmuls in one loop `k`, with the prologues inside."""
    loops: list[str] = []
    for number, matmul in enumerate(shape.matmuls, start=1):
        loop = "k" if len(shape.matmuls) == 1 else f"k{number}"
        loops.append(loop)
        sizes: list[Term] = [0] * len(matmul.extents)
        for outer in shape.dims.k:
            sizes[outer] = 1
        sizes[shape.dims.k[-1]] = step
        around = [f"k_{i}" for i in range(1, len(shape.dims.k))]
        lines.tile_loop(matmul.name, sizes, *around, loop)
    if shape.group.also_sinks:
        _merge(lines, "grid", [f"grid{i + 1}" for i in range(len(shape.sinks))])
        lines.do("match", text("scf.for"), "in", "grid", to=("loops",))
        lines.do("split_handle", "loops", to=loops)
    if len(loops) > 1:
        _merge(lines, "k", loops)
    for facts in sorted(shape.group.prologues, key=lambda f: -f.number):
        if facts not in lines.shared:
            lines.fuse(facts.name, "k")


def _merge(lines: Lines, name: str, loops: Sequence[str]) -> None:
    """Make one loop of several, each fused into the next."""
    first = loops[0]
    for loop in loops[1:]:
        lines.do("fuse_sibling", first, "into", loop, to=(name,))
        first = name


def choose_loads(lines: Lines, shape: MatmulShape, grid: str) -> None:
    """Pointers or descriptors, which are the default."""
    described = action("descriptors", grid)
    if not shape.stores_by_descriptors:
        described = action("launch", grid, descriptors=text("where_legal"))
    lines.choose("loads", {"pointers": None, "descriptors": described}, "descriptors")


def choose_precision(lines: Lines, grid: str) -> None:
    """How f32 is multiplied: by three matmuls of TF32, which are as exact."""
    setting = Setting("triton.dot_precision", text("tf32x3"), quoted=True)
    exact = action("annotate", grid, setting)
    lines.choose("precision", {"tf32x3": exact, "ieee": None}, "tf32x3")


def transpose_first(lines: Lines, matmul: OpFacts, side: int) -> None:
    """Store a factor transposed, in a grid of its own before the matmul."""
    name, loops = matmul.name, matmul.inputs[side].loops
    lines.do("structured.transpose_matmul", name, inputToTranspose=side, to=(name,))
    lines.do("producer", name, operand=side, to=("swap",))
    columns = SWAP if loops[-1] is None else matmul.extents[loops[-1]]
    rows = min(SWAP, power_of_two(columns))
    lines.tile_op("swap", [*[1] * (len(loops) - 2), rows, SWAP], "first")
    lines.launch("first", warps=4)


def loop_sizes(
    facts: OpFacts, given: Mapping[int | None, Term], others: Term = 1
) -> list[Term]:
    """A tile size for each loop of an op: those given, `others` for the rest."""
    return [given.get(loop, others) for loop in range(len(facts.extents))]
