"""Descriptions of op definitions' constraints: `tensor of floating-point`."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ShapedType,
    StringAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.dialects.transform import (
    TransformHandleType,
    TransformOpHandleType,
    TransformParamHandleType,
    TransformValueHandleType,
)
from xdsl.ir import Attribute
from xdsl.irdl import AnyAttr, AttrConstraint
from xdsl.irdl.constraints import (
    AllOf,
    AnyOf,
    AttrSetConstraint,
    BaseAttr,
    EqAttrConstraint,
    MessageConstraint,
    ParamAttrConstraint,
    VarConstraint,
)

_CLASSES: dict[type[Attribute], str] = {
    IntegerType: "integer",
    IndexType: "index",
    TensorType: "ranked tensor",
    UnrankedTensorType: "unranked tensor",
    VectorType: "vector",
    MemRefType: "memref",
    UnrankedMemRefType: "unranked memref",
    StringAttr: "string attribute",
    IntegerAttr: "integer attribute",
    FloatAttr: "float attribute",
    ArrayAttr: "array attribute",
    DenseArrayBase: "dense array attribute",
    ShapedType: "tensor, vector or memref",
    UnitAttr: "unit attribute",
    TransformHandleType: "a handle, or a parameter",
    TransformOpHandleType: "a handle to ops",
    TransformValueHandleType: "a handle to values",
    TransformParamHandleType: "a parameter",
}

_SHAPED = (TensorType, VectorType, MemRefType)
_FLOATING = "floating-point"


def describe(constraint: AttrConstraint) -> str | None:
    """The types that a constraint accepts; None if there is no short description."""
    if isinstance(constraint, AnyAttr):
        return "any type"
    if isinstance(constraint, VarConstraint):
        return describe(constraint.constraint)
    if isinstance(constraint, MessageConstraint):
        return describe(constraint.constr)
    if isinstance(constraint, EqAttrConstraint):
        return f"'{constraint.attr}'"
    if isinstance(constraint, BaseAttr):
        return _of_class(constraint.attr)
    if isinstance(constraint, AttrSetConstraint):
        return " or ".join(sorted(f"'{value}'" for value in constraint.values))
    if isinstance(constraint, AnyOf):
        return _alternatives(constraint.attr_constrs)
    if isinstance(constraint, AllOf):
        return describe(constraint.attr_constrs[0])
    if isinstance(constraint, ParamAttrConstraint):
        return _with_parameters(cast(ParamAttrConstraint[Any], constraint))
    return None


def _of_class(attribute: type[Attribute]) -> str | None:
    if issubclass(attribute, AnyFloat):
        return f"'{attribute.name}'"
    known = _CLASSES.get(attribute)
    if known is not None or "name" not in attribute.__dict__:
        return known
    return f"'{attribute.name}'"


def _alternatives(constraints: tuple[AttrConstraint, ...]) -> str | None:
    words: list[str] = []
    for constraint in constraints:
        word = describe(constraint)
        if word is None:
            return None
        is_float = isinstance(constraint, BaseAttr) and issubclass(
            constraint.attr, AnyFloat
        )
        word = _FLOATING if is_float and len(constraints) > 3 else word
        if word not in words:
            words.append(word)
    return " or ".join(words)


def _with_parameters(constraint: ParamAttrConstraint[Any]) -> str | None:
    word = _of_class(constraint.base_attr)
    if constraint.base_attr not in _SHAPED or word is None:
        return word
    names = [n for n, _ in constraint.base_attr.get_irdl_definition().parameters]
    element = constraint.param_constrs[names.index("element_type")]
    if isinstance(element, AnyAttr):
        return word
    inner = describe(element)
    return word if inner is None else f"{word} of {inner}"
