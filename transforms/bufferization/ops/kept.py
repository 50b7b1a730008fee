"""Models of ops that stay on tensors: functions whose signature stays, unknown ops."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import func
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.op_model import Model, Obstacle
from tilewright.transforms.bufferization.tensor_facts import Facts


class KeptFunction(Model):
    """`func.func` with tensors as arguments: nobody knows who else uses them."""

    def writable(self, value: SSAValue, facts: Facts) -> bool:
        """Arguments are not written."""
        return False

    def write(self, op: Operation, to: Writer) -> None:
        """Written by the op around it, or expanded before."""
        raise AssertionError("functions are written one by one")


class KeptReturn(Model):
    """`func.return` of tensors."""

    YIELDS = True

    def write(self, op: Operation, to: Writer) -> None:
        """Return the contents of the buffers."""
        values = [to.plain(old, op) for old in op.operands]
        to.add(func.ReturnOp(*values), op)


class KeptOp(Model):
    """An op that has no buffer form, or must not get one.

    Its operands are values, which it does not write. Nobody may write its results: they
    may be memory that something else uses.
    """

    def obstacle(self, op: Operation) -> Obstacle | None:
        """An op around tensors cannot stay as it is."""
        inside = (nested for nested in op.walk() if nested is not op)
        values = (value for nested in inside for value in nested.results)
        if not any(is_tensor(value.type) for value in values):
            return None
        return Obstacle(f"'{op.name}' around tensors cannot be bufferized")

    def writable(self, value: SSAValue, facts: Facts) -> bool:
        """Its results may be memory of something else."""
        return False

    def write(self, op: Operation, to: Writer) -> None:
        """The same op on the contents of buffers, and its results as buffers."""
        mapped = dict(to.values)
        for index, old in enumerate(op.operands):
            if is_tensor(old.type):
                mapped[old] = to.contents(self._buffer(op, index, to), old.type, op)
        new_op = to.add(op.clone(value_mapper=mapped), op)
        for old, new in zip(op.results, new_op.results, strict=True):
            to.bind(old, to.seen_as_buffer(new, op) if is_tensor(new.type) else new)

    def _buffer(self, op: Operation, index: int, to: Writer) -> SSAValue:
        """The buffer of an operand; a copy if it is written later.

        A result may be the operand itself, and is then to keep its contents.
        """
        buffer, program = to.buffer(op, index), to.analysis.facts.program
        later = any(
            not program.happens_before(write.op, op) and write.op is not op
            for write in to.analysis.writes_to(op.operands[index])
        )
        if later and any(is_tensor(result.type) for result in op.results):
            return to.fresh(buffer, tensor_type(op.operands[index]), op)
        return buffer
