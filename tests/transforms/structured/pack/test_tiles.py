"""Tiles of linalg.pack and linalg.unpack compute the same numbers.

The small scripts of `data/small/pack_tiles.mlir` compare them with real MLIR.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    for_loops,
    match,
    schedule_of,
    transform,
)


def payload(sizes: tuple[int, int], tiles: tuple[int, int], swap: bool) -> str:
    (m, n), (i, j) = sizes, tiles
    outer = [-(-m // i), -(-n // j)]
    order = "outer_dims_perm = [1, 0] " if swap else ""
    counts = list(reversed(outer)) if swap else outer
    packed = f"tensor<{counts[0]}x{counts[1]}x{i}x{j}xf32>"
    how = f"{order}inner_dims_pos = [0, 1] inner_tiles = [{i}, {j}]"
    whole = f"tensor<{m}x{n}xf32>"
    return f"""
      func.func @f(%x: {whole}, %o: {packed}, %d: {whole}) -> {whole} {{
        %c = arith.constant 0.0 : f32
        %p = linalg.pack %x padding_value(%c : f32) {how} into %o : {whole} -> {packed}
        %u = linalg.unpack %p {how} into %d : {packed} -> {whole}
        %e = linalg.exp ins(%u : {whole}) outs(%d : {whole}) -> {whole}
        return %e : {whole}
      }}"""


PAIRS = st.tuples(st.integers(1, 9), st.integers(1, 9))
SMALL = st.tuples(st.integers(1, 4), st.integers(1, 4))
SETTINGS = settings(max_examples=examples(16), deadline=None)


@SETTINGS
@given(PAIRS, SMALL, st.booleans(), PAIRS, SMALL)
def test_tiles_of_both(sizes, tiles, swap, unpacked, packed) -> None:
    schedule = schedule_of(
        match("%u", "linalg.unpack"),
        match("%p", "linalg.pack"),
        for_loops("%a, %b, %c", "%u", f"{unpacked[0]}, {unpacked[1]}"),
        for_loops("%d, %e, %f", "%p", f"{packed[0]}, {packed[1]}"),
    )
    assert_same_numbers(transform(payload(sizes, tiles, swap), schedule))


@SETTINGS
@given(PAIRS, SMALL, st.booleans(), PAIRS)
def test_fused_tiles_begin_anywhere(sizes, tiles, swap, outer) -> None:
    schedule = schedule_of(
        match("%h", "linalg.exp"),
        f"%t, %l:2 = transform.structured.fuse %h tile_sizes [{outer[0]}, {outer[1]}] "
        f": ({OP}) -> ({OP}, {OP}, {OP})",
    )
    assert_same_numbers(transform(payload(sizes, tiles, swap), schedule))
