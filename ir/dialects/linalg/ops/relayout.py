"""`linalg.pack` and `linalg.unpack`: tensors stored as tiles, and back.

Neither is a structured op, as upstream. A packed tensor has the *outer* dimensions
first, which count tiles, and behind them an *inner* dimension for each tiled one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    i64,
)
from xdsl.dialects.utils import (
    DynamicIndexList,
    split_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import ConditionallySpeculatable, NoMemoryEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.scf import mixed
from tilewright.ir.types import tensor_type

Tile = SSAValue | int
"""The size of a tile along one dimension."""


class RelayoutSpeculation(ConditionallySpeculatable):
    """Speculatable where no tile can be partial, or a value fills partial tiles."""

    @classmethod
    def is_speculatable(cls, op: Operation) -> bool:
        """Whether there is a padding value, or all sizes are static."""
        assert isinstance(op, RelayoutOp)
        if isinstance(op, PackOp) and op.padding_value is not None:
            return True
        shape = op.unpacked_type.get_shape()
        sizes = [shape[dim] for dim in op.dims]
        return DYNAMIC_INDEX not in (*sizes, *op.static_inner_tiles.get_values())


_DEST: VarConstraint[TensorType[Attribute]] = VarConstraint("DEST", base(TensorType))


class RelayoutOp(IRDLOperation, ABC):
    """What pack and unpack share: which dimensions are tiled, by how much."""

    source = operand_def(TensorType)
    dest = operand_def(_DEST)
    inner_tiles = var_operand_def(IndexType)
    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))
    result = result_def(_DEST)

    traits = traits_def(NoMemoryEffect(), RelayoutSpeculation())
    custom_directives = (DynamicIndexList,)

    @property
    @abstractmethod
    def packed_type(self) -> TensorType[Attribute]:
        """The type with tiles."""

    @property
    @abstractmethod
    def unpacked_type(self) -> TensorType[Attribute]:
        """The type without tiles."""

    @property
    def dims(self) -> tuple[int, ...]:
        """The tiled dimensions of the unpacked type, in the order of the tiles."""
        return tuple(self.inner_dims_pos.get_values())

    @property
    def order(self) -> tuple[int, ...]:
        """Outer dimension i of the packed type is dimension `order[i]` of the other."""
        given = self.outer_dims_perm
        if given is not None and len(given):
            return tuple(given.get_values())
        return tuple(range(len(self.unpacked_type.get_shape())))

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The sizes of the tiles."""
        return tuple(mixed(self.static_inner_tiles, self.inner_tiles))

    @property
    def tile_of(self) -> dict[int, Tile]:
        """The size of a tile for each tiled dimension."""
        return dict(zip(self.dims, self.tiles, strict=True))

    @property
    def outer_shape(self) -> tuple[int, ...]:
        """The numbers of tiles, in the order of the packed type."""
        return self.packed_type.get_shape()[: len(self.unpacked_type.get_shape())]

    def verify_(self) -> None:
        """The lists name dimensions, and the packed type has whole tiles."""
        static = self.static_inner_tiles.get_values()
        verify_dynamic_index_list(
            static, self.inner_tiles, DYNAMIC_INDEX, " in the tile sizes"
        )
        if 0 in static:
            raise VerifyException("invalid zero tile factor")
        unpacked, packed = self.unpacked_type, self.packed_type
        rank = len(unpacked.get_shape())
        if not _are_distinct_dims(self.dims, rank):
            raise VerifyException("invalid inner_dims_pos vector")
        if not _are_distinct_dims(self.order, rank):
            raise VerifyException("invalid outer_dims_perm vector")
        if len(self.order) != rank:
            raise VerifyException("outer_dims_perm must be a permutation or empty")
        if len(static) != len(self.dims):
            raise VerifyException(
                "tiling factors must equal the number of dimensions to tile"
            )
        if len(packed.get_shape()) != rank + len(static):
            raise VerifyException(
                "packed rank != (unpacked rank + num tiling factors), got "
                f"{len(packed.get_shape())} != {rank + len(static)}"
            )
        if packed.element_type != unpacked.element_type:
            raise VerifyException(f"expected elements of type {unpacked.element_type}")
        if packed.get_shape()[rank:] != tuple(static):
            raise VerifyException(
                "mismatch in inner tile sizes specified and shaped of tiled dimension "
                "in the packed type"
            )
        expected = packed_type(unpacked, static, self.dims, self.order)
        if any(
            a != b and DYNAMIC_INDEX not in (a, b)
            for a, b in zip(expected.get_shape(), packed.get_shape(), strict=True)
        ):
            raise VerifyException(
                f"expected '{expected}' for the packed domain value, got '{packed}'"
            )


