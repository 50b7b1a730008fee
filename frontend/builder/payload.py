"""A payload under construction: one function of structured ops on tensors.

p = Payload("matmul_relu")
a = p.input("a", (512, 256), "f16")
b = p.input("b", (256, 512), "f16")
p.output(relu(a @ b, dtype="f16"))
print(p.text())
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    FileLineColLoc,
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from tilewright.frontend.builder.generic import check_tensors
from tilewright.frontend.builder.numerics import check_dtype, is_float
from tilewright.frontend.builder.scalar import Number
from tilewright.frontend.builder.sizes import Shape, Size, tensor_type
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import calling_location, check_name, fail
from tilewright.ir.dialects import arith, func, tensor
from tilewright.ir.dtypes import element
from tilewright.ir.names import name_hint
from tilewright.ir.text import to_text, verify

_NUMBERS = {
    0.0: "zero",
    1.0: "one",
    math.inf: "infinity",
    -math.inf: "minus_infinity",
}


class Payload:
    """What is to be computed: inputs, then calls on tensors, then outputs."""

    def __init__(self, name: str):
        check_name("a payload", name)
        self.name = name
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self._block = Block()
        self._function = func.FuncOp(name, ([], []), Region(self._block))
        self._preamble: Operation | None = None
        """The last of the constants and sizes that stand before everything else."""
        self._constants: dict[tuple[str, str], SSAValue] = {}
        self._sizes: dict[str, SSAValue] = {}

    def __repr__(self) -> str:
        """`Payload linear(x: (512, 512) f16, ...)`."""
        inputs = ", ".join(f"{x.name}: {x.described}" for x in self.inputs)
        return f"Payload {self.name}({inputs})"

    def input(self, name: str, shape: Sequence[Size | None], dtype: str) -> Tensor:
        """A further argument.

        A size is a number, a name such as "M" for one that is known only when the
        program runs (the same name means the same size), or None for one of its own.
        """
        check_name("an input", name)
        if any(name == known.name for known in self.inputs):
            fail(f"payload '{self.name}' has an input '{name}' already")
        check_dtype(f"input '{name}'", dtype)
        _check_shape(name, shape)
        sizes = tuple(_check_size(name, axis, size) for axis, size in enumerate(shape))
        at = len(self._block.args)
        argument = self._block.insert_arg(tensor_type(sizes, dtype), at)
        argument.name_hint = name_hint(name)
        made = self.tensor(argument, sizes, dtype)
        self.inputs.append(made)
        return made

    def output(self, *tensors: Tensor) -> None:
        """Return these from the function, after those returned so far."""
        for given in tensors:
            check_tensors("output", result=given)
            if given.payload is not self:
                fail(
                    f"'{given.name}' belongs to payload '{given.payload.name}', "
                    f"not to '{self.name}'"
                )
            self.outputs.append(given.materialized())

    @property
    def module(self) -> ModuleOp:
        """A verified module with the function; a fresh one each time."""
        if not self.outputs:
            fail(
                f"payload '{self.name}' returns nothing",
                "say what it computes with output(tensor)",
            )
        copies: dict[SSAValue, SSAValue] = {}
        function = self._function.clone(copies)
        results = [copies[output.value] for output in self.outputs]
        function.body.block.add_op(func.ReturnOp(*results))
        function.function_type = FunctionType.from_lists(
            [argument.type for argument in function.body.block.args],
            [result.type for result in results],
        )
        module = ModuleOp([function])
        verify(module)
        return module

    def text(self) -> str:
        """The function in MLIR's syntax."""
        (function,) = self.module.ops
        return to_text(function)

    # What follows is for the functions that build ops.

    @property
    def location(self) -> FileLineColLoc:
        """Where the user's code calls us."""
        return calling_location()

    def tensor(self, value: SSAValue, sizes: Shape, dtype: str) -> Tensor:
        """A tensor for a value of this payload."""
        return Tensor(self, value, sizes, dtype, tuple(range(len(sizes))))

    def add(self, op: Operation, name: str | None = None) -> SSAValue:
        """Append an op; its first result, under a name."""
        op.location = self.location
        self._block.add_op(op)
        op.results[0].name_hint = name_hint(name)
        return op.results[0]

    def empty(self, shape: Shape, dtype: str) -> SSAValue:
        """A tensor to be written: every op gets a destination of its own."""
        sizes = [self.size(size) for size in shape if isinstance(size, str)]
        return self.add(tensor.EmptyOp(sizes, tensor_type(shape, dtype)), "empty")

    def constant(self, value: Number, dtype: str) -> SSAValue:
        """A number of a type, at the top of the function, once."""
        value = float(value) if is_float(dtype) else value
        key = (repr(value), dtype)
        if key not in self._constants:
            attribute = _attribute(value, element(dtype).attribute)
            op = arith.ConstantOp(attribute)
            self._constants[key] = self._prepend(op, _constant_name(value, dtype))
        return self._constants[key]

    def size(self, size: Size) -> SSAValue:
        """A size as an index: a constant, or asked of the input that has it."""
        if isinstance(size, int):
            return self.constant(size, "index")
        if size not in self._sizes:
            source = next(x for x in self.inputs if size in x.sizes)
            axis = self.constant(source.sizes.index(size), "index")
            op = tensor.DimOp(source.value, axis)
            self._sizes[size] = self._prepend(op, size)
        return self._sizes[size]

    def _prepend(self, op: Operation, name: str) -> SSAValue:
        op.location = self.location
        if self._preamble is not None:
            self._block.insert_op_after(op, self._preamble)
        elif self._block.first_op is not None:
            self._block.insert_op_before(op, self._block.first_op)
        else:
            self._block.add_op(op)
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
    if not -(1 << width) <= 2 * value < 1 << width:
        fail(f"{value} does not fit an {of}", "cast to a wider type first")
    return IntegerAttr(int(value), of)


def _constant_name(value: Number, dtype: str) -> str:
    if dtype == "index":
        return f"c{value}"
    return _NUMBERS.get(value, "cst")


def _check_shape(name: str, shape: object) -> None:
    if not isinstance(shape, Sequence) or isinstance(shape, str):
        fail(f"input '{name}': {shape!r} is no shape", "write a tuple: (512, 512)")


def _check_size(name: str, axis: int, size: Size | None) -> Size:
    if size is None:
        return f"{name}.{axis}"
    if isinstance(size, str):
        check_name("a size", size)
        return size
    try:
        whole = operator.index(size)
    except TypeError:
        fail(
            f"input '{name}': {size!r} is no size",
            "write a whole number, a name, or None",
        )
    if whole < 1:
        fail(f"input '{name}': size {whole} of dimension {axis} is less than 1")
    return whole
