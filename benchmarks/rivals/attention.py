"""Hand-written flash attention: its variants, and the configurations worth timing.

The structures:

    descriptors  tensor descriptors (TMA) for all loads and the store
    registers    the same, with the queries in registers instead of shared memory
    pointer      pointer loads

`warp_specialize` of Triton 3.6 is left out: its kernels fault on an H200.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
import triton
from triton.tools.tensor_descriptor import TensorDescriptor

from rivals.attention_kernels import attention_kernel
from rivals.launching import Candidate, Launch

STRUCTURES = ("descriptors", "registers", "pointer")


class Configuration(NamedTuple):
    """Query rows and keys of a tile, warps, pipeline depth.

    `registers` is the most a thread may have; 0 is no limit.
    """

    block_m: int
    block_n: int
    warps: int
    stages: int
    registers: int = 0

    @property
    def name(self) -> str:
        """Short text for tables: 128x64 w8 s3."""
        text = f"{self.block_m}x{self.block_n} w{self.warps} s{self.stages}"
        return text + (f" r{self.registers}" if self.registers else "")


# Three programs of 4 warps on an SM.
THREE = 168


# By head size. Small tiles by 4 warps leave room for two or three programs on an SM:
# one computes exponentials while another has the tensor cores.
CHOICES: dict[int, dict[str, tuple[Configuration, ...]]] = {
    32: dict.fromkeys(STRUCTURES, (Configuration(64, 64, 4, 2),)),
    64: {
        "descriptors": (
            Configuration(64, 64, 4, 2),
            Configuration(64, 64, 4, 3),
            Configuration(64, 128, 4, 2),
            Configuration(128, 64, 4, 2),
            Configuration(128, 64, 4, 3),
            Configuration(128, 64, 8, 3),
            Configuration(128, 128, 4, 2),
        ),
        "registers": (
            Configuration(64, 64, 4, 2),
            Configuration(64, 64, 4, 3),
            Configuration(64, 128, 4, 2),
            Configuration(64, 128, 4, 2, THREE),
            Configuration(128, 64, 8, 3),
        ),
        "pointer": (
            Configuration(64, 64, 4, 3),
            Configuration(64, 128, 4, 2),
            Configuration(128, 64, 4, 3),
            Configuration(128, 64, 8, 3),
        ),
    },
    128: {
        "descriptors": (
            Configuration(64, 64, 4, 2),
            Configuration(64, 64, 4, 3),
            Configuration(64, 32, 4, 3),
            Configuration(128, 64, 4, 2),
            Configuration(128, 64, 8, 3),
            Configuration(128, 64, 8, 4),
            Configuration(128, 128, 8, 2),
        ),
        "registers": (
            Configuration(64, 64, 4, 2, THREE),
            Configuration(64, 64, 4, 2),
            Configuration(64, 64, 4, 3),
            Configuration(64, 32, 4, 4),
            Configuration(64, 128, 4, 2),
            Configuration(128, 64, 8, 3),
        ),
        "pointer": (
            Configuration(64, 64, 4, 3),
            Configuration(128, 64, 4, 2),
            Configuration(128, 64, 8, 3),
        ),
    },
}


@dataclass(frozen=True)
class Attention:
    """Attention of (batch, heads, length, features) tensors, into `out`.

    `slopes` (ALiBi, one a head), `cap`, `window` and `documents` with their `starts`
    (batch, length) need `causal`.
    """

    query: torch.Tensor
    key: torch.Tensor
    value: torch.Tensor
    out: torch.Tensor
    causal: bool = False
    window: int = 0
    slopes: torch.Tensor | None = None
    cap: float | None = None
    documents: torch.Tensor | None = None
    starts: torch.Tensor | None = None

    def __post_init__(self) -> None:
        """Refuse what the kernel would compute wrongly."""
        tensors = (self.query, self.key, self.value, self.out)
        if not all(t.is_contiguous() for t in tensors):
            raise ValueError("the rivals read row-major tensors; use .contiguous()")
        if self.query.shape[2] != self.key.shape[2]:
            raise ValueError("as many queries as keys; see attention_decoding.py")
        special = self.slopes, self.cap, self.documents, self.window or None
        if not self.causal and any(one is not None for one in special):
            raise ValueError("windows, biases, caps and documents are causal here")


def starts_of(documents: torch.Tensor) -> torch.Tensor:
    """The position at which the document of each row begins; ids are sorted."""
    found = torch.searchsorted(documents, documents, side="left")
    return found.to(torch.int32)


def candidates(
    work: Attention,
    structures: Iterable[str] = STRUCTURES,
    choices: dict[str, tuple[Configuration, ...]] | None = None,
) -> Iterator[Candidate]:
    """Every configuration whose tiles divide the length.

    Triton's interpreter has no inline assembly, and so no approximate tanh.
    """
    found = choices or CHOICES[work.query.shape[-1]]
    interpreted = triton.knobs.runtime.interpret
    approximations = (False,) if work.cap is None or interpreted else (True, False)
    for structure in structures:
        for config in found[structure]:
            length = work.query.shape[2]
            if length % config.block_m or length % config.block_n:
                continue
            for approximate in approximations:
                yield candidate(work, structure, config, approximate)


def candidate(
    work: Attention, structure: str, config: Configuration, approximate: bool = False
) -> Candidate:
    """One configuration, bound to its tensors."""
    batch, heads, length, features = work.query.shape
    descriptors = structure != "pointer"

    def matrix(tensor: torch.Tensor, rows: int) -> Any:
        if not descriptors:
            return tensor
        flat = tensor.view(-1, features)
        return TensorDescriptor.from_tensor(flat, [rows, features])

    options = {
        "HEADS": heads,
        "GROUP": heads // work.key.shape[1],
        "CAUSAL": work.causal,
        "WINDOW": work.window,
        "APPROXIMATE": approximate,
        "BM": config.block_m,
        "BN": config.block_n,
        "FEATURES": features,
        "DESCRIPTORS": descriptors,
        "REGISTERS": structure == "registers",
        "num_warps": config.warps,
        "num_stages": config.stages,
    }
    if config.registers:
        options["maxnreg"] = config.registers
    arguments = (
        matrix(work.query, config.block_m),
        matrix(work.key, config.block_n),
        matrix(work.value, config.block_n),
        matrix(work.out, config.block_m),
        work.slopes,
        work.documents,
        work.starts,
        length,
        1.0 / math.sqrt(features),
        work.cap,
    )
    grid = (length // config.block_m, batch * heads)
    launch = Launch(attention_kernel, grid, arguments, options)
    name = config.name + (" approximate" if approximate else "")
    return Candidate(structure, name, (launch,), work.out)
