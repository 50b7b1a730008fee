"""Sizes in the launcher's source: affine expressions, and messages of checks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from tilewright.codegen.source.escape import string_body
from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Literal,
    Name,
)
from tilewright.ir.dialects import affine, arith, memref
from tilewright.ir.dialects.kernel import RequireOp
from tilewright.ir.dialects.memref import groups_of

SIZE_OPS = (
    memref.DimOp,
    affine.ApplyOp,
    arith.ConstantOp,
    arith.MuliOp,
    arith.RemSIOp,
    arith.MaxSIOp,
)
"""Ops of a launcher that are written where they are used."""

_WORDS = 72
"""The greatest width of a message on one line, in characters."""

_NO_BREAK = "\u00a0"


def affine_text(
    expr: AffineExpr, symbols: Sequence[Expression], dims: Sequence[Expression] = ()
) -> Expression:
    """An affine expression of symbols, and dims, as Python computes it."""
    match expr:
        case AffineConstantExpr():
            return Literal(str(expr.value))
        case AffineDimExpr():
            return dims[expr.position]
        case AffineSymExpr():
            return symbols[expr.position]
        case AffineBinaryOpExpr():
            left, right = (affine_text(e, symbols, dims) for e in (expr.lhs, expr.rhs))
            match expr.kind:
                case AffineBinaryOpKind.Add:
                    return Binary("+", left, right, True)
                case AffineBinaryOpKind.Mul:
                    return Binary("*", left, right, True)
                case AffineBinaryOpKind.FloorDiv:
                    return Binary("//", left, right)
                case AffineBinaryOpKind.CeilDiv:
                    # `triton.cdiv` takes some microseconds on the host.
                    assert isinstance(expr.rhs, AffineConstantExpr)
                    most = affine_text(expr.lhs + (expr.rhs.value - 1), symbols)
                    return Binary("//", most, right)
                case AffineBinaryOpKind.Mod:
                    return Binary("%", left, right)
        case _:
            raise AssertionError(f"no Python for {expr}")


class Sizes:
    """Writes the sizes that a launcher computes from the shapes of its arguments."""

    def __init__(self, block: Block, names: Mapping[SSAValue, str]):
        self._names = names
        """The names of values."""
        self._extents: dict[tuple[SSAValue, int], memref.DimOp] = {}
        for op in block.ops:
            if isinstance(op, memref.DimOp):
                self._extents[op.source, _constant(op.index)] = op

    def value(self, value: SSAValue) -> Expression:
        """The expression of an index, or of a number that the caller passes."""
        if value in self._names:
            return Name(self._names[value])
        match value.owner:
            case memref.DimOp() as op:
                return self.extent(op)
            case arith.ConstantOp():
                return Literal(str(_constant(value)))
            case arith.MuliOp() as op:
                return Binary("*", self.value(op.lhs), self.value(op.rhs), True)
            case arith.RemSIOp() as op:
                return Binary("%", self.value(op.lhs), self.value(op.rhs))
            case arith.MaxSIOp() as op:
                parts = [self.value(operand) for operand in op.operands]
                if isinstance(parts[0], Call) and parts[0].function == "max":
                    parts[:1] = parts[0].arguments
                return Call("max", tuple(parts))
            case affine.ApplyOp() as op:
                operands = [self.value(operand) for operand in op.operands]
                return affine_text(op.map.data.results[0], operands)
            case owner:
                raise AssertionError(f"no Python for an index of {owner}")

    def extent(self, op: memref.DimOp) -> Expression:
        """`a.shape[0]`."""
        return Name(f"{self._names[op.source]}.shape[{_constant(op.index)}]")

    def emptying(self, counts: Iterable[SSAValue]) -> list[Expression]:
        """The sizes that make a product of counts 0 when they are 0."""
        found: dict[SSAValue, None] = {}
        for count in counts:
            match count.owner:
                case arith.MuliOp() as op:
                    found |= dict.fromkeys(_leaves(op))
                case _:
                    found[count] = None
        sizes: list[Expression] = []
        for leaf in found:
            size = leaf
            if isinstance(leaf.owner, affine.ApplyOp):
                expr = leaf.owner.map.data.results[0]
                if not _is_multiple_or_quotient(expr):
                    continue
                (size,) = leaf.owner.operands
            if not isinstance(size.owner, arith.ConstantOp):
                sizes.append(self.value(size))
        return sizes

    def of_alloc(self, op: memref.AllocOp) -> list[Expression]:
        """The extents of a buffer that the launcher makes."""
        computed = iter(op.dynamic_sizes)
        of = op.memref.type
        assert isinstance(of, MemRefType)
        return [
            self.value(next(computed)) if size == DYNAMIC_INDEX else Literal(str(size))
            for size in of.get_shape()
        ]

    def shape(self, value: SSAValue) -> list[Expression]:
        """The extents of a buffer; `any` for an argument's extent that is not used."""
        if isinstance(value.owner, memref.AllocOp):
            return self.of_alloc(value.owner)
        if isinstance(value.owner, memref.ExpandShapeOp | memref.CollapseShapeOp):
            return self._of_reshape(value.owner)
        of = value.type
        assert isinstance(of, MemRefType)
        return [
            Literal(str(size)) if size != DYNAMIC_INDEX else self._extent_of(value, dim)
            for dim, size in enumerate(of.get_shape())
        ]

    def _of_reshape(
        self, op: memref.ExpandShapeOp | memref.CollapseShapeOp
    ) -> list[Expression]:
        """The extents of a buffer in another shape."""
        of = op.result.type
        assert isinstance(of, MemRefType)
        if isinstance(op, memref.ExpandShapeOp):
            given = iter(op.output_shape)
            return [
                self.value(next(given)) if size == DYNAMIC_INDEX else Literal(str(size))
                for size in of.get_shape()
            ]
        source = self.shape(op.src)
        found: list[Expression] = []
        for group, size in zip(
            groups_of(op.reassociation), of.get_shape(), strict=True
        ):
            product = source[group[0]]
            for dim in group[1:]:
                product = Binary("*", product, source[dim], True)
            found.append(Literal(str(size)) if size != DYNAMIC_INDEX else product)
        return found

    def _extent_of(self, value: SSAValue, dim: int) -> Expression:
        op = self._extents.get((value, dim))
        if op is None:
            return Name("any")
        same = [
            use.operation
            for use in op.result.uses
            if isinstance(use.operation, RequireOp)
            and use.operation.predicate.data == "eq"
            and use.operation.lhs is op.result
        ]
        found = self.value(same[0].rhs if same else op.result)
        return found if "." not in str(found) else Name("any")


