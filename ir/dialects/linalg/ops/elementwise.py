"""Element-wise named ops, from the table of scalar functions; fill and copy."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.attributes import (
    ElementwiseKindAttr,
    IteratorTypeAttr,
    TypeFn,
    TypeFnAttr,
)
from tilewright.ir.dialects.linalg.loops import iterators, pointwise_maps, shape_of
from tilewright.ir.dialects.linalg.named import NamedOp, Properties
from tilewright.ir.dialects.linalg.scalars import FUNCTIONS, Body, Function
from tilewright.ir.dialects.linalg.syntax import parse_maps
from tilewright.ir.types import element_type, is_buffer, is_tensor


class PointwiseOp(NamedOp, ABC):
    """A named op with a loop for each dimension of its output, all parallel.

    An input has the output's rank, or rank 0, and is broadcast.
    """

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The identity; the empty map for a scalar."""
        ranks = [len(shape_of(operand.type)) for operand in self.operands]
        return pointwise_maps(ranks[-1], tuple(rank == 0 for rank in ranks))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """All parallel."""
        return iterators(len(shape_of(self.outputs[0].type)))


class FunctionOp(PointwiseOp, ABC):
    """A named op of one scalar function: `linalg.exp`, `linalg.add` and relatives."""

    FUNCTION: ClassVar[Function]

    @classmethod
    def arity(cls, properties: Properties) -> int:
        """The number of the function's operands."""
        return cls.FUNCTION.arity

    @classmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """The function applied to the inputs."""
        return _written(cls.FUNCTION, body)


def _written(function: Function, body: Body) -> SSAValue:
    value = function.write(body)
    wanted = body.args[-1].type
    if value.type != wanted:
        raise VerifyException(
            f"expected an output of {value.type} elements, got {wanted}; it does not "
            "convert"
        )
    return value


def _function_op(function: Function, name: str) -> type[FunctionOp]:
    """The op class of one row of the table."""
    words = name.removeprefix("linalg.").split("_")
    fields = {
        "__annotations__": {"FUNCTION": ClassVar[Function]},
        "__doc__": f"`{name}`: {function.kind}, element by element.",
        "name": name,
        "FUNCTION": function,
    }
    title = "".join(word.capitalize() for word in words) + "Op"
    return irdl_op_definition(type(title, (FunctionOp,), fields))


FUNCTION_OPS: dict[str, type[FunctionOp]] = {
    function.op_name: _function_op(function, function.op_name)
    for function in FUNCTIONS.values()
    if function.op_name is not None
}
"""The named element-wise ops, by name: `FUNCTION_OPS["linalg.exp"]([x], [out])`."""


@irdl_op_definition
class FillOp(PointwiseOp):
    """Set every element of the output to a scalar of the same type."""

    name = "linalg.fill"

    @classmethod
    def arity(cls, properties: Properties) -> int:
        """One: the scalar."""
        return 1

    @classmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """The scalar itself."""
        return body.args[0]

    def verify_(self) -> None:
        """The scalar has the output's element type: a fill does not convert it."""
        super().verify_()
        value, output = self.inputs[0].type, element_type(self.outputs[0].type)
        if is_tensor(value) or is_buffer(value):
            raise VerifyException("expected op with scalar input")
        if value != output:
            raise VerifyException(
                f"expected fill value type ({value}) to match output element type "
                f"({output})"
            )


@irdl_op_definition
class CopyOp(PointwiseOp):
    """Copy every element, converted to the output's element type."""

    name = "linalg.copy"

    cast = opt_prop_def(TypeFnAttr)

    @classmethod
    def arity(cls, properties: Properties) -> int:
        """One: the source."""
        return 1

    @classmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """The element, converted."""
        source, target = body.args
        return body.convert(source, target.type, unsigned=is_unsigned(properties))


@irdl_op_definition
class ElementwiseOp(NamedOp):
    """A scalar function, named by its kind; maps permute or broadcast the operands."""

    name = "linalg.elementwise"

    kind = prop_def(ElementwiseKindAttr)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])

    def __init__(
        self,
        kind: str,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        indexing_maps: ArrayAttr[AffineMapAttr] | None = None,
    ):
        given: dict[str, Attribute] = {"kind": ElementwiseKindAttr(kind)}
        if indexing_maps is not None:
            given["indexing_maps"] = indexing_maps
        super().__init__(
            inputs, outputs, given | self.default_properties(outputs, given)
        )

    @classmethod
    def arity(cls, properties: Properties) -> int:
        """The number of the function's operands."""
        return _function_of(properties).arity

    @classmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """The function applied to the inputs."""
        return _written(_function_of(properties), body)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps of the op's attribute."""
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """A parallel loop for each dimension of the output."""
        return iterators(len(shape_of(self.outputs[0].type)))

    @classmethod
    def parse_leading(cls, parser: Parser) -> dict[str, Attribute]:
        """`kind = #linalg.elementwise_kind<...> [indexing_maps = [...]]`."""
        parser.parse_keyword("kind")
        parser.parse_punctuation("=")
        pos = parser.pos
        kind = parser.parse_attribute()
        if not isinstance(kind, ElementwiseKindAttr):
            parser.raise_error("expected an elementwise_kind", pos, parser.pos)
        given: dict[str, Attribute] = {"kind": kind}
        maps = parse_maps(parser)
        return given if maps is None else given | {"indexing_maps": maps}

    @classmethod
    def default_properties(
        cls, outputs: Sequence[SSAValue], given: Properties
    ) -> dict[str, Attribute]:
        """The identity for every operand."""
        if "indexing_maps" in given or not outputs:
            return {}
        rank = len(shape_of(outputs[0].type))
        operands = _function_of(given).arity + 1
        return {"indexing_maps": pointwise_maps(rank, (False,) * operands)}

    def print_leading(self, printer: Printer) -> Sequence[str]:
        """The kind, and the maps if one is not the identity."""
        printer.print_string(" kind=")
        printer.print_attribute(self.kind)
        rank = len(shape_of(self.outputs[0].type))
        if any(map_ != AffineMap.identity(rank) for map_ in self.maps):
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(self.indexing_maps)
        return ("kind", "indexing_maps")


def _function_of(properties: Properties) -> Function:
    kind = properties["kind"]
    assert isinstance(kind, ElementwiseKindAttr)
    return FUNCTIONS[kind.data]


def is_unsigned(properties: Properties) -> bool:
    """Whether an op's `cast` says that integers are unsigned."""
    cast = properties.get("cast")
    return isinstance(cast, TypeFnAttr) and cast.data == TypeFn.CAST_UNSIGNED
