"""What a person calls a value, and what an op does."""

from __future__ import annotations

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import memref, scf, tensor
from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.structured.loops import nest_of


class Names:
    """Names of values; those without one are numbered: `t1`."""

    def __init__(self) -> None:
        self._numbered: dict[SSAValue, str] = {}

    def name(self, value: SSAValue) -> str:
        """The name of the tensor that a value is, or is a slice of."""
        while not value.name_hint and isinstance(
            value.owner, tensor.ExtractSliceOp | memref.SubviewOp
        ):
            value = value.owner.source
        if value.name_hint:
            return value.name_hint.rstrip("0123456789").rstrip("_") or value.name_hint
        return self._numbered.setdefault(value, f"t{len(self._numbered) + 1}")

    def call(self, value: SSAValue, name: str) -> None:
        """Give a value without a name the name of what it was made from."""
        self._numbered.setdefault(value, name)

    def carried(self, loop: scf.ForOp) -> list[str]:
        """The names of what a loop carries; without one, that of the loop's result."""
        arguments = loop.body.block.args[1:]
        last = loop.body.block.last_op
        assert last is not None
        for argument, result, yielded in zip(
            arguments, loop.results, last.operands, strict=True
        ):
            if not result.name_hint and yielded.name_hint:
                self.call(result, self.name(yielded))
            if not argument.name_hint:
                self._numbered[argument] = self.name(result)
        return [self.name(argument) for argument in arguments]


def verb_of(op: Operation) -> str:
    """`matmul`, `softmax`; for a generic, what its body does: `mulf, tanh`."""
    if not isinstance(op, GenericOp):
        return op.name.partition(".")[2]
    body = [one for one in op.body.block.ops if not isinstance(one, ConstantOp)]
    done = ", ".join(one.name.split(".")[-1] for one in body[:-1]) or "copy"
    return f"reduce {done}" if nest_of(op).reduced else done


def number_text(value: SSAValue | int) -> str:
    """A number, or `?` where it is known only at run time."""
    known = constant_int(value)
    return "?" if known is None else str(known)


def type_text(value: SSAValue) -> str:
    """`128x64xf16`."""
    if not isinstance(value.type, ShapedType):
        return str(value.type)
    shape = "".join("?x" if d < 0 else f"{d}x" for d in value.type.get_shape())
    return f"{shape}{value.type.get_element_type()}"  # pyright: ignore
