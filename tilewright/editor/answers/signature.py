"""The form of the statement at the cursor, and which part of it comes next."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.editor.answers.document import Document
from tilewright.editor.reading.cursor import Cursor, cursor_at
from tilewright.editor.reading.expected import expected_next
from tilewright.editor.reading.positions import Spot
from tilewright.schedules.language.verbs.forms import Form, Part
from tilewright.schedules.language.verbs.op_schema import op_named, schema_of
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.transforms.op_sources import PREFIX, op_sources


@dataclass(frozen=True)
class Signature:
    """A usage line, its parts as ranges of it, and the part that is being typed."""

    label: str
    doc: str
    parts: tuple[tuple[int, int], ...]
    active: int | None


def signature_at(document: Document, spot: Spot) -> Signature | None:
    """The signature of the statement at a spot, if it has one."""
    cursor = cursor_at(document.text, spot)
    if cursor.is_comment or cursor.head is None:
        return None
    if cursor.head == "include":
        return _include(document, cursor)
    if (verb := BY_NAME.get(cursor.head)) is not None:
        return _verb(verb.form, verb.doc, cursor)
    name = cursor.head.removeprefix(PREFIX)
    if name in op_sources():
        return Signature(schema_of(op_named(name)).usage, "", (), None)
    return None


def _verb(form: Form, doc: str, cursor: Cursor) -> Signature:
    label, ranges = form.verb, list[tuple[int, int]]()
    for part in form.parts:
        label += " "
        ranges.append((len(label), len(label) + len(part.usage)))
        label += part.usage
    expected = expected_next(form, cursor)
    if expected.current is not None:
        wanted = expected.current.usage
        active = next(
            (
                index
                for index, part in enumerate(form.parts)
                if part is expected.current or _has(part, expected.current)
            ),
            next((i for i, p in enumerate(form.parts) if wanted in p.usage), None),
        )
    else:
        active = next(
            (
                index
                for index, part in enumerate(form.parts)
                if any(part is each or _has(part, each) for each in expected.parts)
            ),
            None,
        )
    return Signature(label, doc, tuple(ranges), active)


def _has(part: Part, other: Part) -> bool:
    """Whether a group or an option holds another part."""
    inner = getattr(part, "parts", (getattr(part, "slot", None),))
    return any(each is other for each in inner)


def _include(document: Document, cursor: Cursor) -> Signature | None:
    definition = document.sequences.get(cursor.call or "")
    if definition is None:
        return None
    label, ranges = f"{definition.name.text}(", list[tuple[int, int]]()
    for number, parameter in enumerate(definition.parameters):
        label += ", " if number else ""
        ranges.append((len(label), len(label) + len(parameter.name.text)))
        label += parameter.name.text
    given = len(cursor.open_items or ())
    return Signature(
        f"{label})", "", tuple(ranges), min(given, max(len(ranges) - 1, 0))
    )
