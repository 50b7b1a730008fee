"""Hand-written Triton kernels for relu(a @ b): what our generated ones must beat.

Four structures, each with the configurations worth trying on Hopper:

    pointer      pointer loads, grouped tile order, masks only where sizes do not divide
    descriptors  tensor descriptors (TMA) for loads and the store, one tile a program
    persistent   descriptors, one program per SM that loops over tiles
    two_kernels  a matmul that writes f32, then a relu kernel: what fusion saves

16-bit operands and result, f32 accumulator, row-major and contiguous throughout.

    python benchmarks/rivals/matmul_relu.py --aot

compiles every configuration for sm_90 (no GPU needed) and prints its resources.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

RELU_BLOCK = 4096
# Offsets in the pointer kernels are 32-bit.
MAX_ELEMENTS = 2**31 - 1


@triton.jit
def _relu(x):
    # torch.relu keeps NaN; a plain maximum would turn it into 0.
    return tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def _grouped_tile(tile, tiles_m, tiles_n, GROUP: tl.constexpr):
    # Down GROUP rows of tiles before the next column: programs that run together then
    # share rows of a and columns of b in L2.
    tiles_per_group = GROUP * tiles_n
    first_m = (tile // tiles_per_group) * GROUP
    rows = min(tiles_m - first_m, GROUP)
    within = tile % tiles_per_group
    return first_m + within % rows, within // rows


@triton.jit
def _matmul_pointer(
    a,
    b,
    out,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
    EVEN_MN: tl.constexpr,
    EVEN_K: tl.constexpr,
    RELU: tl.constexpr,
):
    tile_m, tile_n = _grouped_tile(
        tl.program_id(0), tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N), GROUP
    )
    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    if EVEN_MN:
        a_rows = rows
        b_columns = columns
    else:
        # Wrapping keeps the loads in bounds without a mask; the store drops the rest.
        a_rows = rows % m
        b_columns = columns % n
    a_tile = a + a_rows[:, None] * k + depth[None, :]
    b_tile = b + depth[:, None] * n + b_columns[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        if EVEN_K:
            x = tl.load(a_tile)
            y = tl.load(b_tile)
        else:
            x = tl.load(a_tile, mask=depth[None, :] < k - start, other=0.0)
            y = tl.load(b_tile, mask=depth[:, None] < k - start, other=0.0)
        acc = tl.dot(x, y, acc)
        a_tile += BLOCK_K
        b_tile += BLOCK_K * n
    if RELU:
        acc = _relu(acc)
    out_tile = out + rows[:, None] * n + columns[None, :]
    result = acc.to(out.dtype.element_ty)
    if EVEN_MN:
        tl.store(out_tile, result)
    else:
        tl.store(out_tile, result, mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def _matmul_descriptors(
    a,
    b,
    out,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
    RELU: tl.constexpr,
):
    tile_m, tile_n = _grouped_tile(
        tl.program_id(0), tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N), GROUP
    )
    row = tile_m * BLOCK_M
    column = tile_n * BLOCK_N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        acc = tl.dot(a.load([row, start]), b.load([start, column]), acc)
    if RELU:
        acc = _relu(acc)
    out.store([row, column], acc.to(out.dtype))


@triton.jit
def _matmul_persistent(
    a,
    b,
    out,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
    PROGRAMS: tl.constexpr,
    SUBTILES: tl.constexpr,
    FLATTEN: tl.constexpr,
):
    tiles_m = tl.cdiv(m, BLOCK_M)
    tiles_n = tl.cdiv(n, BLOCK_N)
    # The tile to store is counted apart from the tile to load: in the flattened loop
    # the loads run ahead, and one shared counter would tie the store to them.
    store_tile = tl.program_id(0) - PROGRAMS
    for tile in tl.range(
        tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=FLATTEN
    ):
        tile_m, tile_n = _grouped_tile(tile, tiles_m, tiles_n, GROUP)
        row = tile_m * BLOCK_M
        column = tile_n * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for start in range(0, k, BLOCK_K):
            acc = tl.dot(a.load([row, start]), b.load([start, column]), acc)
        store_tile += PROGRAMS
        store_m, store_n = _grouped_tile(store_tile, tiles_m, tiles_n, GROUP)
        row = store_m * BLOCK_M
        column = store_n * BLOCK_N
        if SUBTILES == 1:
            out.store([row, column], _relu(acc).to(out.dtype))
        else:
            # Half the staging buffer, so that one more pipeline stage fits.
            halves = tl.reshape(acc, (BLOCK_M, 2, BLOCK_N // 2))
            left, right = tl.split(tl.permute(halves, (0, 2, 1)))
            out.store([row, column], _relu(left).to(out.dtype))
            out.store([row, column + BLOCK_N // 2], _relu(right).to(out.dtype))


@triton.jit
def _relu_kernel(x, out, count, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out + offsets, _relu(tl.load(x + offsets)).to(out.dtype.element_ty))
    else:
        mask = offsets < count
        value = _relu(tl.load(x + offsets, mask=mask))
        tl.store(out + offsets, value.to(out.dtype.element_ty), mask=mask)


@dataclass(frozen=True)
class Configuration:
    """One choice of tile, warps, pipeline depth and tile order."""

    block_m: int
    block_n: int
    block_k: int
    warps: int
    stages: int
    group: int = 8
    subtiles: int = 1
    flatten: bool = False

    @property
    def name(self) -> str:
        """Short text for tables: 128x256x64 w8 s3 g8."""
        text = f"{self.block_m}x{self.block_n}x{self.block_k}"
        text += f" w{self.warps} s{self.stages} g{self.group}"
        text += f" sub{self.subtiles}" if self.subtiles > 1 else ""
        return text + (" flatten" if self.flatten else "")


@dataclass(frozen=True)
class Launch:
    """One kernel with everything its launch needs, made once."""

    kernel: Any
    grid: tuple[int]
    arguments: tuple[Any, ...]
    options: dict[str, Any]

    def __call__(self) -> None:
        """Launch it."""
        self.kernel[self.grid](*self.arguments, **self.options)

    def compile(self) -> Any:
        """Compile it without launching; safe to call from many threads."""
        return self.kernel.warmup(*self.arguments, grid=self.grid, **self.options)


@dataclass(frozen=True)
class Candidate:
    """A structure in one configuration, bound to its tensors; a call launches it."""

    structure: str
    name: str
    launches: tuple[Launch, ...]
    out: torch.Tensor
    scratch: tuple[torch.Tensor, ...] = ()

    def __call__(self) -> torch.Tensor:
        """Launch on the bound tensors and return the output."""
        for launch in self.launches:
            launch()
        return self.out

    def compile(self) -> list[Any]:
        """Compile every kernel of this candidate."""
        return [launch.compile() for launch in self.launches]


C = Configuration
# None of these spills or exceeds the shared memory of an SM: see --aot.
POINTER = (
    C(128, 256, 64, 8, 3),
    C(128, 256, 64, 8, 4),
    C(256, 128, 64, 8, 3),
    C(128, 128, 64, 8, 4),
    C(128, 128, 64, 4, 4),
    C(128, 128, 128, 8, 3),
    C(128, 64, 64, 4, 4),
    C(64, 128, 64, 4, 4),
    C(64, 64, 64, 4, 5),
    C(64, 64, 128, 4, 4),
    C(64, 32, 128, 4, 5),
)
DESCRIPTORS = (
    C(128, 256, 64, 8, 3),
    C(128, 256, 64, 8, 4),
    C(128, 256, 64, 8, 4, group=4),
    C(128, 256, 64, 8, 4, group=16),
    C(256, 128, 64, 8, 3),
    C(256, 128, 64, 8, 4),
    C(128, 128, 64, 8, 4),
    C(128, 128, 64, 4, 4),
    C(128, 128, 128, 8, 3),
    C(64, 256, 64, 4, 4),
    C(64, 128, 64, 4, 5),
    C(64, 64, 64, 4, 6),
    C(64, 64, 128, 4, 4),
    C(64, 32, 128, 4, 5),
)
PERSISTENT = (
    C(128, 256, 64, 8, 3),
    C(128, 256, 64, 8, 3, flatten=True),
    C(128, 256, 64, 8, 3, subtiles=2),
    C(128, 256, 64, 8, 3, subtiles=2, flatten=True),
    C(128, 256, 64, 8, 4, subtiles=2),
    C(128, 256, 64, 8, 4, subtiles=2, flatten=True),
    C(128, 256, 64, 8, 4, group=4, subtiles=2, flatten=True),
    C(256, 128, 64, 8, 3, subtiles=2, flatten=True),
    C(256, 128, 64, 8, 4, subtiles=2),
    C(128, 128, 64, 8, 4),
    C(128, 128, 64, 8, 4, flatten=True),
    C(128, 128, 128, 8, 3, flatten=True),
    C(128, 128, 64, 4, 4, flatten=True),
    C(64, 128, 64, 4, 5, flatten=True),
    C(64, 64, 128, 4, 4),
)
TWO_KERNELS_POINTER = (
    C(128, 256, 64, 8, 3),
    C(128, 256, 64, 8, 4),
    C(128, 128, 64, 8, 4),
    C(128, 128, 64, 4, 4),
    C(64, 64, 64, 4, 5),
)
# An f32 tile of 128x256 takes 128 KB to stage: two pipeline stages are what is left.
TWO_KERNELS_DESCRIPTORS = (
    C(128, 256, 64, 8, 2),
    C(128, 128, 64, 8, 4),
    C(128, 128, 64, 4, 4),
    C(64, 64, 64, 4, 5),
)
STRUCTURES = ("pointer", "descriptors", "persistent", "two_kernels")


def configurations(structure: str, m: int, n: int) -> list[tuple[str, Configuration]]:
    """Pair each configuration worth timing with how it loads.

    Tiles larger than the problem are left out.
    """
    pairs = {
        "pointer": [("pointer", c) for c in POINTER],
        "descriptors": [("descriptors", c) for c in DESCRIPTORS],
        "persistent": [("persistent", c) for c in PERSISTENT],
        "two_kernels": [("pointer", c) for c in TWO_KERNELS_POINTER]
        + [("descriptors", c) for c in TWO_KERNELS_DESCRIPTORS],
    }[structure]
    return [
        (loads, c)
        for loads, c in pairs
        if c.block_m <= max(m, 64) and c.block_n <= max(n, 32)
    ]


def _matmul(
    structure: str,
    config: Configuration,
    a: torch.Tensor,
    b: torch.Tensor,
    out: torch.Tensor,
    relu: bool = True,
    programs: int = 0,
) -> Launch:
    (m, k), n = a.shape, b.shape[1]
    tiles = triton.cdiv(m, config.block_m) * triton.cdiv(n, config.block_n)
    options = {
        "BLOCK_M": config.block_m,
        "BLOCK_N": config.block_n,
        "BLOCK_K": config.block_k,
        "GROUP": config.group,
        "num_warps": config.warps,
        "num_stages": config.stages,
    }
    if structure == "pointer":
        even_mn = m % config.block_m == 0 and n % config.block_n == 0
        even_k = k % config.block_k == 0
        options |= {"EVEN_MN": even_mn, "EVEN_K": even_k, "RELU": relu}
        return Launch(_matmul_pointer, (tiles,), (a, b, out, m, n, k), options)
    store_n = config.block_n // config.subtiles
    arguments = (
        TensorDescriptor.from_tensor(a, [config.block_m, config.block_k]),
        TensorDescriptor.from_tensor(b, [config.block_k, config.block_n]),
        TensorDescriptor.from_tensor(out, [config.block_m, store_n]),
        *(m, n, k),
    )
    if structure == "descriptors":
        options |= {"RELU": relu}
        return Launch(_matmul_descriptors, (tiles,), arguments, options)
    programs = min(programs, tiles)
    options |= {"PROGRAMS": programs, "SUBTILES": config.subtiles}
    options |= {"FLATTEN": config.flatten}
    return Launch(_matmul_persistent, (programs,), arguments, options)


def _relu_launch(x: torch.Tensor, out: torch.Tensor) -> Launch:
    count = x.numel()
    options = {"BLOCK": RELU_BLOCK, "EVEN": count % RELU_BLOCK == 0, "num_warps": 8}
    grid = (triton.cdiv(count, RELU_BLOCK),)
    return Launch(_relu_kernel, grid, (x, out, count), options)


def candidates(
    structure: str,
    a: torch.Tensor,
    b: torch.Tensor,
    out: torch.Tensor,
    programs: int,
    choices: Sequence[tuple[str, Configuration]] | None = None,
) -> Iterator[tuple[str, Candidate]]:
    """Yield (configuration name, callable) for one structure on these tensors.

    Each callable only launches: descriptors and scratch buffers are made here, once.
    `programs` is the grid of the persistent kernel, the number of SMs. `choices` are
    those of `configurations` unless given. What TMA cannot address (rows must start at
    multiples of 16 bytes) is left out.
    """
    tensors = (a, b, out)
    if not all(t.is_contiguous() for t in tensors):
        raise ValueError("the rivals read row-major tensors; call .contiguous() first")
    if max(t.numel() for t in tensors) > MAX_ELEMENTS:
        raise ValueError("the rivals use 32-bit offsets; choose smaller tensors")
    tma = all(t.stride(0) * t.element_size() % 16 == 0 for t in tensors)
    scratch, tail = (), ()
    target = out
    if structure == "two_kernels":
        target = torch.empty_like(out, dtype=torch.float32)
        scratch, tail = (target,), (_relu_launch(target, out),)
    if choices is None:
        choices = configurations(structure, *out.shape)
    for loads, config in choices:
        if loads != "pointer" and not tma:
            continue
        matmul = _matmul(loads, config, a, b, target, relu=not tail, programs=programs)
        name = f"{loads} {config.name}" if tail else config.name
        yield name, Candidate(structure, name, (matmul, *tail), out, scratch)


def main() -> int:
    """Compile every configuration for sm_90 and print what it needs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--aot",
        action="store_true",
        required=True,
        help="compile every configuration for sm_90, without a GPU, and print"
        " registers, spills and shared memory; exit 1 if one spills or does not fit",
    )
    parser.add_argument("--only", choices=STRUCTURES, help="one structure")
    arguments = parser.parse_args()
    import aot  # beside this file, which the interpreter puts on the path

    aot.compile_only()
    size = 4096
    a, b, out = (torch.empty(size, size, dtype=torch.bfloat16) for _ in range(3))
    bad = 0
    for structure in STRUCTURES:
        if arguments.only in (None, structure):
            for name, candidate in candidates(structure, a, b, out, programs=132):
                bad += aot.report(f"{structure:12s} {name}", candidate.compile)
    print(f"{bad} configurations spill, do not fit or fail")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
