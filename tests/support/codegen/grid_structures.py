"""Products whose grids have attributes: persistence, stores in parts, hints."""

from __future__ import annotations

from support.codegen.buffer_level import matmul_relu

TILE = (32, 64, 32)
STRUCTURES = {
    "persistent": "triton.persistent = 1 : i64",
    "persistent_grouped": "triton.persistent = 2 : i64, triton.group = 2 : i64",
    "persistent_flat": "triton.persistent = 1 : i64, triton.flatten",
    "persistent_descriptors": "triton.persistent = 1 : i64, triton.descriptors",
    "two_parts": "triton.store_parts = 2 : i64",
    "four_parts": "triton.store_parts = 4 : i64",
    "parts_through_descriptors": "triton.store_parts = 2 : i64, triton.descriptors",
    "all_at_once": "triton.persistent = 1 : i64, triton.group = 2 : i64, "
    "triton.store_parts = 4 : i64, triton.descriptors",
    "hints": 'triton.eviction = {a = "evict_last", out = "evict_first"}, '
    'triton.cache = {b = "cg"}',
    "cached_stores": 'triton.cache = {a = "ca", out = "cs"}',
}


def structure(
    name: str, sizes: tuple[int, int, int], dtype: str = "f16", stages: int = 3
) -> str:
    """A product with relu whose grid has the attributes of a structure."""
    return matmul_relu(
        *sizes, TILE, dtype=dtype, attributes=STRUCTURES[name], stages=stages
    )
