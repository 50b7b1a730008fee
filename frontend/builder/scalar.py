"""Scalars of a traced function: arithmetic on them appends arith and math ops.

Sums, products and functions of narrow floats widen to f32 first. Ops that are exact in
any type (maximum, select, comparison) stay in their type.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from numbers import Integral, Real
from typing import NoReturn, TypeAlias

from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.frontend.builder.function_builder import FunctionBuilder, Number
from tilewright.frontend.builder.numerics import (
    TINY_FLOATS,
    DtypeLike,
    common,
    computed_in,
    dtype_name,
    is_float,
)
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects import arith, math
from tilewright.ir.dialects.linalg import IndexOp
from tilewright.ir.dtypes import element
from tilewright.ir.name_hints import name_hint

ScalarLike: TypeAlias = "Scalar | Number"

FLOAT_OPS: dict[str, type[Operation]] = {
    "add": arith.AddfOp,
    "sub": arith.SubfOp,
    "mul": arith.MulfOp,
    "div": arith.DivfOp,
    "maximum": arith.MaximumfOp,
    "minimum": arith.MinimumfOp,
}
INTEGER_OPS: dict[str, type[Operation]] = {
    "add": arith.AddiOp,
    "sub": arith.SubiOp,
    "mul": arith.MuliOp,
    "floordiv": arith.FloorDivSIOp,
    "mod": arith.RemSIOp,
    "maximum": arith.MaxSIOp,
    "minimum": arith.MinSIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
    "xor": arith.XOrIOp,
}
EXACT = ("maximum", "minimum")
"""Ops that do not round, so they stay in a narrow type."""


class Body:
    """The body of a structured op while it is traced."""

    def __init__(self, builder: FunctionBuilder, rank: int, units: Sequence[int] = ()):
        self.builder = builder
        self.rank = rank
        """The dimensions that it is traced for."""
        self.units = units
        """Those of size 1 that no loop runs along."""
        self.block = Block()
        self._casts: dict[tuple[SSAValue, str], Scalar] = {}
        self._indices: dict[int, Scalar] = {}

    def argument(self, name: str, dtype: str) -> Scalar:
        """Add an argument: the element of an operand."""
        at = len(self.block.args)
        argument = self.block.insert_arg(element(dtype).attribute, at)
        argument.name_hint = name_hint(name)
        return Scalar(self, argument, dtype)

    def emit(self, op: Operation, dtype: str) -> Scalar:
        """Append an op, and give its result."""
        op.location = self.builder.location
        self.block.add_op(op)
        return Scalar(self, op.results[0], dtype)

    def constant(self, value: Number, dtype: str) -> Scalar:
        """A constant, which stands before the structured op."""
        return Scalar(self, self.builder.constant(value, dtype), dtype)

    def index(self, loop: int) -> Scalar:
        """The index along a dimension; made only once."""
        if loop in self.units:
            return self.constant(0, "index")
        if loop not in self._indices:
            own = loop - sum(1 for unit in self.units if unit < loop)
            self._indices[loop] = self.emit(IndexOp(own), "index")
        return self._indices[loop]

    def cast(self, scalar: Scalar, dtype: str) -> Scalar:
        """A value in another type; the same cast is made only once."""
        if scalar.dtype == dtype:
            return scalar
        key = (scalar.value, dtype)
        if key not in self._casts:
            self._casts[key] = self._converted(scalar, dtype)
        return self._casts[key]

    def _converted(self, scalar: Scalar, dtype: str) -> Scalar:
        value, target = scalar.value, element(dtype).attribute
        if scalar.dtype == "index" or dtype == "index":
            return self._index_converted(scalar, dtype)
        if isinstance(target, AnyFloat):
            if not is_float(scalar.dtype):
                # True converts to 1; as a signed bit it would be -1.
                kind = arith.UIToFPOp if scalar.dtype == "i1" else arith.SIToFPOp
                return self.emit(kind(value, target), dtype)
            if _is_narrower(dtype, scalar.dtype):
                return self.emit(arith.TruncFOp(value, target), dtype)
            if _is_narrower(scalar.dtype, dtype):
                return self.emit(arith.ExtFOp(value, target), dtype)
            # f16 and bf16, or the two fp8 formats: neither can hold the other.
            return self.cast(self.cast(scalar, "f32"), dtype)
        assert isa(target, IntegerType)
        if is_float(scalar.dtype):
            if dtype == "i1":
                fail("a float has no truth value", "compare it: x > 0")
            return self.emit(arith.FPToSIOp(value, target), dtype)
        if scalar.dtype == "i1":
            return self.emit(arith.ExtUIOp(value, target), dtype)
        widens = _is_narrower(scalar.dtype, dtype)
        kind = arith.ExtSIOp if widens else arith.TruncIOp
        return self.emit(kind(value, target), dtype)

    def _index_converted(self, scalar: Scalar, dtype: str) -> Scalar:
        """Convert an index by way of i64, its width on every target."""
        if dtype == "i64" or scalar.dtype == "i64":
            target = element(dtype).attribute
            return self.emit(arith.IndexCastOp(scalar.value, target), dtype)
        return self.cast(self.cast(scalar, "i64"), dtype)


@dataclass(frozen=True, eq=False)
class Scalar:
    """The value of one element inside a traced body."""

    body: Body
    value: SSAValue
    dtype: str

    __array_ufunc__ = None
    """numpy's numbers leave arithmetic with scalars to this class."""

    def cast(self, dtype: DtypeLike) -> Scalar:
        """The value in another type."""
        kind = "index" if dtype == "index" else dtype_name("cast", dtype)
        return self.body.cast(self, kind)

    def __add__(self, other: ScalarLike) -> Scalar:
        """The sum."""
        return binary("add", self, other)

    def __radd__(self, other: Number) -> Scalar:
        """The sum."""
        return binary("add", other, self)

    def __sub__(self, other: ScalarLike) -> Scalar:
        """The difference."""
        return binary("sub", self, other)

    def __rsub__(self, other: Number) -> Scalar:
        """The difference."""
        return binary("sub", other, self)

    def __mul__(self, other: ScalarLike) -> Scalar:
        """The product."""
        return binary("mul", self, other)

    def __rmul__(self, other: Number) -> Scalar:
        """The product."""
        return binary("mul", other, self)

    def __truediv__(self, other: ScalarLike) -> Scalar:
        """The quotient of floats."""
        return binary("div", self, other)

    def __rtruediv__(self, other: Number) -> Scalar:
        """The quotient of floats."""
        return binary("div", other, self)

    def __floordiv__(self, other: ScalarLike) -> Scalar:
        """The quotient of integers, towards minus infinity."""
        return binary("floordiv", self, other)

    def __mod__(self, other: ScalarLike) -> Scalar:
        """The remainder of integers, with the sign of the dividend."""
        return binary("mod", self, other)

    def __and__(self, other: ScalarLike) -> Scalar:
        """Both bits, or both conditions."""
        return binary("and", self, other)

    def __or__(self, other: ScalarLike) -> Scalar:
        """Either bit, or either condition."""
        return binary("or", self, other)

    def __pow__(self, exponent: ScalarLike) -> Scalar:
        """A power: a square as a product, others by `math.powf`."""
        if isinstance(exponent, int) and exponent == 2:
            return self * self
        base, power = together("a power", self, exponent, rounds=True)
        if not is_float(base.dtype):
            fail(f"a power is not defined for {base.dtype}", "cast to a float first")
        return self.body.emit(math.PowFOp(base.value, power.value), base.dtype)

    def __neg__(self) -> Scalar:
        """The negative; exact in any float."""
        if not is_float(self.dtype):
            return binary("sub", 0, self)
        wide = _unless_tiny(self)
        return self.body.emit(arith.NegfOp(wide.value), wide.dtype)

    def __eq__(self, other: ScalarLike) -> Scalar:  # type: ignore[override]
        """A condition, an i1."""
        return compare("eq", self, other)

    def __ne__(self, other: ScalarLike) -> Scalar:  # type: ignore[override]
        """A condition, an i1."""
        return compare("ne", self, other)

    def __lt__(self, other: ScalarLike) -> Scalar:
        """A condition, an i1."""
        return compare("lt", self, other)

    def __le__(self, other: ScalarLike) -> Scalar:
        """A condition, an i1."""
        return compare("le", self, other)

    def __gt__(self, other: ScalarLike) -> Scalar:
        """A condition, an i1."""
        return compare("gt", self, other)

    def __ge__(self, other: ScalarLike) -> Scalar:
        """A condition, an i1."""
        return compare("ge", self, other)

    def __bool__(self) -> NoReturn:
        """A traced value is not known yet."""
        fail(
            "a traced value is neither true nor false while the payload is built",
            "choose with where(condition, a, b), join conditions with & and |",
        )


