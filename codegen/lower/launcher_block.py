"""The launcher's block while it is written: its ops, and a buffer for each value.

Extents that are known only at run time are values of the launcher (`host_sizes.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.elements.atoms import Runtime
from tilewright.codegen.analysis.elements.indices import Indices
from tilewright.codegen.analysis.elements.reshapes import (
    Reshape,
    memory_of,
    reshape_of,
    without_casts,
)
from tilewright.codegen.lower.host_sizes import HostSizes
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import memref
from tilewright.ir.types import buffer_type

_RESHAPES = (memref.ExpandShapeOp, memref.CollapseShapeOp)


class LauncherBlock:
    """The block of a launcher, for the block of a function at the buffer level."""

    def __init__(
        self,
        source: Block,
        names: dict[SSAValue, str],
        same: Mapping[Runtime, Runtime | int],
    ):
        self.names = names
        self.indices = Indices(same)
        self.buffers: dict[SSAValue, SSAValue] = {}
        """The launcher's value for each value of the function."""
        self.replaced: list[tuple[SSAValue, SSAValue]] = []
        """Buffers of the launcher that others have taken the place of."""
        self.block = Block(arg_types=[arg.type for arg in source.args])
        for old, new in zip(source.args, self.block.args, strict=True):
            self.bind(old, new)
        self.sizes = HostSizes(self.block, self.buffers)

    def add(self, made: Operation, like: Operation) -> None:
        """Append an op, which stands where `like` stood."""
        made.location = like.location
        self.block.add_op(made)

    def bind(self, old: SSAValue, new: SSAValue) -> None:
        """Use a value of the launcher for a value of the function."""
        self.buffers[old] = new
        new.name_hint = self.names[old]

    def buffer(self, value: SSAValue, op: Operation) -> SSAValue:
        """The launcher's buffer for a whole buffer that an op uses."""
        value = without_casts(value)
        if value not in self.buffers:
            reshape = reshape_of(value)
            if reshape is None:
                refuse(op, "a part of a buffer is used as a whole outside of any grid")
            self._reshape(reshape)
        return self.buffers[value]

    def _reshape(self, op: Reshape) -> None:
        """A whole buffer in another shape: a view that the launcher makes."""
        source = self.buffer(op.src, op)
        operands = [source]
        if isinstance(op, memref.ExpandShapeOp):
            operands += [
                self.sizes.value(self.indices.linear(size)) for size in op.output_shape
            ]
        made = type(op).create(
            operands=operands,
            result_types=[op.result.type],
            properties=dict(op.properties),
        )
        self.add(made, op)
        self.bind(op.result, made.results[0])

    def renewed(self, old: SSAValue, like: Operation) -> SSAValue:
        """A new buffer for what a call writes while it reads the old one.

        The call writes every element: from here on the new buffer is the old one.
        """
        made = memref.AllocOp(self.open_sizes(old), [], buffer_type(old))
        self.add(made, like)
        for value in [v for v in self.buffers if memory_of(v) is old]:
            self.replaced.append((value, self.buffers.pop(value)))
        self.bind(old, made.memref)
        return made.memref

    def open_sizes(self, buffer: SSAValue) -> list[SSAValue]:
        """The sizes of an allocation that are known only at run time."""
        alloc = buffer.owner
        if not isinstance(alloc, memref.AllocOp):
            return []
        sizes = (self.indices.linear(size) for size in alloc.dynamic_sizes)
        return [self.sizes.value(size) for size in sizes]

    def drop_unused(self) -> None:
        """Drop the buffers that only replaced ops used."""
        for op in reversed(list(self.block.ops)):
            makes = isinstance(op, (memref.AllocOp, *_RESHAPES))
            if makes and not op.results[0].uses:
                op.detach()
                op.erase()
