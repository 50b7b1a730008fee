"""Element-wise functions: each takes scalars while tracing, or whole tensors."""

from __future__ import annotations

import math as numbers
from typing import TypeAlias

from xdsl.ir import Operation

from tilewright.frontend.builder.numerics import TINY_FLOATS, computed_in, is_float
from tilewright.frontend.builder.ops.elements import Pointwise, pointwise
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, binary, together
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects import math
from tilewright.ir.dialects.arith import SelectOp

X: TypeAlias = Scalar


@pointwise
def add(x: X, y: X) -> X:
    """The sum."""
    return x + y


@pointwise
def sub(x: X, y: X) -> X:
    """The difference."""
    return x - y


@pointwise
def mul(x: X, y: X) -> X:
    """The product."""
    return x * y


@pointwise
def div(x: X, y: X) -> X:
    """The quotient."""
    return x / y


@pointwise
def neg(x: X) -> X:
    """The negative."""
    return -x


@pointwise
def less(x: X, y: X) -> X:
    """Whether x < y, an i1."""
    return x < y


@pointwise
def less_equal(x: X, y: X) -> X:
    """Whether x <= y, an i1."""
    return x <= y


@pointwise
def greater(x: X, y: X) -> X:
    """Whether x > y, an i1."""
    return x > y


@pointwise
def greater_equal(x: X, y: X) -> X:
    """Whether x >= y, an i1."""
    return x >= y


@pointwise
def power(x: X, exponent: ScalarLike) -> X:
    """x to a power."""
    return x**exponent


@pointwise
def maximum(x: ScalarLike, y: ScalarLike) -> X:
    """The larger value; NaN if either is NaN."""
    return binary("maximum", x, y)


@pointwise
def minimum(x: ScalarLike, y: ScalarLike) -> X:
    """The smaller value; NaN if either is NaN."""
    return binary("minimum", x, y)


@pointwise
def where(condition: ScalarLike, x: ScalarLike, y: ScalarLike) -> X:
    """`x` where the condition holds, `y` elsewhere."""
    if not isinstance(condition, Scalar) or condition.dtype != "i1":
        kind = condition.dtype if isinstance(condition, Scalar) else repr(condition)
        fail(f"where: the condition is {kind}, not an i1", "compare: x > 0")
    if not isinstance(x, Scalar) and not isinstance(y, Scalar):
        remedy = 'cast the condition: (x > 0).cast("f32") is 1 where it holds, else 0'
        fail("where: two plain numbers have no element type", remedy)
    left, right = together("where", x, y, rounds=False)
    op = SelectOp(condition.value, left.value, right.value)
    return condition.body.emit(op, left.dtype)


def _function(op: type[Operation], name: str, *, rounds: bool = True) -> Pointwise:
    def function(x: X) -> X:
        if not is_float(x.dtype):
            fail(f"{name}: not defined for {x.dtype}", "cast to a float first")
        widen = rounds or x.dtype in TINY_FLOATS
        given = x.cast(computed_in(x.dtype)) if widen else x
        made = op(given.value)  # pyright: ignore[reportCallIssue]
        return x.body.emit(made, given.dtype)

    function.__name__ = name
    return pointwise(function)


exp = _function(math.ExpOp, "exp")
exp2 = _function(math.Exp2Op, "exp2")
log = _function(math.LogOp, "log")
log2 = _function(math.Log2Op, "log2")
sqrt = _function(math.SqrtOp, "sqrt")
rsqrt = _function(math.RsqrtOp, "rsqrt")
tanh = _function(math.TanhOp, "tanh")
erf = _function(math.ErfOp, "erf")
sin = _function(math.SinOp, "sin")
cos = _function(math.CosOp, "cos")
absolute = _function(math.AbsFOp, "absolute", rounds=False)
floor = _function(math.FloorOp, "floor", rounds=False)
ceil = _function(math.CeilOp, "ceil", rounds=False)


@pointwise
def relu(x: X) -> X:
    """max(x, 0)."""
    return maximum(x, 0)


@pointwise
def sigmoid(x: X) -> X:
    """1 / (1 + exp(-x))."""
    return 1 / (exp(-x) + 1)


@pointwise
def silu(x: X) -> X:
    """x sigmoid(x)."""
    return x / (exp(-x) + 1)


@pointwise
def gelu(x: X) -> X:
    """x times the normal distribution function, computed with erf as torch does."""
    return x * 0.5 * (erf(x * numbers.sqrt(0.5)) + 1)


@pointwise
def gelu_tanh(x: X) -> X:
    """The approximation of gelu by tanh."""
    inner = (x * x * x * 0.044715 + x) * numbers.sqrt(2 / numbers.pi)
    return x * 0.5 * (tanh(inner) + 1)


ACTIVATIONS = {
    "relu": relu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "silu": silu,
    "sigmoid": sigmoid,
    "tanh": tanh,
}
"""The activations of layers, by name."""
