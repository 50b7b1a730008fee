"""What may stand at the cursor: verbs, options, handles, numbers, names of ops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tilewright.editor.answers.document import Document
from tilewright.editor.answers.probing import attribute_of, words_for
from tilewright.editor.reading.cursor import Cursor, cursor_at
from tilewright.editor.reading.expected import expected_next
from tilewright.editor.reading.names import Binding, Meaning
from tilewright.editor.reading.positions import Spot
from tilewright.editor.reading.scanner import keywords
from tilewright.ir.phrases import count
from tilewright.schedules.language.syntax import (
    KEYWORDS,
    MARK,
    NUMBER_FUNCTIONS,
    OPTION_FUNCTIONS,
    PAYLOAD_NUMBERS,
    Knob,
)
from tilewright.schedules.language.verbs.forms import (
    Form,
    Group,
    Kind,
    Option,
    Part,
    Slot,
    Word,
)
from tilewright.schedules.language.verbs.op_schema import op_named, schema_of
from tilewright.schedules.language.verbs.verb import Verb
from tilewright.schedules.language.verbs.vocabulary import BY_NAME, FUNCTIONS, VERBS
from tilewright.schedules.library.imports import module_names
from tilewright.transforms.op_sources import PREFIX, op_sources


class Sort(StrEnum):
    """What a candidate is; editors show a picture for each."""

    VERB = "verb"
    OP = "op"
    KEYWORD = "keyword"
    WORD = "word"
    OPTION = "option"
    HANDLE = "handle"
    NUMBER = "number"
    CHOICE = "choice"
    SEQUENCE = "sequence"
    FUNCTION = "function"
    PAYLOAD_OP = "payload op"
    VALUE = "value"
    FILE = "file"
    FOLDER = "folder"


@dataclass(frozen=True)
class Candidate:
    """Something that may stand at the cursor."""

    label: str
    sort: Sort
    detail: str = ""
    snippet: str | None = None
    """The text to insert, with `${1:name}` where something is to be filled in."""
    rank: int = 5
    """Lower ones come first."""


_IN_CONDITIONS = [Meaning.KNOB, Meaning.NUMBER, Meaning.CHOICE]


def complete(document: Document, spot: Spot) -> list[Candidate]:
    """The candidates at a spot that begin with the word before it."""
    cursor = cursor_at(document.text, spot)
    if cursor.is_comment:
        return []
    if cursor.start is not None:
        # A statement cannot use the names that it binds itself.
        spot = document.spot_at(cursor.start)
    typed = cursor.word if cursor.string is None else cursor.string
    unique: dict[str, Candidate] = {}
    for each in _candidates(document, spot, cursor):
        unique.setdefault(each.label, each)
    found = [c for c in unique.values() if _fits(c.label, typed)]
    return sorted(found, key=lambda c: c.rank)


def _fits(label: str, typed: str) -> bool:
    label, typed = label.lower().strip('"'), typed.lower().strip('"')
    return label.startswith(typed) or (len(typed) > 1 and f".{typed}" in f".{label}")


def _candidates(document: Document, spot: Spot, cursor: Cursor) -> Iterator[Candidate]:
    if cursor.depth == 0 and cursor.head == "import":
        yield from _imports(document, cursor)
    elif cursor.string is not None:
        yield from _in_string(document, cursor)
    elif cursor.depth == 0:
        yield from _definitions()
    elif cursor.head is None:
        yield from _statements(document, cursor)
    elif cursor.head == "include" and cursor.open_items is None:
        yield from _sequences(document)
    elif (verb := BY_NAME.get(cursor.head)) is not None:
        yield from _arguments(document, spot, cursor, verb)
    elif cursor.head.removeprefix(PREFIX) in op_sources():
        yield from _of_op(document, spot, cursor)
    elif cursor.has_equal and cursor.before and cursor.before[-1].text == "of":
        yield from _functions(OPTION_FUNCTIONS)
    elif cursor.head == "knob":
        if cursor.arguments:
            yield Candidate("default", Sort.KEYWORD, "the option if nobody chooses")
        else:
            yield from _functions(OPTION_FUNCTIONS)
    elif cursor.head == "require":
        yield from _values(document, spot, _IN_CONDITIONS)
        yield from _functions(NUMBER_FUNCTIONS)
        yield from _functions(PAYLOAD_NUMBERS)
    else:
        yield from _values(document, spot)
        if cursor.head == "for each" and cursor.arguments:
            yield Candidate("in", Sort.KEYWORD)


def _imports(document: Document, cursor: Cursor) -> Iterator[Candidate]:
    """Files of the library, files next to the text, and `as` behind either."""
    if cursor.arguments:
        if cursor.string is None and len(cursor.arguments) == 1:
            yield Candidate("as", Sort.KEYWORD, "another name for it")
    elif cursor.string is not None:
        yield from _paths(document, cursor.string)
    else:
        for name in module_names():
            yield Candidate(name, Sort.SEQUENCE, "a file of the library", rank=1)


def _paths(document: Document, typed: str) -> Iterator[Candidate]:
    """The folders and the `.tw` files in the folder that is typed."""
    inside = typed[: typed.rfind("/") + 1]
    try:
        found = sorted((document.path.parent / inside).iterdir())
    except OSError:
        return
    for path in found:
        if path.name.startswith(".") or path == document.path:
            continue
        if path.is_dir():
            yield Candidate(f"{inside}{path.name}/", Sort.FOLDER, rank=2)
        elif path.suffix == ".tw":
            yield Candidate(f"{inside}{path.name}", Sort.FILE, rank=1)


# -- the beginning of a statement ------------------------------------------------


def _definitions() -> Iterator[Candidate]:
    yield Candidate(
        "schedule",
        Sort.KEYWORD,
        "where a run begins",
        "schedule ${1:name}(root) {\n  $0\n}",
        0,
    )
    yield Candidate(
        "sequence",
        Sort.KEYWORD,
        "statements that others include",
        "sequence ${1:name}(${2:handle}) {\n  $0\n}",
        1,
    )
    for word in keywords():
        if word in ("decide", "import"):
            yield Candidate(word, Sort.KEYWORD)


def _statements(document: Document, cursor: Cursor) -> Iterator[Candidate]:
    yield from verb_candidates()
    for word in KEYWORDS:
        if cursor.has_equal and word in ("require", "yield"):
            continue
        if not cursor.has_equal and word == "knob":
            continue
        yield Candidate(word, Sort.KEYWORD, rank=2)
    if cursor.has_equal:
        for name in FUNCTIONS:
            yield Candidate(name, Sort.FUNCTION, f"{name}(HANDLE, ...)", rank=3)
    for name, source in op_sources().items():
        if name not in BY_NAME:
            yield Candidate(name, Sort.OP, source.summary, rank=6)


@cache
def verb_candidates() -> tuple[Candidate, ...]:
    """All verbs, each with a snippet of its required parts."""
    return tuple(
        Candidate(verb.name, Sort.VERB, verb.doc, snippet_of(verb.form), 1)
        for verb in sorted(VERBS, key=lambda verb: verb.name)
    )


def snippet_of(form: Form) -> str:
    """A statement with places to fill in: `tile ${1:target} by [${2:sizes}]`."""
    words = [form.verb]
    number = 0
    for part in form.parts:
        if isinstance(part, Word):
            words.append(part.text)
        elif isinstance(part, Slot):
            number += 1
            words.append(_place_for(part, number))
    return " ".join(words)


def _place_for(slot: Slot, number: int) -> str:
    name = f"${{{number}:{slot.field}}}"
    if slot.kind in (Kind.SIZES, Kind.NUMBERS, Kind.NAMES, Kind.SETTINGS):
        return f"[{name}]"
    return f'"{name}"' if slot.kind in (Kind.STRING, Kind.STRINGS) else name


def _functions(known: Mapping[str, str]) -> Iterator[Candidate]:
    for name, usage in known.items():
        yield Candidate(name, Sort.FUNCTION, usage, f"{name}($1)", 4)


# -- arguments -------------------------------------------------------------------


def _arguments(
    document: Document, spot: Spot, cursor: Cursor, verb: Verb
) -> Iterator[Candidate]:
    expected = expected_next(verb.form, cursor)
    for part in expected.parts:
        yield from _of_part(document, spot, verb, part)
    if expected.current is not None and expected.current not in expected.parts:
        yield from _of_slot(document, spot, verb, expected.current)
    elif cursor.call is not None:
        yield from _values(document, spot)


def _of_part(
    document: Document, spot: Spot, verb: Verb, part: Part
) -> Iterator[Candidate]:
    if isinstance(part, Word):
        yield Candidate(part.text, Sort.WORD, verb.form.usage, rank=1)
    elif isinstance(part, Option) and part.key != MARK:
        attribute = attribute_of(verb.name, part.slot.field)
        detail = part.usage if attribute is None else attribute.doc
        snippet = f"{part.key} = ${{1:{part.slot.field}}}"
        yield Candidate(part.key, Sort.OPTION, detail, snippet, 3)
    elif isinstance(part, Slot):
        yield from _of_slot(document, spot, verb, part)
    elif isinstance(part, Group):
        yield from _of_part(document, spot, verb, part.parts[0])


def _of_slot(
    document: Document, spot: Spot, verb: Verb, slot: Slot
) -> Iterator[Candidate]:
    for word in words_for(verb, slot.field):
        yield Candidate(word, Sort.VALUE, verb.form.usage, rank=2)
    if slot.kind is Kind.HANDLE:
        yield from _values(document, spot, [Meaning.HANDLE])
        for name in FUNCTIONS:
            yield Candidate(name, Sort.FUNCTION, f"{name}(HANDLE, ...)", rank=4)
    elif slot.kind in (Kind.PARAM, Kind.SIZES):
        yield from _values(document, spot, [Meaning.KNOB, Meaning.NUMBER])
        yield from _functions(NUMBER_FUNCTIONS)
        yield from _functions(PAYLOAD_NUMBERS)
    elif slot.kind is Kind.NUMBERS:
        # An order of loops that is chosen.
        yield from _values(document, spot, [Meaning.CHOICE])
    elif slot.kind is Kind.ANY:
        yield from _values(document, spot)
    elif slot.kind in (Kind.STRINGS, Kind.STRING) and slot.field.startswith("op"):
        for each in _ops(document):
            if each.rank < 5:
                label = f'"{each.label}"'
                yield Candidate(label, each.sort, each.detail, rank=each.rank)


def _of_op(document: Document, spot: Spot, cursor: Cursor) -> Iterator[Candidate]:
    """The fields of an op that has no verb, and names for its operands."""
    assert cursor.head is not None
    yield from _values(document, spot)
    if cursor.key is not None or cursor.open_items is not None:
        return
    schema = schema_of(op_named(cursor.head.removeprefix(PREFIX)))
    given = {written.key for written in cursor.arguments}
    for field in schema.settings:
        if field not in given:
            snippet = f"{field} = ${{1:value}}"
            yield Candidate(field, Sort.OPTION, schema.usage, snippet, 3)


def _values(
    document: Document, spot: Spot, meanings: list[Meaning] | None = None
) -> Iterator[Candidate]:
    """The names that are bound before the cursor."""
    wanted = meanings or [Meaning.HANDLE, Meaning.KNOB, Meaning.NUMBER, Meaning.CHOICE]
    bound = document.names.visible(spot).values()
    for binding in sorted(bound, key=lambda each: each.spot, reverse=True):
        if binding.meaning in wanted:
            yield _candidate(document, binding)


def _candidate(document: Document, binding: Binding) -> Candidate:
    sorts = {Meaning.HANDLE: Sort.HANDLE, Meaning.CHOICE: Sort.CHOICE}
    sort = sorts.get(binding.meaning, Sort.NUMBER)
    held = document.held(binding)
    detail = binding.meaning.value if held is None else held.text
    if isinstance(binding.node, Knob):
        detail = document.line(binding.node.place.line).strip()
    return Candidate(binding.name, sort, detail, rank=2)


def _sequences(document: Document) -> Iterator[Candidate]:
    for name, definition in document.sequences.items():
        names = [parameter.name.text for parameter in definition.parameters]
        places = ", ".join(f"${{{i}:{each}}}" for i, each in enumerate(names, 1))
        signature = f"{name}({', '.join(names)})"
        yield Candidate(name, Sort.SEQUENCE, signature, f"{name}({places})", 1)


# -- names of ops ----------------------------------------------------------------


def _in_string(document: Document, cursor: Cursor) -> Iterator[Candidate]:
    """Names of ops where a verb takes one; words where an option takes one."""
    verb = BY_NAME.get(cursor.head or "")
    slots = [] if verb is None else expected_next(verb.form, cursor).slots
    for slot in slots:
        for word in words_for(verb, slot.field) if verb is not None else ():
            if word.startswith('"'):
                yield Candidate(word.strip('"'), Sort.VALUE, rank=1)
    texts = [slot for slot in slots if slot.kind in (Kind.STRING, Kind.STRINGS)]
    if cursor.head in KEYWORDS or (slots and not texts):
        return
    if not texts or texts[0].field.startswith("op"):
        yield from _ops(document)


def _ops(document: Document) -> Iterator[Candidate]:
    """The ops of the payload first, then all that a payload may have."""
    for name, number in sorted(document.payload_ops.items()):
        detail = f"{count(number, 'op')} of the payload"
        yield Candidate(name, Sort.PAYLOAD_OP, detail, rank=document.ranks[name])
    for name in known_ops():
        yield Candidate(name, Sort.PAYLOAD_OP, rank=5)


@cache
def known_ops() -> tuple[str, ...]:
    """All ops that a payload may have."""
    from tilewright.transforms.dialect import schedule_context

    names = schedule_context().op_names()
    return tuple(sorted(name for name in names if not name.startswith(PREFIX)))
