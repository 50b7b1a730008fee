"""Writing a payload as a torch function in float64, the reference of its kernels.

An op without a torch form raises `NoReference`; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.codegen.emit.sizes import affine_text
from tilewright.codegen.source.escape import identifier, plain_name
from tilewright.codegen.source.names import Names, reader_name
from tilewright.codegen.source.python_text import (
    WIDTH,
    Call,
    Expression,
    Group,
    Literal,
    Name,
    Suffix,
    lay_out,
)
from tilewright.codegen.standalone.reference.body import NoReference
from tilewright.codegen.standalone.reference.scalar_ops import (
    literal,
    wide_type,
    write_op,
)
from tilewright.codegen.standalone.reference.sizes import TensorSizes
from tilewright.codegen.standalone.reference.slices import static_shape, window_of
from tilewright.codegen.standalone.reference.structured import write_structured
from tilewright.ir.dense_constants import is_splat
from tilewright.ir.dialects import affine, arith, func, tensor
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.text import place_of


def torch_reference(module: ModuleOp, name: str, taken: set[str]) -> list[str]:
    """The lines of `def name(...)`; raises `NoReference` without a torch form."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    functions = [op for op in functions if op.body.blocks]
    if len(functions) != 1 or len(functions[0].body.blocks) != 1:
        raise NoReference(functions[0] if functions else module, "one function only")
    return _Reference(functions[0], taken).write(name)


