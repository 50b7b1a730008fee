"""The outline of a payload: its loops, and a line for each structured op in them.

    grid of 32 x 64
      loop over 4096 by 64, carries largest, total
        product    batch_matmul(q, k)           1x64x64xf32
        scores     mulf, tanh(product)          1x64x64xf32
        largest    reduce maximumf(scores)      1x64xf32

Slices, constants, fills and ops whose results nobody uses are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from tilewright.ir.dialects import func, scf
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.nest.live import live_ops
from tilewright.ir.nest.names import Names, number_text, type_text, verb_of


@dataclass(frozen=True)
class Line:
    """A loop or an op of an outline."""

    depth: int
    name: str
    """The result of an op; of a loop, the whole text."""
    what: str = ""
    """The op and its operands; empty for a loop."""
    type: str = ""


def outline(module: ModuleOp) -> list[Line]:
    """The outline of every function of a module."""
    lines: list[Line] = []
    for op in module.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks:
            lines += _Outline(live_ops(op.body.block)).of_block(op.body.block, 0)
    return lines


def outline_text(module: ModuleOp) -> str:
    """The outline as a text, its columns aligned."""
    lines = outline(module)
    indented = [(f"{'  ' * line.depth}{line.name}", line) for line in lines]
    ops = [(name, line) for name, line in indented if line.what]
    widest = max((len(name) for name, _ in ops), default=0)
    middle = max((len(line.what) for _, line in ops), default=0)
    return "\n".join(
        f"{name:{widest}}  {line.what:{middle}}  {line.type}" if line.what else name
        for name, line in indented
    )


class _Outline:
    """Writes the lines of a function."""

    def __init__(self, live: set[Operation]):
        self._live = live
        self._names = Names()

    def of_block(self, block: Block, depth: int) -> Iterator[Line]:
        """The lines of a block and of the loops in it."""
        for op in block.ops:
            match op:
                case scf.ForallOp():
                    extents = " x ".join(map(number_text, op.upper_bounds))
                    yield Line(depth, f"grid of {extents}")
                    yield from self.of_block(op.body.block, depth + 1)
                case scf.ForOp():
                    yield Line(depth, self._loop(op))
                    yield from self.of_block(op.body.block, depth + 1)
                case FillOp():
                    pass
                case StructuredOp() | SoftmaxOp() if op in self._live:
                    yield self._of_op(op, depth)
                case _:
                    pass

    def _loop(self, op: scf.ForOp) -> str:
        carried = ", ".join(self._names.carried(op))
        text = f"loop over {number_text(op.ub)} by {number_text(op.step)}"
        return f"{text}, carries {carried}" if carried else text

    def _of_op(self, op: Operation, depth: int) -> Line:
        inputs = op.inputs if isinstance(op, StructuredOp) else op.operands[:1]
        names = ", ".join(map(self._names.name, inputs))
        result = op.results[0] if op.results else op.operands[-1]
        what = f"{verb_of(op)}({names})"
        return Line(depth, self._names.name(result), what, type_text(result))
