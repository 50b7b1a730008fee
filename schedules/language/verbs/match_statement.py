"""The translation of `match`: with positions it also makes the pick after the match."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DictionaryAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Operation

from tilewright.ir.structured.roles import Role
from tilewright.schedules.language.syntax import MARK
from tilewright.schedules.language.verbs.verb import (
    Fields,
    FieldTexts,
    Translation,
    Writer,
)
from tilewright.transforms.core.base import AnyOpType
from tilewright.transforms.handles.absent import OPTIONAL
from tilewright.transforms.handles.match import Interface, MatchOp
from tilewright.transforms.handles.match_role import MatchRoleOp
from tilewright.transforms.handles.pick import PickOp


def _build_match(fields: Fields) -> Iterable[Operation]:
    found = _finder(fields)
    if fields.flag(MARK):
        found.attributes[OPTIONAL] = UnitAttr()
    yield found
    if fields.has("positions"):
        numbers = DenseArrayBase.from_list(i64, fields.positions("positions"))
        yield PickOp.build(
            operands=[found.results[0]],
            properties={"positions": numbers},
            result_types=[found.results[0].type],
        )


def _finder(fields: Fields) -> Operation:
    """The op that looks, before positions are picked."""
    ops = fields.strings("ops") if fields.has("ops") else None
    if fields.has("role") or fields.has("called"):
        return MatchRoleOp(
            fields.handle("target"),
            Role(fields.word("role")) if fields.has("role") else None,
            fields.strings("called")[0] if fields.has("called") else None,
            ops,
        )
    interface = None
    if fields.has("interface"):
        (chosen,) = fields.names("interface", [kind.value for kind in Interface])
        interface = Interface(chosen)
    return MatchOp(
        fields.handle("target"),
        ops,
        interface=interface,
        op_attrs=DictionaryAttr(fields.settings("attributes"))
        if fields.has("attributes")
        else None,
    )


def _match_fields(op: Operation, writer: Writer) -> FieldTexts | None:
    if isinstance(op, PickOp):
        found = match_of(op)
        fields = None if found is None else _match_fields(found, writer)
        return fields and {**fields, "positions": str(op.listed())}
    if isinstance(op, MatchRoleOp):
        return _find_fields(op, writer)
    assert isinstance(op, MatchOp)
    if op.filter_result_type is not None or op.filter_operand_types is not None:
        return None
    fields = _common_fields(op, writer)
    if op.ops is not None:
        fields["ops"] = _names_text(op.ops)
    if (interface := op.wanted_interface) is not None:
        fields["interface"] = f"[{interface.value}]"
    if op.op_attrs is not None:
        attributes = [
            key_text(key)
            if isinstance(value, UnitAttr)
            else f"{key_text(key)} = {writer.constant(value)}"
            for key, value in op.op_attrs.data.items()
        ]
        fields["attributes"] = f"[{', '.join(attributes)}]"
    return fields


def _common_fields(op: MatchOp | MatchRoleOp, writer: Writer) -> dict[str, str]:
    fields = {"target": writer.name(op.target)}
    if OPTIONAL in op.attributes:
        fields[MARK] = "true"
    return fields


def _find_fields(op: MatchRoleOp, writer: Writer) -> FieldTexts:
    fields = _common_fields(op, writer)
    if op.role is not None:
        fields["role"] = op.role.data
    if op.called is not None:
        fields["called"] = writer.constant(op.called)
    if op.ops is not None:
        fields["ops"] = _names_text(op.ops)
    return fields


def _names_text(ops: Iterable[StringAttr]) -> str:
    names = [f'"{name.data}"' for name in ops]
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def key_text(name: str) -> str:
    """The name of a setting, in quotes where it is no identifier."""
    return name if name.isidentifier() else f'"{name}"'


def match_of(op: PickOp) -> MatchOp | MatchRoleOp | None:
    """The match just before a pick that picks from it alone: `match ... at [0]`."""
    found = op.target.owner
    if not isinstance(found, MatchOp | MatchRoleOp) or found.next_op is not op:
        return None
    is_filtered = isinstance(found, MatchOp) and (
        found.filter_result_type is not None or found.filter_operand_types is not None
    )
    is_plain = op.target.type == AnyOpType() and found.attributes.keys() <= {OPTIONAL}
    return found if is_plain and not is_filtered and op.target.has_one_use() else None


MATCH = Translation(
    (MatchOp.name, MatchRoleOp.name, PickOp.name), _build_match, _match_fields
)