def _are_distinct_dims(dims: Sequence[int], rank: int) -> bool:
    return len(set(dims)) == len(dims) and all(0 <= dim < rank for dim in dims)


def packed_type(
    unpacked: TensorType[Attribute],
    tiles: Sequence[int],
    dims: Sequence[int],
    order: Sequence[int] = (),
) -> TensorType[Attribute]:
    """The packed type for static tile sizes, `DYNAMIC_INDEX` where one is not known."""
    outer = list(unpacked.get_shape())
    for dim, tile in zip(dims, tiles, strict=True):
        known = DYNAMIC_INDEX not in (outer[dim], tile)
        outer[dim] = -(-outer[dim] // tile) if known else DYNAMIC_INDEX
    shape = [outer[dim] for dim in order or range(len(outer))]
    return TensorType(unpacked.element_type, [*shape, *tiles])


def needs_padding(
    unpacked: Sequence[int], tile_of: dict[int, Tile], *, strict: bool = False
) -> bool:
    """Whether a tile is known to be partial; `strict`: whether one may be."""
    for dim, tile in tile_of.items():
        if isinstance(tile, SSAValue) or unpacked[dim] == DYNAMIC_INDEX:
            if strict:
                return True
        elif unpacked[dim] % tile:
            return True
    return False


@irdl_op_definition
class PackOp(RelayoutOp):
    """Store a tensor as tiles; `padding_value` fills partial tiles."""

    name = "linalg.pack"

    source = operand_def(TensorType)
    dest = operand_def(_DEST)
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(IndexType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? "
        "(`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` "
        "$inner_dims_pos `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, "
        "$static_inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)"
    )

    def __init__(
        self,
        source: SSAValue,
        dest: SSAValue,
        dims: Sequence[int],
        tiles: Sequence[Tile],
        padding_value: SSAValue | None = None,
        order: Sequence[int] = (),
    ):
        static, dynamic = split_dynamic_index_list(tiles, DYNAMIC_INDEX)
        super().__init__(
            operands=[source, dest, padding_value, dynamic],
            result_types=[dest.type],
            properties=_layout(static, dims, order),
        )

    @property
    def packed_type(self) -> TensorType[Attribute]:
        """The destination's type."""
        return tensor_type(self.dest)

    @property
    def unpacked_type(self) -> TensorType[Attribute]:
        """The source's type."""
        return tensor_type(self.source)

    def verify_(self) -> None:
        """Partial tiles have a value to fill them, which is an element."""
        super().verify_()
        element = self.unpacked_type.element_type
        if self.padding_value is not None:
            if self.padding_value.type != element:
                raise VerifyException(
                    f"expected padding_value has '{element}' but got: "
                    f"'{self.padding_value.type}'"
                )
        elif needs_padding(self.unpacked_type.get_shape(), self.tile_of):
            raise VerifyException(
                "invalid tile factor or output size provided. Only full tiles are "
                "supported when padding_value is not set"
            )


@irdl_op_definition
class UnPackOp(RelayoutOp):
    """Read a tensor from its tiles; what is beyond its end is dropped."""

    name = "linalg.unpack"

    assembly_format = (
        "$source (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` "
        "$inner_dims_pos `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, "
        "$static_inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)"
    )

    def __init__(
        self,
        source: SSAValue,
        dest: SSAValue,
        dims: Sequence[int],
        tiles: Sequence[Tile],
        order: Sequence[int] = (),
    ):
        static, dynamic = split_dynamic_index_list(tiles, DYNAMIC_INDEX)
        super().__init__(
            operands=[source, dest, dynamic],
            result_types=[dest.type],
            properties=_layout(static, dims, order),
        )

    @property
    def packed_type(self) -> TensorType[Attribute]:
        """The source's type."""
        return tensor_type(self.source)

    @property
    def unpacked_type(self) -> TensorType[Attribute]:
        """The destination's type."""
        return tensor_type(self.dest)


def _layout(
    static: Sequence[int], dims: Sequence[int], order: Sequence[int]
) -> dict[str, Attribute | None]:
    return {
        "inner_dims_pos": DenseArrayBase.from_list(i64, dims),
        "static_inner_tiles": DenseArrayBase.from_list(i64, static),
        "outer_dims_perm": DenseArrayBase.from_list(i64, order) if order else None,
    }
