"""`match.structured`: predicates on a structured op, through its interface alone.

    %rank = transform.match.structured failures(propagate) %op : (...) -> ... {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.dim %s[all] {parallel} : !transform.any_op
      transform.match.structured.body %s {elementwise} : !transform.any_op
      %r = transform.match.structured.rank %s : (...) -> !transform.param<i64>
      transform.match.structured.yield %r : !transform.param<i64>
    }

The region is run if the op is structured; a predicate in it that does not hold fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.types import element_type
from tilewright.transforms.control.failures import (
    parse_optional_failures,
    suppresses,
    verify_mode,
    word_of,
)
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
from tilewright.transforms.core.syntax import print_signature, print_types
from tilewright.transforms.handles.positions import Positions
from tilewright.transforms.matchers import bodies
from tilewright.transforms.structured.tile.one_tile import (
    is_reduction,
    known_ranges,
    maps_of,
)


def one_structured(
    user: TransformOp, state: TransformState, handle: SSAValue
) -> StructuredOp:
    """The one structured op a handle points at."""
    ops = list(state.payload_ops(handle))
    if len(ops) != 1:
        raise user.broken(f"needs a handle to one op, this one points at {len(ops)}")
    if not isinstance(ops[0], StructuredOp):
        raise user.refuse(f"'{ops[0].name}' is not a structured op", ops[0])
    return ops[0]


@irdl_op_definition
class MatchStructuredYieldOp(IRDLOperation):
    """Ends `match.structured`, passing handles and parameters out."""

    name = "transform.match.structured.yield"

    handles = var_operand_def(TransformHandleType)

    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict ($handles^ `:` type($handles))?"


@irdl_op_definition
class MatchStructuredOp(TransformOp):
    """Run predicates on a structured op."""

    name = "transform.match.structured"

    current = operand_def(TransformOpHandleType)
    failure_propagation_mode = opt_prop_def(IntegerAttr.constr(i32))
    outputs = var_result_def(TransformHandleType)
    body_region = region_def("single_block")

    VERB: ClassVar[str | None] = "match.structured"
    IS_STEP: ClassVar[bool] = False

    def verify_(self) -> None:
        """A mode that there is."""
        verify_mode(self.failure_propagation_mode)

    @classmethod
    def parse(cls, parser: Parser) -> MatchStructuredOp:
        """`[failures(mode)] %op : (type) -> types {..}`."""
        mode = parse_optional_failures(parser)
        pos = parser.pos
        name = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kinds = parser.parse_optional_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_type
        )
        kind = kinds[0] if kinds else parser.parse_type()
        results = parse_result_types(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region()
        if not isinstance(region.block.last_op, MatchStructuredYieldOp):
            region.block.add_op(MatchStructuredYieldOp.build(operands=[[]]))
        op = cls.build(
            operands=parser.resolve_operands([name], [kind], pos),
            result_types=[results],
            properties={"failure_propagation_mode": mode},
            regions=[region],
        )
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """`[failures(mode)] %op : (type) -> types {..}`."""
        if (mode := self.failure_propagation_mode) is not None:
            printer.print_string(f" failures({word_of(mode)})")
        printer.print_string(" ")
        printer.print_ssa_value(self.current)
        if self.outputs:
            print_signature(printer, self)
        else:
            printer.print_string(" : ")
            printer.print_attribute(self.current.type)
        printer.print_string(" ")
        printer.print_region(
            self.body_region, print_block_terminators=bool(self.outputs)
        )

    def apply(self, state: TransformState) -> None:
        """Run the region on the op, if it is structured.

        With `failures(suppress)` the first predicate that does not hold ends the
        region: results computed before it keep their values, the others are empty.
        """
        suppress = suppresses(self.failure_propagation_mode)
        for result in self.outputs:
            state.set_items(result, ())
        block = self.body_region.block
        yielded = block.last_op.operands if block.last_op is not None else ()
        defined: set[SSAValue] = set()
        try:
            op = one_structured(self, state, self.current)
            state.set_ops(block.args[0], [op])
            defined.update(block.args)
            for nested in block.ops:
                if isinstance(nested, TransformOp):
                    state.run.run_op(nested)
                    defined.update(nested.results)
        except SilenceableFailure:
            if not suppress:
                raise
        for source, result in zip(yielded, self.outputs, strict=True):
            if source in defined or source.owner not in (block, *block.ops):
                state.copy_mapping(source, result)


@irdl_op_definition
class MatchStructuredRankOp(TransformOp):
    """The number of loops."""

    name = "transform.match.structured.rank"

    operand_handle = operand_def(TransformOpHandleType)
    rank = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    VERB: ClassVar[str | None] = "match.structured.rank"

    def apply(self, state: TransformState) -> None:
        """Count the loops."""
        op = one_structured(self, state, self.operand_handle)
        state.set_params(self.rank, [_i64(op.get_num_loops())])


@irdl_op_definition
class MatchStructuredNumInputsOp(TransformOp):
    """The number of inputs."""

    name = "transform.match.structured.num_inputs"

    operand_handle = operand_def(TransformOpHandleType)
    number = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    VERB: ClassVar[str | None] = "match.structured.num_inputs"

    def apply(self, state: TransformState) -> None:
        """Count the inputs."""
        op = one_structured(self, state, self.operand_handle)
        state.set_params(self.number, [_i64(len(op.inputs))])


@irdl_op_definition
class MatchStructuredNumInitsOp(TransformOp):
    """The number of outputs."""

    name = "transform.match.structured.num_inits"

    operand_handle = operand_def(TransformOpHandleType)
    number = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    VERB: ClassVar[str | None] = "match.structured.num_inits"

    def apply(self, state: TransformState) -> None:
        """Count the outputs."""
        op = one_structured(self, state, self.operand_handle)
        state.set_params(self.number, [_i64(len(op.outputs))])


@irdl_op_definition
class MatchStructuredElementalBitwidthOp(TransformOp):
    """The width of a value's elements, in bits."""

    name = "transform.match.structured.elemental_bitwidth"

    operand_handle = operand_def(TransformValueHandleType)
    width = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    VERB: ClassVar[str | None] = "match.structured.elemental_bitwidth"

    def apply(self, state: TransformState) -> None:
        """Look the element type up."""
        values = state.payload_values(self.operand_handle)
        if len(values) != 1:
            raise self.broken(f"needs one value, the handle points at {len(values)}")
        width = bodies.bitwidth(element_type(values[0].type))
        if width is None:
            raise self.refuse("the elements are neither integers nor floats")
        state.set_params(self.width, [_i64(width)])


