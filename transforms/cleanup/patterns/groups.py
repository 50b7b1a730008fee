"""The groups of patterns that `apply_patterns` can ask for, by upstream's names."""

from __future__ import annotations

from tilewright.transforms.cleanup.patterns import (
    affine,
    constants,
    contract,
    loops,
    slices,
    transfers,
)
from tilewright.transforms.cleanup.patterns.driver import Pattern

CANONICALIZATION: tuple[Pattern, ...] = (
    *constants.PATTERNS,
    *affine.PATTERNS,
    *slices.PATTERNS,
    *loops.PATTERNS,
    *transfers.CANONICAL,
    *contract.NEUTRAL,
)

GROUPS: dict[str, tuple[Pattern, ...]] = {
    "canonicalization": CANONICALIZATION,
    "linalg.tiling_canonicalization": CANONICALIZATION,
    "vector.lower_masked_transfers": transfers.MASKED,
    "vector.reduction_to_contract": contract.REDUCTION,
    "vector.transfer_permutation_patterns": transfers.PERMUTATION,
    "vector.fold_arith_extension": contract.EXTENSION,
    # Our own: what hoisting leaves behind, and nothing else.
    "tilewright.carried_values": loops.CARRIED,
}
