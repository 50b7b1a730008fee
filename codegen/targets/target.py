"""One GPU model: the limits that decide what fits, and the rates of its parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilewright.codegen.targets.calibration import Calibration


@dataclass(frozen=True)
class Target:
    """One GPU model: what a block may use, and how fast the parts are.

    Rates are those of the vendor's data sheet, for dense operands: the cost models
    divide by them. They are bounds, not promises.
    """

    name: str
    capability: tuple[int, int]
    """CUDA's compute capability; of an AMD GPU, the digits of its gfx number."""
    sms: int
    """Multiprocessors."""
    shared_per_block: int
    """Bytes one block may ask for (the opt-in limit Triton checks against)."""
    shared_per_sm: int
    """Bytes of shared memory of a multiprocessor."""
    registers_per_sm: int
    """32-bit registers of a multiprocessor."""
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
    """Bytes/s of the device memory, whatever its kind."""
    l2_bandwidth: float
    """Bytes/s of the L2 cache."""
    l2_bytes: int
    clock: float
    """Boost clock in Hz."""
    calibration: Calibration = field(repr=False)
    """The numbers that were measured, on this device or on the one nearest to it."""
    warp: int = 32
    """Threads of a warp."""
    lanes: int = 128
    """Lanes of a multiprocessor that compute in a clock."""
    matrix_instructions: str = "mma"
    """How the matrix units are used: "mma" by warps, "wgmma" by groups of four warps
    (Hopper), "tcgen05" (Blackwell) or "mfma" (AMD)."""
    descriptors: bool = False
    """Whether the device has the unit behind tensor descriptors (TMA)."""
    backend: str = "cuda"
    """Triton's name of the vendor's compiler: "cuda" or "hip"."""
    architecture: str = ""
    """The name of the instruction set, if it is not that of a compute capability."""
    reserved_shared: int = 1024
    """Bytes of shared memory that the driver reserves in every block."""
    calibrated: str = ""
    """The hash of the user's own calibration; empty if it is one that ships."""
    estimated: bool = False
    """Whether the figures are from data sheets alone: nothing has run on the device."""
    source: str = ""
    """Where the figures are from."""
    library_f32: str = "f32"
    """The type that libraries multiply f32 in: "tf32" where the user allows it."""
    own_f32: str = "tf32x3"
    """How planned kernels multiply f32: "tf32x3" where that is faster, or "ieee"."""

    @property
    def title(self) -> str:
        """Its name, and whether the user has calibrated it: plans depend on both."""
        return f"{self.name} ({self.calibrated})" if self.calibrated else self.name

    @property
    def arch(self) -> int | str:
        """What Triton's `GPUTarget` takes: 90 for compute capability 9.0."""
        return self.architecture or self.capability[0] * 10 + self.capability[1]

    @property
    def has_group_matmuls(self) -> bool:
        """Whether groups of four warps multiply from shared memory together."""
        return self.matrix_instructions in ("wgmma", "tcgen05")

    @property
    def has_descriptors(self) -> bool:
        """Whether the device has the unit behind tensor descriptors (TMA)."""
        return self.descriptors

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
    def multiplies_tf32x3(self) -> bool:
        """Whether f32 is multiplied faster as three products of TF32 ("tf32x3")."""
        rate = self.tensor_flops.get("tf32", 0.0)
        return self.own_f32 == "tf32x3" and rate > 3 * self.vector_flops

    def matmul_flops(self, dtype: str) -> float:
        """Dense FLOP/s of products that are as exact as their operands allow."""
        if dtype == "f32" and self.multiplies_tf32x3:
            return self.tensor_flops["tf32"] / 3
        return self.flops(dtype)
