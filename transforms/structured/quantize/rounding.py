"""Products that a step rounds on purpose, and a bound for their error.

`quantize_matmul` records them with its step. `--verify-each` compares the numbers
before and after such a step within this bound, and not within the usual tolerance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import GenericOp, StructuredOp
from tilewright.ir.dtypes import Array
from tilewright.transforms.core.run import Step
from tilewright.transforms.structured.quantize.number_formats import NumberFormat

_F32 = 2.0**-23
"""The distance between 1 and the next number of f32, in which sums are held."""


@dataclass(frozen=True)
class RoundedProduct:
    """A product of two quantized factors, and the ops around it."""

    lhs: GenericOp
    """Quantizes the left factor, which is its first input."""
    rhs: GenericOp
    product: StructuredOp
    scaled: GenericOp
    """Scales the product back, and adds it to the destination if it reads that."""
    form: NumberFormat
    given: tuple[float | None, float | None]
    """The scales that are not measured: those of the left and the right factor."""

    def twin(self, ops: Mapping[Operation, Operation]) -> RoundedProduct:
        """The same product in a copy of the payload; `ops` has the copy of each op."""
        lhs, rhs, product, scaled = (
            ops[op] for op in (self.lhs, self.rhs, self.product, self.scaled)
        )
        assert isinstance(lhs, GenericOp) and isinstance(rhs, GenericOp)
        assert isinstance(product, StructuredOp) and isinstance(scaled, GenericOp)
        return RoundedProduct(lhs, rhs, product, scaled, self.form, self.given)

    @property
    def adds(self) -> bool:
        """Whether the product is added to something."""
        return bool(self.scaled.body.block.args[-1].uses.get_length())

    def exact(self, lhs: Array, rhs: Array, start: Array) -> Array:
        """The result without any rounding, in f64."""
        total = self._contracted(_wide(lhs), _wide(rhs), start)
        return total + _wide(start) if self.adds else total

    def bound(
        self,
        factors: tuple[Array, Array],
        scales: tuple[Array | None, Array | None],
        start: Array,
    ) -> Array:
        """The error bound of each element of the result.

        `start` is the destination, and determines the result's type.
        """
        sizes: list[Array] = []
        errors: list[Array] = []
        for op, factor, scale, given in zip(
            (self.lhs, self.rhs), factors, scales, self.given, strict=True
        ):
            known = np.asarray(given if scale is None else scale)
            spread = _spread(_wide(known), op, factor.shape)
            sizes.append(np.abs(_wide(factor)))
            errors.append(self.form.error(sizes[-1], spread))
        # |a b - a' b'| <= |a| e_b + e_a (|b| + e_b), summed over the products
        lhs, rhs = (size + error for size, error in zip(sizes, errors, strict=True))
        allowed = self._contracted(sizes[0], errors[1], start)
        allowed = allowed + self._contracted(errors[0], rhs, start)
        # Rounding of sums in f32, and of products of very small scales.
        ones = [np.ones(size.shape) for size in sizes]
        terms = self._contracted(ones[0], ones[1], start)
        largest = self._contracted(lhs, rhs, start)
        allowed = allowed + (terms + 4) * _F32 * largest
        allowed = allowed + terms * self.form.largest**2 * 2.0**-149
        if self.adds:
            largest = largest + np.abs(_wide(start))
        epsilon, smallest, _ = _limits(start)
        return allowed + epsilon * largest + smallest

    def _contracted(self, lhs: Array, rhs: Array, start: Array) -> Array:
        """The sum of products that the op computes."""
        words = [_letters(map_) for map_ in self.product.maps]
        # A loop that only indexes the result repeats it.
        return np.einsum(
            f"{','.join(words)}->{words[2]}",
            lhs,
            rhs,
            np.ones(start.shape),
            optimize=True,
        )


def rounded_products(step: Step) -> list[RoundedProduct]:
    """The products that a step rounds."""
    return [record for record in step.records if isinstance(record, RoundedProduct)]


def largest_number(array: Array) -> float:
    """The largest number that an array may hold."""
    return _limits(array)[2]


def _limits(array: Array) -> tuple[float, float, float]:
    """Machine epsilon, smallest normal number and largest number of a type."""
    info = cast("Any", ml_dtypes.finfo(array.dtype))
    return float(info.eps), float(info.smallest_normal), float(info.max)


def _wide(array: Array) -> Array:
    return np.asarray(array).astype(np.float64)


def _letters(map_: AffineMap) -> str:
    return "".join(
        chr(ord("a") + expr.position)
        for expr in map_.results
        if isinstance(expr, AffineDimExpr)
    )


def _spread(scale: Array, op: GenericOp, shape: tuple[int, ...]) -> Array:
    """The scale of each element of a factor; a given scale is the same for all."""
    whole = "".join(chr(ord("a") + dim) for dim in range(len(shape)))
    word = _letters(op.maps[1]) if scale.ndim else ""
    return np.einsum(f"{word},{whole}->{whole}", scale, np.ones(shape))
