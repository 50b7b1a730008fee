"""Bodies of named ops: the table of scalar functions, and conversions.

A row of `FUNCTIONS` defines a kind of `linalg.elementwise` and, if the row names an op,
the body of that named op. A new named op is one new row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import math
from tilewright.ir.dialects.arith import Arith, ConstantOp

_OPS = {
    op.name: op
    for op in (*Arith.operations, *math.Math.operations)
    if issubclass(op, IRDLOperation)
}


class Body:
    """The block of a structured op while it is being written."""

    def __init__(self, types: Sequence[Attribute]):
        self.block = Block(arg_types=types)

    @property
    def args(self) -> Sequence[SSAValue]:
        """One scalar for each operand, inputs first."""
        return self.block.args

    def append(self, op: Operation) -> Operation:
        """Add an op at the end."""
        self.block.add_op(op)
        return op

    def add(
        self, name: str, *operands: SSAValue, result: Attribute | None = None
    ) -> SSAValue:
        """Add a scalar op by its name; without `result` it has its operands' type."""
        types = [operands[-1].type if result is None else result]
        op = _OPS[name].build(operands=operands, result_types=types)
        return self.append(op).results[0]

    def convert(
        self, value: SSAValue, to: Attribute, *, unsigned: bool = False
    ) -> SSAValue:
        """A number in another element type; integers are signed by default."""
        given = value.type
        if given == to:
            return value
        name = _conversion(given, to, "u" if unsigned else "s")
        if name is None:
            raise VerifyException(f"cannot convert {given} to {to}")
        return self.add(name, value, result=to)

    def region(self) -> Region:
        """The body as a region; it already has its terminator."""
        return Region(self.block)


def _conversion(given: Attribute, to: Attribute, sign: str) -> str | None:
    """The arith op between two element types, as upstream chooses it."""
    if isinstance(to, AnyFloat):
        if isinstance(given, IntegerType):
            return f"arith.{sign}itofp"
        if not isinstance(given, AnyFloat) or given.bitwidth == to.bitwidth:
            return None
        return "arith.extf" if given.bitwidth < to.bitwidth else "arith.truncf"
    if not isinstance(to, IntegerType):
        return None
    if isinstance(given, IndexType):
        return "arith.index_cast"
    if isinstance(given, AnyFloat):
        return f"arith.fpto{sign}i"
    if not isinstance(given, IntegerType) or given.bitwidth == to.bitwidth:
        return None
    return f"arith.ext{sign}i" if given.bitwidth < to.bitwidth else "arith.trunci"


@dataclass(frozen=True)
class Function:
    """A scalar function and the ops that compute it, on values of a single type."""

    kind: str
    """Its name in `#linalg.elementwise_kind<...>`."""
    arity: int
    on_float: str | None = None
    on_integer: str | None = None
    on_i1: str | None = None
    named: str | None = ""
    """The op `linalg.<named>`; empty: the op is named as the kind; None: no op."""

    @property
    def op_name(self) -> str | None:
        """The name of the op that applies this function to whole operands."""
        return None if self.named is None else f"linalg.{self.named or self.kind}"

    def write(self, body: Body) -> SSAValue:
        """Add the function of the first arguments to a body."""
        args = body.args[: self.arity]
        if self.kind == "square":
            args = (args[0], args[0])
        values = args[1:] if self.kind == "select" else args
        self._check(args, values)
        if self.kind == "select":
            return body.add("arith.select", *args)
        element = values[0].type
        if self.kind == "reciprocal":
            assert isinstance(element, AnyFloat)
            one = body.append(ConstantOp(FloatAttr(1.0, element))).results[0]
            values = (one, *values)
        name = self._op_for(element)
        assert name is not None
        return body.add(name, *values)

    def _op_for(self, element: Attribute) -> str | None:
        if isinstance(element, AnyFloat):
            return self.on_float
        if element == i1:
            return self.on_i1
        return self.on_integer if isinstance(element, IntegerType) else None

    def _check(self, args: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
        element = values[0].type
        if any(value.type != element for value in values):
            given = ", ".join(str(value.type) for value in values)
            raise VerifyException(
                f"expected inputs of one element type, got {given}; it does not convert"
            )
        if self.kind == "select":
            if args[0].type != i1:
                raise VerifyException(
                    f"expected a condition of i1 elements, got {args[0].type}"
                )
        elif self._op_for(element) is None:
            raise VerifyException(f"'{self.kind}' is not defined on {element}")


_ROWS = (
    Function("exp", 1, "math.exp"),
    Function("log", 1, "math.log"),
    Function("abs", 1, "math.absf"),
    Function("ceil", 1, "math.ceil"),
    Function("floor", 1, "math.floor"),
    Function("negf", 1, "arith.negf"),
    Function("reciprocal", 1, "arith.divf"),
    Function("round", 1, "math.round"),
    Function("sqrt", 1, "math.sqrt"),
    Function("rsqrt", 1, "math.rsqrt"),
    Function("square", 1, "arith.mulf"),
    Function("tanh", 1, "math.tanh"),
    Function("erf", 1, "math.erf"),
    Function("add", 2, "arith.addf", "arith.addi", "arith.ori"),
    Function("sub", 2, "arith.subf", "arith.subi"),
    Function("mul", 2, "arith.mulf", "arith.muli", "arith.andi"),
    Function("div", 2, "arith.divf", "arith.divsi"),
    Function("div_unsigned", 2, None, "arith.divui"),
    Function("max_signed", 2, "arith.maximumf", "arith.maxsi", "arith.maxsi", "max"),
    Function("min_signed", 2, "arith.minimumf", "arith.minsi", "arith.minsi", "min"),
    Function("max_unsigned", 2, "arith.maximumf", "arith.maxui", "arith.maxui", None),
    Function("min_unsigned", 2, "arith.minimumf", "arith.minui", "arith.minui", None),
    Function("powf", 2, "math.powf"),
    Function("select", 3),
)

FUNCTIONS = {row.kind: row for row in _ROWS}
"""The scalar functions by kind."""
