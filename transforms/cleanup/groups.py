"""The groups of patterns for `apply_patterns`, by upstream's names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from xdsl.ir import Operation

from tilewright.transforms.cleanup.driver import Pattern, PatternSet
from tilewright.transforms.cleanup.group_ops import OPTIONS, Value
from tilewright.transforms.cleanup.patterns import (
    affine,
    bufferization,
    index_arithmetic,
)
from tilewright.transforms.cleanup.patterns.arith import casts as arith_casts
from tilewright.transforms.cleanup.patterns.arith import choices as arith_choices
from tilewright.transforms.cleanup.patterns.arith import floats as arith_floats
from tilewright.transforms.cleanup.patterns.arith import integers as arith_integers
from tilewright.transforms.cleanup.patterns.linalg import (
    added_products,
    concats,
    constant_layouts,
    erase_inputs,
    filled_inputs,
    fills,
    flat_elements,
    gathered_elements,
    padded_tensors,
    pads_as_fills,
    readers_order,
    relayouts,
    row_reductions,
    short_reductions,
    sums_order,
    unit_dims,
    unit_loops,
    zero_points,
)
from tilewright.transforms.cleanup.patterns.linalg import structured_ops as linalg
from tilewright.transforms.cleanup.patterns.memref import (
    addresses,
    alias_ops,
    expansions,
    stack,
    strided_metadata,
)
from tilewright.transforms.cleanup.patterns.memref import buffers as memref
from tilewright.transforms.cleanup.patterns.scf import branches as scf_if
from tilewright.transforms.cleanup.patterns.scf import forall as scf_forall
from tilewright.transforms.cleanup.patterns.scf import loop_bounds as for_loops
from tilewright.transforms.cleanup.patterns.scf import loops
from tilewright.transforms.cleanup.patterns.tensor import (
    concat_parts,
    empties,
    known_contents,
    reshape_folding,
    result_sizes,
    slice_merging,
    slices_after_reshapes,
    slices_before_reshapes,
    subset_ops,
)
from tilewright.transforms.cleanup.patterns.tensor import pads as tensor_pads
from tilewright.transforms.cleanup.patterns.tensor import reshapes as tensor_reshapes
from tilewright.transforms.cleanup.patterns.tensor import sizes as tensor_sizes
from tilewright.transforms.cleanup.patterns.tensor import slices as tensor_slices
from tilewright.transforms.cleanup.patterns.tensor import values as tensor_values
from tilewright.transforms.cleanup.patterns.vector import (
    contract,
    masks,
    partial_accumulators,
    sinking,
    transfers,
)
from tilewright.transforms.cleanup.patterns.vector import elements as vector_elements
from tilewright.transforms.cleanup.patterns.vector import (
    reductions as vector_reductions,
)
from tilewright.transforms.cleanup.patterns.vector import shapes as vector_shapes
from tilewright.transforms.cleanup.patterns.vector import (
    transfer_permutations as permutations,
)
from tilewright.transforms.cleanup.patterns.vector import unit_dims as vector_unit_dims
from tilewright.transforms.cleanup.patterns.vector_lowering import (
    accesses,
    contractions,
    products,
    scans,
    transfer_split,
    unit_views,
    unrolling,
)
from tilewright.transforms.cleanup.patterns.vector_lowering import masks as lower_masks
from tilewright.transforms.cleanup.patterns.vector_lowering import (
    reductions as lower_reductions,
)
from tilewright.transforms.cleanup.patterns.vector_lowering import (
    shapes as lower_shapes,
)
from tilewright.transforms.cleanup.patterns.vector_lowering import (
    transfers as lower_transfers,
)
from tilewright.transforms.cleanup.patterns.vector_lowering.to_scf import (
    rows as transfer_rows,
)
from tilewright.transforms.core.rewriter import Rewriter

ARITH = (
    *arith_integers.PATTERNS,
    *arith_floats.PATTERNS,
    *arith_casts.PATTERNS,
    *arith_choices.PATTERNS,
)
TENSOR = (
    *tensor_slices.PATTERNS,
    *tensor_sizes.PATTERNS,
    *tensor_values.PATTERNS,
    *tensor_pads.PATTERNS,
    *tensor_reshapes.PATTERNS,
)
SCF = (*loops.PATTERNS, *scf_if.PATTERNS, *scf_forall.PATTERNS)
VECTOR = (
    *transfers.PATTERNS,
    *masks.PATTERNS,
    *vector_shapes.PATTERNS,
    *vector_elements.PATTERNS,
    *vector_reductions.PATTERNS,
)
AS_UPSTREAM: tuple[Pattern, ...] = (
    *ARITH,
    *affine.PATTERNS,
    *linalg.PATTERNS,
    *fills.PATTERNS,
    *relayouts.PATTERNS,
    *TENSOR,
    *memref.PATTERNS,
    *bufferization.PATTERNS,
    *SCF,
    *VECTOR,
)
"""The patterns of `mlir-opt --canonicalize`; both give the same program."""
FURTHER: tuple[Pattern, ...] = (
    *tensor_slices.FURTHER,
    *transfers.FURTHER,
    *contract.FURTHER,
    *for_loops.FURTHER,
    *partial_accumulators.PATTERNS,
)
"""Patterns that keep a partial tile in registers (docs/transforms)."""

CANONICALIZATION = (*AS_UPSTREAM, *FURTHER)

TILING = (
    *affine.PATTERNS,
    *tensor_slices.PATTERNS,
    *tensor_slices.FURTHER,
    *tensor_sizes.MADE_BY_TILING,
    *tensor_pads.PATTERNS,
    *memref.PATTERNS,
    *loops.PATTERNS,
)
"""The part of canonicalization that matches ops which tiling makes."""


def _of_empties(
    patterns: Sequence[Pattern], single_use_only: bool
) -> tuple[Pattern, ...]:
    """Patterns on empty tensors, if asked only on those that nothing else uses."""
    return tuple(map(_of_lone_operand, patterns) if single_use_only else patterns)


def _of_lone_operand(one: Pattern) -> Pattern:
    def rewrite(op: Operation, rewriter: Rewriter) -> None:
        if op.operands[0].has_one_use():
            one.rewrite(op, rewriter)

    return replace(one, rewrite=rewrite)


GROUPS: dict[str, tuple[Pattern, ...] | Callable[..., tuple[Pattern, ...]]] = {
    "canonicalization": CANONICALIZATION,
    "linalg.decompose_pack_unpack": relayouts.DECOMPOSE,
    "linalg.decompose_pad": pads_as_fills.PATTERNS,
    "linalg.erase_unnecessary_inputs": erase_inputs.PATTERNS,
    "linalg.fold_add_into_dest": added_products.PATTERNS,
    "linalg.fold_pack_unpack_into_empty": partial(_of_empties, relayouts.INTO_EMPTY),
    "linalg.fold_unit_extent_dims_via_reshapes": (
        *unit_dims.BY_RESHAPES,
        *tensor_reshapes.PATTERNS,
        *tensor_sizes.PATTERNS,
        *fills.PATTERNS,
    ),
    "linalg.fold_unit_extent_dims_via_slices": (
        *unit_dims.BY_SLICES,
        *tensor_sizes.PATTERNS,
        *fills.PATTERNS,
    ),
    "linalg.pad_vectorization": padded_tensors.PATTERNS,
    "linalg.tiling_canonicalization": TILING,
    "memref.alloc_to_alloca": stack.alloc_to_alloca,
    "memref.expand_ops": expansions.PATTERNS,
    "memref.expand_strided_metadata": strided_metadata.PATTERNS,
    "memref.extract_address_computations": addresses.PATTERNS,
    "memref.fold_memref_alias_ops": alias_ops.PATTERNS,
    "memref.resolve_ranked_shaped_type_result_dims": result_sizes.PATTERNS,
    "scf.for_loop_canonicalization": (*for_loops.PATTERNS, *for_loops.FURTHER),
    "tensor.bubble_up_extract_slice": slices_before_reshapes.PATTERNS,
    "tensor.decompose_concat": concat_parts.PATTERNS,
    "tensor.drop_redundant_insert_slice_rank_expansion": slice_merging.RANK,
    "tensor.fold_into_pack_and_unpack": relayouts.INTO_RELAYOUTS,
    "tensor.fold_tensor_empty": partial(_of_empties, empties.PATTERNS),
    "tensor.fold_tensor_subset_ops": subset_ops.PATTERNS,
    "tensor.fold_tensor_subset_ops_into_vector_transfers": subset_ops.PATTERNS,
    "tensor.merge_consecutive_insert_extract_slice": slice_merging.MERGE,
    "tensor.reassociative_reshape_folding": reshape_folding.PATTERNS,
    "tensor.rewrite_as_constant": known_contents.rewrite_as_constant,
    "vector.cast_away_vector_leading_one_dim": vector_unit_dims.LEADING,
    "vector.drop_inner_most_unit_dims_from_xfer_ops": unit_views.INNER,
    "vector.drop_unit_dims_with_shape_cast": vector_unit_dims.ALL,
    "vector.elementwise_to_vector": products.FROM_ARITHMETIC,
    "vector.fold_arith_extension": contract.EXTENSION,
    "vector.interleave_to_shuffle": unrolling.SHUFFLED_INTERLEAVES,
    "vector.lower_bitcast": unrolling.BITCASTS,
    "vector.lower_broadcast": lower_shapes.BROADCASTS,
    "vector.lower_contraction": contractions.lower_contraction,
    "vector.lower_create_mask": lower_masks.ROWS,
    "vector.lower_gather": unrolling.GATHERS,
    "vector.lower_interleave": unrolling.INTERLEAVES,
    "vector.lower_masked_transfers": masks.MASKED,
    "vector.lower_masks": lower_masks.ROWS,
    "vector.lower_multi_reduction": lower_reductions.lower_multi_reduction,
    "vector.lower_outerproduct": products.OUTER_PRODUCTS,
    "vector.lower_scan": scans.SCANS,
    "vector.lower_shape_cast": lower_shapes.SHAPE_CASTS,
    "vector.lower_transfer": lower_transfers.lower_transfer,
    "vector.lower_transpose": lower_shapes.lower_transpose,
    "vector.materialize_masks": lower_masks.COMPARISONS,
    "vector.rank_reducing_subview_patterns": unit_views.ALL,
    "vector.reduction_to_contract": contract.REDUCTION,
    "vector.sink_mem_ops": accesses.ACCESSES,
    "vector.sink_ops": sinking.PATTERNS,
    "vector.split_transfer_full_partial": transfer_split.split_transfers,
    "vector.transfer_permutation_patterns": permutations.PATTERNS,
    "vector.transfer_to_scf": transfer_rows.transfer_to_scf,
    "vector.unroll_from_elements": unrolling.FROM_ELEMENTS,
    "vector.unroll_to_elements": unrolling.TO_ELEMENTS,
    # Our own group: it only cleans up after hoisting.
    "tilewright.carried_values": loops.CARRIED,
    "tilewright.empty_loops": linalg.EMPTY_LOOPS,
    "tilewright.filled_inputs": filled_inputs.PATTERNS,
    "tilewright.flat_elements": flat_elements.PATTERNS,
    "tilewright.gathered_elements": gathered_elements.PATTERNS,
    "tilewright.index_arithmetic": index_arithmetic.PATTERNS,
    "tilewright.own_fills": fills.OWN_FILLS,
    "tilewright.readers_order": readers_order.PATTERNS,
    "tilewright.row_reductions": row_reductions.PATTERNS,
    "tilewright.short_reductions": short_reductions.PATTERNS,
    "tilewright.slices_after_reshapes": slices_after_reshapes.PATTERNS,
    "tilewright.sums_order": sums_order.PATTERNS,
    "tilewright.unit_loops": (
        *unit_loops.PATTERNS,
        *empties.PATTERNS,
        *tensor_reshapes.PATTERNS,
        *tensor_sizes.PATTERNS,
        *fills.PATTERNS,
    ),
    "tilewright.concats": concats.PATTERNS,
    "tilewright.constant_layouts": constant_layouts.PATTERNS,
    "tilewright.zero_points": zero_points.PATTERNS,
}

FOLDS = tuple(entry for entry in CANONICALIZATION if entry.is_fold)
"""Patterns that act in every group, as upstream's folding does."""


def patterns_of(
    groups: Sequence[str], options: Sequence[tuple[Value, ...]] | None = None
) -> PatternSet:
    """The patterns of these groups under their options, and the folds."""
    return _patterns_of(tuple(groups), tuple(options or [()] * len(groups)))


@cache
def _patterns_of(
    groups: tuple[str, ...], options: tuple[tuple[Value, ...], ...]
) -> PatternSet:
    asked: list[Pattern] = []
    for name, values in zip(groups, options, strict=True):
        group: Any = GROUPS[name]
        if callable(group):
            values = values or tuple(option.default for option in OPTIONS[name])
            group = group(*values)
        asked += group
    return PatternSet([*FOLDS, *asked])


@cache
def as_upstream() -> PatternSet:
    """The canonicalization patterns that upstream has too."""
    return PatternSet(AS_UPSTREAM)


@cache
def slice_patterns() -> PatternSet:
    """Patterns that clean up after tiling, but not loops or structured ops."""
    slices = (*tensor_slices.PATTERNS, *tensor_slices.FURTHER, *slice_merging.MERGE)
    return PatternSet([*FOLDS, *slices, *slices_before_reshapes.PATTERNS])
