"""The mapping attributes of upstream's gpu dialect: `#gpu.block<x>` and relatives."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import irdl_attr_definition
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


@irdl_attr_definition
class BlockMappingAttr(Bracketed, EnumAttribute[MappingId]):
    """A loop of the grid."""

    name = "gpu.block"


@irdl_attr_definition
class ThreadMappingAttr(Bracketed, EnumAttribute[MappingId]):
    """A loop over the threads of a block. Parsed, and refused: Triton owns them."""

    name = "gpu.thread"


@irdl_attr_definition
class WarpMappingAttr(Bracketed, EnumAttribute[MappingId]):
    """A loop over the warps of a block. Parsed, and refused: Triton owns them."""

    name = "gpu.warp"


def is_block_mapping(mapping: ArrayAttr[Attribute] | None) -> bool:
    """Whether a forall's mapping makes it a grid."""
    return mapping is not None and all(
        isinstance(entry, BlockMappingAttr) for entry in mapping
    )


Gpu = Dialect("gpu", [], [BlockMappingAttr, ThreadMappingAttr, WarpMappingAttr])