def binary(kind: str, lhs: ScalarLike, rhs: ScalarLike) -> Scalar:
    """An op on two values of one type, widened first if the op rounds."""
    left, right = together(kind, lhs, rhs, rounds=kind not in EXACT)
    table = FLOAT_OPS if is_float(left.dtype) else INTEGER_OPS
    if kind not in table:
        remedy = "use // or cast to a float" if kind == "div" else "cast it first"
        fail(f"{kind}: not defined for {left.dtype}", remedy)
    if left.dtype == "i1" and kind not in ("and", "or", "xor"):
        fail(f"{kind}: not defined for i1", "cast the condition, or use where")
    op = table[kind](left.value, right.value)  # pyright: ignore[reportCallIssue]
    return left.body.emit(op, left.dtype)


def compare(kind: str, lhs: ScalarLike, rhs: ScalarLike) -> Scalar:
    """A comparison as in C: ordered for floats, signed for integers."""
    left, right = together("a comparison", lhs, rhs, rounds=False)
    if is_float(left.dtype):
        # A NaN is unequal to everything, and all other comparisons are false.
        predicate = "une" if kind == "ne" else f"o{kind}"
        return left.body.emit(arith.CmpfOp(left.value, right.value, predicate), "i1")
    predicate = kind if kind in ("eq", "ne") else f"s{kind}"
    return left.body.emit(arith.CmpiOp(left.value, right.value, predicate), "i1")


