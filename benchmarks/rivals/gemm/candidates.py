"""Hand-written Triton matrix products, with all that may follow them in the kernel.

The structures:

    pointer      pointer loads, grouped tile order, masks only where sizes do not divide
    descriptors  tensor descriptors (TMA) for loads and the store, one tile a program
    persistent   descriptors, one program per SM that loops over tiles
    split_k      several programs a tile, each a share of k; the last to arrive adds up
    walking      k in one block: a program keeps its tile of a and walks along its row
    transposed   one kernel stores b transposed, the next is `descriptors`

Row-major, contiguous tensors; `b` may be stored transposed, as fp8 and i8 want it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from rivals.gemm.configurations import Configuration
from rivals.gemm.descriptor_kernels import descriptor_kernel, persistent_kernel
from rivals.gemm.pointer_kernels import (
    pointer_kernel,
    split_k_kernel,
    transposing_kernel,
    walking_kernel,
)
from rivals.launching import Candidate, Launch

# Offsets in the pointer kernels are 32-bit.
MAX_ELEMENTS = 2**31 - 1
# Those that take any size, and anything behind the product.
STRUCTURES = ("pointer", "descriptors", "persistent", "split_k")
# These have no masks.
EVEN_ONLY = ("walking", "transposed")


@dataclass(frozen=True)
class Product:
    """activation(a b * scales + bias) + residual, into `out`.

    With three dimensions, a batch of products, and nothing after them.
    """

    a: torch.Tensor
    b: torch.Tensor
    out: torch.Tensor
    bias: torch.Tensor | None = None
    residual: torch.Tensor | None = None
    a_scale: torch.Tensor | None = None
    b_scale: torch.Tensor | None = None
    activation: str = ""
    transposed: bool = False
    """`b` is (n, k)."""
    precision: str = "ieee"

    def __post_init__(self) -> None:
        """Refuse what the kernels would compute wrongly."""
        tensors = (self.a, self.b, self.out)
        if not all(t.is_contiguous() for t in tensors):
            raise ValueError("the rivals read row-major tensors; use .contiguous()")
        if max(t.numel() for t in tensors) > MAX_ELEMENTS:
            raise ValueError("the rivals use 32-bit offsets; choose smaller tensors")

    @property
    def sizes(self) -> tuple[int, int, int]:
        """m, n and k."""
        return self.a.shape[-2], self.out.shape[-1], self.a.shape[-1]

    @property
    def batches(self) -> int:
        """How many products there are."""
        return self.a.shape[0] if self.a.dim() == 3 else 1

    @property
    def suits_descriptors(self) -> bool:
        """Whether rows begin at multiples of 16 bytes, as TMA wants."""
        tensors = (self.a, self.b, self.out)
        return all(t.stride(-2) * t.element_size() % 16 == 0 for t in tensors)

    def divides(self, config: Configuration) -> bool:
        """Whether no tile reaches from one matrix of a batch into the next."""
        m, _, k = self.sizes
        even = m % config.block_m == 0 and k % config.block_k == 0
        return self.batches == 1 or even

    def is_cut_evenly(self, config: Configuration) -> bool:
        """Whether no tile reaches past the end."""
        blocks = (config.block_m, config.block_n, config.block_k)
        return not any(
            size % block for size, block in zip(self.sizes, blocks, strict=True)
        )

    @property
    def tail(self) -> tuple[torch.Tensor | None, ...]:
        """The arguments of the kernels after the matrices."""
        return self.bias, self.residual, self.a_scale, self.b_scale


def worth_timing(choices: Iterable[Configuration], m: int, n: int) -> Iterator[Any]:
    """Leave out tiles larger than the problem."""
    for choice in choices:
        if choice.block_m <= max(m, 64) and choice.block_n <= max(n, 32):
            yield choice


def candidates(
    product: Product,
    choices: dict[str, tuple[Configuration, ...]],
    programs: int,
) -> Iterator[Candidate]:
    """Bind every configuration worth timing to its tensors.

    `programs` is the grid of a persistent kernel, the number of SMs. What TMA cannot
    address is left out.
    """
    m, n, _ = product.sizes
    for structure, configurations in choices.items():
        takes_pointers = structure in ("pointer", "split_k", "walking")
        if not takes_pointers and not product.suits_descriptors:
            continue
        for config in worth_timing(configurations, m, n):
            if structure in EVEN_ONLY and not product.is_cut_evenly(config):
                continue
            if takes_pointers or product.divides(config):
                yield candidate(product, structure, config, programs)


def candidate(
    product: Product, structure: str, config: Configuration, programs: int
) -> Candidate:
    """One configuration of one structure."""
    if structure == "transposed":
        return _transposed(product, config, programs)
    if structure == "walking":
        return _walking(product, config)
    (m, n, k), batches = product.sizes, product.batches
    tiles_m, tiles_n = triton.cdiv(m, config.block_m), triton.cdiv(n, config.block_n)
    integers = product.out.dtype == torch.int32
    options: dict[str, Any] = {
        "BLOCK_M": config.block_m,
        "BLOCK_N": config.block_n,
        "BLOCK_K": config.block_k,
        "EVEN_MN": m % config.block_m == 0 and n % config.block_n == 0,
        "TRANSPOSED": product.transposed,
        "PRECISION": product.precision,
        "ACC": tl.int32 if integers else tl.float32,
        "ACTIVATION": product.activation,
        "num_warps": config.warps,
        "num_stages": config.stages,
    }
    tensors = (product.a, product.b, product.out)
    scratch: tuple[torch.Tensor, ...] = ()
    if structure == "pointer":
        options |= {"GROUP": config.group, "BATCHED": batches > 1}
        options |= {"EVEN_K": k % config.block_k == 0}
        arguments = (*tensors, *product.tail, m, n, k)
        launch = Launch(
            pointer_kernel,
            (tiles_m * tiles_n, batches),
            arguments,
            options,
        )
    elif structure == "split_k":
        options |= {"SPLIT": config.split, "EVEN_K": k % config.block_k == 0}
        kind = torch.int32 if integers else torch.float32
        partial = product.out.new_empty((config.split, m, n), dtype=kind)
        arrived = product.out.new_zeros((tiles_m * tiles_n,), dtype=torch.int32)
        scratch = (partial,)
        arguments = (*tensors, partial, arrived, *product.tail, m, n, k)
        grid = (tiles_m, tiles_n, config.split)
        launch = Launch(split_k_kernel, grid, arguments, options)
    else:
        options |= {"GROUP": config.group, "BATCHED": batches > 1}
        options |= {"SUBTILES": config.subtiles}
        described = (*_descriptors(product, config), *product.tail, m, n, k)
        tiles = tiles_m * tiles_n
        if structure == "descriptors":
            launch = Launch(
                descriptor_kernel,
                (tiles, batches),
                described,
                options,
            )
        else:
            options |= {"FLATTEN": config.flatten}
            launch = Launch(
                persistent_kernel,
                (min(programs, tiles * batches),),
                (*described, batches),
                options,
            )
    return Candidate(structure, config.name, (launch,), product.out, scratch)


def _walking(product: Product, config: Configuration) -> Candidate:
    """All of k in one block, and nothing after the product."""
    m, n, k = product.sizes
    if k != config.block_k:
        raise ValueError(f"{config.name} has no room for k = {k}")
    options = {
        "BLOCK_M": config.block_m,
        "BLOCK_N": config.block_n,
        "BLOCK_K": config.block_k,
        "STAGES": config.stages,
        "num_warps": config.warps,
    }
    launch = Launch(
        walking_kernel,
        (m // config.block_m, product.batches),
        (product.a, product.b, product.out, m, n),
        options,
    )
    return Candidate("walking", config.name, (launch,), product.out)


def _transposed(product: Product, config: Configuration, programs: int) -> Candidate:
    """Two launches."""
    k, n = product.b.shape
    turned = product.b.new_empty((n, k))
    side = math.gcd(64, k, n)
    tile = {"BLOCK_M": side, "BLOCK_N": side, "num_warps": 8}
    grid = (k // side, n // side)
    first = Launch(transposing_kernel, grid, (product.b, turned, k, n), tile)
    then = candidate(
        replace(product, b=turned, transposed=True), "descriptors", config, programs
    )
    launches = (first, *then.launches)
    return Candidate("transposed", config.name, launches, product.out, (turned,))


def _descriptors(product: Product, config: Configuration) -> list[TensorDescriptor]:
    """Of a, b and out; to a descriptor a batch is a stack of rows."""
    b_block = [config.block_k, config.block_n]
    blocks = (
        (product.a, [config.block_m, config.block_k]),
        (product.b, b_block[::-1] if product.transposed else b_block),
        (product.out, [config.block_m, config.block_n // config.subtiles]),
    )
    return [
        TensorDescriptor.from_tensor(tensor.view(-1, tensor.shape[-1]), block)
        for tensor, block in blocks
    ]
