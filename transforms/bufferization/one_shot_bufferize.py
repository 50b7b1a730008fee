"""`one_shot_bufferize`: from tensors to buffers, in place where possible.

Before:
    %t = vector.transfer_write %v, %slice[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %out[%i, %j] [8, 8] [1, 1] : ...
    }

After:
    %sub = memref.subview %buffer[%i, %j] [8, 8] [1, 1] : memref<64x64xf32> to ...
    vector.transfer_write %v, %sub[%c0, %c0] : vector<8x8xf32>, memref<8x8xf32, ...>

Requires: masked transfers lowered. Without `bufferize_function_boundaries = true` the
arguments and results of functions stay tensors. Otherwise a function's arguments are
not written, unless they are declared `bufferization.writable = true`, or the run allows
it (`ScheduleRun.as_upstream`): a write into one gets a copy. Constant tensors become
`memref.global`s. Copies of a buffer onto itself, which upstream leaves behind, are not
made. Grids that share a launch are brought together first (`merged_launches.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import func, scf
from tilewright.ir.types import is_buffer
from tilewright.transforms.bufferization.function_boundaries import (
    IDENTITY,
    INFER,
    LAYOUTS,
    Boundaries,
)
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_types
from tilewright.transforms.core.walking import walked

if TYPE_CHECKING:
    from tilewright.transforms.bufferization.bufferizer import ModuleBufferizer, Options

FIXED = {
    "dump_alias_sets": False,
    "print_conflicts": False,
}
"""Options of upstream's op that can have only one value here."""

OPTIONS = (
    "allow_return_allocs_from_loops",
    "allow_unknown_ops",
    "bufferize_function_boundaries",
    "check_parallel_regions",
    "memcpy_op",
    "test_analysis_only",
    *FIXED,
)
COPIES = ("memref.copy", "linalg.copy")
DECISIONS = "__inplace_operands_attr__"


