"""scf.forall, the parallel grid, and its terminator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Region,
    SSAValue,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsTerminator,
    NoMemoryEffect,
    NoTerminator,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.scf.branches import parse_result_types
from tilewright.ir.types import is_array


def mixed(
    static: DenseArrayBase[IntegerType], dynamic: Iterable[SSAValue]
) -> list[SSAValue | int]:
    """The list that `static` and `dynamic` encode: integers and values interleaved."""
    values = iter(dynamic)
    return [
        next(values) if entry == DYNAMIC_INDEX else entry for entry in _numbers(static)
    ]


def split(
    entries: Sequence[SSAValue | int],
) -> tuple[DenseArrayBase[IntegerType], list[SSAValue]]:
    """Encode a list of integers and values: the inverse of `mixed`."""
    numbers = [e if isinstance(e, int) else DYNAMIC_INDEX for e in entries]
    values = [e for e in entries if not isinstance(e, int)]
    return _packed(tuple(numbers)), values


@lru_cache(maxsize=1 << 12)
def _packed(numbers: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i64, numbers)


def _numbers(array: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
    return _unpacked(array.data.data)


@lru_cache(maxsize=1 << 12)
def _unpacked(data: bytes) -> tuple[int, ...]:
    # The key is the bytes: hashing an attribute hashes everything inside it.
    return i64.unpack(data, len(data) // i64.size)


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """Terminator of `scf.forall`: holds the slices written back in parallel."""

    name = "scf.forall.in_parallel"

    region = region_def("single_block")

    # The ops inside pass values on and have no memory effects.
    traits = traits_def(IsTerminator(), NoTerminator(), NoMemoryEffect())

    def __init__(self, region: Region | None = None):
        super().__init__(regions=[region or Region(Block())])

    def verify_(self) -> None:
        """All ops inside are `parallel_insert_slice`."""
        for op in self.region.block.ops:
            if op.name != "tensor.parallel_insert_slice":
                raise VerifyException(
                    f"expected only tensor.parallel_insert_slice, got '{op.name}'"
                )

    @classmethod
    def parse(cls, parser: Parser) -> InParallelOp:
        """`scf.forall.in_parallel { ... }`."""
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        return cls(region)

    def print(self, printer: Printer) -> None:
        """`scf.forall.in_parallel { ... }`."""
        printer.print_string(" ")
        printer.print_region(self.region, print_empty_block=False)


@irdl_op_definition
class ForallOp(IRDLOperation):
    """A parallel loop nest over tensors or buffers; mapped to blocks it is a grid."""

    name = "scf.forall"

    dynamic_lower_bound = var_operand_def(IndexType)
    dynamic_upper_bound = var_operand_def(IndexType)
    dynamic_step = var_operand_def(IndexType)
    outputs = var_operand_def(TensorType)

    static_lower_bound = prop_def(
        DenseArrayBase.constr(i64), prop_name="staticLowerBound"
    )
    static_upper_bound = prop_def(
        DenseArrayBase.constr(i64), prop_name="staticUpperBound"
    )
    static_step = prop_def(DenseArrayBase.constr(i64), prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr)

    res = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        lower_bounds: Sequence[SSAValue | int],
        upper_bounds: Sequence[SSAValue | int],
        steps: Sequence[SSAValue | int],
        outputs: Sequence[SSAValue],
        body: Region,
        mapping: ArrayAttr[Attribute] | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        static_lower, lower = split(lower_bounds)
        static_upper, upper = split(upper_bounds)
        static_step, step = split(steps)
        super().__init__(
            operands=[lower, upper, step, outputs],
            result_types=[[output.type for output in outputs]],
            properties={
                "staticLowerBound": static_lower,
                "staticUpperBound": static_upper,
                "staticStep": static_step,
                "mapping": mapping,
            },
            attributes=attributes or {},
            regions=[body],
        )

    @property
    def rank(self) -> int:
        """Number of loops."""
        return len(_numbers(self.static_upper_bound))

    @property
    def lower_bounds(self) -> list[SSAValue | int]:
        """Lower bound of each loop."""
        return self._mixed(self.static_lower_bound, "dynamic_lower_bound")

    @property
    def upper_bounds(self) -> list[SSAValue | int]:
        """Upper bound of each loop."""
        return self._mixed(self.static_upper_bound, "dynamic_upper_bound")

    @property
    def steps(self) -> list[SSAValue | int]:
        """Step of each loop."""
        return self._mixed(self.static_step, "dynamic_step")

    def _mixed(
        self, static: DenseArrayBase[IntegerType], dynamic: str
    ) -> list[SSAValue | int]:
        numbers = _numbers(static)
        if DYNAMIC_INDEX not in numbers:
            return list(numbers)
        return mixed(static, getattr(self, dynamic))

    @property
    def induction_vars(self) -> tuple[BlockArgument, ...]:
        """The loops' indices, outermost first."""
        return self.body.block.args[: self.rank]

    @property
    def shared_outs(self) -> tuple[BlockArgument, ...]:
        """The block arguments that stand for the outputs inside the body."""
        return self.body.block.args[self.rank :]

    @property
    def terminator(self) -> InParallelOp:
        """The `in_parallel` op."""
        last = self.body.block.last_op
        assert isinstance(last, InParallelOp)
        return last

    @property
    def is_normalized(self) -> bool:
        """Whether every loop runs from 0 in steps of 1."""
        return all(lb == 0 for lb in self.lower_bounds) and all(
            step == 1 for step in self.steps
        )

    def verify_(self) -> None:
        """One index per loop, one argument per output, in_parallel at the end."""
        args = self.body.block.args
        if len(args) != self.rank + len(self.outputs):
            raise VerifyException(
                f"expected {self.rank} indices and {len(self.outputs)} shared outputs "
                f"as block arguments, got {len(args)}"
            )
        for arg, output in zip(self.shared_outs, self.outputs, strict=True):
            if arg.type != output.type:
                raise VerifyException("shared output and block argument types differ")
        if self.mapping is not None and len(self.mapping) != self.rank:
            raise VerifyException("mapping attribute size must match op rank")
        if not isinstance(self.body.block.last_op, InParallelOp):
            raise VerifyException("expected scf.forall.in_parallel as terminator")

    @classmethod
    def parse(cls, parser: Parser) -> ForallOp:
        """`scf.forall (%i, %j) in (8, 8) shared_outs(%o = %t) -> (type) {...}`."""
        indices = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        if parser.parse_optional_punctuation("="):
            lower = _parse_bounds(parser)
            parser.parse_keyword("to")
            upper = _parse_bounds(parser)
            parser.parse_keyword("step")
            steps = _parse_bounds(parser)
        else:
            parser.parse_keyword("in")
            upper = _parse_bounds(parser)
            lower = [0] * len(upper)
            steps = [1] * len(upper)
        if len(indices) != len(upper):
            parser.raise_error("expected as many bounds as loop indices")
        shared: list[tuple[Parser.UnresolvedArgument, SSAValue]] = []
        arguments = [index.resolve(IndexType()) for index in indices]
        if parser.parse_optional_keyword("shared_outs"):
            pos = parser.pos
            pairs = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN,
                lambda: (
                    parser.parse_argument(expect_type=False),
                    parser.parse_punctuation("="),
                    parser.parse_unresolved_operand(),
                ),
            )
            types = parse_result_types(parser)
            operands = parser.resolve_operands([p[2] for p in pairs], types, pos)
            shared = [(p[0], v) for p, v in zip(pairs, operands, strict=True)]
            arguments += [p[0].resolve(t) for p, t in zip(pairs, types, strict=True)]
        body = parser.parse_region(arguments)
        if not isinstance(body.block.last_op, InParallelOp):
            body.block.add_op(InParallelOp())
        attributes = parser.parse_optional_attr_dict()
        mapping = attributes.pop("mapping", None)
        if mapping is not None and not is_array(mapping):
            parser.raise_error("expected an array attribute for 'mapping'")
        return cls(
            lower, upper, steps, [v for _, v in shared], body, mapping, attributes
        )

    def print(self, printer: Printer) -> None:
        """The upstream form; empty terminators are left out."""
        printer.print_string(" (")
        printer.print_list(self.induction_vars, printer.print_ssa_value)
        printer.print_string(")")
        if self.is_normalized:
            printer.print_string(" in ")
        else:
            printer.print_string(" = ")
            _print_bounds(printer, self.static_lower_bound, self.dynamic_lower_bound)
            printer.print_string(" to ")
        _print_bounds(printer, self.static_upper_bound, self.dynamic_upper_bound)
        if not self.is_normalized:
            printer.print_string(" step ")
            _print_bounds(printer, self.static_step, self.dynamic_step)
        if self.outputs:
            printer.print_string(" shared_outs(")
            printer.print_list(
                zip(self.shared_outs, self.outputs, strict=True),
                lambda pair: _print_assignment(printer, *pair),
            )
            printer.print_string(") -> (")
            printer.print_list(self.outputs.types, printer.print_attribute)
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(
            self.body,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=bool(self.terminator.region.block.ops),
        )
        attributes = dict(self.attributes)
        if self.mapping is not None:
            attributes = {"mapping": self.mapping, **attributes}
        printer.print_op_attributes(attributes)


def _parse_bounds(parser: Parser) -> list[SSAValue | int]:
    dynamic, static = parse_dynamic_index_list_without_types(
        parser, dynamic_index=DYNAMIC_INDEX, delimiter=Parser.Delimiter.PAREN
    )
    resolved = iter(parser.resolve_operand(v, IndexType()) for v in dynamic)
    return [next(resolved) if s == DYNAMIC_INDEX else s for s in static]


def _print_bounds(
    printer: Printer, static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]
) -> None:
    print_dynamic_index_list(
        printer,
        DYNAMIC_INDEX,
        dynamic,
        [int(v) for v in static.get_values()],
        delimiter=Parser.Delimiter.PAREN,
    )


def _print_assignment(printer: Printer, argument: SSAValue, value: SSAValue) -> None:
    printer.print_ssa_value(argument)
    printer.print_string(" = ")
    printer.print_ssa_value(value)
