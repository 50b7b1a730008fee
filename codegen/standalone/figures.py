"""The figures in a stand-alone file: the work that is timed, and the tolerances.

Where sizes are open, they are expressions of the sizes.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, ShapedType

from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.standalone.open_sizes import OpenSizes, polynomial
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.element_types import ELEMENT_TYPES
from tilewright.ir.structured.equal_extents import Extents
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.reductions import reductions_of
from tilewright.ir.tolerance import tolerances

_NARROW = tuple(row.name for row in ELEMENT_TYPES if row.is_narrow_float)


class Figures:
    """The work and the tolerances of a program."""

    def __init__(
        self,
        program: GeneratedProgram,
        payload: ModuleOp,
        reduction: int,
        open_sizes: OpenSizes | None,
    ):
        """Take a program and its payload, whose longest known sum is `reduction`."""
        self.program = program
        self.payload = payload
        self.reduction = reduction
        self.open = open_sizes
        self.extents = Extents(payload)
        self._factor = 1 + _roundings(payload)

    def work(self) -> tuple[str, str, str]:
        """The work to divide by the time, its unit and scale: flops, or else bytes."""
        ops = [op for op in self.payload.walk() if isinstance(op, StructuredOp)]
        loops = [self._loops(op) for op in ops if _is_contraction(op)]
        if loops and None not in loops:
            flops = [(2, extents) for extents in loops if extents is not None]
            return _in_parentheses(polynomial(flops)), "TFLOP/s", "1e-9"
        arguments, results = self.program.arguments, self.program.results
        shapes = [self._extents(position) for position in range(len(arguments))]
        shapes += [
            self.open.result(spec) if self.open else [*map(str, spec.shape)]
            for spec in results
        ]
        if None in shapes:
            return "", "", ""
        moved = [
            (byte_width(spec.dtype), shape or ())
            for spec, shape in zip((*arguments, *results), shapes, strict=True)
        ]
        return _in_parentheses(polynomial(moved)), "GB/s", "1e-6"

    def _extents(self, position: int) -> list[str] | None:
        if self.open is not None:
            return self.open.argument(position)
        return [*map(str, self.program.arguments[position].shape)]

    def _loops(self, op: StructuredOp, reduced: bool = False) -> list[str] | None:
        """The trip counts of an op's loops, of all or of the reduction loops."""
        nest = nest_of(op)
        wanted = nest.reduced if reduced else range(nest.rank)
        found = self.extents.loops(op)
        texts: list[str] = []
        for loop in wanted:
            extent = found[loop]
            if extent is None:
                return None
            if isinstance(extent, tuple):
                if self.open is None:
                    return None
                texts.append(self.open.known[extent])
            else:
                texts.append(str(extent))
        return texts

    def tolerance(self, dtype: str) -> str:
        """The relative tolerance of a result, which grows with the longest sum."""
        known = tolerances(dtype, self.reduction)[0] * self._factor
        ops = [op for op in self.payload.walk() if isinstance(op, StructuredOp)]
        sums = [self._loops(op, reduced=True) or [] for op in ops]
        open_sums = [
            polynomial([(1, extents)])
            for extents in sums
            if any(not extent.isdigit() for extent in extents)
        ]
        if not open_sums or not known:
            return f"{known:.2g}"
        # The tolerance of a sum of n terms grows with the square root of n.
        share = (tolerances(dtype, 4)[0] - tolerances(dtype, 1)[0]) * self._factor
        longest = list(dict.fromkeys(open_sums))
        root = f"{longest[0]}**0.5" if longest[0].isidentifier() else None
        if len(longest) > 1:
            root = f"max({', '.join(longest)}) ** 0.5"
        return f"{known:.2g} + {share:.2g} * {root or f'({longest[0]}) ** 0.5'}"


def _in_parentheses(text: str) -> str:
    return f"({text})" if " + " in text else text


def _is_contraction(op: StructuredOp) -> bool:
    """Whether an op sums products over two operands."""
    nest = nest_of(op)
    reductions = reductions_of(op) if nest.reduced else None
    if not reductions or any(r.factors is None for r in reductions):
        return False
    return len(nest.maps[: nest.inputs]) >= 2 and len(nest.parallel) >= 1


def _roundings(payload: ModuleOp) -> int:
    """The number of ops that round to a narrow type, where the reference does not."""
    count = 0
    for op in payload.walk():
        if op.dialect_name() not in ("arith", "math") or len(op.results) != 1:
            continue
        of = op.results[0].type
        plain = not isinstance(of, ShapedType) and "trunc" not in op.name
        if plain and op.operands and str(of) in _NARROW:
            count += 1
    return count
