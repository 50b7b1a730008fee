"""Index arithmetic of a launcher: sizes of its arguments, sums and products of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap, AffineSymExpr

from tilewright.codegen.analysis.elements.atoms import (
    Computed,
    Given,
    Linear,
    Runtime,
)
from tilewright.codegen.analysis.elements.products import affine_of
from tilewright.codegen.kernel.size_requirements import Requirement, product_of
from tilewright.ir.dialects import affine, arith, memref
from tilewright.ir.dialects.kernel import RequireOp


class HostSizes:
    """Builds the index values that a launcher needs, each once."""

    def __init__(self, block: Block, buffers: Mapping[SSAValue, SSAValue]):
        self.block = block
        self._buffers = buffers
        """The launcher's value for each argument of the function."""
        self._known: dict[object, SSAValue] = {}

    def runtime(self, key: Given) -> SSAValue:
        """A number that kernels take: an argument, an extent of one, or a product."""
        if isinstance(key, Computed):
            return self._applied(key.expression, key.of)
        argument = self._buffers[key.argument]
        if key.dim is None:
            return argument
        dim = self.number(key.dim)
        return self._once(key, lambda: memref.DimOp(argument, dim))

    def number(self, value: int) -> SSAValue:
        """A constant."""
        return self._once(
            ("number", value),
            lambda: arith.ConstantOp(IntegerAttr.from_index_int_value(value)),
        )

    def value(self, form: Linear) -> SSAValue:
        """A linear form of such numbers."""
        if form.is_constant:
            return self.number(form.constant)
        symbols: list[Runtime] = []
        return self._applied(affine_of(form, symbols), symbols)

    def _applied(self, expression: AffineExpr, symbols: Sequence[Runtime]) -> SSAValue:
        operands = [self.runtime(key) for key in symbols]
        if expression == AffineSymExpr(0):
            return operands[0]
        made = AffineMapAttr(AffineMap(0, len(symbols), (expression,)))
        key = ("value", made, *operands)
        return self._once(key, lambda: affine.ApplyOp(operands, made))

    def product(self, forms: Sequence[Linear]) -> SSAValue:
        """A product of linear forms."""
        first, *rest = [self.value(form) for form in forms]
        for value in rest:
            left = first
            first = self._once(
                ("times", left, value),
                lambda: arith.MuliOp(left, value),  # noqa: B023
            )
        return first

    def require(self, wanted: Sequence[Requirement], like: Operation) -> None:
        """Check conditions; upper limits with the same message are one check."""
        limits: dict[str, list[Requirement]] = {}
        done: set[object] = set()
        for need in wanted:
            if need.predicate == "le":
                limits.setdefault(need.message, []).append(need)
                continue
            lhs, rhs = self.product(need.factors), self.value(need.other)
            if need.multiple:
                whole, by = lhs, self.number(need.multiple)
                lhs = self._once(("rest", whole, by), lambda: _rest(whole, by))  # noqa: B023
            key = (need.predicate, lhs, rhs, need.multiple)
            if key not in done:
                done.add(key)
                message = need.message.replace("{name}", need.name)
                self._require(need.predicate, lhs, rhs, message, like)
        for message, needs in limits.items():
            names = list(dict.fromkeys(need.name for need in needs))
            largest = [self.product(need.factors) for need in _largest(needs)]
            total = largest[0]
            for value in largest[1:]:
                total = self._add(arith.MaxSIOp(total, value))
            who = f"one of {', '.join(names)}" if len(names) > 1 else names[0]
            rhs = self.value(needs[0].other)
            self._require("le", total, rhs, message.replace("{name}", who), like)

    def _require(
        self,
        predicate: str,
        lhs: SSAValue,
        rhs: SSAValue,
        message: str,
        like: Operation,
    ) -> None:
        made = RequireOp(predicate, lhs, rhs, message)
        made.location = like.location
        self.block.add_op(made)

    def require_same(
        self, same: Mapping[Runtime, Runtime | int], like: Operation
    ) -> None:
        """Check that extents are equal where the payload takes them to be."""
        for key, other in same.items():
            if key == other:
                continue
            text, lhs = self._place(key), self.runtime(key)
            if isinstance(other, int):
                rhs, message = self.number(other), f"{text} is {{0}}, it must be {{1}}"
            else:
                rhs = self.runtime(other)
                message = (
                    f"{text} is {{0}}, {self._place(other)} is {{1}}: they must agree"
                )
            self._require("eq", lhs, rhs, message, like)

    def _place(self, key: Runtime) -> str:
        return f"{self._buffers[key.argument].name_hint}.shape[{key.dim}]"

    def _once(self, key: object, make: Callable[[], Operation]) -> SSAValue:
        if key not in self._known:
            self._known[key] = self._add(make())
        return self._known[key]

    def _add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]


def _rest(whole: SSAValue, by: SSAValue) -> Operation:
    return arith.RemSIOp(whole, by)


def _largest(needs: Sequence[Requirement]) -> list[Requirement]:
    """The largest requirement of those that differ by a constant factor only."""
    found: dict[object, tuple[int, Requirement]] = {}
    for position, need in enumerate(needs):
        product = product_of(need.factors)
        key = position if product is None else product.unknown
        known = 0 if product is None else product.known
        if key not in found or found[key][0] < known:
            found[key] = (known, need)
    return [need for _, need in found.values()]


def evaluate(form: Linear, values: Mapping[Runtime, int]) -> int:
    """The value of a linear form, for these numbers of the caller."""
    symbols: list[Runtime] = []
    expression = affine_of(form, symbols)
    return expression.eval([], [values[key] for key in symbols])
