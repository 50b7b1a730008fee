"""`func.cast_and_call`: call a function in the place of what computes some values.

Before:
    %r = "dummy.compute"(%x) : (tensor<4xf32>) -> tensor<?xf32>
    "dummy.use"(%r) : (tensor<?xf32>) -> ()

After:
    %y = func.call @library(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %s = tensor.cast %y : tensor<4xf32> to tensor<?xf32>
    "dummy.use"(%s) : (tensor<?xf32>) -> ()

    transform.func.cast_and_call @library(%in) -> %out after %op {
      transform.type_conversion.tensor.cast_shape_dynamic_dims
    } : ...

The call takes the input values and replaces the output values for their users. Where
types differ, the conversions in the region cast them. Nothing is erased.

Requires: a function with as many arguments and results; inputs that are there before
the call, and users of outputs only after it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, SymbolTable
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import func, tensor
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
    TransformValueHandleType,
)
from tilewright.transforms.core.sizes import dominates
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_signature


@irdl_op_definition
class CastShapeOp(IRDLOperation):
    """Convert tensors by `tensor.cast`, which changes what is known of sizes."""

    name = "transform.type_conversion.tensor.cast_shape_dynamic_dims"

    ignore_dynamic_info = opt_prop_def(UnitAttr)

    assembly_format = "(`ignore_dynamic_info` $ignore_dynamic_info^)? attr-dict"

    def cast(
        self, value: SSAValue, to: Attribute, *, is_argument: bool
    ) -> Operation | None:
        """The op that converts a value; None if it cannot.

        As upstream, only an argument must not have a size that is not known before.
        """
        of = value.type
        if not is_tensor(of) or not is_tensor(to):
            return None
        if of.element_type != to.element_type or of.get_num_dims() != to.get_num_dims():
            return None
        for had, wanted in zip(of.get_shape(), to.get_shape(), strict=True):
            if had >= 0 and wanted >= 0 and had != wanted:
                return None
            is_new = had < 0 <= wanted and is_argument
            if is_new and self.ignore_dynamic_info is None:
                return None
        return tensor.CastOp(value, to)


@irdl_op_definition
class CastAndCallOp(TransformOp):
    """Call a function; its results replace the outputs for their users."""

    name = "transform.func.cast_and_call"

    insertion_point = operand_def(TransformOpHandleType)
    insert_after = opt_prop_def(UnitAttr)
    inputs = opt_operand_def(TransformValueHandleType)
    outputs = opt_operand_def(TransformValueHandleType)
    function_name = opt_prop_def(SymbolRefAttr)
    function = opt_operand_def(TransformOpHandleType)
    result = result_def(TransformOpHandleType)
    conversions = region_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(NoTerminator())

    def verify_(self) -> None:
        """Check the region, and that there is one function to call."""
        for block in self.conversions.blocks:
            for op in block.ops:
                if not isinstance(op, CastShapeOp):
                    raise VerifyException(
                        f"expected conversions of types in its region, not '{op.name}'"
                    )
        if self.function is None and self.function_name is None:
            raise VerifyException("expected a function handle or name to call")
        if self.function is not None and self.function_name is not None:
            raise VerifyException("function handle and name are mutually exclusive")

    @classmethod
    def parse(cls, parser: Parser) -> CastAndCallOp:
        """`@name|%f [(%in)] [-> %out] (before|after) %op [{...}] : types`."""
        name = parser.parse_optional_symbol_name()
        function = parser.parse_optional_unresolved_operand()
        inputs = outputs = None
        if parser.parse_optional_punctuation("("):
            inputs = parser.parse_unresolved_operand()
            parser.parse_punctuation(")")
        if parser.parse_optional_punctuation("->"):
            outputs = parser.parse_unresolved_operand()
        after = parser.parse_optional_keyword("after")
        if after is None:
            parser.parse_keyword("before")
        point = parser.parse_unresolved_operand()
        region = parser.parse_optional_region()
        attributes = parser.parse_optional_attr_dict()
        written = [point, inputs, outputs, function]
        resolved, types = parse_signature(
            parser, [each for each in written if each is not None]
        )
        values = iter(resolved)

        def taken(given: UnresolvedOperand | None) -> list[SSAValue]:
            return [] if given is None else [next(values)]

        op = cls.build(
            operands=[next(values), taken(inputs), taken(outputs), taken(function)],
            result_types=types,
            properties={
                "insert_after": None if after is None else UnitAttr(),
                "function_name": None if name is None else SymbolRefAttr(name),
            },
            regions=[Region() if region is None else region],
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """`@name|%f [(%in)] [-> %out] (before|after) %op [{...}] : types`."""
        printer.print_string(" ")
        if self.function_name is not None:
            printer.print_attribute(self.function_name)
        if self.function is not None:
            printer.print_ssa_value(self.function)
        if self.inputs is not None:
            with printer.in_parens():
                printer.print_ssa_value(self.inputs)
        if self.outputs is not None:
            printer.print_string(" -> ")
            printer.print_ssa_value(self.outputs)
        printer.print_string(" after " if self.insert_after is not None else " before ")
        printer.print_ssa_value(self.insertion_point)
        if self.conversions.blocks:
            printer.print_string(" ")
            printer.print_region(self.conversions)
        print_signature(printer, self)

    def apply(self, state: TransformState) -> None:
        """Check everything, then build the casts and the call."""
        inputs = () if self.inputs is None else state.payload_values(self.inputs)
        outputs = () if self.outputs is None else state.payload_values(self.outputs)
        if len(set(outputs)) != len(outputs):
            raise self.refuse("an output is there twice")
        point = self._point(state)
        self._check_order(point, inputs, outputs)
        callee = self._callee(state, point)
        types = callee.function_type
        if len(inputs) != len(types.inputs) or len(outputs) != len(types.outputs):
            raise self.refuse(
                f"@{callee.sym_name.data} takes {len(types.inputs)} values and returns "
                f"{len(types.outputs)}; there are {len(inputs)} inputs and "
                f"{len(outputs)} outputs"
            )
        made: list[Operation] = []
        arguments = [
            self._cast(value, to, made, is_argument=True)
            for value, to in zip(inputs, types.inputs, strict=True)
        ]
        call = func.CallOp(callee.sym_name.data, arguments, types.outputs.data)
        made.append(call)
        results = [
            self._cast(value, old.type, made, is_argument=False)
            for value, old in zip(call.results, outputs, strict=True)
        ]
        if self.insert_after is not None:
            state.rewriter.insert_after(point, *made)
        else:
            state.rewriter.insert_before(point, *made)
        for old, new in zip(outputs, results, strict=True):
            for use in list(old.uses):
                if use.operation not in made:
                    state.rewriter.set_operand(use.operation, use.index, new)
        state.set_ops(self.result, [call])

    def _point(self, state: TransformState) -> Operation:
        ops = state.payload_ops(self.insertion_point)
        if len(ops) != 1:
            raise self.refuse(
                f"needs one op as the insertion point, the handle points at {len(ops)}"
            )
        return ops[0]

    def _check_order(
        self, point: Operation, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
    ) -> None:
        after = self.insert_after is not None
        for value in inputs:
            if not (dominates(value, point) or (after and value.owner is point)):
                raise self.broken("an input is computed after the call", point)
        for value in outputs:
            for use in value.uses:
                if not _comes_after(use.operation, point, or_is=not after):
                    raise self.broken(
                        "an output is used before the call", use.operation
                    )

    def _callee(self, state: TransformState, point: Operation) -> func.FuncOp:
        if self.function_name is not None:
            found = SymbolTable.lookup_symbol(point, self.function_name)
            if not isinstance(found, func.FuncOp):
                raise self.broken(f"there is no function {self.function_name}")
            return found
        assert self.function is not None
        ops = state.payload_ops(self.function)
        if len(ops) != 1 or not isinstance(ops[0], func.FuncOp):
            raise self.broken("needs a handle to one function to call")
        return ops[0]

    def _cast(
        self,
        value: SSAValue,
        to: Attribute,
        made: list[Operation],
        *,
        is_argument: bool,
    ) -> SSAValue:
        """A value of another type; the conversions are tried, the last one first."""
        if value.type == to:
            return value
        conversions = [op for block in self.conversions.blocks for op in block.ops]
        for conversion in reversed(conversions):
            assert isinstance(conversion, CastShapeOp)
            cast = conversion.cast(value, to, is_argument=is_argument)
            if cast is not None:
                made.append(cast)
                return cast.results[0]
        raise self.broken(f"no conversion casts '{value.type}' to '{to}'")


def _comes_after(user: Operation, point: Operation, *, or_is: bool) -> bool:
    """Whether `point` has run before `user` runs; `or_is`: it may be `user` itself."""
    block: Block | None = point.parent
    around = block.find_ancestor_op_in_block(user) if block is not None else None
    if around is None:
        return False
    return (or_is and around is point) or (
        around is not point and point.is_before_in_block(around)
    )
