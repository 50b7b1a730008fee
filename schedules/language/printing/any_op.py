"""Any transform op in the generic form: its name, its operands, `field = value`.

`lowering/any_op.py` describes the form and reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.hints import isa

from tilewright.schedules.language.verbs.attribute_text import text_of
from tilewright.schedules.language.verbs.op_schema import (
    Schema,
    is_variadic,
    schema_of,
)
from tilewright.transforms.op_sources import PREFIX, op_sources


def write(
    op: Operation, name_of: Callable[[SSAValue], str], taken: Container[str] = ()
) -> str | None:
    """The generic statement for an op; None if it has a body.

    An op whose name a verb has `taken` keeps the dialect before it.
    """
    fields = fields_of(op, name_of)
    if fields is None or not isinstance(op, IRDLOperation):
        return None
    schema = schema_of(type(op))
    name = op.name.removeprefix(PREFIX)
    words = [op.name if name in taken else name]
    words += [fields.pop(name) for name in schema.required]
    if schema.rest is not None and schema.rest in fields:
        words.append(fields.pop(schema.rest)[1:-1].replace(",", ""))
    words += [f"{name} = {value}" for name, value in fields.items()]
    words += [f'"{key}" = {text_of(value)}' for key, value in op.attributes.items()]
    return " ".join(words)


def fields_of(
    op: Operation, name_of: Callable[[SSAValue], str]
) -> dict[str, str] | None:
    """The fields of an op as text; None if it has a body."""
    name = op.name.removeprefix(PREFIX)
    if not isinstance(op, IRDLOperation) or op.regions or name not in op_sources():
        return None
    schema = schema_of(type(op))
    fields: dict[str, str] = {}
    hidden = {operand for _, operand in schema.sizes.values()}
    for field, (definition, _) in schema.operands.items():
        shown = [name_of(value) for value in _values(op, field)]
        if field in hidden or not shown:
            continue
        several = f"[{', '.join(shown)}]"
        fields[field] = several if is_variadic(definition) else shown[0]
    statics = {static: key for key, (static, _) in schema.sizes.items()}
    for field, value in op.properties.items():
        if value == schema.defaults.get(field):
            continue
        if field in statics:
            key = statics[field]
            fields[key] = _sizes(op, key, schema, name_of)
        elif (constraint := schema.properties.get(field)) is not None:
            fields[field] = text_of(value, constraint)
    return fields


def _values(op: IRDLOperation, name: str) -> Sequence[SSAValue]:
    found = cast("SSAValue | Sequence[SSAValue] | None", getattr(op, name))
    if found is None:
        return ()
    return (found,) if isinstance(found, SSAValue) else tuple(found)


def _sizes(
    op: IRDLOperation, key: str, schema: Schema, name_of: Callable[[SSAValue], str]
) -> str:
    static, operand = schema.sizes[key]
    knobs = iter(_values(op, operand))
    sizes = op.properties[static]
    if isa(sizes, DenseArrayBase[IntegerType]):
        numbers = [int(number) for number in sizes.get_values()]
    else:
        assert isa(sizes, IntegerAttr)
        numbers = [sizes.value.data]
    shown = [name_of(next(knobs)) if n == DYNAMIC_INDEX else str(n) for n in numbers]
    return shown[0] if isa(sizes, IntegerAttr) else f"[{', '.join(shown)}]"
