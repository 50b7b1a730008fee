"""A schedule in the other form: `.tw` as `.mlir` and back, without loss.

The text is read back and compared with the schedule before it is given. Three things
may differ: the names of values, the order of sequences, and whether an argument is
declared as consumed, which the language works out.
"""

from __future__ import annotations

from collections import Counter

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation

from tilewright.ir.errors import Place, UserError
from tilewright.ir.printable import printable
from tilewright.ir.text import place_of
from tilewright.schedules.language.comments.notes import comment_texts
from tilewright.schedules.language.comments.write_mlir import with_comments
from tilewright.schedules.library.prelude import sequences
from tilewright.schedules.schedule import TABLE, Schedule
from tilewright.schedules.source_comments import read_comments
from tilewright.transforms.control.choices.open_choices import choices
from tilewright.transforms.control.choices.tune_knob import KnobOp

_DERIVED = ("transform.readonly", "transform.consumed")


def as_tw(schedule: Schedule) -> str:
    """The schedule in the language of `.tw` files, its choices open."""
    for op in choices(schedule.module):
        if isinstance(op, KnobOp) and op.selected is None:
            continue
        if isinstance(op, KnobOp) or op.selected_region is not None:
            raise UserError(
                f"'{op.choice_name}' is chosen already, which .tw cannot say",
                place_of(op),
                "leave the choice open here, or write the chosen values alone: "
                "opt --emit tw-schedule",
            )
    text = schedule.to_tw()
    _compare(schedule, Schedule.from_text(text, f"{schedule.name}.tw"))
    return text


def as_mlir(schedule: Schedule) -> str:
    """The schedule in upstream's form, its choices and constraints open."""
    module = schedule.module.clone()
    comments = read_comments(schedule.module, schedule.source, is_resolved=False)
    if schedule.table is not None:
        module.attributes[TABLE] = StringAttr(schedule.table_text(comments))
    text = with_comments(module, comments)
    again = Schedule.from_text(text, f"{schedule.name}.mlir")
    _compare(schedule, again)
    return text


def _compare(schedule: Schedule, again: Schedule) -> None:
    """Refuse a text that is read as another schedule."""
    before, after = _sequences(schedule.module), _sequences(again.module)
    for name, op in before.items():
        other = after.get(name)
        if other is None or not op.is_structurally_equivalent(other):
            raise UserError(
                f"the sequence '{name}' cannot be converted without loss",
                _difference(op, other),
                "keep this schedule in the form that it has",
            )
    if schedule.table != again.table:
        raise UserError("the decision table cannot be converted without loss")
    for comment in _comments(schedule) - _comments(again):
        raise UserError(
            f"the comment '{printable(comment)}' cannot be converted without loss",
            remedy="move it to a line of its own above a statement",
        )


def _comments(schedule: Schedule) -> Counter[str]:
    """How often each comment stands in the text of a schedule and in its table."""
    table = "" if schedule.table is None else schedule.table.written
    return Counter(comment_texts(f"{schedule.source}\n{table}"))


def _difference(op: Operation, other: Operation | None) -> Place | None:
    """Where the first op is that is read differently."""
    pairs = zip(op.walk(), other.walk() if other is not None else (), strict=False)
    for one, two in pairs:
        if type(one) is not type(two) or one.properties != two.properties:
            return place_of(one)
    return place_of(op)


def _sequences(module: ModuleOp) -> dict[str, NamedSequenceOp]:
    """The sequences by name, without those of the library and derived attributes."""
    found: dict[str, NamedSequenceOp] = {}
    for op in module.clone().ops:
        if not isinstance(op, NamedSequenceOp):
            continue
        op.detach()
        shared = sequences().get(op.sym_name.data)
        if shared is not None and op.is_structurally_equivalent(shared):
            continue
        given = op.arg_attrs or [DictionaryAttr({}) for _ in op.body.block.args]
        op.arg_attrs = ArrayAttr(map(_declared, given))
        found[op.sym_name.data] = op
    return found


def _declared(attributes: DictionaryAttr) -> DictionaryAttr:
    """The attributes of an argument that are not worked out."""
    kept = {key: a for key, a in attributes.data.items() if key not in _DERIVED}
    return DictionaryAttr(kept)
