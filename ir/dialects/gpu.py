"""Upstream's gpu dialect: mappings of loops, memory spaces, and the barrier.

`#gpu.block<x>` in a forall's mapping makes it a grid. The other attributes and the
barrier are parsed and printed, but code generation refuses them: Triton assigns threads
and shared memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IntAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from tilewright.ir.dialects.enums import Bracketed


class MappingId(StrEnum):
    """The dimensions a loop may be mapped to."""

    X = "x"
    Y = "y"
    Z = "z"
    LINEAR_DIM_0 = "linear_dim_0"
    LINEAR_DIM_1 = "linear_dim_1"
    LINEAR_DIM_2 = "linear_dim_2"
    LINEAR_DIM_3 = "linear_dim_3"
    LINEAR_DIM_4 = "linear_dim_4"
    LINEAR_DIM_5 = "linear_dim_5"
    LINEAR_DIM_6 = "linear_dim_6"
    LINEAR_DIM_7 = "linear_dim_7"
    LINEAR_DIM_8 = "linear_dim_8"
    LINEAR_DIM_9 = "linear_dim_9"


@irdl_attr_definition
class BlockMappingAttr(Bracketed, EnumAttribute[MappingId]):
    """A loop over the blocks of the grid."""

    name = "gpu.block"


@irdl_attr_definition
class WarpgroupMappingAttr(Bracketed, EnumAttribute[MappingId]):
    """A loop over groups of four warps."""

    name = "gpu.warpgroup"


@irdl_attr_definition
class WarpMappingAttr(Bracketed, EnumAttribute[MappingId]):
    """A loop over the warps of a block."""

    name = "gpu.warp"


@irdl_attr_definition
class ThreadMappingAttr(Bracketed, EnumAttribute[MappingId]):
    """A loop over the threads of a block."""

    name = "gpu.thread"


@irdl_attr_definition
class LaneMappingAttr(Bracketed, EnumAttribute[MappingId]):
    """A loop over the threads of a warp."""

    name = "gpu.lane"


@irdl_attr_definition
class MaskMappingAttr(ParametrizedAttribute):
    """Which units of the mapping take part, one bit for each: `#gpu.mask<3>`."""

    name = "gpu.mask"

    mask: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<3>`, or `<0x3>`."""
        with parser.in_angle_brackets():
            return [IntAttr(parser.parse_integer(allow_boolean=False))]

    def print_parameters(self, printer: Printer) -> None:
        """`<3>`."""
        printer.print_string(f"<{self.mask.data}>")

    def verify(self) -> None:
        """The mask fits in 64 bits."""
        if not 0 <= self.mask.data < 2**64:
            raise VerifyException("expected a mask of 64 bits")


class AddressSpace(StrEnum):
    """The memories of a device."""

    GLOBAL = "global"
    WORKGROUP = "workgroup"
    PRIVATE = "private"


@irdl_attr_definition
class AddressSpaceAttr(Bracketed, EnumAttribute[AddressSpace]):
    """A buffer's memory space: `memref<4xf32, #gpu.address_space<workgroup>>`."""

    name = "gpu.address_space"


@irdl_attr_definition
class MemorySpaceMappingAttr(Bracketed, EnumAttribute[AddressSpace]):
    """The memory space that a value is mapped to."""

    name = "gpu.memory_space"


class Processor(StrEnum):
    """The hardware units that an `scf.parallel` loop may be mapped to."""

    BLOCK_X = "block_x"
    BLOCK_Y = "block_y"
    BLOCK_Z = "block_z"
    THREAD_X = "thread_x"
    THREAD_Y = "thread_y"
    THREAD_Z = "thread_z"
    SEQUENTIAL = "sequential"


@irdl_attr_definition
class ProcessorAttr(EnumAttribute[Processor]):
    """The hardware unit in a loop's mapping."""

    name = "gpu.processor"


@irdl_attr_definition
class LoopDimMapAttr(ParametrizedAttribute):
    """How an `scf.parallel` loop is mapped: the unit, its index, its bound."""

    name = "gpu.loop_dim_map"

    processor: ProcessorAttr
    map: AffineMapAttr
    bound: AffineMapAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>`."""
        with parser.in_angle_brackets():
            parser.parse_keyword("processor")
            parser.parse_punctuation("=")
            processor = parser.parse_str_enum(Processor)
            maps: list[AffineMapAttr] = []
            for name in ("map", "bound"):
                parser.parse_punctuation(",")
                parser.parse_keyword(name)
                parser.parse_punctuation("=")
                maps.append(AffineMapAttr(parser.parse_affine_map()))
        return [ProcessorAttr(processor), *maps]

    def print_parameters(self, printer: Printer) -> None:
        """`<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>`."""
        printer.print_string(
            f"<processor = {self.processor.data}, map = {self.map.data}, "
            f"bound = {self.bound.data}>"
        )


def is_block_mapping(mapping: ArrayAttr[Attribute] | None) -> bool:
    """Whether a forall's mapping makes it a grid."""
    return mapping is not None and all(
        isinstance(entry, BlockMappingAttr) for entry in mapping
    )


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """All threads of a block wait for each other."""

    name = "gpu.barrier"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "attr-dict"


Gpu = Dialect(
    "gpu",
    [BarrierOp],
    [
        AddressSpaceAttr,
        BlockMappingAttr,
        LaneMappingAttr,
        LoopDimMapAttr,
        MaskMappingAttr,
        MemorySpaceMappingAttr,
        ThreadMappingAttr,
        WarpMappingAttr,
        WarpgroupMappingAttr,
    ],
)