@irdl_op_definition
class MatchStructuredBodyOp(TransformOp):
    """The body does one of four things."""

    name = "transform.match.structured.body"

    operand_handle = operand_def(TransformOpHandleType)
    reduction_position = opt_prop_def(IntegerAttr.constr(i64))
    passthrough = opt_prop_def(UnitAttr)
    elementwise = opt_prop_def(UnitAttr)
    contraction = opt_prop_def(ArrayAttr[StringAttr])

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operand_handle attr-dict `:` type($operand_handle)"

    VERB: ClassVar[str | None] = "match.structured.body"

    def verify_(self) -> None:
        """Exactly one predicate."""
        given = (
            self.reduction_position,
            self.passthrough,
            self.elementwise,
            self.contraction,
        )
        if sum(predicate is not None for predicate in given) != 1:
            raise VerifyException(
                "expects exactly one of reduction_position, passthrough, elementwise, "
                "contraction"
            )
        if self.contraction is not None and len(self.contraction) != 2:
            raise VerifyException("expects 'contraction' to contain two names")

    def apply(self, state: TransformState) -> None:
        """Look at the body."""
        op = one_structured(self, state, self.operand_handle)
        if self.reduction_position is not None:
            position = self.reduction_position.value.data
            if not bodies.is_reduction_of(op, position):
                raise self.refuse(f"output {position} is not reduced by one op", op)
        elif self.passthrough is not None:
            if not bodies.passes_through(op):
                raise self.refuse("the body computes something", op)
        elif self.elementwise is not None:
            if not bodies.is_elementwise(op):
                raise self.refuse("the op is not element by element", op)
        elif self.contraction is not None:
            names = [name.data for name in self.contraction]
            if not bodies.is_contraction(op, names):
                raise self.refuse(f"the body is no contraction by {names}", op)


class _AtPositions(TransformOp):
    """What `dim`, `input` and `init` share: positions, and perhaps a result."""

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
        """Positions that make sense, one kind of flag."""
        self._positions().verify()
        first, second = self.FLAGS
        if first in self.properties and second in self.properties:
            raise VerifyException(f"'{first}' and '{second}' are mutually exclusive")

    def picked(self, op: Operation, count: int) -> list[int]:
        """The positions meant, of `count` there are."""
        return self._positions().pick(self, self.WHAT, op, count)


@irdl_op_definition
class MatchStructuredDimOp(_AtPositions):
    """Loops are parallel or reductions; their extents."""

    name = "transform.match.structured.dim"

    raw_position_list = prop_def(DenseArrayBase.constr(i64), prop_name="raw_dim_list")
    parallel = opt_prop_def(UnitAttr)
    reduction = opt_prop_def(UnitAttr)
    result = opt_result_def(TransformParamHandleType)

    VERB: ClassVar[str | None] = "match.structured.dim"
    WHAT: ClassVar[str] = "loop"
    FLAGS: ClassVar[tuple[str, ...]] = ("parallel", "reduction")
    LIST: ClassVar[str] = "raw_dim_list"

    def apply(self, state: TransformState) -> None:
        """Look at the loops."""
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
        state.set_params(self.result, [_i64(size) for size in sizes])


