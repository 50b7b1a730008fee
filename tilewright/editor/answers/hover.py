"""What a word of the text is: a verb's page, a handle's ops, an option's values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilewright.editor.answers.document import Document
from tilewright.editor.answers.places import path_of
from tilewright.editor.answers.probing import attribute_of
from tilewright.editor.pages import FOLDER, body_of, page_of_op, page_paths
from tilewright.editor.reading.cursor import cursor_at
from tilewright.editor.reading.names import Meaning, Occurrence
from tilewright.editor.reading.positions import Span, Spot, span_of
from tilewright.editor.reading.roles import options_of, words_of
from tilewright.editor.reading.scanner import keywords, scan
from tilewright.ir.phrases import count
from tilewright.schedules.language.verbs.op_schema import op_named, schema_of
from tilewright.schedules.language.verbs.verb import Verb
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.transforms.op_sources import PREFIX, op_sources

_MOST_OPS = 12
"""Ops of a handle that are listed."""


@dataclass(frozen=True)
class Explanation:
    """A text in Markdown about a part of a line."""

    markdown: str
    span: Span


def explain(document: Document, spot: Spot) -> Explanation | None:
    """What stands at a spot, if there is something to say about it."""
    if (quoted := _string_at(document, spot)) is not None:
        text, start = quoted
        told = _payload_op(document, text)
        return None if told is None else Explanation(told, span_of(text, start))
    word, start = document.word_at(spot)
    if not word:
        return None
    told = _word(document, word, start)
    return None if told is None else Explanation(told, span_of(word, start))


def _word(document: Document, word: str, start: Spot) -> str | None:
    cursor = cursor_at(document.text, start)
    if cursor.is_comment:
        return None
    if cursor.head is None and (told := explain_verb(word)) is not None:
        after = document.line(start.line)[start.column - 1 + len(word) :].lstrip()
        if not after.startswith(("=", ",", ":")) or after.startswith("=="):
            return told
    verb = BY_NAME.get(cursor.head or "")
    if verb is not None:
        for option in options_of(verb.form.parts):
            if option.key == word and cursor.key is None and not cursor.open_items:
                return explain_option(verb, option.key)
    found = document.names.at(start)
    if found is not None and found.name == word:
        return _name(document, found)
    if verb is not None and word in words_of(verb.form.parts):
        return _usage(verb)
    if word in keywords() or word == "each":
        return _pages("for" if word == "each" else word)
    return None


def explain_verb(word: str) -> str | None:
    """The page of a verb, a keyword or an op."""
    if (verb := BY_NAME.get(word)) is not None:
        pages = _pages(word, verb.translation.ops) or page_of_op(word) or ""
        return f"{_usage(verb)}\n\n{pages}"
    if word == "for" or word in keywords():
        return _pages(word)
    name = word.removeprefix(PREFIX)
    if name in op_sources():
        usage = schema_of(op_named(name)).usage
        paths = _pages(name.rpartition(".")[2], (name,))
        told = paths or page_of_op(name) or ""
        return f"```tilewright\n{usage}\n```\n\n{told}"
    return None


def explain_option(verb: Verb, key: str) -> str:
    """An option of a verb: its values and its meaning."""
    option = next(o for o in options_of(verb.form.parts) if o.key == key)
    usage = f"```tilewright\n{verb.name} ... {key} = {option.slot.usage}\n```"
    attribute = attribute_of(verb.name, option.slot.field)
    if attribute is None:
        return f"{usage}\n\n{option.slot.kind.words}"
    hosts = " or a ".join(host.value for host in attribute.hosts)
    return (
        f"{usage}\n\n{attribute.doc}\n\nValues: {attribute.values}. "
        f"Sets `{attribute.name}` on a {hosts}."
    )


def _usage(verb: Verb) -> str:
    return f"```tilewright\n{verb.form.usage}\n```\n\n{verb.doc}"


def _pages(word: str, ops: tuple[str, ...] = ()) -> str | None:
    paths = page_paths(word, ops)
    if not paths:
        return None
    return "\n\n---\n\n".join(f"{body_of(path)}\n\n{_link(path)}" for path in paths)


def _link(path: Path) -> str:
    return f"[docs/{path.relative_to(FOLDER).as_posix()}]({path.as_uri()})"


def _name(document: Document, found: Occurrence) -> str | None:
    binding = found.binding
    if binding is None:
        return _sequence(document, found.name)
    place = binding.node.place
    line = document.line(place.line).strip()
    lines = [f"```tilewright\n{line}\n```", f"{binding.meaning}, line {place.line}"]
    if binding.meaning in (Meaning.SEQUENCE, Meaning.SCHEDULE):
        return "\n\n".join([lines[0], _comment_above(document.lines, place.line)])
    held = document.held(binding)
    if held is not None:
        lines.append(f"holds {held.text}")
        listed = [
            f"- `{op.text}`" + (f" (line {op.place.line})" if op.place else "")
            for op in held.ops[:_MOST_OPS]
        ]
        if held.number > len(listed) and listed:
            listed.append(f"- and {held.number - len(listed)} more")
        if held.number > 1:
            lines.append("\n".join(listed))
    return "\n\n".join(lines)


def _sequence(document: Document, name: str) -> str | None:
    """A sequence of another file: its first line, and the comment above it."""
    definition = document.sequences.get(name)
    if definition is None:
        return None
    path = path_of(definition.place)
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    line = definition.place.line
    first = lines[line - 1].strip() if line <= len(lines) else name
    told = f"```tilewright\n{first}\n```\n\n{_comment_above(lines, line)}"
    return f"{told}\n\n{definition.place.file}"


def _comment_above(lines: list[str], line: int) -> str:
    """The comment that stands directly above a line."""
    found: list[str] = []
    for text in map(str.strip, reversed(lines[: line - 1])):
        if not text.startswith("//"):
            break
        found.insert(0, text.removeprefix("//").strip())
    return "\n".join(found)


def _string_at(document: Document, spot: Spot) -> tuple[str, Spot] | None:
    """The string around a spot, without its quotes."""
    for token in scan(document.line(spot.line)):
        is_around = token.start < spot.column <= token.end
        if token.kind == "STRING" and is_around:
            return token.text[1:-1], Spot(spot.line, token.start + 2)
    return None


def _payload_op(document: Document, name: str) -> str | None:
    if document.payload is None or "." not in name:
        return None
    number = document.payload_ops.get(name, 0)
    told = f"`{name}`: {count(number, 'op')} in {document.payload.path.name}"
    ops = [op for op in document.payload.module.walk() if op.name == name]
    from tilewright.ir.text import place_of

    places = [place_of(op) for op in ops[:_MOST_OPS]]
    lines = [f"- line {p.line}: `{(p.text or '').strip()}`" for p in places if p]
    return "\n".join([told, "", *lines])