def together(
    who: str, lhs: ScalarLike, rhs: ScalarLike, *, rounds: bool
) -> tuple[Scalar, Scalar]:
    """Two values in one type; a plain number takes the type of the other side."""
    known = lhs if isinstance(lhs, Scalar) else rhs
    if not isinstance(known, Scalar):
        fail(f"{who}: neither operand belongs to a payload")
    sides = [side for side in (lhs, rhs) if isinstance(side, Scalar)]
    dtype = common([side.dtype for side in sides], who)
    if rounds or len({side.dtype for side in sides}) > 1 or dtype in TINY_FLOATS:
        dtype = computed_in(dtype)
    left, right = (as_scalar(known.body, side, dtype) for side in (lhs, rhs))
    return left, right


def as_scalar(body: Body, value: object, dtype: str) -> Scalar:
    """A value or a number in the given type."""
    if isinstance(value, Scalar):
        if value.body is not body:
            fail("an element of another op", "compute from the function's arguments")
        return value.cast(dtype)
    value = plain(value)
    if not isinstance(value, int | float):
        fail(
            f"there is a {type(value).__name__} among the elements",
            "pass a tensor as an operand of the function, beside the others",
        )
    if isinstance(value, float) and not is_float(dtype):
        fail(f"{value} is not an {dtype}", "write a whole number, or cast to a float")
    return body.constant(value, dtype)


def plain(value: object) -> object:
    """A number of numpy as one of Python; anything else unchanged."""
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


tracing: ContextVar[Body | None] = ContextVar("tracing", default=None)
"""The body that is being traced."""


def index(axis: int) -> Scalar:
    """The index of the element along an axis of the operands; -1 is the last axis."""
    body = tracing.get()
    if body is None:
        fail("index: there is no element here", "call it in a function of elements")
    if not -body.rank <= axis < body.rank:
        fail(f"index: no axis {axis}; the operands have {body.rank} together")
    return body.index(axis % body.rank)


def extent(size: Size) -> ScalarLike:
    """A size in a traced function; a plain number if it is known."""
    if isinstance(size, int):
        return size
    body = tracing.get()
    assert body is not None
    return Scalar(body, body.builder.size(size), "index")


def counted(size: Size, dtype: str) -> ScalarLike:
    """A size in an integer type of a traced function; a plain number if it is known."""
    found = extent(size)
    return found.cast(dtype) if isinstance(found, Scalar) else found


def _unless_tiny(scalar: Scalar) -> Scalar:
    return scalar.cast("f32") if scalar.dtype in TINY_FLOATS else scalar


def _is_narrower(one: str, than: str) -> bool:
    return element(one).byte_width < element(than).byte_width
