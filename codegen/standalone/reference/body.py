"""The body of a structured op as torch expressions on whole operands.

A value has a dimension for each loop that it changes with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Literal,
    Name,
    Suffix,
)
from tilewright.codegen.standalone.reference.scalar_ops import literal, write_op
from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import IndexOp
from tilewright.ir.dtypes import element
from tilewright.ir.structured.loops import Nest
from tilewright.ir.structured.maps import is_projection, named_loops

_INLINE_WIDTH = 60
"""Longer expressions become statements."""

_SIGNS = {
    AffineBinaryOpKind.Add: "+",
    AffineBinaryOpKind.Mul: "*",
    AffineBinaryOpKind.Mod: "%",
    AffineBinaryOpKind.FloorDiv: "//",
}


class NoReference(Exception):
    """The payload cannot be written in torch: the op, and the reason."""

    def __init__(self, op: Operation, reason: str):
        super().__init__(reason)
        self.op = op
        self.reason = reason


class ReferenceFunction(Protocol):
    """The function around a body."""

    def tensor(self, value: SSAValue) -> Expression:
        """A tensor's expression."""
        ...

    def number(self, value: SSAValue) -> Expression | None:
        """A number; None where the value has several elements."""
        ...

    def arange(self, extent: Expression) -> Expression:
        """The tensor 0, 1, 2 and so on."""
        ...

    def full(
        self, shape: Sequence[Expression], value: Expression, of: Attribute
    ) -> Expression:
        """A tensor with one number everywhere."""
        ...

    def statement(self, hint: str | None, value: Expression) -> Expression:
        """Assign a value to a name."""
        ...


