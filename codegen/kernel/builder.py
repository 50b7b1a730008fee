"""Building kernel IR: scopes for hoisting, named constants, index arithmetic.

A kernel under construction has one scope for each loop level. A loop is appended to the
scope around it only when its body is complete, so ops that are appended to that scope
in the meantime come before the loop. Hoisting an op means choosing its scope.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from xdsl.dialects.builtin import (
    IntegerAttr,
    IntegerType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind

from tilewright.codegen.analysis.elements.atoms import MAX_I32, Atom, Extremum, Linear
from tilewright.codegen.kernel.axes import Axes
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import (
    CastOp,
    ConstexprOp,
    ExpandDimsOp,
    element_of,
    shape_of,
    vector_of,
)

_DIVISIONS: dict[AffineBinaryOpKind, Any] = {
    AffineBinaryOpKind.FloorDiv: arith.FloorDivSIOp,
    AffineBinaryOpKind.CeilDiv: arith.CeilDivSIOp,
    AffineBinaryOpKind.Mod: arith.RemSIOp,
}


def _no_parameter(atom: Atom) -> NoReturn:
    raise AssertionError(f"no parameter for {atom.runtime}")


@dataclass
class Scope:
    """One loop level: its block, and the values already computed in it."""

    block: Block
    known: dict[Hashable, SSAValue] = field(default_factory=dict[Hashable, SSAValue])


class Builder:
    """Appends ops to the scopes of one kernel."""

    def __init__(self, axes: Axes, entry: Block, home: int = 0, *, wide: bool = False):
        self.axes = axes
        self.scopes = [Scope(entry)]
        self.home = home
        """The level at which the program's tile is known: 1 in a loop over tiles."""
        self.atoms: dict[Atom, SSAValue] = {}
        """The kernel value of each grid index and loop variable."""
        self.wide = wide
        """Whether offsets into buffers of unknown size are 64 bits wide."""
        self.parameter: Callable[[Atom], SSAValue] = _no_parameter
        """Makes the kernel's parameter for a number that the caller passes."""

    @property
    def level(self) -> int:
        """Depth of the loop being built; 0 is outside all loops."""
        return len(self.scopes) - 1

    @contextmanager
    def at_entry(self) -> Iterator[None]:
        """Build outside all loops."""
        scopes, self.scopes = self.scopes, self.scopes[:1]
        try:
            yield
        finally:
            self.scopes = scopes

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Build the ops of a block one level further in."""
        self.scopes.append(Scope(block))
        try:
            yield
        finally:
            self.scopes.pop()

    def add(
        self,
        op: Operation,
        level: int | None = None,
        hint: str | None = None,
        like: Operation | None = None,
    ) -> SSAValue:
        """Append an op with the location of `like`; return its first result."""
        scope = self.scopes[self.level if level is None else level]
        scope.block.add_op(op)
        if like is not None:
            op.location = like.location
        if not op.results:
            return None  # pyright: ignore[reportReturnType]
        if hint is not None:
            op.results[0].name_hint = hint
        return op.results[0]

    def once(self, key: Hashable, level: int, make: Any) -> SSAValue:
        """The value for `key` at a level, made by `make()` unless it is known there.

        A value of an outer level is known too: it comes before the loops of this level.
        """
        known = self._known(key, level)
        if known is not None:
            return known
        made = self.scopes[level].known[key] = make()
        return made

    def _known(self, key: Hashable, level: int) -> SSAValue | None:
        scopes = self.scopes[: level + 1]
        return next((s.known[key] for s in scopes if key in s.known), None)

    def integer(self, value: int, of: IntegerType = i32) -> SSAValue:
        """An integer constant, of 64 bits if it does not fit into 32."""
        of = of if abs(value) <= MAX_I32 else i64
        return self.once(
            ("integer", value, of),
            0,
            lambda: self.add(arith.ConstantOp(IntegerAttr(value, of)), 0),
        )

    def named(self, name: str, value: int, of: IntegerType = i32) -> SSAValue:
        """A named size, of 64 bits if it does not fit into 32."""
        of = of if value <= MAX_I32 else i64
        return self.once(
            ("named", name, of), 0, lambda: self.add(ConstexprOp(name, value, of), 0)
        )

    def extent(self, op: Operation, dim: int, size: Linear, of: IntegerType = i32):
        """A buffer's extent for one transfer: a named constant, or a computed sum."""
        if not size.is_constant:
            return self.scalar(size, of)
        name = self.axes.extent(op, dim, size.constant)
        return self.named(name, size.constant, of)

    def splat(self, value: Attribute, of: Attribute) -> SSAValue:
        """A float or integer constant, as a scalar or in every lane of a tile."""

        def make() -> SSAValue:
            if isinstance(of, VectorType):
                data: Any = value
                dense = dense_of(of, [data.value.data])
                return self.add(arith.ConstantOp(dense), 0)
            return self.add(arith.ConstantOp(value, of), 0)  # pyright: ignore

        return self.once(("splat", value, of), 0, make)

    def scalar(self, form: Linear, of: IntegerType = i32) -> SSAValue:
        """The value of a linear form, computed outside as many loops as possible.

        It has 64 bits if it does not fit into 32.
        """
        if form.is_constant:
            return self.integer(form.constant, of)
        of = of if form.fits else i64
        return self.once(
            ("linear", form, of), form.level, lambda: self._linear(form, of)
        )

    def _linear(self, form: Linear, of: IntegerType) -> SSAValue:
        level = form.level
        # `off_m + BLOCK_M`, where the offset of the tile is known.
        total = self._known(("linear", form - form.constant, of), level)
        terms = form.terms.items() if total is None else ()
        # Positive terms first: `K - k`, not `-k + K`.
        negative = [(atom, c) for atom, c in terms if c < 0]
        for atom, coefficient in terms:
            if coefficient > 0:
                total = self.plus(total, self._term(atom, coefficient, of), level)
        if form.constant > 0 or (form.constant < 0 and total is None):
            letter = self.axes.letter_of_atom(next(iter(form.terms)))
            lookup = self.axes.extent_name if total is None else self.axes.block_name
            name = lookup(letter, form.constant)
            constant = (
                self.named(name, form.constant, of)
                if name
                else self.integer(form.constant, of)
            )
            total = self.plus(total, constant, level)
        elif form.constant < 0:
            total = self.minus(total, self.integer(-form.constant, of), level)
        for atom, coefficient in negative:
            total = self.minus(total, self._term(atom, -coefficient, of), level)
        assert total is not None
        letters = {self.axes.letter_of_atom(atom) for atom in form.terms}
        letter = letters.pop()
        is_size = any(atom.runtime for atom in form.terms)
        if letter and not letters and total.name_hint is None and not is_size:
            total.name_hint = f"off_{letter.lower()}"
        return total

    def _term(self, atom: Atom, coefficient: int, of: IntegerType) -> SSAValue:
        value = self.resize(self._atom(atom), of, atom.level)
        if coefficient == 1:
            return value
        letter = self.axes.letter_of_atom(atom)
        name = self.axes.block_name(letter, coefficient)
        factor = (
            self.named(name, coefficient, of) if name else self.integer(coefficient, of)
        )
        return self.times(value, factor, atom.level)

    def _atom(self, atom: Atom) -> SSAValue:
        value = self.atoms.get(atom)
        if value is None:
            if atom.runtime is not None:
                value = self.resize(self.parameter(atom), i32, 0)
            elif atom.extremum is not None:
                value = self._extremum(atom.extremum, atom.level)
            else:
                value = self._quotient(atom)
            self.atoms[atom] = value
        return value

    def _extremum(self, extremum: Extremum, level: int) -> SSAValue:
        """The least or the greatest of some forms."""
        kind = arith.MaxSIOp if extremum.is_greatest else arith.MinSIOp
        width = i32 if all(form.fits for form in extremum.forms) else i64
        total, *others = (self.scalar(form, width) for form in extremum.forms)
        for other in others:
            total = self.add(kind(total, other), level)
        return total

    def _quotient(self, atom: Atom) -> SSAValue:
        quotient = atom.quotient
        assert quotient is not None, "a loop variable without a value"
        rounds_up = quotient.kind is AffineBinaryOpKind.CeilDiv
        # Rounding up adds the divisor before it divides.
        fits = quotient.dividend.reaches(quotient.divisor if rounds_up else 0)
        width = i32 if fits else i64
        dividend = self.scalar(quotient.dividend, width)
        letters = {self.axes.letter_of_atom(atom) for atom in quotient.dividend.terms}
        name = self.axes.block_name(letters.pop(), quotient.divisor)
        divisor = (
            self.named(name, quotient.divisor, width)
            if name and not letters
            else self.integer(quotient.divisor, width)
        )
        # Triton's // and % round towards zero; a dividend is not negative.
        kind = _DIVISIONS[quotient.kind]
        return self.add(kind(dividend, divisor), atom.level)

    def resize(self, value: SSAValue, of: IntegerType, level: int) -> SSAValue:
        """An integer, or a tile of integers, of a given width.

        A value that becomes narrower must fit.
        """
        if element_of(value.type) == of:
            return value
        match value.owner:
            case ConstexprOp() as op:
                return self.named(op.constant.data, op.value.value.data, of)
            case arith.ConstantOp(value=IntegerAttr() as number):
                return self.integer(number.value.data, of)
            case _:
                pass
        return self.once(
            ("resize", value, of), level, lambda: self.add(CastOp(value, of), level)
        )

    def cast(self, source: SSAValue, of: Attribute, like: Operation) -> SSAValue:
        """A tile in another element type; one conversion serves all readers."""
        return self.once(
            ("cast", source, of),
            self.level,
            lambda: self.add(CastOp(source, of), like=like),
        )

    def plus(self, lhs: SSAValue | None, rhs: SSAValue, level: int) -> SSAValue:
        """The sum of two integers or tiles, broadcast against each other."""
        if lhs is None:
            return rhs
        lhs, rhs = self.align(lhs, rhs, level)
        return self.add(arith.AddiOp(lhs, rhs), level)

    def minus(self, lhs: SSAValue | None, rhs: SSAValue, level: int) -> SSAValue:
        """The difference of two integers."""
        lhs = lhs if lhs is not None else self.integer(0)
        lhs, rhs = self.align(lhs, rhs, level)
        return self.add(arith.SubiOp(lhs, rhs), level)

    def times(self, lhs: SSAValue, rhs: SSAValue, level: int) -> SSAValue:
        """The product of two integers or tiles, broadcast against each other."""
        lhs, rhs = self.align(lhs, rhs, level)
        return self.add(arith.MuliOp(lhs, rhs), level)

    def align(
        self, lhs: SSAValue, rhs: SSAValue, level: int
    ) -> tuple[SSAValue, SSAValue]:
        """Broadcast two values to a common shape and width."""
        widths = [element_of(value.type) for value in (lhs, rhs)]
        if widths[0] != widths[1]:
            lhs, rhs = (self.resize(value, i64, level) for value in (lhs, rhs))
        left, right = shape_of(lhs.type), shape_of(rhs.type)
        if not left or not right:
            shape = left or right
        else:
            shape = tuple(max(a, b) for a, b in zip(left, right, strict=True))
        return self.stretch(lhs, shape, level), self.stretch(rhs, shape, level)

    def stretch(
        self, value: SSAValue, shape: tuple[int, ...], level: int | None = None
    ) -> SSAValue:
        """Broadcast a scalar, or a tile with dimensions of size one, to a shape."""
        if shape_of(value.type) == shape:
            return value
        wide = vector_of(element_of(value.type), shape)
        return self.once(
            ("stretch", value, shape),
            self.level if level is None else level,
            lambda: self.add(vector.BroadcastOp(value, wide), level),
        )

    def along(self, value: SSAValue, lane: int, rank: int, level: int) -> SSAValue:
        """A one-dimensional tile laid along dimension `lane` of `rank` dimensions."""
        for axis in range(rank):
            if axis != lane:
                value = self._expanded(value, axis, level)
        return value

    def _expanded(self, value: SSAValue, axis: int, level: int) -> SSAValue:
        return self.once(
            ("expand", value, axis),
            level,
            lambda: self.add(ExpandDimsOp(value, axis), level),
        )
