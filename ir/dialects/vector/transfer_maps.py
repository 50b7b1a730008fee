"""The permutation map of a transfer: its default, its mask and its rules."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType, TensorType, VectorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import is_buffer, is_tensor, is_vector

Shaped = TensorType[Attribute] | MemRefType[Attribute]


def minor_identity(source: Shaped, vector: VectorType[Attribute]) -> AffineMap | None:
    """The default map: the innermost dimensions; None if the ranks do not fit."""
    element = source.element_type
    inner = element.get_num_dims() if is_vector(element) else 0
    rank, outer = source.get_num_dims(), vector.get_num_dims() - inner
    return AffineMap.minor_identity(rank, outer) if 0 <= outer <= rank else None


def mask_shape(map: AffineMap, shape: Sequence[int]) -> tuple[int, ...]:
    """A mask's shape: the dimensions that are not broadcast, in the source's order."""
    sizes = {
        expr.position: size
        for expr, size in zip(map.results, shape, strict=True)
        if isinstance(expr, AffineDimExpr)
    }
    # A mask without dimensions has one lane, as in upstream.
    return tuple(sizes[dim] for dim in sorted(sizes)) or (1,)


def verify_transfer(
    source: Attribute,
    vector: Attribute,
    indices: int,
    map: AffineMap,
    in_bounds: int,
    mask: SSAValue | None,
) -> None:
    """Check the rules that reads and writes share.

    `indices` and `in_bounds` are the lengths of these lists.
    """
    assert is_tensor(source) or is_buffer(source)
    assert is_vector(vector)
    rank = source.get_num_dims()
    if indices != rank:
        raise VerifyException(f"requires {rank} indices")
    _verify_elements(source, vector, len(map.results), mask)
    if map.num_symbols:
        raise VerifyException("requires permutation_map without symbols")
    if map.num_dims != rank:
        raise VerifyException(
            "requires a permutation_map with input dims of the same rank as the "
            "source type"
        )
    _verify_projection(map)
    if in_bounds != len(map.results):
        raise VerifyException(
            "expects the in_bounds attr of same rank as permutation_map results: "
            f"{len(map.results)} results vs inBounds of size: {in_bounds}"
        )
    if mask is None:
        return
    expected = VectorType(i1, mask_shape(map, vector.get_shape()))
    if mask.type != expected:
        raise VerifyException(
            f"inferred mask type ('{expected}') and mask operand type "
            f"('{mask.type}') don't match"
        )


def _verify_elements(
    source: Shaped, vector: VectorType[Attribute], results: int, mask: SSAValue | None
) -> None:
    """Check the vector's dimensions: the map's results, then those of an element."""
    element = source.element_type
    inner = element.get_shape() if is_vector(element) else ()
    scalar = element.element_type if is_vector(element) else element
    if vector.element_type != scalar:
        raise VerifyException(
            f"transfers between elements of type '{scalar}' and a vector of "
            f"'{vector.element_type}' are not supported"
        )
    if vector.get_num_dims() != results + len(inner):
        raise VerifyException(
            "requires a permutation_map with result dims of the same rank as the "
            "vector type"
        )
    if vector.get_shape()[results:] != inner:
        raise VerifyException(
            f"requires a vector that ends with the source's elements, '{element}'"
        )
    if inner and mask is not None:
        raise VerifyException("does not support masks with vector element type")


def _verify_projection(map: AffineMap) -> None:
    seen: set[int] = set()
    for expr in map.results:
        if isinstance(expr, AffineConstantExpr) and expr.value == 0:
            continue
        if not isinstance(expr, AffineDimExpr):
            raise VerifyException(
                "requires a projected permutation_map (at most one dim or the zero "
                "constant can appear in each result)"
            )
        if expr.position in seen:
            raise VerifyException(
                "requires a permutation_map that is a permutation (found one dim used "
                "more than once)"
            )
        seen.add(expr.position)
