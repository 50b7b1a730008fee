"""Models of functions, calls and returns."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from tilewright.ir.dialects import arith, func
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.inplace import Analysis
from tilewright.transforms.bufferization.op_model import Alias, Model, Operand
from tilewright.transforms.bufferization.tensor_facts import Facts, Summary


class Function(Model):
    """`func.func`: an argument is written only if it may be."""

    def __init__(self, *, writes_by_default: bool = False):
        self.writes_by_default = writes_by_default

    def writable(self, value: SSAValue, facts: Facts) -> bool:
        """As `bufferization.writable` says, or the default."""
        assert isinstance(value, BlockArgument)
        declared = argument_attribute(facts.function, value.index, "writable")
        if not isinstance(declared, IntegerAttr):
            return self.writes_by_default
        return declared.value.data != 0

    def write(self, op: Operation, to: Writer) -> None:
        """Written by the op around it, or expanded before."""
        raise AssertionError("functions are written one by one")


class Return(Model):
    """`func.return`: returns buffers of the types in the signature.

    A constant is copied: a caller may write into what it gets.
    """

    YIELDS = True

    def write(self, op: Operation, to: Writer) -> None:
        """Return buffers, or copies where the layout differs from the signature."""
        values: list[SSAValue] = []
        for position, old in enumerate(op.operands):
            new = to.values[old]
            if _may_be_constant(old, to.analysis):
                new = to.fresh(new, tensor_type(old), op)
            if to.returns is not None and is_tensor(old.type):
                wanted = to.returns[position]
                new = to.as_type(new, wanted, op, old.type)
            values.append(new)
        to.add(func.ReturnOp(*values), op)


class Call(Model):
    """`func.call`: the callee's summary tells how it uses its arguments."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """Whether the callee reads the argument."""
        return _callee(operand.op, facts).reads[operand.index]

    def writes(self, operand: Operand, facts: Facts) -> bool:
        """Whether the callee writes the argument."""
        return _callee(operand.op, facts).writes[operand.index]

    def aliases(self, operand: Operand, facts: Facts) -> Sequence[Alias]:
        """The results that may lie in the argument's buffer."""
        results = operand.op.results
        return [
            Alias(results[position], is_equivalent=False)
            for position in sorted(_callee(operand.op, facts).returned[operand.index])
            if is_tensor(results[position].type)
        ]

    def defines(self, result: OpResult, facts: Facts) -> bool:
        """A callee may define new contents."""
        return True

    def writable(self, value: SSAValue, facts: Facts) -> bool:
        """Not if two results share one buffer."""
        assert isinstance(value, OpResult)
        return value.index not in _callee(value.op, facts).read_only

    def write(self, op: Operation, to: Writer) -> None:
        """Call with buffers of the callee's types."""
        assert isinstance(op, func.CallOp)
        signature = to.signatures[op.callee.string_value()]
        arguments: list[SSAValue] = []
        for index, (old, wanted) in enumerate(
            zip(op.operands, signature.inputs, strict=True)
        ):
            if is_tensor(old.type):
                new = to.as_type(to.buffer(op, index), wanted, op, tensor_type(old))
            else:
                new = to.values[old]
            arguments.append(new)
        new_op = func.CallOp(op.callee, arguments, signature.outputs.data)
        new_op.attributes = op.attributes.copy()
        to.add(new_op, op)
        for old, new in zip(op.results, new_op.results, strict=True):
            to.bind(old, new)


def _may_be_constant(value: SSAValue, analysis: Analysis) -> bool:
    return is_tensor(value.type) and any(
        isinstance(alias.owner, arith.ConstantOp) for alias in analysis.aliases(value)
    )


def _callee(op: Operation, facts: Facts) -> Summary:
    assert isinstance(op, func.CallOp)
    return facts.summaries[op.callee.string_value()]


def argument_attribute(
    function: func.FuncOp, index: int, name: str
) -> Attribute | None:
    """An attribute of bufferization that an argument has."""
    if function.arg_attrs is None:
        return None
    return function.arg_attrs.data[index].data.get(f"bufferization.{name}")


def summary_of(analysis: Analysis) -> Summary:
    """The summary of a function for its callers."""
    facts = analysis.facts
    function = facts.function
    arguments = function.args
    last = function.body.block.last_op
    assert last is not None
    tensors = [i for i, value in enumerate(last.operands) if is_tensor(value.type)]
    families = {i: analysis.aliases(last.operands[i]) for i in tensors}
    return Summary(
        reads=tuple(is_tensor(a.type) and facts.is_read(a) for a in arguments),
        writes=tuple(bool(analysis.writes_to(a)) for a in arguments),
        returned=tuple(
            frozenset(i for i in tensors if argument in families[i])
            for argument in arguments
        ),
        read_only=frozenset(
            i
            for i in tensors
            if any(j != i and last.operands[j] in families[i] for j in tensors)
        ),
    )


def unknown_summary(function: func.FuncOp) -> Summary:
    """The summary of a function without a body, or of a recursive one."""
    inputs, outputs = function.function_type.inputs, function.function_type.outputs
    access = [
        argument_attribute(function, i, "access") or StringAttr("read-write")
        for i in range(len(inputs))
    ]
    words = [a.data if isinstance(a, StringAttr) else "read-write" for a in access]
    everything = frozenset(range(len(outputs)))
    return Summary(
        reads=tuple(word in ("read", "read-write") for word in words),
        writes=tuple(word in ("write", "read-write") for word in words),
        returned=(everything,) * len(inputs),
        read_only=frozenset(),
    )
