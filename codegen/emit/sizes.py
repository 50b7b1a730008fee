"""The sizes of a launcher as expressions of its arguments' extents."""

from __future__ import annotations

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

from tilewright.codegen.launches.plan import Dim, Extent, literal
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

    def extent(self, op: memref.DimOp) -> Dim:
        """`a.shape[0]`."""
        return Dim(self._names[op.source], _constant(op.index))

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
            factors: Sequence[SSAValue] = [leaf]
            if isinstance(leaf.owner, affine.ApplyOp):
                expr = leaf.owner.map.data.results[0]
                if not _is_multiple_or_quotient(expr):
                    continue
                factors = leaf.owner.operands
            for size in factors:
                if not isinstance(size.owner, arith.ConstantOp):
                    sizes.append(self.value(size))
        return list(dict.fromkeys(sizes))

    def shape(self, value: SSAValue) -> tuple[Extent, ...]:
        """The extents of a buffer of the launcher."""
        of = value.type
        assert isinstance(of, MemRefType)
        extents = of.get_shape()
        match value.owner:
            case memref.AllocOp() as op:
                given: Iterator[Extent] = map(self.value, op.dynamic_sizes)
            case memref.ExpandShapeOp() as op:
                given = map(self.value, op.output_shape)
            case memref.CollapseShapeOp() as op:
                source = self.shape(op.src)
                groups = zip(groups_of(op.reassociation), extents, strict=True)
                given = iter(
                    [
                        _product([source[dim] for dim in group])
                        for group, size in groups
                        if size == DYNAMIC_INDEX
                    ]
                )
            case _:
                given = iter(
                    [
                        self._extent_of(value, dim)
                        for dim, size in enumerate(extents)
                        if size == DYNAMIC_INDEX
                    ]
                )
        return tuple(next(given) if n == DYNAMIC_INDEX else n for n in extents)

    def _extent_of(self, argument: SSAValue, dim: int) -> Extent:
        """An extent of an argument, by the size that it must be equal to."""
        op = self._extents.get((argument, dim))
        if op is None:
            return Dim(self._names[argument], dim)
        for use in op.result.uses:
            require = use.operation
            if isinstance(require, RequireOp) and require.lhs is op.result:
                if require.predicate.data == "eq":
                    return self.value(require.rhs)
        return self.value(op.result)


def _product(extents: Sequence[Extent]) -> Expression:
    product = literal(extents[0])
    for extent in extents[1:]:
        product = Binary("*", product, literal(extent), True)
    return product


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
    """Whether an expression is a product of symbols, or such a quotient, rounded up."""
    if isinstance(expr, AffineSymExpr | AffineConstantExpr):
        return True
    if not isinstance(expr, AffineBinaryOpExpr):
        return False
    rounds_up = expr.kind is AffineBinaryOpKind.CeilDiv
    if not rounds_up and expr.kind is not AffineBinaryOpKind.Mul:
        return False
    return all(map(_is_multiple_or_quotient, (expr.lhs, expr.rhs)))
