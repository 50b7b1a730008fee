"""Bodies in the text of `linalg.map` and `linalg.reduce`: a name, or a region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects.linalg.generic import YieldOp


@dataclass(frozen=True)
class ShortPayload:
    """The only op of a body, as the short form gives it."""

    kind: type[IRDLOperation]
    given: dict[str, Attribute]

    def body(self, types: Sequence[Attribute], operands: Sequence[int]) -> Region:
        """The body: the op takes some of the arguments and has the last one's type."""
        block = Block(arg_types=types)
        properties, attributes = dict[str, Attribute](), dict[str, Attribute]()
        known = self.kind.get_irdl_definition().properties
        for name, value in self.given.items():
            (properties if name in known else attributes)[name] = value
        op = self.kind.build(
            operands=[block.args[position] for position in operands],
            result_types=[types[-1]],
            properties=properties,
            attributes=attributes,
        )
        block.add_ops([op, YieldOp(op.results[0])])
        return Region(block)


def parse_short_payload(parser: Parser) -> ShortPayload | None:
    """`[{ dialect.op [{...}] }]`."""
    if not parser.parse_optional_punctuation("{"):
        return None
    pos = parser.pos
    name = parser.parse_identifier()
    kind = parser.ctx.get_optional_op(name)
    if kind is None or not issubclass(kind, IRDLOperation):
        parser.raise_error(f"the op '{name}' is not supported", pos, parser.pos)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return ShortPayload(kind, attributes)


def parse_long_body(parser: Parser) -> Region:
    """`(%a: type, ...) { ... }`."""
    args = parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN, parser.parse_argument
    )
    return parser.parse_region(args)


def short_payload(block: Block, operands: Sequence[SSAValue]) -> Operation | None:
    """The only op of a body, if it takes these values and is what the body yields."""
    op, last = block.first_op, block.last_op
    if op is None or last is None or op.next_op is not last or len(op.results) != 1:
        return None
    if tuple(op.operands) != tuple(operands) or op.regions:
        return None
    is_yielded = tuple(last.operands) == (op.results[0],)
    return op if is_yielded and op.results[0].type == block.args[-1].type else None


def print_short_payload(printer: Printer, op: Operation) -> None:
    """` { dialect.op [{...}] }`."""
    printer.print_string(f" {{ {op.name}")
    printer.print_op_attributes(_without_defaults(op))
    printer.print_string(" }")


def print_long_body(printer: Printer, body: Region) -> None:
    """` (%a: type, ...) { ... }`."""
    printer.print_string(" ")
    with printer.in_parens():
        printer.print_list(body.block.args, printer.print_block_argument)
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False)


def _without_defaults(op: Operation) -> dict[str, Attribute]:
    """The properties and attributes of an op that are not its defaults."""
    assert isinstance(op, IRDLOperation)
    known = op.get_irdl_definition().properties
    changed = {
        name: value
        for name, value in op.properties.items()
        if name not in known or known[name].default_value != value
    }
    return changed | op.attributes