class _Reference:
    def __init__(self, function: func.FuncOp, taken: set[str]):
        self.function = function
        self.lines: list[str] = []
        self.values: dict[SSAValue, Expression] = {}
        self.fills: dict[SSAValue, float] = {}
        """Tensors filled with one number; written only where a tensor is needed."""
        self.sizes = TensorSizes(function, self.values)
        self._names = Names(taken)
        self.device = ""

    def write(self, function: str) -> list[str]:
        block = self.function.body.block
        parameters: list[str] = []
        for position, argument in enumerate(block.args):
            hint = argument.name_hint
            name = self._names.fresh(
                hint if hint and not hint.isdigit() else f"arg{position}"
            )
            parameters.append(name)
            self.values[argument] = Name(name)
            if isinstance(argument.type, TensorType):
                self.device = self.device or f"{name}.device"
        for argument, name in zip(block.args, parameters, strict=True):
            kind = element(argument.type)
            if not isinstance(argument.type, TensorType):
                made = f"torch.tensor({name}, dtype={wide_type(argument.type)})"
                self.lines.append(f"    {name} = {made}")
            elif kind.is_float:
                self.lines.append(f"    {name} = {name}.double()")
        for op in block.ops:
            self._op(op)
        entry = identifier(plain_name(self.function.sym_name.data))
        return [
            f"def {function}({', '.join(parameters)}):",
            f'    """{entry} by torch, in float64."""',
            *self.lines,
        ]

    # Ops of the function.

    def _op(self, op: Operation) -> None:
        match op:
            case func.ReturnOp():
                values = ", ".join(str(self.tensor(v)) for v in op.operands)
                self.lines.append(f"    return {values}".rstrip())
            case tensor.EmptyOp():
                pass
            case FillOp():
                self._fill(op)
            case SoftmaxOp():
                of = Literal(str(op.dimension.value.data))
                value = self.tensor(op.input)
                self._bind(op.results[0], Call("torch.softmax", (value, of)))
            case StructuredOp():
                nest = nest_of(op)
                extents = self.sizes.of_loops(op, nest)
                values = write_structured(self, op, nest, extents, self.fills)
                for result, value in zip(op.results, values, strict=True):
                    self._bind(result, value)
            case arith.ConstantOp():
                self._constant(op)
            case tensor.DimOp():
                self.values[op.result] = self.sizes.asked(op)
            case affine.ApplyOp():
                given = [self.values[value] for value in op.operands]
                map = op.map.data
                dims, symbols = given[: map.num_dims], given[map.num_dims :]
                self.values[op.result] = affine_text(map.results[0], symbols, dims)
            case _:
                self._bind(op.results[0] if op.results else None, self._other(op), op)

    def _fill(self, op: FillOp) -> None:
        constant = op.inputs[0].owner
        if isinstance(constant, arith.ConstantOp):
            value = constant.value
            assert isinstance(value, FloatAttr | IntegerAttr)
            self.fills[op.results[0]] = value.value.data
            return
        (value,) = (self.values[v] for v in op.inputs)
        made = self.full(self.sizes.of(op.results[0]), value, op.results[0].type)
        self._bind(op.results[0], made)

    def _constant(self, op: arith.ConstantOp) -> None:
        value = op.value
        if isinstance(value, FloatAttr | IntegerAttr):
            self.values[op.result] = literal(value.value.data)
        elif isinstance(value, DenseIntOrFPElementsAttr):
            numbers = cast("Sequence[float]", value.get_values())
            if is_splat(value):
                self.fills[op.result] = numbers[0]
                return
            self.values[op.result] = self._dense(op, numbers)
        else:
            raise NoReference(op, "its kind of constant")

    def _dense(
        self, op: arith.ConstantOp, numbers: Sequence[int | float]
    ) -> Expression:
        text = ", ".join(map(str, numbers))
        if len(text) > WIDTH or any(n != n or abs(n) == float("inf") for n in numbers):
            raise NoReference(op, "a constant of many numbers")
        made = Call(
            "torch.tensor",
            (Literal(f"[{text}]"),),
            (("dtype", wide_type(op.result.type)), *self._on_device()),
        )
        name = self._names.fresh(reader_name(op.result.name_hint) or "constant")
        shape = static_shape(op.result.type, op)
        value: Expression = made
        if len(shape) != 1:
            value = Suffix(made, f".reshape({', '.join(map(str, shape))})")
        self.lines += lay_out(f"{name} = ", value, "", 4)
        return Name(name)

    def _other(self, op: Operation) -> Expression:
        match op:
            case tensor.CastOp():
                return self.tensor(op.source)
            case tensor.ExpandShapeOp() | tensor.CollapseShapeOp():
                shape = ", ".join(self._new_shape(op))
                return Suffix(self.tensor(op.src), f".reshape({shape})")
            case tensor.ConcatOp():
                parts = tuple(self.tensor(part) for part in op.operands)
                dim = Literal(str(op.dim.value.data))
                return Call("torch.cat", (Group(parts), dim))
            case tensor.ExtractSliceOp():
                window = window_of(op, static_shape(op.result.type, op))
                return Suffix(self.tensor(op.source), window)
            case tensor.InsertSliceOp():
                return self._insert(op)
            case _:
                return self._plain(op)

    def _new_shape(
        self, op: tensor.ExpandShapeOp | tensor.CollapseShapeOp
    ) -> list[str]:
        """The shape to reshape to; torch computes one open extent itself."""
        of = op.result.type
        assert isinstance(of, TensorType)
        shape = of.get_shape()
        if shape.count(DYNAMIC_INDEX) > 1:
            raise NoReference(op, "several of its extents are known only when it runs")
        return ["-1" if size == DYNAMIC_INDEX else str(size) for size in shape]

    def _plain(self, op: Operation) -> Expression:
        """An op of arith or math on tensors or on numbers."""
        if len(op.results) == 1 and not op.regions:
            # Sizes are Python numbers; in other computations they become tensors.
            is_size = isinstance(op.results[0].type, IndexType)
            operands = [
                self.tensor(v)
                if isinstance(v.type, TensorType)
                else self.values[v]
                if is_size
                else self._scalar(v)
                for v in op.operands
            ]
            try:
                written = write_op(op, operands)
            except NotImplementedError as error:
                raise NoReference(op, str(error)) from None
            if written is not None:
                return written
        raise NoReference(op, "it has no torch form here")

    def _insert(self, op: tensor.InsertSliceOp) -> Expression:
        window = window_of(op, static_shape(op.source.type, op))
        dest: Expression
        if isinstance(op.dest.owner, tensor.EmptyOp):
            dest = self._filled(op.dest, 0)
        else:
            dest = Suffix(self.tensor(op.dest), ".clone()")
        name = self._fresh(op.result)
        self.lines += lay_out(f"{name} = ", dest, "", 4)
        self.lines += lay_out(f"{name}{window} = ", self.tensor(op.source), "", 4)
        return Name(name)

    # Values.

    def tensor(self, value: SSAValue) -> Expression:
        """The expression of a tensor; a filled tensor is written here."""
        if value in self.values:
            return self.values[value]
        if value in self.fills:
            return self._filled(value, self.fills[value])
        owner = value.owner
        raise NoReference(
            self.function if isinstance(owner, Block) else owner, "it is read"
        )

    def number(self, value: SSAValue) -> Expression | None:
        """A constant, or the number that a tensor is filled with; otherwise None."""
        if value in self.fills:
            return literal(self.fills[value])
        is_number = value in self.values and not isinstance(value.type, TensorType)
        return self._scalar(value) if is_number else None

    def _scalar(self, value: SSAValue) -> Expression:
        """A number for torch's functions; a size becomes a tensor."""
        found = self.values[value]
        if isinstance(value.type, IndexType) and not isinstance(found, Literal):
            return Call("torch.tensor", (found,))
        return found

    def arange(self, extent: Expression) -> Expression:
        """The tensor 0, 1, 2 and so on, on the device of the arguments."""
        return Call("torch.arange", (extent,), tuple(self._on_device()))

    def statement(self, hint: str | None, value: Expression) -> Expression:
        """Assign a value to a name."""
        name = self._names.fresh(reader_name(hint) or "x")
        self.lines += lay_out(f"{name} = ", value, "", 4)
        return Name(name)

    def full(
        self, shape: Sequence[Expression], value: Expression, of: Attribute
    ) -> Expression:
        """A tensor with one number everywhere."""
        sizes = Group(tuple(shape), "()")
        keywords = (("dtype", wide_type(of)), *self._on_device())
        return Call("torch.full", (sizes, value), keywords)

    def _filled(self, value: SSAValue, number: float) -> Expression:
        return self.full(self.sizes.of(value), literal(number), value.type)

    def _on_device(self) -> list[tuple[str, Expression]]:
        return [("device", Literal(self.device))] if self.device else []

    def _fresh(self, value: SSAValue) -> str:
        return self._names.fresh(reader_name(value.name_hint) or "x")

    def _bind(
        self, result: SSAValue | None, value: Expression, op: Operation | None = None
    ) -> None:
        if result is None:
            assert op is not None
            raise NoReference(op, "it has no torch form here")
        if isinstance(value, Name | Literal):
            self.values[result] = value
            return
        self.values[result] = self.statement(result.name_hint, value)


def explain(error: NoReference) -> str:
    """`linalg.generic (payload.mlir:7): a reduction by more than one op`."""
    place = place_of(error.op)
    where = f" ({PurePath(place.file).name}:{place.line})" if place else ""
    return f"{error.op.name}{where}: {error.reason}"
