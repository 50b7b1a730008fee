"""Verify an op by its definition, which is worked out once for each class of ops.

xDSL's `OpDef.verify` finds out for every op anew which fields are variadic, which
options say so and where the fields lie. That was a tenth of a schedule's time. The
checks here accept an op only if xDSL does, and xDSL verifies every op that they do not
accept: what is refused is refused in its words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.ir import Attribute, Operation, OpTrait
from xdsl.irdl.constraints import (
    AllOf,
    AnyAttr,
    AnyOf,
    AttrConstraint,
    AttrSetConstraint,
    BaseAttr,
    EqAttrConstraint,
    EqIntConstraint,
    MessageConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    VerificationContext,
)
from xdsl.irdl.operations import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    AttrSizedSegments,
    IRDLOperation,
    OpDef,
    OptionalDef,
    VariadicDef,
    VarIRConstruct,
    irdl_op_verify_regions,
    verify_variadic_size,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.op_definitions.segment_sizes import segment_sizes

_Types = Sequence[Attribute]
_Check = Callable[[Any, VerificationContext], None]
_FieldsCheck = Callable[[Operation, _Types, VerificationContext], None]

_NO_VARIABLES = VerificationContext()
"""For definitions whose constraints share nothing: making a context takes time."""


def install(op: type[IRDLOperation], own: Callable[[Any], None] | None) -> None:
    """Replace the verifier of a class that has just been defined.

    `own` is what the class itself verifies.
    """
    by_definition = verifier(op.get_irdl_definition())
    if by_definition is None:
        return

    def verify_(self: IRDLOperation) -> None:
        by_definition(self)
        if own is not None:
            own(self)

    op.verify_ = verify_


def verifier(definition: OpDef) -> Callable[[Operation], None] | None:
    """What `definition.verify` does; None for definitions that only xDSL can read."""
    checks = _checks(definition)
    if checks is None:
        return None

    def verify(op: Operation) -> None:
        try:
            checks(op)
        except VerifyException:
            definition.verify(op)
            return
        for trait in definition.traits:
            if type(trait).verify is not OpTrait.verify:
                trait.verify(op)

    return verify


def _checks(definition: OpDef) -> Callable[[Operation], None] | None:
    """All that a definition says, but for traits; None if it is left to xDSL."""
    operands = _fields(definition, VarIRConstruct.OPERAND, definition.operands)
    results = _fields(definition, VarIRConstruct.RESULT, definition.results)
    if operands is None or results is None:
        return None
    properties = _named(definition.properties)
    attributes = _named(definition.attributes)
    shares = not _is_plain(definition)

    def check(op: Operation) -> None:
        context = VerificationContext() if shares else _NO_VARIABLES
        operands(op, [value.type for value in op._operands], context)  # pyright: ignore[reportPrivateUsage]
        results(op, [value.type for value in op.results], context)
        if op.regions or definition.regions:
            irdl_op_verify_regions(op, definition, context)
        if op._successors or definition.successors:  # pyright: ignore[reportPrivateUsage]
            verify_variadic_size(op, definition, VarIRConstruct.SUCCESSOR)
        if _check_named(op.properties, properties, context) != len(op.properties):
            raise VerifyException("a property that is not defined")
        _check_named(op.attributes, attributes, context)

    return check


def _fields(
    definition: OpDef, construct: VarIRConstruct, fields: Sequence[tuple[str, Any]]
) -> _FieldsCheck | None:
    """How many operands or results there are, and of which types."""
    variadic = [isinstance(field, VariadicDef) for _, field in fields]
    segments = _segments(definition, construct)
    if segments is not None:
        return _in_segments(segments, fields)
    if not any(variadic):
        return _one_each([_of_one(field.constr) for _, field in fields])
    if sum(variadic) == 1:
        index = variadic.index(True)
        return _around(
            [_of_one(field.constr) for _, field in fields[:index]],
            fields[index][1],
            [_of_one(field.constr) for _, field in fields[index + 1 :]],
        )
    return None


def _segments(definition: OpDef, construct: VarIRConstruct) -> AttrSizedSegments | None:
    is_operand = construct is VarIRConstruct.OPERAND
    kind = AttrSizedOperandSegments if is_operand else AttrSizedResultSegments
    return next((one for one in definition.options if isinstance(one, kind)), None)


def _one_each(checks: Sequence[_Check | None]) -> _FieldsCheck:
    def check(_: Operation, types: _Types, context: VerificationContext) -> None:
        if len(types) != len(checks):
            raise VerifyException("not as many as are defined")
        for one, of in zip(checks, types, strict=True):
            if one is not None:
                one(of, context)

    return check


def _around(
    before: Sequence[_Check | None],
    field: Any,
    after: Sequence[_Check | None],
) -> _FieldsCheck:
    """One variadic field, with others before and after it."""
    first, others = _one_each(before), len(before) + len(after)
    last, middle = _one_each(after), _of_several(field.constr)
    _, most = _limits(field)

    def check(op: Operation, types: _Types, context: VerificationContext) -> None:
        count = len(types) - others
        if count < 0 or (most is not None and count > most):
            raise VerifyException("not as many as are defined")
        end = len(before) + count
        first(op, types[: len(before)], context)
        if middle is not None:
            middle(types[len(before) : end], context)
        last(op, types[end:], context)

    return check


def _in_segments(
    segments: AttrSizedSegments, fields: Sequence[tuple[str, Any]]
) -> _FieldsCheck:
    """Fields whose sizes are in an attribute."""
    checks = [(*_limits(field), _of_several(field.constr)) for _, field in fields]

    def check(op: Operation, types: _Types, context: VerificationContext) -> None:
        sizes = segment_sizes(op, segments)
        if sizes is None or len(sizes) != len(checks):
            raise VerifyException("no sizes of the fields")
        start = 0
        for (least, most, one), size in zip(checks, sizes, strict=True):
            if size < least or (most is not None and size > most):
                raise VerifyException("not as many as are defined")
            end = start + size
            if one is not None:
                one(types[start:end], context)
            start = end
        if start != len(types):
            raise VerifyException("not as many as are defined")

    return check


def _limits(field: Any) -> tuple[int, int | None]:
    """The least and the most values of a field."""
    if isinstance(field, OptionalDef):
        return 0, 1
    return (0, None) if isinstance(field, VariadicDef) else (1, 1)


def _of_one(constraint: RangeConstraint) -> _Check | None:
    """The check of a field that is one value; None if it accepts every type."""
    match constraint:
        case RangeLengthConstraint(RangeOf(inner), EqIntConstraint(1)):
            return None if isinstance(inner, AnyAttr) else inner.verify
        case _:
            return lambda of, context: constraint.verify((of,), context)


def _of_several(constraint: RangeConstraint) -> _Check | None:
    """The check of a variadic field; None if it accepts all types."""
    match constraint:
        case RangeOf(AnyAttr()):
            return None
        case _:
            return constraint.verify


def _named(fields: Mapping[str, Any]) -> list[tuple[str, bool, _Check | None]]:
    """Each property or attribute: its name, whether it may be missing, its check."""
    return [
        (
            name,
            isinstance(field, OptionalDef),
            None if isinstance(field.constr, AnyAttr) else field.constr.verify,
        )
        for name, field in fields.items()
    ]


def _check_named(
    given: Mapping[str, Attribute],
    fields: Sequence[tuple[str, bool, _Check | None]],
    context: VerificationContext,
) -> int:
    """Check properties or attributes; how many of those given are defined."""
    present = 0
    for name, is_optional, check in fields:
        attribute = given.get(name)
        if attribute is None:
            if not is_optional:
                raise VerifyException(f"no '{name}'")
            continue
        present += 1
        if check is not None:
            check(attribute, context)
    return present


def _is_plain(definition: OpDef) -> bool:
    """Whether no constraint can set a variable that another one reads."""
    constraints: list[AttrConstraint | RangeConstraint] = [
        *(field.constr for _, field in definition.operands),
        *(field.constr for _, field in definition.results),
        *(field.entry_args for _, field in definition.regions),
        *(field.constr for field in definition.properties.values()),
        *(field.constr for field in definition.attributes.values()),
    ]
    return all(map(_sets_nothing, constraints))


def _sets_nothing(constraint: AttrConstraint | RangeConstraint) -> bool:
    match constraint:
        case AnyAttr() | BaseAttr() | EqAttrConstraint() | AttrSetConstraint():
            return True
        case RangeLengthConstraint(inner, EqIntConstraint()) | RangeOf(inner):
            return _sets_nothing(inner)
        case MessageConstraint(inner):
            return _sets_nothing(inner)
        case AnyOf() | AllOf():
            return all(map(_sets_nothing, constraint.attr_constrs))
        case _:
            return False
