"""The time of a product of matrices that a library computes, from its shape alone.

cuBLAS picks a tile, and splits a long sum where there are few tiles. The model takes
the best of a few tiles, until the busiest multiprocessor is done, and the time to move
the operands once; the longer of the two hides most of the shorter. Rows that do not
begin at whole 16 bytes, of the output too, cost cuBLAS a factor of four to ten.

Fitted to 90 shapes on one H200 with torch 2.11. Products in bf16 are within 15% where
all rows begin at whole 16 bytes, and within a quarter elsewhere; seven of ten in f32.
With a bias, cuBLAS splits no sum of f32 unless the output is small: 128 x 1024 x 1024
takes 14 us without a bias and 31 us with one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.codegen.program import CallInfo
from tilewright.codegen.targets import Target
from tilewright.ir.dtypes import element

Tiles = Sequence[tuple[int, int, float]]
"""Rows and columns of a tile, and the share of the peak rate that it reaches."""

_MATRIX: Tiles = (
    (256, 128, 0.88),
    (128, 256, 0.88),
    (128, 128, 0.90),
    (64, 256, 0.51),
    (256, 64, 0.51),
    (64, 128, 0.83),
    (128, 64, 0.83),
    (64, 64, 0.68),
)
_VECTOR: Tiles = (
    (128, 128, 0.80),
    (128, 64, 0.62),
    (64, 128, 0.62),
    (64, 64, 0.50),
    (32, 64, 0.33),
    (64, 32, 0.33),
    (32, 32, 0.22),
    (16, 64, 0.16),
    (64, 16, 0.16),
    (16, 16, 0.06),
)
"""f32 runs outside the matrix units."""

_ALIGNED = 16
"""Bytes that have to divide the strides of rows for wide loads and stores."""
_UNALIGNED = {1: 0.10, 2: 0.137, 4: 0.25, 8: 0.25}
"""What is left of a tile's rate where rows lie at other multiples of bytes."""
_UNALIGNED_AREA = 128 * 128

_SPLITS = (1, 2, 4, 8, 16, 32, 64, 128)
_BIASED_SPLITS = _SPLITS[:4]
"""Of f32 with a bias: cuBLAS splits such sums less, and only for few elements."""
_FEW_ELEMENTS = 128 * 256
_SPLIT_SECONDS = 3.6e-6
_SPLIT_BANDWIDTH = 9e12
"""At which partial sums are written and added up, by way of the L2 cache."""

_HBM = 0.82
_HBM_THIN = 0.785
_HBM_VECTOR = 0.75
"""Shares of the memory bandwidth: in general, for a product with few rows or columns,
and for one with a vector in f32."""
_THIN = 64
_OVERLAP = 0.47
"""The share of the shorter of arithmetic and memory that is not hidden."""

_LAUNCH_SECONDS = 6.0e-6
_SLOW_LAUNCH_SECONDS = 8.0e-6
_VECTOR_LAUNCH_SECONDS = 5.5e-6
"""The shortest call: with wide loads on matrix units, with others, and without matrix
units."""
_BIAS_SECONDS = 3.0e-6
"""What a bias adds to a short call without matrix units."""
_COPY_SECONDS = 3.0e-6
"""The shortest copy before a call."""
_RAGGED_COPIES = 0.34
"""The share of the memory bandwidth at which torch copies between rows of different
alignment."""


@dataclass(frozen=True)
class LibraryProduct:
    """A product of matrices, perhaps with something added."""

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
        """Bytes that are moved before the product, to copy what is added."""
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

    @property
    def seconds(self) -> float:
        """The time of the call."""
        longer, shorter = max(self.compute, self.memory), min(self.compute, self.memory)
        return longer + _OVERLAP * shorter + self.launch


def library_time(product: LibraryProduct, target: Target) -> LibraryTime:
    """The time that a library takes for a product."""
    return product_time(
        (product.batch, product.m, product.n, product.k),
        product.dtype,
        product.moved,
        product.copied,
        product.alignment,
        target,
        is_biased=product.added == "row",
    )


def call_time(info: CallInfo, target: Target) -> LibraryTime:
    """The time of a call that is a product of matrices, or a convolution as one."""
    return product_time(
        (info.batch, info.m, info.n, info.k),
        info.dtype,
        info.bytes_moved,
        info.bytes_copied,
        info.alignment,
        target,
        is_biased=info.adds_row,
        copies=info.copies,
    )


def product_time(
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
    """The time of a product of extents batch, m, n and k."""
    dtype = target.library_f32 if dtype == "f32" else dtype
    on_matrix_units = dtype in target.tensor_flops
    is_wide = on_matrix_units and alignment >= _ALIGNED
    is_thin = min(extents[1:3]) <= _THIN
    bandwidth = target.hbm_bandwidth * (_HBM_THIN if is_thin else _HBM)
    launch = _LAUNCH_SECONDS if is_wide else _SLOW_LAUNCH_SECONDS
    if not on_matrix_units:
        launch = _VECTOR_LAUNCH_SECONDS + (_BIAS_SECONDS if is_biased else 0.0)
    if copied:
        # A single copy is one of what is added; several are copies of ragged rows.
        rate = bandwidth if copies == 1 else target.hbm_bandwidth * _RAGGED_COPIES
        launch += copies * _COPY_SECONDS + copied / rate
    if not on_matrix_units and 1 in extents[1:3]:
        seconds = moved / (target.hbm_bandwidth * _HBM_VECTOR)
        return LibraryTime(0.0, seconds, launch)
    tiles, step, splits = _VECTOR, 16, _SPLITS
    if is_biased:
        is_small = extents[1] * extents[2] <= _FEW_ELEMENTS
        splits = _BIASED_SPLITS if is_small else _SPLITS[:1]
    if on_matrix_units:
        tiles, step, splits = _MATRIX, 64, _SPLITS
    if on_matrix_units and not is_wide:
        share, step = _UNALIGNED[alignment], 32
        small = [tile for tile in tiles if tile[0] * tile[1] <= _UNALIGNED_AREA]
        tiles = [(rows, columns, rate * share) for rows, columns, rate in small]
    rate = target.flops(dtype) / target.sms
    compute = min(
        _tiled(extents, tile, split, step, rate, target.sms)
        for tile in tiles
        for split in splits
    )
    return LibraryTime(compute, moved / bandwidth, launch)


def _tiled(
    extents: tuple[int, int, int, int],
    tile: tuple[int, int, float],
    split: int,
    step: int,
    rate: float,
    sms: int,
) -> float:
    """Seconds of the arithmetic until the busiest multiprocessor is done."""
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
        seconds += _SPLIT_SECONDS + partial / _SPLIT_BANDWIDTH
    return seconds
