"""Element-wise ops behind a product run on its matrix, and are reshaped afterwards.

`tilewright.flat_elements`. A linear layer of a batch multiplies a matrix of all rows,
and what follows sees the batch again:

    %p = linalg.matmul ... -> tensor<4096x64xf32>
    %e = tensor.expand_shape %p [[0, 1], [2]] ... into tensor<8x512x64xf32>
    %r = linalg.generic ... ins(%e) { relu } -> tensor<8x512x64xf32>
    %c = tensor.collapse_shape %r [[0, 1], [2]] ... into tensor<4096x64xf32>

The op reads the matrix instead, so that a kernel or a library computes both. It stays
where a reader needs the longer shape, such as a norm of rows: that is fused with its
reader. Sizes must be known.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import func, tensor
from tilewright.ir.dialects.linalg import (
    GenericOp,
    IndexOp,
    StructuredOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.contractions import product_of
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.tensor.reshapes import (
    COLLAPSE,
    EXPAND,
    Groups,
    expand,
    groups_of,
)
from tilewright.transforms.cleanup.shapes import shape_of, with_shape
from tilewright.transforms.core.rewriter import Rewriter


@pattern(GenericOp)
def flatten_elements(op: GenericOp, rewriter: Rewriter) -> None:
    """Compute the elements of a matrix, and reshape them afterwards."""
    expansion = expansion_of(op)
    if expansion is None:
        return
    groups, kind = groups_of(expansion), tensor_type(op.results[0])
    flat = with_shape(kind, shape_of(expansion.operands[0]))
    inputs: list[SSAValue] = []
    maps: list[AffineMap] = []
    own = {dims[0]: at for at, dims in enumerate(groups) if len(dims) == 1}
    for value, map_ in zip(op.inputs, op.maps, strict=False):
        if _is_expanded(value, groups):
            inputs.append(value.owner.operands[0])  # pyright: ignore
            maps.append(AffineMap.identity(len(groups)))
        else:
            inputs.append(value)
            dims = [AffineDimExpr(own[loop]) for loop in named_loops(map_)]
            maps.append(AffineMap(len(groups), 0, tuple(dims)))
    empty = make("tensor.empty", [], [flat])
    made = GenericOp(
        inputs,
        [empty.results[0]],
        op.body.clone(),
        maps_attribute([*maps, AffineMap.identity(len(groups))]),
        iterators(len(groups), ()),
        [flat],
    )
    made.location = op.location
    made.results[0].name_hint = op.results[0].name_hint
    shaped = expand(made.results[0], groups, kind.get_shape(), kind)
    rewriter.replace_with(op, empty, made, shaped)


def expansion_of(op: Operation) -> Operation | None:
    """The reshape of a product's matrix that an op reads, if it can come after it."""
    if not isinstance(op, GenericOp):
        return None
    for value in op.inputs:
        expansion = owner_named(value, EXPAND)
        if expansion is None or not _follows_product(expansion.operands[0]):
            continue
        groups = groups_of(expansion)
        if _fits(op, groups, None) and _stays_flat(op.results[0], groups):
            return expansion
    return None


def _follows_product(value: SSAValue) -> bool:
    """Whether element-wise ops compute a tensor from a product's."""
    owner = value.owner
    if not isinstance(owner, StructuredOp):
        return False
    if product_of(owner) is not None:
        return True
    return is_elementwise(owner) and any(map(_follows_product, owner.inputs))


def _fits(op: GenericOp, groups: Groups, given: SSAValue | None) -> bool:
    """Whether an op could run on matrices: all it reads is reshaped alike.

    Other operands have no merged dimension. `given` counts as reshaped.
    """
    if not is_elementwise(op) or len(op.results) != 1:
        return False
    kept = {dims[0] for dims in groups if len(dims) == 1}
    *maps, output = op.maps
    identity = AffineMap.identity(sum(map(len, groups)))
    if output != identity or DYNAMIC_INDEX in shape_of(op.results[0]):
        return False
    if owner_named(op.outputs[0], "tensor.empty") is None:
        return False
    if any(isinstance(each, IndexOp | tensor.ExtractOp) for each in op.body.block.ops):
        return False
    for value, map_ in zip(op.inputs, maps, strict=True):
        if value is given or _is_expanded(value, groups):
            if map_ != identity:
                return False
        elif not map_.is_projected_permutation() or not set(named_loops(map_)) <= kept:
            return False
    return True


def _is_expanded(value: SSAValue, groups: Groups) -> bool:
    expansion = owner_named(value, EXPAND)
    return expansion is not None and groups_of(expansion) == groups


def _stays_flat(value: SSAValue, groups: Groups) -> bool:
    """Whether nobody needs the longer shape: readers undo it, or can follow."""
    return all(_may_read_flat(use.operation, value, groups) for use in value.uses)


def _may_read_flat(reader: Operation, value: SSAValue, groups: Groups) -> bool:
    if isinstance(reader, func.ReturnOp):
        return True
    if reader.name == COLLAPSE:
        return groups_of(reader) == groups
    return (
        isinstance(reader, GenericOp)
        and _fits(reader, groups, value)
        and _stays_flat(reader.results[0], groups)
    )


PATTERNS = (flatten_elements,)
