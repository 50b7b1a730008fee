"""Types of elementwise ops: a scalar, or a vector or tensor of such scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttrConstraint
from xdsl.irdl.constraints import InferenceContext, VerificationContext
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from tilewright.ir.types import element_type, is_tensor, is_vector


@dataclass(frozen=True)
class Like(AttrConstraint):
    """A kind of scalar, or a vector or tensor of it."""

    words: str
    """The name of the kind in error messages."""
    accepts: Callable[[Attribute], bool]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """The type itself, or its elements, are of the kind."""
        of = element_type(attr) if is_vector(attr) or is_tensor(attr) else attr
        if not self.accepts(of):
            raise VerifyException(f"expected {self.words}, got '{attr}'")

    def mapping_type_vars(self, type_var_mapping: Mapping[Any, Any]) -> Like:
        """The constraint itself: it has no type variables."""
        return self


def is_float(type_: Attribute) -> bool:
    """Whether a type is a float's."""
    return isinstance(type_, AnyFloat)


def is_integer(type_: Attribute) -> bool:
    """Whether a type is a signless integer's, the only ones arith computes with."""
    return isa(type_, IntegerType) and type_.signedness.data is Signedness.SIGNLESS


def is_integer_or_index(type_: Attribute) -> bool:
    """Whether a type is a signless integer's or index."""
    return isinstance(type_, IndexType) or is_integer(type_)


FLOATS = Like("floats", is_float)
INTEGERS_OR_INDEX = Like("signless integers or index", is_integer_or_index)


def with_element(like: Attribute, element: Attribute) -> Attribute:
    """A type of the same shape with other elements."""
    if is_vector(like):
        return VectorType(element, like.shape, like.scalable_dims)
    if is_tensor(like):
        return TensorType(element, like.shape, like.encoding)
    return element


@dataclass(frozen=True)
class BoolsLike(AttrConstraint):
    """An i1 for each element of the type that the constraint variable stands for."""

    variable: str

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Of the variable's shape."""
        given = constraint_context.get_variable(self.variable)
        if given is not None and attr != with_element(given, i1):
            expected = with_element(given, i1)
            raise VerifyException(f"expected '{expected}', got '{attr}'")

    def can_infer(self, var_constraint_names: Set[str]) -> bool:
        """Whether the constraint variable is known."""
        return self.variable in var_constraint_names

    def infer(self, context: InferenceContext) -> Attribute:
        """The variable's type with i1 as elements."""
        given = context.get_variable(self.variable)
        assert given is not None
        return with_element(given, i1)

    def mapping_type_vars(self, type_var_mapping: Mapping[Any, Any]) -> BoolsLike:
        """The constraint itself: it has no type variables."""
        return self


@dataclass(frozen=True)
class Signless(OpTrait):
    """A trait for xDSL's integer ops, which also take signed integers."""

    def verify(self, op: Operation) -> None:
        """Every operand's and result's elements are signless integers or index."""
        for value in (*op.operands, *op.results):
            if not is_integer_or_index(element_type(value.type)):
                raise VerifyException(
                    f"expected {INTEGERS_OR_INDEX.words}, got '{value.type}'"
                )
