"""The time of a matmul that a library computes, from its shape alone.

cuBLAS picks a tile, and splits a long sum where there are few tiles. The model takes
the best of a few tiles, until the busiest multiprocessor is done, and the time to move
the operands once; the longer of the two hides most of the shorter. Rows that do not
begin at whole 16 bytes, of the output too, cost cuBLAS a factor of four to ten.

Fitted to 90 shapes on one H200 with torch 2.11. Matmuls in bf16 are within 15% where
all rows begin at whole 16 bytes, and within a quarter elsewhere; seven of ten in f32.
With a bias, cuBLAS splits no sum of f32 unless the output is small: 128 x 1024 x 1024
takes 14 us without a bias and 31 us with one.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.codegen.program import CallInfo
from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.ir.dtypes import element

_UNALIGNED_AREA = 128 * 128
"""The elements of the largest tile for other rows."""
_SPLITS = (1, 2, 4, 8, 16, 32, 64, 128)
_BIASED_SPLITS = _SPLITS[:4]
"""Of f32 with a bias: cuBLAS splits such sums less, and only for few elements."""
_FEW_ELEMENTS = 128 * 256
"""The elements of the largest result with a bias whose sums cuBLAS splits."""
_THIN = 64
"""The rows or columns of a thin matmul."""


@dataclass(frozen=True)
class LibraryMatmul:
    """A matmul, perhaps with something added."""

    m: int
    n: int
    k: int
    batch: int = 1
    dtype: str = "bf16"
    """The element type of the operands."""
    output: str | None = None
    """That of the output, if it is another."""
    lhs_transposed: bool = False
    """Whether the left operand lies as [k, m] in memory."""
    rhs_transposed: bool = False
    """Whether the right operand lies as [n, k] in memory."""
    added: str | None = None
    """"row" (a bias), "matrix" (copied to the output first), or None."""

    @property
    def widths(self) -> tuple[int, int]:
        """Bytes of an element of the operands, and of the output."""
        operand = element(self.dtype).byte_width
        return operand, element(self.output or self.dtype).byte_width

    @property
    def moved(self) -> int:
        """Bytes of the operands and the output, each once."""
        operand, output = self.widths
        read = self.m * self.k + self.k * self.n
        return self.batch * (read * operand + self.m * self.n * output)

    @property
    def copied(self) -> int:
        """Bytes that are moved before the matmul, to copy what is added."""
        if self.added != "matrix":
            return 0
        return 2 * self.batch * self.m * self.n * self.widths[1]

    @property
    def alignment(self) -> int:
        """The power of two, in bytes, that divides the strides of all rows."""
        operand, output = self.widths
        strides = (
            (self.m if self.lhs_transposed else self.k) * operand,
            (self.k if self.rhs_transposed else self.n) * operand,
            self.n * output,
        )
        return min((stride & -stride for stride in strides if stride), default=16)


@dataclass(frozen=True)
class LibraryTime:
    """The parts of a call's time, in seconds."""

    compute: float
    memory: float
    launch: float
    overlap: float
    """The share of the shorter of arithmetic and memory that is not hidden."""

    @property
    def seconds(self) -> float:
        """The time of the call."""
        longer, shorter = max(self.compute, self.memory), min(self.compute, self.memory)
        return longer + self.overlap * shorter + self.launch


def library_time(matmul: LibraryMatmul, target: Target) -> LibraryTime:
    """The time that a library takes for a matmul."""
    return matmul_time(
        (matmul.batch, matmul.m, matmul.n, matmul.k),
        matmul.dtype,
        matmul.moved,
        matmul.copied,
        matmul.alignment,
        target,
        is_biased=matmul.added == "row",
    )


def call_time(info: CallInfo, target: Target) -> LibraryTime:
    """The time of a call that is a matmul, or a convolution as one."""
    return matmul_time(
        (info.batch, info.m, info.n, info.k),
        info.dtype,
        info.bytes_moved,
        info.bytes_copied,
        info.alignment,
        target,
        is_biased=info.adds_row,
        copies=info.copies,
    )


def matmul_time(
    extents: tuple[int, int, int, int],
    dtype: str,
    moved: int,
    copied: int,
    alignment: int,
    target: Target,
    *,
    is_biased: bool = False,
    copies: int = 1,
) -> LibraryTime:
    """The time of a matmul of extents batch, m, n and k."""
    fitted, calibration = target.calibration.library, target.calibration
    dtype = target.library_f32 if dtype == "f32" else dtype
    on_matrix_units = dtype in target.tensor_flops
    is_wide = on_matrix_units and alignment >= WIDE_LOAD
    is_thin = min(extents[1:3]) <= _THIN
    share = fitted.thin_hbm_share if is_thin else fitted.hbm_share
    bandwidth = target.hbm_bandwidth * share
    launch = fitted.call if is_wide else fitted.slow_call
    if not on_matrix_units:
        launch = fitted.vector_call + (fitted.bias if is_biased else 0.0)
    launch += calibration.launch
    if copied:
        # A single copy is one of what is added; several are copies of ragged rows.
        rate = bandwidth if copies == 1 else target.hbm_bandwidth * fitted.ragged_copies
        launch += copies * fitted.copy + copied / rate
    if not on_matrix_units and 1 in extents[1:3]:
        seconds = moved / (target.hbm_bandwidth * fitted.vector_hbm_share)
        return LibraryTime(0.0, seconds, launch, fitted.overlap)
    tiles, step, splits = fitted.vector_tiles, 16, _SPLITS
    if is_biased:
        is_small = extents[1] * extents[2] <= _FEW_ELEMENTS
        splits = _BIASED_SPLITS if is_small else _SPLITS[:1]
    if on_matrix_units:
        tiles, step, splits = fitted.matrix_tiles, 64, _SPLITS
    if on_matrix_units and not is_wide:
        share, step = fitted.unaligned[max(alignment, 2)], 32
        small = [tile for tile in tiles if tile[0] * tile[1] <= _UNALIGNED_AREA]
        tiles = [(rows, columns, rate * share) for rows, columns, rate in small]
    rate = target.flops(dtype) / target.sms
    compute = min(
        _tiled(extents, tile, split, step, rate, target)
        for tile in tiles
        for split in splits
    )
    return LibraryTime(compute, moved / bandwidth, launch, fitted.overlap)


def _tiled(
    extents: tuple[int, int, int, int],
    tile: tuple[int, int, float],
    split: int,
    step: int,
    rate: float,
    target: Target,
) -> float:
    """Seconds of the arithmetic until the busiest multiprocessor is done."""
    fitted, sms = target.calibration.library, target.sms
    batch, m, n, k = extents
    rows, columns, share = tile
    programs = batch * -(-m // rows) * -(-n // columns) * split
    is_useful = programs <= 2 * sms and k >= 4 * step * split
    if split > 1 and not is_useful:
        return float("inf")
    part = -(-k // (split * step)) * step
    one = 2.0 * rows * columns * part / (rate * share)
    seconds = -(-programs // sms) * one
    if split > 1:
        partial = 2 * 4 * split * batch * m * n
        seconds += fitted.split + partial / fitted.split_bandwidth
    return seconds
