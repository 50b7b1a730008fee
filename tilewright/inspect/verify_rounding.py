"""Check that steps which round on purpose stay within the error of their format.

Such a step replaces a product by one of small factors. While a function runs, this
module observes the original factors, their scales and the result. The result may differ
from the exact product by the bound of `transforms/structured/quantize/rounding.py`. The
rest of the function is unchanged, so later steps are compared with its new results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import func
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter import TABLES, Options
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    run_with,
)
from tilewright.ir.interpreter.dialects.linalg import structured
from tilewright.transforms.structured.quantize.rounding import (
    RoundedProduct,
    largest_number,
)

Run: TypeAlias = Callable[[ModuleOp, Sequence[Array], str | None, Options], list[Array]]
"""A function that runs a payload: payload, inputs, entry, options."""


@dataclass
class RoundingWatch:
    """Runs a payload and observes its rounded products."""

    products: Sequence[RoundedProduct]
    looked_at: int = 0
    """The number of products that were observed."""
    reason: str | None = None
    """A description of the first product that exceeds its bound."""
    used: float = 0.0
    """The largest error of an element, as a fraction of its bound."""
    one_step: float = 0.0
    """The greatest change of a product if one factor is rounded to a neighbouring
    number, relative to the root mean square of the product."""
    _operands: dict[Operation, Sequence[Array]] = field(
        default_factory=dict[Operation, Sequence[Array]]
    )

    def run(
        self,
        payload: ModuleOp,
        inputs: Sequence[Array],
        entry: str | None,
        options: Options,
    ) -> list[Array]:
        """The results of a function."""
        watching: Table = {GenericOp: self._generic}
        return run_with((*TABLES, watching), payload, inputs, entry, options)

    def _generic(
        self, interpreter: Interpreter, op: GenericOp, *operands: Value
    ) -> Results:
        results = structured(interpreter, op, *operands)
        for product in self.products:
            if op is product.lhs or op is product.rhs:
                self._operands[op] = operands
            elif op is product.scaled:
                self._look(product, operands[-1], results[0])
        return results

    def _look(self, product: RoundedProduct, start: Array, result: Array) -> None:
        self.looked_at += 1
        left, right = self._operands[product.lhs], self._operands[product.rhs]
        factors = left[0], right[0]
        # A quantizer takes the factor, its scale unless that is given, the destination.
        scales = (
            left[1] if len(left) == 3 else None,
            right[1] if len(right) == 3 else None,
        )
        exact = product.exact(*factors, start)
        bound = product.bound(factors, scales, start)
        got = np.asarray(result).astype(np.float64)
        with np.errstate(invalid="ignore"):
            # Skip NaN factors, and products that the result's type cannot hold.
            fits = np.abs(exact) + bound < largest_number(start)
            off = fits & ~(np.abs(got - exact) <= bound)
            share = np.abs(got - exact) / bound
        self.used = max(self.used, float(np.max(share[fits], initial=0.0)))
        self.one_step = max(self.one_step, _one_step(product, factors, exact))
        if self.reason is None and off.any():
            at = tuple(int(i) for i in np.argwhere(off)[0])
            self.reason = (
                f"{int(off.sum())} of {off.size} elements of a product in "
                f"{product.form.type} are off by more than it rounds; the first at "
                f"{list(at)}: got {got[at]:g}, exactly {exact[at]:g}, "
                f"at most {bound[at]:.3g} off"
            )


def _one_step(
    product: RoundedProduct, factors: tuple[Array, Array], exact: Array
) -> float:
    largest = product.form.coarseness
    for factor in factors:
        wide = np.abs(np.asarray(factor).astype(np.float64))
        largest *= float(np.max(wide[np.isfinite(wide)], initial=0.0))
    finite = exact[np.isfinite(exact)]
    size = float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
    return largest / size if size > 0 else 0.0


def slack_after(product: RoundedProduct) -> float:
    """The extra tolerance of results in later steps, relative to their size.

    The last bit of a computed factor may depend on the order of sums. A step that
    changes the order may then round the factor to a neighbouring number of the format.
    """
    factors = (op.inputs[0] for op in (product.lhs, product.rhs))
    return product.form.coarseness if any(map(_is_computed, factors)) else 0.0


def _is_computed(value: SSAValue) -> bool:
    while isinstance(value.owner, Operation):
        if value.owner.name not in _MOVES:
            return True
        value = value.owner.operands[0]
    return not isinstance(value.owner.parent_op(), func.FuncOp)


_MOVES = frozenset({"tensor.extract_slice", "tensor.cast", "tensor.collapse_shape"})
"""Ops whose results hold elements of their first operand, bit for bit."""
