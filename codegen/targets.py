"""The GPUs a program can be compiled for, and the limits that decide what fits.

Figures are the vendor's data sheets (SXM parts, dense rates) except where a comment
says otherwise. The cost model divides by them: they are a bound, not a promise.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tilewright.codegen.cuda_driver import present_device
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Target:
    """One GPU model: what a block may use, and how fast the parts are."""

    name: str
    capability: tuple[int, int]
    sms: int
    shared_per_block: int
    """Bytes one block may ask for (the opt-in limit Triton checks against)."""
    shared_per_sm: int
    registers_per_sm: int
    max_registers: int
    """Per thread; more than this spills."""
    max_threads_per_block: int
    max_threads_per_sm: int
    max_blocks_per_sm: int
    tensor_flops: Mapping[str, float]
    """Dense FLOP/s of the matrix units by operand dtype; absent: not supported."""
    vector_flops: float
    """f32 FLOP/s outside the matrix units."""
    hbm_bandwidth: float
    l2_bandwidth: float
    l2_bytes: int
    clock: float
    """Boost clock in Hz."""
    library_f32: str = "f32"
    """The type that libraries multiply f32 in: "tf32" where the user allows it."""
    own_f32: str = "tf32x3"
    """How planned kernels multiply f32: "tf32x3" where that is faster, or "ieee"."""

    @property
    def arch(self) -> int:
        """The number Triton's `GPUTarget` takes: 90 for compute capability 9.0."""
        return self.capability[0] * 10 + self.capability[1]

    @property
    def has_descriptors(self) -> bool:
        """Whether the card has the unit behind tensor descriptors (TMA)."""
        return self.capability >= (9, 0)

    @property
    def shared_bandwidth(self) -> float:
        """Bytes/s of all shared memories together: 128 bytes a clock and SM."""
        return 128.0 * self.sms * self.clock

    def flops(self, dtype: str) -> float:
        """Dense FLOP/s for a dot on operands of this dtype.

        f32 means IEEE f32, which runs outside the matrix units; tf32 has its own name.
        """
        return self.tensor_flops.get(dtype, self.vector_flops)

    @property
    def multiplies_thirds(self) -> bool:
        """Whether f32 is multiplied faster as three products of TF32 ("tf32x3")."""
        rate = self.tensor_flops.get("tf32", 0.0)
        return self.own_f32 == "tf32x3" and rate > 3 * self.vector_flops

    def product_flops(self, dtype: str) -> float:
        """Dense FLOP/s of products that are as exact as their operands allow."""
        if dtype == "f32" and self.multiplies_thirds:
            return self.tensor_flops["tf32"] / 3
        return self.flops(dtype)


_HOPPER_FLOPS = {
    "f16": 989e12,
    "bf16": 989e12,
    "tf32": 495e12,
    "f8E4M3FN": 1979e12,
    "f8E5M2": 1979e12,
    "i8": 1979e12,
}

_H100 = Target(
    name="h100",
    capability=(9, 0),
    sms=132,
    shared_per_block=232448,
    shared_per_sm=233472,
    registers_per_sm=65536,
    max_registers=255,
    max_threads_per_block=1024,
    max_threads_per_sm=2048,
    max_blocks_per_sm=32,
    tensor_flops=_HOPPER_FLOPS,
    vector_flops=67e12,
    hbm_bandwidth=3.35e12,
    # Not on the data sheet. Micro-benchmarks read 5.5 TB/s; a GEMM at 690 TFLOP/s in
    # 128x256 tiles draws 8, since SMs that ask for the same line share an answer.
    l2_bandwidth=10e12,
    l2_bytes=50 * 2**20,
    clock=1.755e9,
)

_A100 = Target(
    name="a100",
    capability=(8, 0),
    sms=108,
    shared_per_block=166912,
    shared_per_sm=167936,
    registers_per_sm=65536,
    max_registers=255,
    max_threads_per_block=1024,
    max_threads_per_sm=2048,
    max_blocks_per_sm=32,
    tensor_flops={"f16": 312e12, "bf16": 312e12, "tf32": 156e12, "i8": 624e12},
    vector_flops=19.5e12,
    hbm_bandwidth=2.0e12,
    l2_bandwidth=5e12,
    l2_bytes=40 * 2**20,
    clock=1.41e9,
)

# Ampere for workstations: f32 rates are high, memory is GDDR6.
_A40 = Target(
    name="a40",
    capability=(8, 6),
    sms=84,
    shared_per_block=101376,
    shared_per_sm=102400,
    registers_per_sm=65536,
    max_registers=255,
    max_threads_per_block=1024,
    max_threads_per_sm=1536,
    max_blocks_per_sm=16,
    tensor_flops={"f16": 149.7e12, "bf16": 149.7e12, "tf32": 74.8e12, "i8": 299.3e12},
    vector_flops=37.4e12,
    hbm_bandwidth=0.696e12,
    l2_bandwidth=2.5e12,
    l2_bytes=6 * 2**20,
    clock=1.74e9,
)

TARGETS: dict[str, Target] = {
    "h200": replace(_H100, name="h200", hbm_bandwidth=4.8e12),
    "h100": _H100,
    "a100": _A100,
    "a40": _A40,
}


def target_named(name: str) -> Target:
    """The target of this name; a wrong name is answered with the known ones."""
    found = TARGETS.get(name.lower())
    if found is not None:
        return found
    near = difflib.get_close_matches(name.lower(), TARGETS, n=1)
    guess = f"did you mean '{near[0]}'? " if near else ""
    known = ", ".join(TARGETS)
    raise UserError(f"unknown target '{name}'", remedy=f"{guess}known targets: {known}")


def detect() -> Target | None:
    """The present CUDA device as a target, or None where there is none."""
    found = present_device()
    return None if found is None else from_properties(found)


def device_name() -> str | None:
    """The name of the present CUDA device, as the vendor spells it."""
    found = present_device()
    return None if found is None else found.name


def from_properties(properties: Any) -> Target:
    """A target from a device's properties, torch's or the driver's.

    A known card keeps its data sheet. An unknown one takes the rates of the nearest
    known card, scaled by its number of SMs, with its own limits: estimates are then
    rough, but what fits and what does not stays right.
    """
    words = properties.name.lower().replace("-", " ").split()
    for name, target in TARGETS.items():
        if name in words:
            return target
    near = _H100 if properties.major >= 9 else _A100
    scale = properties.multi_processor_count / near.sms
    return replace(
        near,
        name=properties.name,
        capability=(properties.major, properties.minor),
        sms=properties.multi_processor_count,
        shared_per_block=getattr(
            properties, "shared_memory_per_block_optin", near.shared_per_block
        ),
        shared_per_sm=getattr(
            properties, "shared_memory_per_multiprocessor", near.shared_per_sm
        ),
        registers_per_sm=getattr(
            properties, "regs_per_multiprocessor", near.registers_per_sm
        ),
        max_threads_per_sm=getattr(
            properties, "max_threads_per_multi_processor", near.max_threads_per_sm
        ),
        tensor_flops={k: v * scale for k, v in near.tensor_flops.items()},
        vector_flops=near.vector_flops * scale,
        l2_bytes=getattr(properties, "L2_cache_size", near.l2_bytes),
    )