def _constant(value: SSAValue) -> int:
    owner = value.owner
    assert isinstance(owner, arith.ConstantOp)
    assert isinstance(owner.value, IntegerAttr)
    return owner.value.value.data


def _leaves(op: arith.MuliOp) -> Iterator[SSAValue]:
    """The factors of a product of products."""
    for operand in op.operands:
        if isinstance(operand.owner, arith.MuliOp):
            yield from _leaves(operand.owner)
        else:
            yield operand


def _is_multiple_or_quotient(expr: AffineExpr) -> bool:
    """Whether an expression is a symbol times a number, or a rounded-up quotient."""
    if isinstance(expr, AffineSymExpr):
        return True
    return (
        isinstance(expr, AffineBinaryOpExpr)
        and expr.kind in (AffineBinaryOpKind.Mul, AffineBinaryOpKind.CeilDiv)
        and isinstance(expr.rhs, AffineConstantExpr)
        and _is_multiple_or_quotient(expr.lhs)
    )


def message_lines(message: str, values: Sequence[Expression]) -> list[str]:
    """A message as string literals, one on a line, with numbers of the run time."""

    def fill(match: re.Match[str]) -> str:
        value = values[int(match[1])]
        if isinstance(value, Literal):
            return str(value)
        # No line ends inside an expression.
        return f"{{{value}}}".replace(" ", _NO_BREAK)

    pieces = re.split(r"(\{\d\})", message)
    filled = "".join(
        re.sub(r"\{(\d)\}", fill, piece) if number % 2 else string_body(piece)
        for number, piece in enumerate(pieces)
    )
    lines = textwrap.wrap(filled, _WORDS, drop_whitespace=False, break_long_words=False)
    return [
        f'f"{line}"' if "{" in line else f'"{line}"'
        for line in (line.replace(_NO_BREAK, " ") for line in lines)
    ]
