"""A payload under construction: one function of structured ops on tensors.

p = Payload("matmul_relu")
a = p.input("a", (512, 256), "f16")
b = p.input("b", (256, 512), "f16")
p.output(relu(a @ b, dtype="f16"))
print(p.text())
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
)
from xdsl.ir import Region, SSAValue

from tilewright.frontend.builder.function_builder import FunctionBuilder
from tilewright.frontend.builder.gathers import generated
from tilewright.frontend.builder.generic import check_tensors
from tilewright.frontend.builder.numerics import DtypeLike, dtype_name
from tilewright.frontend.builder.scalar import ScalarLike
from tilewright.frontend.builder.sizes import Size, factors
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import check_name, fail
from tilewright.ir.dialects import func
from tilewright.ir.dtypes import Array, element
from tilewright.ir.name_hints import name_hint
from tilewright.ir.notebook_html import text_html
from tilewright.ir.text import to_text, verify

_WRITABLE = {"bufferization.writable": BoolAttr.from_bool(True)}
"""The attributes of an argument whose memory is given up."""


class Payload:
    """A payload: declare inputs, call functions on them, declare outputs."""

    def __init__(self, name: str):
        check_name("a payload", name)
        self.name = name
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self._writable: set[int] = set()
        self._builder = FunctionBuilder(name)
        self._function = func.FuncOp(name, ([], []), Region(self._builder.block))

    @property
    def builder(self) -> FunctionBuilder:
        """The function under construction, for ops without operands."""
        return self._builder

    def __repr__(self) -> str:
        """`Payload linear(x: (512, 512) f16, ...)`."""
        inputs = ", ".join(f"{x.name}: {x.described}" for x in self.inputs)
        return f"Payload {self.name}({inputs})"

    def _repr_html_(self) -> str:
        """The function in MLIR's syntax, for notebooks."""
        if not self.outputs:
            return text_html(repr(self), "nothing is computed yet: call output(tensor)")
        return text_html(repr(self), self.text())

    def input(
        self,
        name: str,
        shape: Sequence[Size | None],
        dtype: DtypeLike,
        *,
        writable: bool = False,
    ) -> Tensor:
        """Add an input to the function.

        A size is a number, a name such as "M" for a size known only when the program
        runs (equal names are equal sizes), or None for such a size without a name. An
        element type is a name such as "f16" or "float16", or a dtype of torch or numpy.
        The memory of a `writable` input is given up: results may be written there.
        """
        check_name("an input", name)
        if any(name == known.name for known in self.inputs):
            fail(f"payload '{self.name}' has an input '{name}' already")
        dtype = dtype_name(f"input '{name}'", dtype)
        _check_shape(name, shape)
        sizes = tuple(_check_size(name, axis, size) for axis, size in enumerate(shape))
        value = self._builder.argument(name, sizes, dtype)
        made = Tensor(self._builder, value, sizes, dtype, tuple(range(len(sizes))))
        self.inputs.append(made)
        if writable:
            self._writable.add(len(self.inputs) - 1)
        return made

    def constant(self, name: str, values: Array, dtype: DtypeLike) -> Tensor:
        """A tensor whose elements are known: weights, tables.

        Its elements are part of the payload's text, two digits a byte.
        """
        check_name("a constant", name)
        dtype = dtype_name(f"constant '{name}'", dtype)
        shape = tuple(values.shape)
        if 0 in shape:
            fail(f"constant '{name}' has no elements")
        raw = values.astype(element(dtype).numpy).tobytes()
        value = self._builder.dense(raw, shape, dtype)
        value.name_hint = name_hint(name)
        return Tensor(self._builder, value, shape, dtype, tuple(range(len(shape))))

    def generate(
        self,
        function: Callable[..., ScalarLike],
        shape: Sequence[Size],
        dtype: DtypeLike,
    ) -> Tensor:
        """A tensor from the indices of its elements: `lambda i, j: i - j`.

        The function may read other tensors with `gather`.
        """
        kind = dtype_name("generate", dtype)
        return generated(self._builder, function, shape, kind)

    def output(self, *tensors: Tensor) -> None:
        """Return these from the function, after earlier outputs."""
        for given in tensors:
            check_tensors("output", result=given)
            if given.builder is not self._builder:
                fail(
                    f"'{given.name}' belongs to payload '{given.builder.name}', "
                    f"not to '{self.name}'"
                )
            self.outputs.append(given.materialized())

    def drop_unread(self) -> None:
        """Erase the ops that no output needs."""
        kept = {tensor.value for tensor in self.outputs}
        for op in reversed(list(self._function.body.block.ops)):
            if not any(result.uses or result in kept for result in op.results):
                op.detach()
                op.erase()

    @property
    def module(self) -> ModuleOp:
        """A verified module with the function; a new copy each time."""
        module = self.unverified_module()
        verify(module)
        return module

    def unverified_module(self) -> ModuleOp:
        """The same without the check, for its text: the check takes longer."""
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
        if self._writable:
            function.arg_attrs = ArrayAttr(
                DictionaryAttr(_WRITABLE if place in self._writable else {})
                for place in range(len(self.inputs))
            )
        return ModuleOp([function])

    def text(self) -> str:
        """The function in MLIR's syntax."""
        (function,) = self.module.ops
        return to_text(function)


def _check_shape(name: str, shape: object) -> None:
    if not isinstance(shape, Sequence) or isinstance(shape, str):
        fail(f"input '{name}': {shape!r} is not a shape", "write a tuple: (512, 512)")


def _check_size(name: str, axis: int, size: Size | None) -> Size:
    if size is None:
        return f"{name}.{axis}"
    if isinstance(size, str):
        for factor in factors(size)[1]:
            check_name("a size", factor)
        return size
    try:
        whole = operator.index(size)
    except TypeError:
        fail(
            f"input '{name}': {size!r} is not a size",
            "write a whole number, a name, or None",
        )
    if whole < 1:
        fail(
            f"input '{name}': size {whole} of dimension {axis} is less than 1",
            "write a name for a size that may be 0 at run time: 'M'",
        )
    return whole
