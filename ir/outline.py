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

from xdsl.dialects.builtin import ModuleOp, ShapedType
from xdsl.ir import Block, Operation, OpResult, SSAValue

from tilewright.ir.dialects import func, scf, tensor
from tilewright.ir.dialects.linalg import FillOp, GenericOp, SoftmaxOp, StructuredOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.structured.loops import nest_of


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
            lines += _Outline(_live(op)).of_block(op.body.block, 0)
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


def _live(function: func.FuncOp) -> set[Operation]:
    """The ops whose results reach what the function returns."""
    last = function.body.block.last_op
    pending: list[Operation] = [last] if last is not None else []
    seen: set[Operation] = set()
    while pending:
        op = pending.pop()
        if op in seen:
            continue
        seen.add(op)
        parent = op.parent_op()
        if parent is not None:
            pending.append(parent)
        # What the last op of a region uses reaches the results of the region's op.
        inner = [b.last_op for r in op.regions for b in r.blocks if b.last_op]
        pending += inner
        pending += [
            inside
            for end in inner
            if isinstance(end, scf.InParallelOp)
            for inside in end.region.block.ops
        ]
        pending += [v.owner for v in op.operands if isinstance(v, OpResult)]
    return seen


class _Outline:
    """Writes the lines of a function; values without a name are numbered."""

    def __init__(self, live: set[Operation]):
        self._live = live
        self._numbered: dict[SSAValue, str] = {}

    def of_block(self, block: Block, depth: int) -> Iterator[Line]:
        """The lines of a block and of the loops in it."""
        for op in block.ops:
            match op:
                case scf.ForallOp():
                    extents = " x ".join(map(_number, op.upper_bounds))
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
        arguments = op.body.block.args[1:]
        for argument, result in zip(arguments, op.results, strict=True):
            if not argument.name_hint:
                self._numbered[argument] = self._name(result)
        carried = ", ".join(map(self._name, arguments))
        text = f"loop over {_number(op.ub)} by {_number(op.step)}"
        return f"{text}, carries {carried}" if carried else text

    def _of_op(self, op: Operation, depth: int) -> Line:
        inputs = op.inputs if isinstance(op, StructuredOp) else op.operands[:1]
        names = ", ".join(map(self._name, inputs))
        result = op.results[0] if op.results else op.operands[-1]
        return Line(depth, self._name(result), f"{_verb(op)}({names})", _type(result))

    def _name(self, value: SSAValue) -> str:
        """The name of the tensor that a value is, or is a slice of."""
        while isinstance(value.owner, tensor.ExtractSliceOp) and not value.name_hint:
            value = value.owner.source
        if value.name_hint:
            return value.name_hint.rstrip("0123456789").rstrip("_") or value.name_hint
        return self._numbered.setdefault(value, f"t{len(self._numbered) + 1}")


def _verb(op: Operation) -> str:
    """`matmul`, `softmax`; for a generic, what its body does: `mulf, tanh`."""
    if not isinstance(op, GenericOp):
        return op.name.removeprefix("linalg.")
    body = [one.name.split(".")[-1] for one in op.body.block.ops]
    done = ", ".join(body[:-1]) or "copy"
    return f"reduce {done}" if nest_of(op).reduced else done


def _number(value: SSAValue | int) -> str:
    known = constant_int(value)
    return "?" if known is None else str(known)


def _type(value: SSAValue) -> str:
    if not isinstance(value.type, ShapedType):
        return str(value.type)
    shape = "x".join("?" if d < 0 else str(d) for d in value.type.get_shape())
    return f"{shape}x{value.type.get_element_type()}"  # pyright: ignore
