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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
import triton
import triton.language as tl

from rivals.gemm import candidates as gemm
from rivals.gemm.configurations import BF16, Configuration
from rivals.gemm.pointer_kernels import activated
from rivals.launching import Candidate, Launch

RELU_BLOCK = 4096


@triton.jit
def _relu_kernel(x, out, count, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        value = activated(tl.load(x + offsets), "relu")
        tl.store(out + offsets, value.to(out.dtype.element_ty))
    else:
        mask = offsets < count
        value = activated(tl.load(x + offsets, mask=mask), "relu")
        tl.store(out + offsets, value.to(out.dtype.element_ty), mask=mask)


C = Configuration
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
    choices = {structure: BF16.get(structure, ())}
    if structure == "two_kernels":
        choices = {
            "pointer": TWO_KERNELS_POINTER,
            "descriptors": TWO_KERNELS_DESCRIPTORS,
        }
    return [
        (loads, choice)
        for loads, choices_of_it in choices.items()
        for choice in gemm.worth_timing(choices_of_it, m, n)
    ]


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
    """Bind every configuration of a structure to its tensors.

    `programs` is the grid of a persistent kernel, the number of SMs. `choices` are
    those of `configurations` unless given. What TMA cannot address (rows must start at
    multiples of 16 bytes) is left out.
    """
    product = gemm.Product(a, b, out, activation="relu")
    scratch, tail = (), ()
    if structure == "two_kernels":
        target = torch.empty_like(out, dtype=torch.float32)
        scratch, tail = (target,), (_relu_launch(target, out),)
        product = gemm.Product(a, b, target)
    if choices is None:
        choices = configurations(structure, *out.shape)
    for loads, config in choices:
        if loads != "pointer" and not product.suits_descriptors:
            continue
        made = gemm.candidate(product, loads, config, programs)
        name = f"{loads} {config.name}" if tail else config.name
        launches = (*made.launches, *tail)
        yield name, Candidate(structure, name, launches, out, scratch)


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
    from rivals import aot

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