class BodyWriter:
    """Writes the values of one body; a value with several uses gets a name."""

    def __init__(
        self, around: ReferenceFunction, nest: Nest, extents: Sequence[Expression]
    ):
        self.around = around
        self.nest = nest
        self.extents = extents
        self._written: dict[tuple[SSAValue, tuple[int, ...]], Expression] = {}

    def over_all(self, value: SSAValue) -> Expression:
        """A value over all loops, expanded to their extents."""
        loops = tuple(range(self.nest.rank))
        # The caller names the value itself, so only its operands get names here.
        written = self._written.get((value, loops)) or self._expression(value, loops)
        if self.uses(value) == set(loops):
            return written
        if isinstance(written, Literal):
            return self.around.full(self.extents, written, value.type)
        return Suffix(written, f".expand({', '.join(map(str, self.extents))})")

    def bind(self, value: SSAValue, written: Expression) -> None:
        """Give a value its expression over all loops: the totals of a scan."""
        self._written[(value, tuple(range(self.nest.rank)))] = written

    def contracted(self, factors: Sequence[SSAValue]) -> Expression | None:
        """A sum of products as an einsum over the parallel loops, in order.

        None where a factor is a literal, which einsum does not accept.
        """
        letters = _letters(self.nest)
        texts: list[str] = []
        operands: list[Expression] = []
        used: set[int] = set()
        for factor in factors:
            loops, operand = self._factor(factor)
            if any(isinstance(part, Literal) for part in (operand, *operand.parts)):
                return None
            used |= set(loops)
            texts.append("".join(letters[loop] for loop in loops))
            operands.append(operand)
        if used != set(range(self.nest.rank)):
            return None
        result = "".join(letters[loop] for loop in self.nest.parallel)
        spec = Literal(f'"{",".join(texts)}->{result}"')
        return Call("torch.einsum", (spec, *operands))

    def _factor(self, value: SSAValue) -> tuple[Sequence[int], Expression]:
        """A factor and the loops of its dimensions; operands are not permuted."""
        source = value
        while isinstance(source.owner, arith.ExtFOp | arith.ExtSIOp):
            source = source.owner.operands[0]
        double = not element(source.type).is_float
        plain = self._argument(source)
        if plain is not None and is_projection(plain[0]):
            dims = [
                e.position for e in plain[0].results if isinstance(e, AffineDimExpr)
            ]
            if len(dims) == len(plain[0].results):
                operand = self.around.tensor(plain[1])
                return dims, Suffix(operand, ".double()") if double else operand
        loops = tuple(sorted(self.uses(value)))
        written = self._write(value, loops)
        if double:
            written = Suffix(written, ".double()")
        return loops, written

    def uses(self, value: SSAValue) -> set[int]:
        """The loops that a value changes with."""
        argument = self._argument(value)
        if argument is not None:
            map, operand = argument
            if self.around.number(operand) is not None:
                return set()
            return {
                e.position
                for result in map.results
                for e in result.dfs()
                if isinstance(e, AffineDimExpr)
            }
        owner = value.owner
        if isinstance(owner, IndexOp):
            return {owner.dim.value.data}
        if isinstance(owner, Block) or owner.parent is not self.nest.body:
            return set()
        return set().union(*(self.uses(operand) for operand in owner.operands))

    def _is_number(self, value: SSAValue) -> bool:
        """Whether a value is written as a Python number."""
        argument = self._argument(value)
        if argument is not None:
            return self.around.number(argument[1]) is not None
        owner = value.owner
        if isinstance(owner, Block) or owner.parent is not self.nest.body:
            return True
        return isinstance(owner, arith.ConstantOp)

    def _argument(self, value: SSAValue) -> tuple[AffineMap, SSAValue] | None:
        if not isinstance(value, BlockArgument) or value.owner is not self.nest.body:
            return None
        return self.nest.maps[value.index], self.nest.op.operands[value.index]

    def _write(self, value: SSAValue, loops: tuple[int, ...]) -> Expression:
        key = (value, loops)
        if key in self._written:
            return self._written[key]
        written = self._expression(value, loops)
        owner = value.owner
        long = len(str(written)) > _INLINE_WIDTH
        shared = len(list(value.uses)) > 1 and isinstance(owner, Operation)
        if (shared or long) and not isinstance(written, Name | Literal):
            written = self.around.statement(value.name_hint, written)
        self._written[key] = written
        return written

    def _expression(self, value: SSAValue, loops: tuple[int, ...]) -> Expression:
        argument = self._argument(value)
        if argument is not None:
            return self._operand(*argument, loops)
        owner = value.owner
        if isinstance(owner, IndexOp):
            loop = owner.dim.value.data
            return self._index(loop, loops)
        if isinstance(owner, Block) or owner.parent is not self.nest.body:
            number = self.around.number(value)
            if number is None:
                raise NoReference(self.nest.op, "its body reads a value from outside")
            return number
        if isinstance(owner, arith.ConstantOp):
            return _constant(owner)
        if isinstance(owner, tensor.ExtractOp):
            table = self.around.tensor(owner.tensor)
            places = [str(self._write(place, loops)) for place in owner.indices]
            return Suffix(table, f"[{', '.join(places)}]") if places else table
        operands = [self._write(operand, loops) for operand in owner.operands]
        if all(map(self._is_number, owner.operands)):
            # torch's functions and the methods of a result want tensors.
            operands = [
                self.around.full((), written, operand.type)
                for written, operand in zip(operands, owner.operands, strict=True)
            ]
        try:
            written = None if owner.regions else write_op(owner, operands)
        except NotImplementedError as error:
            raise NoReference(owner, str(error)) from None
        if written is None:
            raise NoReference(owner, "it has no torch form here")
        return written

    def _operand(
        self, map: AffineMap, operand: SSAValue, loops: tuple[int, ...]
    ) -> Expression:
        number = self.around.number(operand)
        if number is not None:
            return number
        value = self.around.tensor(operand)
        if not is_projection(map):
            return Suffix(value, f"[{', '.join(self._places(map, loops))}]")
        constants = [
            str(e.value) if isinstance(e, AffineConstantExpr) else ":"
            for e in map.results
        ]
        if any(entry != ":" for entry in constants):
            value = Suffix(value, f"[{', '.join(constants)}]")
        dims = list(named_loops(map))
        if dims != sorted(dims):
            order = sorted(range(len(dims)), key=dims.__getitem__)
            value = Suffix(
                value, f".permute({', '.join(str(place) for place in order)})"
            )
        return _stretched(value, set(dims), loops)

    def _places(self, map: AffineMap, loops: tuple[int, ...]) -> list[str]:
        """The indices into an operand; long ones become statements."""
        places = [self._place(e, loops) for e in map.results]
        if sum(len(str(place)) for place in places) > _INLINE_WIDTH:
            places = [
                place
                if isinstance(place, Literal)
                else self.around.statement("at", place)
                for place in places
            ]
        return [str(place) for place in places]

    def _index(self, loop: int, loops: tuple[int, ...]) -> Expression:
        return _stretched(self.around.arange(self.extents[loop]), {loop}, loops)

    def _place(self, expr: AffineExpr, loops: tuple[int, ...]) -> Expression:
        """An index into an operand, over all loops."""
        match expr:
            case AffineDimExpr():
                return self._index(expr.position, loops)
            case AffineConstantExpr():
                return Literal(str(expr.value))
            case AffineBinaryOpExpr() if expr.kind in _SIGNS:
                left, right = (self._place(e, loops) for e in (expr.lhs, expr.rhs))
                return Binary(_SIGNS[expr.kind], left, right)
            case _:
                raise NoReference(self.nest.op, f"its map has {expr}")


def _constant(op: arith.ConstantOp) -> Literal:
    if not isinstance(op.value, FloatAttr | IntegerAttr):
        raise NoReference(op, "its kind of constant")
    return literal(op.value.value.data)


def _stretched(value: Expression, dims: set[int], loops: tuple[int, ...]) -> Expression:
    """Add dimensions of size one for missing loops; torch adds leading ones itself."""
    entries = [":" if loop in dims else "None" for loop in loops]
    while entries and entries[0] == "None":
        entries.pop(0)
    if "None" not in entries:
        return value
    return Suffix(value, f"[{', '.join(entries)}]")


def _letters(nest: Nest) -> dict[int, str]:
    """Letters for einsum: b, m, n for the parallel loops, k, l for the reduced ones."""
    parallel, reduced = nest.parallel, nest.reduced
    if len(parallel) <= 3 and len(reduced) <= 2:
        names = "bmn"[3 - len(parallel) :]
        found = dict(zip(parallel, names, strict=True))
        return found | dict(zip(reduced, "kl", strict=False))
    return {loop: chr(ord("a") + loop) for loop in range(nest.rank)}
