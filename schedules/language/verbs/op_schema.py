"""The schema of a transform op: its operands, properties, sizes and results by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    OperandDef,
    OptOperandDef,
    OptPropertyDef,
    RangeOf,
    VarOperandDef,
    VarResultDef,
)
from xdsl.irdl.constraints import AttrConstraint, RangeConstraint, RangeLengthConstraint

from tilewright.schedules.language.verbs.attribute_text import (
    HANDLE_TYPES,
    first_accepted,
)
from tilewright.transforms.core.base import OperationType, TransformOp
from tilewright.transforms.dialect import transform_op
from tilewright.transforms.op_sources import PREFIX


def typed_operand(op: type[Operation]) -> OperationType | None:
    """The type that upstream requires of an op's handles; a cast is added."""
    kind = op.TARGET_KIND if issubclass(op, TransformOp) else ""
    return OperationType(kind) if kind else None


def op_named(name: str) -> type[Operation]:
    """The transform op of a name without `transform.`; one of `op_sources`."""
    found = transform_op(PREFIX + name)
    assert found is not None, name
    return found


@dataclass(frozen=True)
class Schema:
    """The fields of an op."""

    op: type[IRDLOperation]
    operands: Mapping[str, tuple[OperandDef, AttrConstraint]]
    sizes: Mapping[str, tuple[str, str]]
    """A name for sizes: the property with the numbers, and the operand for knobs."""
    properties: Mapping[str, AttrConstraint]
    defaults: Mapping[str, Attribute]
    """The default values of properties."""
    needed: frozenset[str]
    """The properties that must be given."""
    results: Sequence[tuple[bool, Attribute]]
    """Whether a result is variadic, and its type by default."""

    @property
    def required(self) -> list[str]:
        """The required operands, in order."""
        return [n for n, (d, _) in self.operands.items() if not is_optional(d)]

    @property
    def rest(self) -> str | None:
        """The operand that takes all further arguments: the only variadic one."""
        hidden = {operand for _, operand in self.sizes.values()}
        several = [
            n
            for n, (d, _) in self.operands.items()
            if is_variadic(d) and n not in hidden
        ]
        return several[0] if len(several) == 1 else None

    @property
    def usage(self) -> str:
        """The usage line of errors."""
        name = self.op.name.removeprefix(PREFIX)
        words = [name, *(n.upper() for n in self.required)]
        if self.rest is not None:
            words.append(f"{self.rest.upper()} ...")
        needed = {
            key
            for key in self.settings
            if self.sizes.get(key, (key, ""))[0] in self.needed
        }
        for key in self.settings:
            words.append(f"{key} = ..." if key in needed else f"[{key} = ...]")
        return " ".join(words)

    @property
    def settings(self) -> list[str]:
        """The fields that are written `field = value`."""
        statics = {static for static, _ in self.sizes.values()}
        hidden = {operand for _, operand in self.sizes.values()}
        optional = [
            n
            for n, (d, _) in self.operands.items()
            if is_optional(d) and n not in hidden and n != self.rest
        ]
        return [
            *optional,
            *self.sizes,
            *(p for p in self.properties if p not in statics),
        ]


@cache
def schema_of(op: type[Operation]) -> Schema:
    """The schema of an op, from its definition."""
    assert issubclass(op, IRDLOperation)
    definition = op.get_irdl_definition()
    operands = {n: (d, _one(d.constr)) for n, d in definition.operands}
    properties = {
        n: d.constr
        for n, d in definition.properties.items()
        if not n.endswith("SegmentSizes")
    }
    sizes: dict[str, tuple[str, str]] = {}
    for name in properties:
        key = name.removeprefix("static_")
        for operand in (key, f"dynamic_{key}"):
            if key != name and operand in operands:
                sizes[key] = (name, operand)
    results = [
        (
            isinstance(d, VarResultDef),
            first_accepted(_one(d.constr), HANDLE_TYPES) or HANDLE_TYPES[0],
        )
        for _, d in definition.results
    ]
    defaults = {
        n: d.default_value
        for n, d in definition.properties.items()
        if d.default_value is not None
    }
    needed = frozenset(
        n
        for n, d in definition.properties.items()
        if n in properties and n not in defaults and not isinstance(d, OptPropertyDef)
    )
    return Schema(op, operands, sizes, properties, defaults, needed, results)


def is_variadic(operand: OperandDef) -> bool:
    """Whether an operand is variadic."""
    return isinstance(operand, VarOperandDef) and not isinstance(operand, OptOperandDef)


def is_optional(operand: OperandDef) -> bool:
    """Whether an operand is optional or variadic."""
    return isinstance(operand, VarOperandDef | OptOperandDef)


def _one(constraint: RangeConstraint) -> AttrConstraint:
    """The constraint on each value of a range."""
    while isinstance(constraint, RangeLengthConstraint):
        constraint = constraint.constraint
    assert isinstance(constraint, RangeOf)
    return constraint.constr


def result_types(schema: Schema, number: int, first: Attribute) -> list[Attribute]:
    """The default types of `number` results; `first` is the first operand's type."""
    if issubclass(schema.op, TransformOp) and schema.op.KEEPS_TYPE:
        return [first] * len(schema.results)
    types: list[Attribute] = []
    fixed = sum(1 for is_any, _ in schema.results if not is_any)
    for is_any, of in schema.results:
        types += [of] * (max(number - fixed, 0) if is_any else 1)
    return types
