"""The indices of a kernel as linear forms of atoms, or as minima of such forms."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from tilewright.codegen.analysis.elements.atoms import (
    MAX_EXTENT,
    Atom,
    Extremum,
    Given,
    Linear,
    Quotient,
    Runtime,
)
from tilewright.codegen.analysis.elements.data_indices import is_argument, known_index
from tilewright.codegen.analysis.elements.products import Products
from tilewright.codegen.refusal import maker_of, refuse
from tilewright.ir.dialects import arith, func, memref
from tilewright.ir.dialects.memref import groups_of
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.indexing.index_ops import Choice, index_op
from tilewright.ir.indexing.intervals import combined
from tilewright.ir.structured.equal_extents import SameExtents


def representatives(
    function: func.FuncOp, same: SameExtents
) -> Mapping[Runtime, Runtime | int]:
    """The number, or the first extent, that stands for each extent of a group."""
    arguments = function.body.block.args
    found: dict[Runtime, Runtime | int] = {}
    for group in same:
        keys = [
            Runtime(arguments[entry[0]], entry[1])
            for entry in group
            if not isinstance(entry, int)
        ]
        numbers = [entry for entry in group if isinstance(entry, int)]
        for key in keys:
            found[key] = numbers[0] if numbers else keys[0]
    return found


class Indices:
    """Linear forms of the index values of one function."""

    def __init__(self, same: Mapping[Runtime, Runtime | int] | None = None) -> None:
        """`same` maps each extent that is known to equal others to a representative."""
        self._same = same or {}
        self._runtimes: dict[Runtime, Atom] = {}
        self._atoms: dict[SSAValue, Atom] = {}
        self._quotients: dict[Quotient, Atom] = {}
        self._extrema: dict[Extremum, Atom] = {}
        self._products = Products(
            lambda low, high, key: self._new(low, high, 0, runtime=key, is_open=True)
        )
        self._forms: dict[SSAValue, tuple[Linear, ...]] = {}
        self._count = 0

    def define(
        self, value: SSAValue, low: int, high: int, level: int, *, is_open: bool
    ) -> Atom:
        """Make a grid index or a loop variable an atom, with its inclusive range."""
        atom = self._new(low, high, level, is_open=is_open)
        self._atoms[value] = atom
        return atom

    def define_data(self, op: arith.IndexCastOp, level: int) -> None:
        """Make an index that is computed from elements of tensors an atom."""
        of = op.input.type
        assert isinstance(of, IntegerType)
        low, high = -(2 ** (of.width.data - 1)), 2 ** (of.width.data - 1) - 1
        atom = self._new(low, high, level, is_open=False)
        self._atoms[op.result] = replace(atom, is_data=True)

    def data_atom(self, value: SSAValue) -> Atom | None:
        """The atom of an index that is computed from elements of tensors."""
        atom = self._atoms.get(value)
        return atom if atom is not None and atom.is_data else None

    def same(self, value: SSAValue, other: SSAValue) -> None:
        """Make a grid index the same atom as another one."""
        self._atoms[value] = self._atoms[other]

    def set_constant(self, value: SSAValue, number: int) -> None:
        """Make a grid index a constant: its loop has one iteration."""
        self._forms[value] = (Linear({}, number),)

    def linear(self, value: SSAValue) -> Linear:
        """The linear form of an index value."""
        forms = self.minima(value)
        if len(forms) > 1:
            refuse(
                maker_of(value),
                "a size is a minimum here",
                "only sizes of tiles, offsets and the bounds of loops may be minima",
            )
        return next(iter(forms))

    def minima(self, value: SSAValue) -> tuple[Linear, ...]:
        """The linear forms whose minimum a size is; most often a single one."""
        forms = self._minima(value)
        if any(_has_extremum(form) for form in forms):
            refuse(
                maker_of(value),
                "a size is computed from a minimum, a maximum or data",
                "only offsets and the bounds of loops may be",
            )
        return forms

    def offset(self, value: SSAValue) -> Linear:
        """The linear form of an offset, whose range other things than data tell."""
        form = self.bound(value)
        # Data is an i32, which nothing but a minimum and a maximum keeps in a buffer.
        if form.reads_data and not -MAX_EXTENT <= form.low <= form.high <= MAX_EXTENT:
            refuse(
                maker_of(value),
                "an offset is computed from data, and nothing says how far it reaches",
                "take the least of it and a number, and the greatest",
            )
        return form

    def bound(self, value: SSAValue) -> Linear:
        """The linear form of a loop's bound, which may be a minimum or a maximum."""
        forms = self._minima(value)
        return self._single(forms)

    def _minima(self, value: SSAValue) -> tuple[Linear, ...]:
        forms = self._forms.get(value)
        if forms is None:
            forms = _pruned(self._compute(value))
            self._forms[value] = forms
        return forms

    def extents(self, buffer: SSAValue) -> tuple[Linear, ...]:
        """The extents of a base buffer."""
        of = buffer.type
        assert isinstance(of, MemRefType)
        return tuple(
            self._extent(buffer, dim) if size == DYNAMIC_INDEX else Linear({}, size)
            for dim, size in enumerate(of.get_shape())
        )

    def _extent(self, buffer: SSAValue, dim: int) -> Linear:
        """An extent of a buffer that its type leaves open."""
        owner = buffer.owner
        if is_argument(buffer):
            return self._runtime(Runtime(buffer, dim), 0, MAX_EXTENT)
        of = buffer.type
        assert isinstance(of, MemRefType)
        if isinstance(owner, memref.AllocOp):
            position = of.get_shape()[:dim].count(DYNAMIC_INDEX)
            return self.linear(owner.dynamic_sizes[position])
        if isinstance(owner, memref.CastOp):
            source = owner.source.type
            if isinstance(source, MemRefType) and source.get_shape()[dim] >= 0:
                return Linear({}, source.get_shape()[dim])
            return self._extent(owner.source, dim)
        if isinstance(owner, memref.ExpandShapeOp):
            position = of.get_shape()[:dim].count(DYNAMIC_INDEX)
            return self.linear(owner.output_shape[position])
        if isinstance(owner, memref.CollapseShapeOp):
            return self._collapsed_extent(owner, dim)
        if isinstance(owner, memref.SubviewOp):
            sizes = mixed(owner.static_sizes, owner.sizes)
            size = sizes[dim]
            if len(sizes) == of.get_num_dims() and isinstance(size, SSAValue):
                return self.linear(size)
        refuse(
            maker_of(buffer),
            f"the size of dimension {dim} of this buffer cannot be followed",
            "take it from an argument of the function",
        )

    def _collapsed_extent(self, op: memref.CollapseShapeOp, dim: int) -> Linear:
        """The extent of merged dimensions: the product of their extents."""
        extents = self.extents(op.src)
        group = [extents[part] for part in groups_of(op.reassociation)[dim]]
        total = Linear({}, 1)
        for extent in group:
            product = self._products.product(total, extent)
            if product is None:
                refuse(op, "merges dimensions whose sizes the launcher cannot compute")
            total = product
        return total

    def _runtime(self, key: Runtime, low: int, high: int) -> Linear:
        known = self._same.get(key, key)
        if isinstance(known, int):
            return Linear({}, known)
        atom = self._runtimes.get(known)
        if atom is None:
            atom = self._new(low, high, 0, runtime=known, is_open=True)
            self._runtimes[known] = atom
        return Linear({atom: 1})

    def _new(
        self,
        low: int,
        high: int,
        level: int,
        quotient: Quotient | None = None,
        runtime: Given | None = None,
        *,
        extremum: Extremum | None = None,
        is_open: bool,
    ) -> Atom:
        self._count += 1
        return Atom(self._count, low, high, level, quotient, extremum, runtime, is_open)

    def _compute(self, value: SSAValue) -> list[Linear]:
        if value in self._atoms:
            return [Linear({self._atoms[value]: 1})]
        if is_argument(value):
            if isinstance(value.type, IntegerType) and value.type.width.data > 32:
                refuse(
                    maker_of(value),
                    f"an index comes from an argument of type {value.type}",
                    "pass it as index or i32: indices are 32 bits wide",
                )
            return [self._runtime(Runtime(value), -(2**31), 2**31 - 1)]
        if (number := known_index(value)) is not None:
            return [Linear({}, number)]
        op = value.owner
        if isinstance(op, memref.DimOp):
            return [self._dim(op)]
        if isinstance(op, arith.MinUIOp):  # of sizes, which are never negative
            return [*self._minima(op.lhs), *self._minima(op.rhs)]
        found = index_op(value)
        if found is None:
            refuse(
                maker_of(value),
                "an index comes from here, which code generation cannot follow",
                "indices may be constants, grid and loop indices, affine.apply, "
                "affine.min, affine.max",
            )
        assert isinstance(op, Operation)
        operands = [self._minima(operand) for operand in found.operands]
        count = found.map.num_dims
        dims, symbols = operands[:count], operands[count:]
        forms = [
            self._expression(result, dims, symbols, op) for result in found.map.results
        ]
        if found.choice is not Choice.GREATEST:
            return list(itertools.chain.from_iterable(forms))
        singles = [self._single(each) for each in forms]
        greatest = _pruned(form * -1 for form in singles)
        if len(greatest) == 1:
            return [greatest[0] * -1]
        kept = tuple(form * -1 for form in greatest)
        return [self._extremum(Extremum(kept, is_greatest=True))]

    def _single(self, forms: Sequence[Linear]) -> Linear:
        """The least of some forms; where there are several, it is an atom."""
        if len(forms) == 1:
            return forms[0]
        return self._extremum(Extremum(_pruned(forms), is_greatest=False))

    def _extremum(self, extremum: Extremum) -> Linear:
        atom = self._extrema.get(extremum)
        if atom is None:
            forms = extremum.forms
            atom = self._new(
                *extremum.range,
                max(form.level for form in forms),
                extremum=extremum,
                is_open=any(form.is_open for form in forms),
            )
            self._extrema[extremum] = atom
        return Linear({atom: 1})

    def _dim(self, op: memref.DimOp) -> Linear:
        dim = self.linear(op.index)
        of = op.source.type
        if not dim.is_constant or not isinstance(of, MemRefType):
            refuse(op, "which dimension's size is asked is not known")
        size = of.get_shape()[dim.constant]
        if size != DYNAMIC_INDEX:
            return Linear({}, size)
        return self._extent(op.source, dim.constant)

    def _expression(
        self,
        expr: AffineExpr,
        dims: Sequence[tuple[Linear, ...]],
        symbols: Sequence[tuple[Linear, ...]],
        op: Operation,
    ) -> Sequence[Linear]:
        """The linear forms whose minimum an expression is."""
        match expr:
            case AffineConstantExpr():
                return [Linear({}, expr.value)]
            case AffineDimExpr():
                return dims[expr.position]
            case AffineSymExpr():
                return symbols[expr.position]
            case AffineBinaryOpExpr():
                left = self._expression(expr.lhs, dims, symbols, op)
                right = self._expression(expr.rhs, dims, symbols, op)
                return self._binary(expr.kind, left, right, op)
            case _:
                raise AssertionError(f"unknown affine expression {expr}")

    def _binary(
        self,
        kind: AffineBinaryOpKind,
        left: Sequence[Linear],
        right: Sequence[Linear],
        op: Operation,
    ) -> Sequence[Linear]:
        if kind is AffineBinaryOpKind.Add:
            return [a + b for a, b in itertools.product(left, right)]
        if kind is AffineBinaryOpKind.Mul and _is_number(left):
            left, right = right, left
        if _is_number(right):
            factor = right[0].constant
            if kind is AffineBinaryOpKind.Mul:
                forms = left if factor >= 0 else [self._single(left)]
                return [form * factor for form in forms]
            if factor > 0:
                return [self._quotient(kind, self._single(left), factor)]
        elif kind is AffineBinaryOpKind.Mul:
            product = self._products.product(self._single(left), self._single(right))
            if product is not None:
                return [product]
            refuse(op, "an index is a product of two variables", "tile statically")
        refuse(op, "an index expression is not linear", "tile statically")

    def _quotient(
        self, kind: AffineBinaryOpKind, dividend: Linear, divisor: int
    ) -> Linear:
        is_mod = kind is AffineBinaryOpKind.Mod
        is_ceil = kind is AffineBinaryOpKind.CeilDiv
        if dividend.is_constant:
            number, _ = _divided(kind, dividend, divisor)
            return Linear({}, number)
        if is_ceil and dividend.low < 0:
            # `x ceildiv d` is `(x + d - 1) floordiv d`.
            kind, dividend = AffineBinaryOpKind.FloorDiv, dividend + (divisor - 1)
        # Adding multiples of the divisor makes the dividend non-negative: it changes a
        # quotient by a constant, and a remainder not at all.
        turns = max(-(dividend.low // divisor), 0)
        dividend += turns * divisor
        quotient = Quotient(kind, dividend, divisor)
        atom = self._quotients.get(quotient)
        if atom is None:
            low, high = _divided(kind, dividend, divisor)
            is_open = dividend.is_open and not is_mod
            atom = self._new(low, high, dividend.level, quotient, is_open=is_open)
            self._quotients[quotient] = atom
        return Linear({atom: 1}, 0 if is_mod else -turns)


def _divided(
    kind: AffineBinaryOpKind, dividend: Linear, divisor: int
) -> tuple[int, int]:
    """The range of a quotient or a remainder."""
    low, high = combined(kind, (dividend.low, dividend.high), (divisor, divisor))
    assert low is not None and high is not None
    return low, high


def _is_number(forms: Sequence[Linear]) -> bool:
    return len(forms) == 1 and forms[0].is_constant


def _has_extremum(form: Linear) -> bool:
    """Whether a minimum, a maximum or data is among the atoms of a form."""
    return any(
        atom.extremum is not None
        or atom.is_data
        or (atom.quotient is not None and _has_extremum(atom.quotient.dividend))
        for atom in form.terms
    )


def _pruned(forms: Iterable[Linear]) -> tuple[Linear, ...]:
    """The forms that may be the least: those that no other one always undercuts."""
    kept: list[Linear] = []
    for form in forms:
        if any((form - other).low >= 0 for other in kept):
            continue
        kept = [other for other in kept if (other - form).low < 0]
        kept.append(form)
    return tuple(kept)