@irdl_op_definition
class OneShotBufferizeOp(TransformOp):
    """Bufferize a module; consumes the handle, returns one to the same module."""

    name = "transform.bufferization.one_shot_bufferize"

    target = operand_def(TransformOpHandleType)
    layout = opt_prop_def(
        IntegerAttr.constr(i32), prop_name="function_boundary_type_conversion"
    )
    allow_return_allocs_from_loops = opt_prop_def(BoolAttr)
    allow_unknown_ops = opt_prop_def(BoolAttr)
    bufferize_function_boundaries = opt_prop_def(BoolAttr)
    check_parallel_regions = opt_prop_def(BoolAttr)
    dump_alias_sets = opt_prop_def(BoolAttr)
    memcpy_op = opt_prop_def(StringAttr)
    print_conflicts = opt_prop_def(BoolAttr)
    test_analysis_only = opt_prop_def(BoolAttr)
    transformed = result_def(TransformOpHandleType)

    def __init__(self, target: SSAValue):
        super().__init__(
            operands=[target],
            result_types=[AnyOpType()],
            properties={
                "function_boundary_type_conversion": _number_of(IDENTITY),
                "bufferize_function_boundaries": BoolAttr.from_bool(True),
                "allow_return_allocs_from_loops": BoolAttr.from_bool(True),
            },
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """All functions in the module are replaced."""
        return (self.target,)

    def verify_(self) -> None:
        """Check that the layout exists."""
        number = 0 if self.layout is None else self.layout.value.data
        if not 0 <= number < len(LAYOUTS):
            raise VerifyException(
                "attribute 'function_boundary_type_conversion' must be 0, 1 or 2, but "
                f"got {number}"
            )

    def apply(self, state: TransformState) -> None:
        """Bufferize every function in the target."""
        # Imported here: reading and checking a schedule does not need the analysis.
        from tilewright.transforms.bufferization.bufferizer import ModuleBufferizer
        from tilewright.transforms.bufferization.merged_launches import bring_together
        from tilewright.transforms.bufferization.preconditions import check, check_calls

        options = self._options(state)
        targets = state.payload_ops(self.target)
        functions = [
            op for root in targets for op in walked(root) if isinstance(op, func.FuncOp)
        ]
        for function in functions:
            check(self, function, options.model_of)
        modules = _by_module(functions)
        for module, inside in modules.items():
            if not options.keep_functions:
                check_calls(self, module, inside)
        if _is_true(self.test_analysis_only):
            for module, inside in modules.items():
                _annotate(ModuleBufferizer(module, options), inside)
            for function in functions:
                state.rewriter.changed(function)
            state.set_ops(self.transformed, targets)
            return
        for function in functions:
            for block in function.body.blocks:
                bring_together(block)
        made: dict[Operation, Operation] = {}
        constants: dict[Operation, Sequence[Operation]] = {}
        for module, inside in modules.items():
            buffers = ModuleBufferizer(module, options)
            for function in buffers.callees_first():
                if function in inside:
                    made[function] = buffers.bufferize(function)
                    self._check_loops(function, made[function])
            constants[inside[0]] = buffers.constants.made
        for first, new in constants.items():
            state.rewriter.insert_before(first, *new)
        for old, new in made.items():
            state.rewriter.insert_before(old, new)
            state.rewriter.erase(old)
        state.set_ops(self.transformed, [made.get(op, op) for op in targets])

    def _options(self, state: TransformState) -> Options:
        """The options, or a refusal that names the one that is not supported."""
        from tilewright.transforms.bufferization.bufferizer import Options

        layout = INFER if self.layout is None else LAYOUTS[self.layout.value.data]
        for name, wanted in FIXED.items():
            given = self.properties.get(name)
            if given is not None and _is_true(given) != wanted:
                written = "false" if wanted else "true"
                raise self.refuse(
                    f"{name} = {written} is not supported", remedy=f"leave {name} out"
                )
        memcpy = "memref.copy" if self.memcpy_op is None else self.memcpy_op.data
        if memcpy not in COPIES:
            raise self.refuse(
                f"memcpy_op = '{memcpy}' is not supported",
                remedy=f"choose {' or '.join(COPIES)}",
            )
        return Options(
            Boundaries(layout),
            memcpy,
            keep_functions=not _is_true(self.bufferize_function_boundaries),
            keep_unknown=_is_true(self.allow_unknown_ops),
            check_parallel=(
                self.check_parallel_regions is None
                or _is_true(self.check_parallel_regions)
            ),
            write_arguments=state.follows_upstream(self),
        )

    def _check_loops(self, before: Operation, after: Operation) -> None:
        """Refuse loops that yield another buffer, unless that is allowed."""
        if _is_true(self.allow_return_allocs_from_loops):
            return
        if _carried_buffers(after) > _carried_buffers(before):
            raise self.refuse(
                "a loop yields another buffer than it started from",
                before,
                "set allow_return_allocs_from_loops = true",
            )

    @classmethod
    def parse(cls, parser: Parser) -> OneShotBufferizeOp:
        """`[layout{X}] %target {options} : (type) -> type`."""
        layout: IntegerAttr[IntegerType] | None = None
        if parser.parse_optional_keyword("layout"):
            with parser.in_braces():
                layout = _parse_layout(parser)
        target = parser.parse_unresolved_operand()
        attributes = dict(parser.parse_optional_attr_dict())
        operands, types = parse_signature(parser, [target])
        known = {name: attributes.pop(name, None) for name in OPTIONS}
        op = cls.build(
            operands=operands,
            result_types=types,
            properties={"function_boundary_type_conversion": layout, **known},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print the upstream syntax."""
        if self.layout is not None:
            printer.print_string(f" layout{{{LAYOUTS[self.layout.value.data]}}}")
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        options = {k: v for k, v in self.properties.items() if k in OPTIONS}
        printer.print_op_attributes({**options, **self.attributes})
        print_types(printer, self)


def _number_of(layout: str) -> IntegerAttr[IntegerType]:
    return IntegerAttr(LAYOUTS.index(layout), i32)


def _parse_layout(parser: Parser) -> IntegerAttr[IntegerType]:
    pos = parser.pos
    word = parser.parse_identifier()
    if word not in LAYOUTS:
        parser.raise_error(
            f"there is no layout '{word}' for function boundaries; write one of "
            + ", ".join(LAYOUTS),
            pos,
            parser.pos,
        )
    return _number_of(word)


def _by_module(functions: list[func.FuncOp]) -> dict[Operation, list[func.FuncOp]]:
    """Functions by the op whose symbols they can call."""
    tables: dict[Operation, list[func.FuncOp]] = {}
    for function in functions:
        table = function.parent_op()
        assert table is not None
        tables.setdefault(table, []).append(function)
    return tables


def _annotate(buffers: ModuleBufferizer, functions: list[func.FuncOp]) -> None:
    """Annotate the ops with the decisions, as upstream does."""
    from tilewright.transforms.bufferization.op_model import tensor_operands

    decided = [
        buffers.analyze(function)
        for function in buffers.callees_first()
        if function in functions and not function.is_declaration
    ]
    for analysis in decided:
        for op in analysis.facts.function.walk():
            if next(tensor_operands(op), None) is None:
                continue
            words = ["none"] * len(op.operands)
            for operand in tensor_operands(op):
                words[operand.index] = str(operand in analysis.in_place).lower()
            op.attributes[DECISIONS] = ArrayAttr([StringAttr(word) for word in words])


def _carried_buffers(root: Operation) -> int:
    return sum(
        is_buffer(value.type)
        for op in root.walk()
        if isinstance(op, scf.ForOp)
        for value in op.iter_args
    )


def _is_true(attribute: Attribute | None) -> bool:
    if isinstance(attribute, UnitAttr):
        return True
    return isinstance(attribute, IntegerAttr) and bool(attribute.value.data)
