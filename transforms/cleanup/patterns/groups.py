"""The groups of patterns that `apply_patterns` can ask for, by upstream's names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tilewright.transforms.cleanup.patterns import (
    affine,
    arith_casts,
    arith_choices,
    arith_floats,
    arith_integers,
    bufferization,
    contract,
    fills,
    linalg,
    loops,
    masks,
    memref,
    permutations,
    scf_forall,
    scf_if,
    tensor_pads,
    tensor_reshapes,
    tensor_sizes,
    tensor_slices,
    tensor_values,
    transfers,
    vector_elements,
    vector_reductions,
    vector_shapes,
)
from tilewright.transforms.cleanup.patterns.driver import Pattern, PatternSet

CANONICALIZATION: tuple[Pattern, ...] = (
    *arith_integers.PATTERNS,
    *arith_floats.PATTERNS,
    *arith_casts.PATTERNS,
    *arith_choices.PATTERNS,
    *affine.PATTERNS,
    *linalg.PATTERNS,
    *fills.PATTERNS,
    *tensor_slices.PATTERNS,
    *tensor_slices.FURTHER,
    *tensor_sizes.PATTERNS,
    *tensor_values.PATTERNS,
    *tensor_pads.PATTERNS,
    *tensor_reshapes.PATTERNS,
    *memref.PATTERNS,
    *bufferization.PATTERNS,
    *loops.PATTERNS,
    *scf_if.PATTERNS,
    *scf_forall.PATTERNS,
    *transfers.PATTERNS,
    *transfers.FURTHER,
    *masks.PATTERNS,
    *vector_shapes.PATTERNS,
    *vector_elements.PATTERNS,
    *vector_reductions.PATTERNS,
    *contract.FURTHER,
)

GROUPS: dict[str, tuple[Pattern, ...]] = {
    "canonicalization": CANONICALIZATION,
    "linalg.tiling_canonicalization": CANONICALIZATION,
    "vector.lower_masked_transfers": masks.MASKED,
    "vector.reduction_to_contract": contract.REDUCTION,
    "vector.transfer_permutation_patterns": permutations.PATTERNS,
    "vector.fold_arith_extension": contract.EXTENSION,
    # Our own: what hoisting leaves behind, and nothing else.
    "tilewright.carried_values": loops.CARRIED,
}


FOLDS = tuple(entry for entry in CANONICALIZATION if entry.is_fold)
"""What acts whatever groups are asked for, as upstream's folding does."""


def patterns_of(groups: Sequence[str]) -> PatternSet:
    """The patterns of these groups, and the folds."""
    return _patterns_of(tuple(groups))


@cache
def _patterns_of(groups: tuple[str, ...]) -> PatternSet:
    asked = [entry for name in groups for entry in GROUPS[name]]
    return PatternSet([*FOLDS, *asked])


@cache
def slice_patterns() -> PatternSet:
    """What cleans up after tiling without touching loops or structured ops."""
    return PatternSet([*FOLDS, *tensor_slices.PATTERNS, *tensor_slices.FURTHER])
