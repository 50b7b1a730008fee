"""How indexing maps name the loops of a structured op."""

from __future__ import annotations

from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap


def named_loops(map_: AffineMap) -> tuple[int, ...]:
    """The loops that a map names, in the order of its results; others are left out."""
    return tuple(e.position for e in map_.results if isinstance(e, AffineDimExpr))


def is_projection(map_: AffineMap) -> bool:
    """Whether every result is a loop of its own, or a constant."""
    loops = named_loops(map_)
    constants = [e for e in map_.results if isinstance(e, AffineConstantExpr)]
    is_plain = len(loops) + len(constants) == len(map_.results)
    return is_plain and len(set(loops)) == len(loops)


def is_projection_or_zero(map_: AffineMap) -> bool:
    """Whether every result is a loop of its own, or the constant 0."""
    constants = [e for e in map_.results if isinstance(e, AffineConstantExpr)]
    return is_projection(map_) and all(e.value == 0 for e in constants)


def is_permutation(map_: AffineMap) -> bool:
    """Whether a map names every loop once, and nothing else."""
    return map_.is_projected_permutation() and len(map_.results) == map_.num_dims
