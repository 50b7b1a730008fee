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

from rivals import gemm_kernels as kernels
from rivals.launching import Candidate, Launch

# Offsets in the pointer kernels are 32-bit.
MAX_ELEMENTS = 2**31 - 1
# Those that take any size, and anything behind the product.
STRUCTURES = ("pointer", "descriptors", "persistent", "split_k")
# These have no masks.
EVEN_ONLY = ("walking", "transposed")


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
    split: int = 1

    @property
    def name(self) -> str:
        """Short text for tables: 128x256x64 w8 s3 g8."""
        text = f"{self.block_m}x{self.block_n}x{self.block_k}"
        text += f" w{self.warps} s{self.stages}"
        text += f" g{self.group}" if self.split == 1 else f" split{self.split}"
        text += f" sub{self.subtiles}" if self.subtiles > 1 else ""
        return text + (" flatten" if self.flatten else "")


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


C = Configuration
# None of these spills or exceeds the shared memory of an SM: see codegen.py --aot.
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
    C(64, 32, 64, 4, 6),
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
    C(64, 128, 128, 4, 4, group=4),
    C(64, 128, 64, 4, 8, group=4),
    C(128, 64, 64, 4, 8, group=1),
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
SPLIT_K = (
    C(64, 64, 128, 4, 4, split=2),
    C(64, 64, 64, 4, 4, split=4),
    C(64, 128, 64, 4, 4, split=4),
    C(128, 128, 64, 8, 4, split=4),
    C(128, 128, 64, 8, 4, split=2),
)
# Fewer rows than a tensor core's 64: the smaller instruction does, padding costs more.
FEW_ROWS_POINTER = (
    C(16, 32, 256, 4, 4),
    C(16, 64, 128, 4, 5),
    C(16, 128, 128, 4, 4),
    C(16, 64, 256, 4, 4),
    C(16, 64, 256, 4, 5, group=1),
    C(16, 64, 128, 4, 8, group=1),
)
FEW_ROWS_SPLIT_K = (
    C(16, 64, 128, 4, 4, split=4),
    C(16, 64, 128, 4, 4, split=8),
    C(16, 128, 128, 4, 4, split=8),
    C(16, 64, 256, 4, 3, split=4),
    C(16, 128, 64, 4, 5, split=8),
)
BF16 = {
    "pointer": POINTER,
    "descriptors": DESCRIPTORS,
    "persistent": PERSISTENT,
    "split_k": SPLIT_K,
}
FEW_ROWS = {
    "pointer": FEW_ROWS_POINTER,
    "descriptors": FEW_ROWS_POINTER,
    "split_k": FEW_ROWS_SPLIT_K,
}
# The error function takes many registers: 128x256 is finished in parts.
GELU = {
    "pointer": (
        C(128, 256, 64, 8, 3),
        C(128, 128, 64, 8, 4),
        C(64, 128, 64, 4, 4),
        C(64, 64, 64, 4, 5),
        C(64, 64, 128, 4, 4),
        C(64, 32, 128, 4, 5),
    ),
    "descriptors": (
        C(128, 256, 64, 8, 3, subtiles=2),
        C(128, 256, 64, 8, 4, subtiles=2),
        C(128, 256, 64, 8, 4, subtiles=4),
        C(128, 128, 64, 8, 4),
        C(128, 128, 128, 8, 3),
        C(64, 128, 64, 4, 5),
        C(64, 64, 64, 4, 6),
        C(64, 64, 128, 4, 4),
        C(64, 32, 128, 4, 5),
    ),
    "persistent": (
        C(128, 256, 64, 8, 3, subtiles=2),
        C(128, 256, 64, 8, 3, subtiles=4),
        C(128, 256, 64, 8, 4, subtiles=4),
        C(128, 256, 64, 8, 4, subtiles=2),
        C(128, 128, 64, 8, 4),
        C(128, 128, 64, 8, 4, subtiles=2),
        C(64, 128, 64, 4, 5),
        C(64, 64, 128, 4, 4),
    ),
    "split_k": (
        C(64, 64, 64, 4, 4, split=2),
        C(64, 64, 128, 4, 4, split=2),
        C(64, 64, 64, 4, 4, split=4),
    ),
}
# f32 in full precision: no tensor cores, all in registers, where what is loaded through
# descriptors would not fit.
IEEE = {
    "pointer": (
        C(128, 128, 16, 8, 3),
        C(128, 128, 16, 8, 4),
        C(128, 128, 32, 8, 3),
        C(128, 64, 16, 4, 4),
        C(64, 128, 16, 4, 4),
        C(128, 64, 32, 8, 3),
        C(64, 64, 16, 4, 4),
        C(64, 32, 32, 4, 4),
        C(32, 32, 64, 4, 4),
        C(32, 64, 16, 1, 3),
        C(32, 64, 32, 1, 2),
        C(64, 64, 32, 2, 3),
        C(32, 128, 16, 2, 3),
    ),
}
TF32 = {
    "pointer": (
        C(128, 256, 32, 8, 3),
        C(128, 128, 32, 8, 4),
        C(128, 128, 32, 4, 4),
        C(128, 64, 32, 4, 4),
        C(64, 64, 64, 4, 4),
    ),
    "descriptors": (
        C(128, 256, 32, 8, 3),
        C(128, 128, 32, 8, 4),
        C(128, 128, 32, 4, 4),
        C(64, 64, 64, 4, 4),
    ),
    "persistent": (
        C(128, 256, 32, 8, 3, subtiles=2),
        C(128, 128, 32, 8, 4),
        C(128, 128, 32, 8, 4, flatten=True),
    ),
    "transposed": (
        C(128, 256, 32, 8, 3, subtiles=2),
        C(128, 256, 32, 8, 4, subtiles=4),
        C(256, 128, 32, 8, 3, subtiles=2),
        C(128, 128, 32, 8, 4),
    ),
}
# Three products for one, each with operands of its own in registers.
TF32X3 = {
    "pointer": (
        C(128, 64, 32, 4, 3),
        C(128, 128, 32, 8, 3),
    ),
    "transposed": (
        C(128, 128, 32, 8, 3),
        C(64, 128, 32, 4, 3),
        C(64, 256, 32, 8, 3, subtiles=2),
        C(128, 128, 16, 8, 4),
    ),
}
# Eight bits: twice the depth for the same bytes.
BYTES = {
    "pointer": (
        C(128, 256, 128, 8, 3),
        C(128, 256, 128, 8, 4),
        C(128, 128, 128, 8, 4),
        C(128, 128, 128, 4, 4),
    ),
    "descriptors": (
        C(128, 256, 128, 8, 3),
        C(128, 256, 128, 8, 4),
        C(128, 256, 128, 8, 3, subtiles=2),
        C(256, 128, 128, 8, 3),
        C(128, 128, 128, 8, 4),
        C(128, 128, 128, 4, 4),
    ),
    "persistent": (
        C(128, 256, 128, 8, 3),
        C(128, 256, 128, 8, 3, subtiles=2),
        C(128, 256, 128, 8, 3, subtiles=2, flatten=True),
        C(128, 256, 128, 8, 4, subtiles=2),
        C(128, 256, 128, 8, 4, subtiles=4),
        C(128, 128, 128, 8, 4, flatten=True),
    ),
}
# An i32 tile takes twice the staging buffer of a bf16 one, and more.
BYTES_TO_I32 = {
    "pointer": BYTES["pointer"],
    "descriptors": (
        C(128, 256, 128, 8, 2),
        C(128, 256, 128, 8, 3, subtiles=2),
        C(128, 256, 128, 8, 3, subtiles=4),
        C(128, 128, 128, 8, 4),
        C(128, 128, 128, 4, 4),
    ),
    "persistent": (
        C(128, 256, 128, 8, 3, subtiles=2),
        C(128, 256, 128, 8, 3, subtiles=4),
        C(128, 256, 128, 8, 3, subtiles=2, flatten=True),
        C(128, 128, 128, 8, 4),
        C(128, 128, 128, 8, 4, flatten=True),
    ),
}
# Few tiles: small ones fill the card.
SMALL = {
    "pointer": POINTER[-6:],
    "descriptors": DESCRIPTORS[-8:-3],
    "split_k": SPLIT_K[:3],
}
# k is as short as one block: the stores are the work.
SHORT_K = {
    "pointer": (
        C(128, 128, 64, 8, 2),
        C(128, 128, 64, 4, 2),
        C(128, 256, 64, 8, 2),
        C(64, 128, 64, 4, 2),
        C(64, 256, 64, 4, 2),
    ),
    "descriptors": (
        C(128, 128, 64, 8, 2),
        C(128, 128, 64, 4, 2),
        C(128, 256, 64, 8, 2),
        C(64, 128, 64, 4, 2),
    ),
    "persistent": (
        C(128, 128, 64, 8, 3),
        C(128, 128, 64, 8, 3, flatten=True),
        C(128, 256, 64, 8, 3, subtiles=2, flatten=True),
        C(128, 128, 64, 4, 3, flatten=True),
        C(64, 128, 64, 4, 3, flatten=True),
    ),
    "walking": (
        C(128, 128, 64, 8, 3),
        C(128, 128, 64, 4, 3),
        C(128, 128, 64, 8, 4),
        C(64, 128, 64, 4, 3),
    ),
}


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
            kernels.pointer_kernel, (tiles_m * tiles_n, batches), arguments, options
        )
    elif structure == "split_k":
        options |= {"SPLIT": config.split, "EVEN_K": k % config.block_k == 0}
        kind = torch.int32 if integers else torch.float32
        partial = product.out.new_empty((config.split, m, n), dtype=kind)
        arrived = product.out.new_zeros((tiles_m * tiles_n,), dtype=torch.int32)
        scratch = (partial,)
        arguments = (*tensors, partial, arrived, *product.tail, m, n, k)
        grid = (tiles_m, tiles_n, config.split)
        launch = Launch(kernels.split_k_kernel, grid, arguments, options)
    else:
        options |= {"GROUP": config.group, "BATCHED": batches > 1}
        options |= {"SUBTILES": config.subtiles}
        described = (*_descriptors(product, config), *product.tail, m, n, k)
        tiles = tiles_m * tiles_n
        if structure == "descriptors":
            launch = Launch(
                kernels.descriptor_kernel, (tiles, batches), described, options
            )
        else:
            options |= {"FLATTEN": config.flatten}
            launch = Launch(
                kernels.persistent_kernel,
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
        kernels.walking_kernel,
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
    first = Launch(kernels.transposing_kernel, grid, (product.b, turned, k, n), tile)
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
