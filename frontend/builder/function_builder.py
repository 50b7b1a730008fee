"""The function of a payload while it is built: its block, constants and sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    FileLineColLoc,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.sizes import Shape, Size, factors, tensor_type
from tilewright.frontend.builder.user_lines import calling_location, fail
from tilewright.ir.dense_constants import dense_of_bytes
from tilewright.ir.dialects import affine, arith, tensor
from tilewright.ir.dtypes import element
from tilewright.ir.name_hints import name_hint

Number: TypeAlias = int | float

_NUMBERS = {
    0.0: "zero",
    1.0: "one",
    math.inf: "infinity",
    -math.inf: "minus_infinity",
}


@dataclass(frozen=True)
class Formula:
    """A size as an affine expression of others, its symbols."""

    expression: AffineExpr
    sizes: tuple[Size, ...]


class FunctionBuilder:
    """Appends ops to the function of the payload `name`."""

    def __init__(self, name: str):
        self.name = name
        self.block = Block()
        self._arguments: list[tuple[SSAValue, Shape]] = []
        self._preamble: Operation | None = None
        """The last of the constants and sizes that stand before everything else."""
        self._constants: dict[tuple[str, str], SSAValue] = {}
        self._sizes: dict[str, SSAValue] = {}
        self.shapes: dict[SSAValue, Shape] = {}
        """The shapes of tensors, with the names of their open sizes."""
        self.formulas: dict[str, Formula] = {}
        """How sizes are computed that are neither arguments' nor products."""

    @property
    def location(self) -> FileLineColLoc:
        """The user's line that called the builder."""
        return calling_location()

    def argument(self, name: str, sizes: Shape, dtype: str) -> SSAValue:
        """Add an argument to the function."""
        at = len(self.block.args)
        argument = self.block.insert_arg(tensor_type(sizes, dtype), at)
        argument.name_hint = name_hint(name)
        self._arguments.append((argument, sizes))
        return argument

    def add(self, op: Operation, name: str | None = None) -> SSAValue:
        """Append an op, and give its first result the name."""
        op.location = self.location
        self.block.add_op(op)
        op.results[0].name_hint = name_hint(name)
        return op.results[0]

    def empty(self, shape: Shape, dtype: str) -> SSAValue:
        """A new tensor as the destination of an op."""
        sizes = [self.size(size) for size in shape if isinstance(size, str)]
        return self.add(tensor.EmptyOp(sizes, tensor_type(shape, dtype)), "empty")

    def constant(self, value: Number, dtype: str) -> SSAValue:
        """A constant of a type; equal ones are one op at the top of the function."""
        value = float(value) if is_float(dtype) else value
        key = (repr(value), dtype)
        if key not in self._constants:
            attribute = _attribute(value, element(dtype).attribute)
            op = arith.ConstantOp(attribute)
            self._constants[key] = self._prepend(op, _constant_name(value, dtype))
        return self._constants[key]

    def dense(self, raw: bytes, shape: tuple[int, ...], dtype: str) -> SSAValue:
        """A constant tensor from the bytes of its elements in row-major order."""
        return self.add(
            arith.ConstantOp(dense_of_bytes(tensor_type(shape, dtype), raw))
        )

    def size(self, size: Size) -> SSAValue:
        """A size as an index: a constant, a dimension of an argument, or computed."""
        if isinstance(size, int):
            return self.constant(size, "index")
        if size not in self._sizes:
            having = [given for given in self._arguments if size in given[1]]
            if having:
                source, sizes = having[0]
                axis = self.constant(sizes.index(size), "index")
                made = self._prepend(tensor.DimOp(source, axis), size)
            elif (formula := self.formulas.get(size)) is not None:
                made = self._computed(formula, size)
            else:
                made = self._product(size)
            self._sizes[size] = made
        return self._sizes[size]

    def total(self, sizes: Sequence[Size]) -> SSAValue | int:
        """The sum of sizes; a number if all are."""
        number = sum(size for size in sizes if isinstance(size, int))
        names = [size for size in sizes if isinstance(size, str)]
        if not names:
            return number
        if len(names) == 1 and not number:
            return self.size(names[0])
        total = AffineExpr.constant(number)
        for place in range(len(names)):
            total = AffineExpr.symbol(place) + total
        return self._computed(Formula(total, tuple(names)), "offset")

    def linear(self, size: Size, factor: int, plus: int) -> Size:
        """The size `factor * size + plus`."""
        if isinstance(size, int):
            return factor * size + plus
        if (factor, plus) == (1, 0):
            return size
        words = f"{size}_{factor}_{plus}".replace("*", "x").replace("-", "m")
        expression = AffineExpr.symbol(0) * factor + plus
        self.formulas[words] = Formula(expression, (size,))
        return words

    def _computed(self, formula: Formula, name: str) -> SSAValue:
        operands = [self.size(size) for size in formula.sizes]
        made = AffineMapAttr(AffineMap(0, len(operands), (formula.expression,)))
        return self._prepend(affine.ApplyOp(operands, made), name)

    def _product(self, size: str) -> SSAValue:
        """A size that is a product of others; refuses one that no argument tells."""
        number, names = factors(size)
        if (number, names) == (1, (size,)):
            fail(f"no argument tells the size {size}")
        made = self.size(names[0])
        for factor in (*names[1:], *([number] if number != 1 else [])):
            op = arith.MuliOp(made, self.size(factor))
            made = self._prepend(op, "size")
        return made

    def _prepend(self, op: Operation, name: str) -> SSAValue:
        op.location = self.location
        if self._preamble is not None:
            self.block.insert_op_after(op, self._preamble)
        elif self.block.first_op is not None:
            self.block.insert_op_before(op, self.block.first_op)
        else:
            self.block.add_op(op)
        self._preamble = op
        op.results[0].name_hint = name_hint(name)
        return op.results[0]


def _attribute(value: Number, of: Attribute) -> IntegerAttr | FloatAttr:
    if isinstance(of, AnyFloat):
        return FloatAttr(float(value), of)
    if isinstance(of, IndexType):
        return IntegerAttr(int(value), of)
    assert isa(of, IntegerType)
    width: int = of.width.data
    if width == 1:
        return IntegerAttr(int(bool(value)), of)
    if not -(1 << width) <= 2 * value < 1 << width:
        fail(f"{value} does not fit an {of}", "cast to a wider type first")
    return IntegerAttr(int(value), of)


def _constant_name(value: Number, dtype: str) -> str:
    if dtype == "index":
        return f"c{value}"
    return _NUMBERS.get(value, "cst")
