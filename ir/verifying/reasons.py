"""Messages about ill-formed ops, worded as upstream's are.

xDSL's exceptions name constraints and Python classes. This module checks the definition
of the op again, part by part, to find the part at fault, and describes its constraint.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import cast

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OpDef, RangeConstraint
from xdsl.irdl.constraints import (
    RangeLengthConstraint,
    RangeOf,
    RangeVarConstraint,
    VerificationContext,
)
from xdsl.irdl.operations import (
    AttributeDef,
    OptAttributeDef,
    OptPropertyDef,
    PropertyDef,
    VarIRConstruct,
    verify_variadic_size,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.parsing.failures.xdsl_messages import clause
from tilewright.ir.verifying.constraints import describe


def reason(op: Operation, error: VerifyException) -> str:
    """A clause about the error in `op`, which follows the op's name in a sentence."""
    if isinstance(op, IRDLOperation):
        found = _by_definition(op, type(op).get_irdl_definition())
        if found is not None:
            return found
    return clause(str(error), op.name)


def _by_definition(op: IRDLOperation, definition: OpDef) -> str | None:
    """The first part of an op that does not fit its definition."""
    context = VerificationContext()
    for kind, construct, parts in (
        ("operand", VarIRConstruct.OPERAND, definition.operands),
        ("result", VarIRConstruct.RESULT, definition.results),
    ):
        try:
            verify_variadic_size(op, definition, construct)
        except VerifyException:
            return None  # xDSL's message about a wrong count is clear
        position = 0
        for name, part in parts:
            group = _as_group(getattr(op, name))
            types = tuple(value.type for value in group)
            try:
                part.constr.verify(types, context)
            except VerifyException as error:
                which = (kind, name, position)
                return _wrong_type(op.name, which, types, part.constr, error)
            position += len(group)
    return _wrong_attribute(op, definition, context)


def _as_group(values: object) -> Sequence[SSAValue]:
    if values is None:
        return ()
    if isinstance(values, SSAValue):
        return (cast(SSAValue, values),)
    return cast(Sequence[SSAValue], values)


def _wrong_type(
    op_name: str,
    which: tuple[str, str, int],
    types: tuple[Attribute, ...],
    constraint: RangeConstraint,
    error: VerifyException,
) -> str:
    kind, name, position = which
    context = VerificationContext()
    while isinstance(constraint, RangeLengthConstraint | RangeVarConstraint):
        constraint = constraint.constraint
    if not isinstance(constraint, RangeOf):
        return clause(str(error), op_name)
    for offset, type_ in enumerate(types):
        try:
            constraint.constr.verify(type_, context)
        except VerifyException as inner:
            wanted = describe(constraint.constr)
            label = f"{kind} #{position + offset} ('{name}')"
            if wanted is None:
                return f"{label}: {clause(str(inner), op_name)}"
            return f"{label} must be {wanted}, but got '{type_}'"
    # Each type is valid by itself; it does not agree with that of another operand.
    label = f"{kind} #{position} ('{name}')"
    said = clause(str(error), op_name)
    if said.startswith("expected "):
        return f"{label} must be {said.removeprefix('expected ')}"
    return f"{label}: {said}"


def _wrong_attribute(
    op: IRDLOperation, definition: OpDef, context: VerificationContext
) -> str | None:
    parts: list[tuple[str, PropertyDef | AttributeDef, dict[str, Attribute]]] = [
        *((name, part, op.properties) for name, part in definition.properties.items()),
        *((name, part, op.attributes) for name, part in definition.attributes.items()),
    ]
    for name, part, given in parts:
        if name not in given:
            if isinstance(part, OptPropertyDef | OptAttributeDef):
                continue
            return f"requires attribute '{name}'"
        try:
            part.constr.verify(given[name], context)
        except VerifyException as error:
            wanted = describe(part.constr)
            if wanted is None:
                return f"attribute '{name}': {clause(str(error), op.name)}"
            return f"attribute '{name}' must be {wanted}, but got '{given[name]}'"
    for name in op.properties:
        if name not in definition.properties:
            near = get_close_matches(name, list(definition.properties), 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            return f"has no property '{name}'{hint}"
    return None