class _Operands(_AtPositions):
    """What `input` and `init` share: maps, and values or maps as results."""

    def verify_(self) -> None:
        """One operand for a result, of a kind that an operand can be bound to."""
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
        maps = [maps_of(op)[first + position] for position in picked]
        for position, map_ in zip(picked, maps, strict=True):
            whole = bodies.is_permutation(map_)
            if "permutation" in self.properties and not whole:
                raise self.refuse(f"{self.WHAT} {position}'s map is no permutation", op)
            projected = bodies.is_projected_permutation(map_)
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
    """Inputs and their maps."""

    name = "transform.match.structured.input"

    raw_position_list = prop_def(DenseArrayBase.constr(i64))
    permutation = opt_prop_def(UnitAttr)
    projected_permutation = opt_prop_def(UnitAttr)
    result = opt_result_def(TransformHandleType)

    VERB: ClassVar[str | None] = "match.structured.input"
    WHAT: ClassVar[str] = "input"
    FLAGS: ClassVar[tuple[str, ...]] = ("permutation", "projected_permutation")

    def apply(self, state: TransformState) -> None:
        """Look at the inputs."""
        op = one_structured(self, state, self.operand_handle)
        self.look(state, op, 0, len(op.inputs))


@irdl_op_definition
class MatchStructuredInitOp(_Operands):
    """Outputs and their maps."""

    name = "transform.match.structured.init"

    raw_position_list = prop_def(DenseArrayBase.constr(i64))
    permutation = opt_prop_def(UnitAttr)
    projected_permutation = opt_prop_def(UnitAttr)
    result = opt_result_def(TransformHandleType)

    VERB: ClassVar[str | None] = "match.structured.init"
    WHAT: ClassVar[str] = "init"
    FLAGS: ClassVar[tuple[str, ...]] = ("permutation", "projected_permutation")

    def apply(self, state: TransformState) -> None:
        """Look at the outputs."""
        op = one_structured(self, state, self.operand_handle)
        self.look(state, op, len(op.inputs), len(op.outputs))


@irdl_op_definition
class MatchStructuredResultOp(TransformOp):
    """A result, or the op that uses it."""

    name = "transform.match.structured.result"

    operand_handle = operand_def(TransformOpHandleType)
    position = prop_def(IntegerAttr.constr(i64))
    any = opt_prop_def(UnitAttr)
    single = opt_prop_def(UnitAttr)
    result = result_def(TransformHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$operand_handle `[` $position `]` (`any` $any^)? (`single` $single^)? "
        "attr-dict `:` functional-type(operands, results)"
    )

    VERB: ClassVar[str | None] = "match.structured.result"

    def verify_(self) -> None:
        """A user by one of two words, or the value by neither."""
        is_op = isinstance(self.result.type, TransformOpHandleType)
        if (self.any is not None or self.single is not None) != is_op:
            raise VerifyException(
                "expects the word 'any' or 'single' for a handle to a user, and none "
                "for a handle to the value"
            )
        if self.any is not None and self.single is not None:
            raise VerifyException("'any' and 'single' are mutually exclusive")

    def apply(self, state: TransformState) -> None:
        """Look at the result and its users."""
        op = one_structured(self, state, self.operand_handle)
        position = self.position.value.data
        index = position + len(op.results) if position < 0 else position
        if not 0 <= index < len(op.results):
            raise self.refuse(
                f"there is no result {position}, the op has {len(op.results)}", op
            )
        value = op.results[index]
        if isinstance(self.result.type, TransformValueHandleType):
            state.set_values(self.result, [value])
            return
        users = [use.operation for use in value.uses]
        if not users:
            raise self.refuse(f"result {index} has no user", op)
        if self.single is not None and len(users) != 1:
            raise self.refuse(f"result {index} has {len(users)} uses", op)
        state.set_ops(self.result, users[:1])


@irdl_op_definition
class MatchStructuredClassifyContractionDimsOp(TransformOp):
    """Which loops of a contraction are batch, m, n and k."""

    name = "transform.match.structured.classify_contraction_dims"

    operand_handle = operand_def(TransformOpHandleType)
    batch = result_def(TransformParamHandleType)
    m = result_def(TransformParamHandleType)
    n = result_def(TransformParamHandleType)
    k = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    VERB: ClassVar[str | None] = "match.structured.classify_contraction_dims"

    def apply(self, state: TransformState) -> None:
        """Sort the loops by the operands they index."""
        op = one_structured(self, state, self.operand_handle)
        dims = bodies.contraction_dims(op)
        if dims is None:
            raise self.refuse("the op is no contraction of two inputs", op)
        for result, loops in zip(self.results, dims, strict=True):
            state.set_params(result, [_i64(loop) for loop in loops])


def _i64(value: int) -> Attribute:
    return IntegerAttr(value, i64)


MATCHERS: list[type[Operation]] = [
    MatchStructuredOp,
    MatchStructuredYieldOp,
    MatchStructuredRankOp,
    MatchStructuredNumInputsOp,
    MatchStructuredNumInitsOp,
    MatchStructuredElementalBitwidthOp,
    MatchStructuredBodyOp,
    MatchStructuredDimOp,
    MatchStructuredInputOp,
    MatchStructuredInitOp,
    MatchStructuredResultOp,
    MatchStructuredClassifyContractionDimsOp,
]
