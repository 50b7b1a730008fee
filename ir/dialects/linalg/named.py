"""Named ops: their body follows from the types, so the text leaves it out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import AttrSizedOperandSegments
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.generic import YieldOp
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.dialects.linalg.structured import StructuredOp
from tilewright.ir.dialects.linalg.syntax import (
    parse_operands,
    parse_results,
    print_attributes,
    print_ins_outs,
    print_results,
)
from tilewright.ir.types import element_type, is_tensor

Properties = Mapping[str, Attribute]


class NamedOp(StructuredOp, ABC):
    """A structured op with one output whose body is written by `scalar`."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        properties: Properties | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        result_types: Sequence[Attribute] | None = None,
    ):
        properties = properties or {}
        if result_types is None:
            result_types = [o.type for o in outputs if is_tensor(o.type)]
        super().__init__(
            operands=[inputs, outputs],
            result_types=[result_types],
            properties=properties,
            attributes=attributes,
            regions=[self.hidden_body(inputs, outputs, properties)],
        )

    @classmethod
    @abstractmethod
    def arity(cls, properties: Properties) -> int:
        """How many inputs the op takes."""

    @classmethod
    @abstractmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """Write the ops of the body; the value it yields."""

    @classmethod
    def hidden_body(
        cls,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        properties: Properties,
    ) -> Region:
        """The body for operands of these types."""
        expected = cls.arity(properties)
        if len(inputs) != expected or len(outputs) != 1:
            raise VerifyException(
                f"'{cls.name}' op expected {expected} input(s) and 1 output, got "
                f"{len(inputs)} and {len(outputs)}"
            )
        body = Body([element_type(value.type) for value in (*inputs, *outputs)])
        try:
            value = cls.scalar(body, properties)
        except VerifyException as error:
            raise VerifyException(f"'{cls.name}' op {error}") from error
        body.append(YieldOp(value))
        return body.region()

    def verify_(self) -> None:
        """The number of inputs is that of the body."""
        expected = self.arity(self.properties)
        if len(self.inputs) != expected or len(self.outputs) != 1:
            raise VerifyException(
                f"expected {expected} input(s) and 1 output, got {len(self.inputs)} "
                f"and {len(self.outputs)}"
            )
        super().verify_()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`[leading] [{...}] ins(...) outs(...) [-> type]`."""
        properties = cls.parse_leading(parser)
        operands = parse_operands(parser)
        results = parse_results(parser)
        attributes = dict(operands.attributes)
        for name in cls.get_irdl_definition().properties:
            if name in attributes:
                properties[name] = attributes.pop(name)
        properties |= cls.default_properties(operands.outputs, properties)
        return cls._built(
            operands.inputs, operands.outputs, properties, attributes, results
        )

    @classmethod
    def parse_leading(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse the properties that come before the operands."""
        return {}

    @classmethod
    def default_properties(
        cls, outputs: Sequence[SSAValue], given: Properties
    ) -> dict[str, Attribute]:
        """The properties that the text may leave out."""
        return {}

    @classmethod
    def _built(cls, *parts: Any) -> Self:
        """Make an op from its parts, without calling the constructor of a subclass."""
        op = cls.__new__(cls)
        NamedOp.__init__(op, *parts)
        return op

    def print(self, printer: Printer) -> None:
        """As parsed, without properties that have their default value."""
        leading = self.print_leading(printer)
        properties = {
            name: value
            for name, value in self.properties.items()
            if name != "operandSegmentSizes" and name not in leading
        }
        print_attributes(printer, properties | self.attributes)
        print_ins_outs(printer, self.inputs, self.outputs)
        print_results(printer, self.res.types)

    def print_leading(self, printer: Printer) -> Sequence[str]:
        """Print the properties that come before the operands; return their names."""
        return ()
