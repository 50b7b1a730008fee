"""The marker ops of `apply_patterns`: each names one group of patterns.

The patterns themselves are in `groups.py`, which is imported when a group is
applied. A test checks that both have the same names.
"""

from __future__ import annotations

from functools import cache

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition

GROUP_PREFIX = "transform.apply_patterns."

GROUP_NAMES = (
    "canonicalization",
    "linalg.erase_unnecessary_inputs",
    "linalg.fold_unit_extent_dims_via_reshapes",
    "linalg.fold_unit_extent_dims_via_slices",
    "linalg.tiling_canonicalization",
    "memref.alloc_to_alloca",
    "memref.extract_address_computations",
    "memref.fold_memref_alias_ops",
    "memref.resolve_ranked_shaped_type_result_dims",
    "scf.for_loop_canonicalization",
    "tensor.bubble_up_extract_slice",
    "tensor.decompose_concat",
    "tensor.drop_redundant_insert_slice_rank_expansion",
    "tensor.fold_tensor_empty",
    "tensor.fold_tensor_subset_ops",
    "tensor.fold_tensor_subset_ops_into_vector_transfers",
    "tensor.merge_consecutive_insert_extract_slice",
    "tensor.reassociative_reshape_folding",
    "tensor.rewrite_as_constant",
    "vector.cast_away_vector_leading_one_dim",
    "vector.drop_unit_dims_with_shape_cast",
    "vector.fold_arith_extension",
    "vector.lower_masked_transfers",
    "vector.reduction_to_contract",
    "vector.sink_ops",
    "vector.transfer_permutation_patterns",
    "tilewright.carried_values",
    "tilewright.empty_loops",
    "tilewright.flat_elements",
    "tilewright.gathered_elements",
    "tilewright.own_fills",
    "tilewright.short_reductions",
    "tilewright.slices_after_reshapes",
    "tilewright.concats",
)


@cache
def group_op(group: str) -> type[Operation]:
    """The op that names a group of patterns inside `apply_patterns`."""

    class GroupOp(IRDLOperation):
        """Names one group of patterns."""

        name = GROUP_PREFIX + group

        assembly_format = "attr-dict"

    GroupOp.__name__ = "".join(part.title() for part in group.split("_")) + "Op"
    return irdl_op_definition(GroupOp)
