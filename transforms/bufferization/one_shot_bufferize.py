"""`one_shot_bufferize`: from tensors to buffers, in place where it may be.

Before:
    %t = vector.transfer_write %v, %slice[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %out[%i, %j] [8, 8] [1, 1] : ...
    }

After:
    %sub = memref.subview %buffer[%i, %j] [8, 8] [1, 1] : memref<64x64xf32> to ...
    vector.transfer_write %v, %sub[%c0, %c0] : vector<8x8xf32>, memref<8x8xf32, ...>

Requires: `layout{IdentityLayoutMap}` and `bufferize_function_boundaries = true`; masked
transfers lowered. A function's arguments are never written: a write into one gets a
copy. Constant tensors become `memref.global`s. Copies of a buffer onto itself, which
upstream leaves behind, are not made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects import func
from tilewright.transforms.base import AnyOpType, TransformOp, TransformOpHandleType
from tilewright.transforms.bufferization.boundaries import (
    IDENTITY,
    INFER,
    Boundaries,
)
from tilewright.transforms.bufferization.bufferizer import ModuleBufferizer, Options
from tilewright.transforms.bufferization.checking import check
from tilewright.transforms.state import TransformState
from tilewright.transforms.syntax import parse_signature, print_signature


@irdl_op_definition
class OneShotBufferizeOp(TransformOp):
    """Bufferize a module; consumes the handle, returns one to the same module."""

    name = "transform.bufferization.one_shot_bufferize"
    VERB: ClassVar[str | None] = "bufferize"

    target = operand_def(TransformOpHandleType)
    layout = opt_prop_def(StringAttr, prop_name="function_boundary_type_conversion")
    transformed = result_def(TransformOpHandleType)

    def __init__(
        self, target: SSAValue, attributes: dict[str, Attribute] | None = None
    ):
        if attributes is None:
            attributes = {
                "bufferize_function_boundaries": BoolAttr.from_bool(True),
                "allow_return_allocs_from_loops": BoolAttr.from_bool(True),
            }
        super().__init__(
            operands=[target],
            result_types=[AnyOpType()],
            properties={"function_boundary_type_conversion": StringAttr(IDENTITY)},
            attributes=attributes,
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """Everything in the module is made anew."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Bufferize every function in the target."""
        options = self._options()
        targets = state.payload_ops(self.target)
        functions = [
            op for root in targets for op in root.walk() if isinstance(op, func.FuncOp)
        ]
        for function in functions:
            check(self, function)
        made: dict[Operation, Operation] = {}
        for module, inside in _by_module(functions).items():
            buffers = ModuleBufferizer(module, options)
            for function in buffers.callees_first():
                if function in inside:
                    made[function] = buffers.bufferize(function)
            state.rewriter.insert_before(inside[0], *buffers.constants.made)
        for old, new in made.items():
            state.rewriter.insert_before(old, new)
            state.rewriter.erase(old)
        state.set_ops(self.transformed, [made.get(op, op) for op in targets])

    def _options(self) -> Options:
        layout = INFER if self.layout is None else self.layout.data
        if layout != IDENTITY:
            raise self.refuse(
                "only identity layouts at function boundaries are supported",
                remedy=f"write layout{{{IDENTITY}}}",
            )
        if not _is_true(self.attributes.get("bufferize_function_boundaries")):
            raise self.refuse(
                "tensors at function boundaries must be bufferized",
                remedy="set bufferize_function_boundaries = true",
            )
        return Options(Boundaries(layout))

    @classmethod
    def parse(cls, parser: Parser) -> OneShotBufferizeOp:
        """`[layout{X}] %target {options} : (type) -> type`."""
        layout: StringAttr | None = None
        if parser.parse_optional_keyword("layout"):
            with parser.in_braces():
                layout = StringAttr(parser.parse_identifier())
        target = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [target])
        op = cls.build(
            operands=operands,
            result_types=types,
            properties={"function_boundary_type_conversion": layout},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The upstream form."""
        if self.layout is not None:
            printer.print_string(f" layout{{{self.layout.data}}}")
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        print_signature(printer, self)


def _by_module(functions: list[func.FuncOp]) -> dict[Operation, list[func.FuncOp]]:
    """Functions by the op whose symbols they can call."""
    tables: dict[Operation, list[func.FuncOp]] = {}
    for function in functions:
        table = function.parent_op()
        assert table is not None
        tables.setdefault(table, []).append(function)
    return tables


def _is_true(attribute: Attribute | None) -> bool:
    if isinstance(attribute, UnitAttr):
        return True
    return isinstance(attribute, IntegerAttr) and bool(attribute.value.data)
