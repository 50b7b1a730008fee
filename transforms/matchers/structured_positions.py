"""Predicates on some loops, inputs or outputs of a structured op, named by position.

transform.match.structured.dim %op[0, 1] {parallel} : !transform.any_op
transform.match.structured.input %op[all] {permutation} : !transform.any_op
%size = transform.match.structured.dim %op[-1] : (...) -> !transform.param<i64>
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntegerType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import is_permutation
from tilewright.transforms.control.sequence import parse_result_types
from tilewright.transforms.core.base import (
    AffineMapType,
    TransformHandleType,
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
    TransformValueHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import print_types
from tilewright.transforms.handles.positions import Positions
from tilewright.transforms.matchers.predicate import (
    Predicate,
    i64_param,
    one_structured,
)
from tilewright.transforms.structured.tile.one_tile import known_ranges


class _AtPositions(Predicate):
    """The base of `dim`, `input` and `init`: positions, and perhaps a result."""

    operand_handle = operand_def(TransformOpHandleType)
    is_all = opt_prop_def(UnitAttr)
    is_inverted = opt_prop_def(UnitAttr)

    WHAT: ClassVar[str]
    FLAGS: ClassVar[tuple[str, ...]]
    LIST: ClassVar[str] = "raw_position_list"

    @classmethod
    def parse(cls, parser: Parser) -> TransformOp:
        """`%op[positions] [{flag}] : type` or `: (type) -> type`."""
        pos = parser.pos
        name = parser.parse_unresolved_operand()
        positions = Positions.parse(parser)
        attributes = dict(parser.parse_optional_attr_dict())
        flags = {flag: attributes.pop(flag, None) for flag in cls.FLAGS}
        parser.parse_punctuation(":")
        kinds = parser.parse_optional_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_type
        )
        results: Sequence[Attribute] = ()
        if kinds is None:
            kinds = [parser.parse_type()]
        else:
            results = parse_result_types(parser)
        op = cls.build(
            operands=parser.resolve_operands([name], kinds, pos),
            result_types=[results],
            properties={**positions.properties(cls.LIST), **flags},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`%op[positions] [{flag}] : type` or `: (type) -> type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.operand_handle)
        printer.print_string(str(self._positions()))
        flags = {
            name: self.properties[name]
            for name in self.FLAGS
            if name in self.properties
        }
        printer.print_op_attributes({**flags, **self.attributes})
        if self.results:
            print_types(printer, self)
        else:
            printer.print_string(" : ")
            printer.print_attribute(self.operand_handle.type)

    def _positions(self) -> Positions:
        listed = self.properties[self.LIST]
        assert isa(listed, DenseArrayBase[IntegerType])
        return Positions.of(listed, self.is_all, self.is_inverted)

    def verify_(self) -> None:
        """Check the positions, and that at most one flag is given."""
        self._positions().verify()
        first, second = self.FLAGS
        if first in self.properties and second in self.properties:
            raise VerifyException(f"'{first}' and '{second}' are mutually exclusive")

    def picked(self, op: Operation, count: int) -> list[int]:
        """The selected positions among `count`."""
        return self._positions().pick(self, self.WHAT, op, count)


@irdl_op_definition
class MatchStructuredDimOp(_AtPositions):
    """Check that loops are parallel or reductions; return their extents."""

    name = "transform.match.structured.dim"

    raw_position_list = prop_def(DenseArrayBase.constr(i64), prop_name="raw_dim_list")
    parallel = opt_prop_def(UnitAttr)
    reduction = opt_prop_def(UnitAttr)
    result = opt_result_def(TransformParamHandleType)

    WHAT: ClassVar[str] = "loop"
    FLAGS: ClassVar[tuple[str, ...]] = ("parallel", "reduction")
    LIST: ClassVar[str] = "raw_dim_list"

    def apply(self, state: TransformState) -> None:
        """Check the loops."""
        op = one_structured(self, state, self.operand_handle)
        picked = self.picked(op, op.get_num_loops())
        for loop in picked:
            if self.parallel is not None and is_reduction(op, loop):
                raise self.refuse(f"loop {loop} is a reduction", op)
            if self.reduction is not None and not is_reduction(op, loop):
                raise self.refuse(f"loop {loop} is parallel", op)
        if self.result is None:
            return
        ranges = known_ranges(op)
        extents = [ranges[loop] for loop in picked]
        sizes = [e if isinstance(e, int) else DYNAMIC_INDEX for e in extents]
        state.set_params(self.result, [i64_param(size) for size in sizes])


class _Operands(_AtPositions):
    """The base of `input` and `init`: checks on maps, operands as results."""

    def verify_(self) -> None:
        """Check that a result is bound to one operand, and its type."""
        super().verify_()
        if self.results and len(self._positions().listed) > 1:
            raise VerifyException("cannot bind several operands to one result")
        for kind in self.result_types:
            is_map = isinstance(kind, AffineMapType)
            if isinstance(kind, TransformParamHandleType) and not is_map:
                raise VerifyException(
                    "expected a handle or !transform.affine_map as the result, but got "
                    f"{kind}"
                )

    def look(
        self, state: TransformState, op: StructuredOp, first: int, count: int
    ) -> None:
        """Check the maps of some operands and set the result."""
        picked = self.picked(op, count)
        maps = [op.maps[first + position] for position in picked]
        for position, map_ in zip(picked, maps, strict=True):
            whole = is_permutation(map_)
            if "permutation" in self.properties and not whole:
                raise self.refuse(f"{self.WHAT} {position}'s map is no permutation", op)
            projected = map_.is_projected_permutation()
            if "projected_permutation" in self.properties and not projected:
                raise self.refuse(
                    f"{self.WHAT} {position}'s map is no projected permutation", op
                )
        for result in self.results:
            if isinstance(result.type, AffineMapType):
                state.set_params(result, [AffineMapAttr(map_) for map_ in maps])
            elif isinstance(result.type, TransformValueHandleType):
                values = [op.operands[first + position] for position in picked]
                state.set_values(result, values)
            else:
                owners: list[Operation] = []
                for position in picked:
                    owner = op.operands[first + position].owner
                    if not isinstance(owner, Operation):
                        raise self.refuse(
                            f"no op produces {self.WHAT} {position}: it is a block "
                            "argument",
                            op,
                        )
                    owners.append(owner)
                state.set_ops(result, owners)


@irdl_op_definition
class MatchStructuredInputOp(_Operands):
    """Check the maps of inputs; return inputs or maps."""

    name = "transform.match.structured.input"

    raw_position_list = prop_def(DenseArrayBase.constr(i64))
    permutation = opt_prop_def(UnitAttr)
    projected_permutation = opt_prop_def(UnitAttr)
    result = opt_result_def(TransformHandleType)

    WHAT: ClassVar[str] = "input"
    FLAGS: ClassVar[tuple[str, ...]] = ("permutation", "projected_permutation")

    def apply(self, state: TransformState) -> None:
        """Check the inputs."""
        op = one_structured(self, state, self.operand_handle)
        self.look(state, op, 0, len(op.inputs))


@irdl_op_definition
class MatchStructuredInitOp(_Operands):
    """Check the maps of outputs; return outputs or maps."""

    name = "transform.match.structured.init"

    raw_position_list = prop_def(DenseArrayBase.constr(i64))
    permutation = opt_prop_def(UnitAttr)
    projected_permutation = opt_prop_def(UnitAttr)
    result = opt_result_def(TransformHandleType)

    WHAT: ClassVar[str] = "init"
    FLAGS: ClassVar[tuple[str, ...]] = ("permutation", "projected_permutation")

    def apply(self, state: TransformState) -> None:
        """Check the outputs."""
        op = one_structured(self, state, self.operand_handle)
        self.look(state, op, len(op.inputs), len(op.outputs))
