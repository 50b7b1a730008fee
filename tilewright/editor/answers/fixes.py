"""Changes that may mend a finding, or that the text offers at a spot.

They are found in the tree and in the places of a finding, not in its words. Whether one
helps, `mending.py` finds out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from itertools import accumulate

from xdsl.dialects.builtin import ModuleOp

from tilewright.check_schedule.findings import Finding
from tilewright.editor.answers.completion import complete, known_ops
from tilewright.editor.answers.document import Document
from tilewright.editor.reading.partial import code_of
from tilewright.editor.reading.positions import Span, Spot, span_of, spot_of
from tilewright.editor.reading.roles import handles_and_words
from tilewright.ir.errors import Place
from tilewright.ir.text import place_of
from tilewright.schedules.language.syntax import (
    Action,
    Items,
    Knob,
    Literal,
)
from tilewright.schedules.language.verbs.translations import BUFFERIZE
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.tuning.space.space import Space


@dataclass(frozen=True)
class Edit:
    """A span, and the text that takes its place."""

    span: Span
    text: str


@dataclass(frozen=True)
class Fix:
    """A change with a title; `finding` is what it mends, if it mends something."""

    title: str
    edits: tuple[Edit, ...]
    finding: Finding | None = None

    def applied(self, lines: Sequence[str]) -> str:
        """The text of some lines after the change; its edits do not overlap."""
        text = "\n".join(lines)
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        for (start, end), new in sorted(
            ((edit.span, edit.text) for edit in self.edits), reverse=True
        ):
            first = starts[start.line - 1] + start.column - 1
            last = starts[end.line - 1] + end.column - 1
            text = text[:first] + new + text[last:]
        return text


def fixes_for(
    document: Document, findings: Sequence[Finding], module: ModuleOp | None
) -> Iterator[Fix]:
    """Changes that mend findings; `module` is the schedule as far as it was read."""
    for finding in findings:
        place = finding.error.place
        if place is None or place.file != str(document.path):
            continue
        yield from _consumed(document, finding, place, module)
        yield from _too_late(document, finding, place)
        yield from _near_words(document, finding, place)


def offers_at(
    document: Document, spot: Spot, space: Space | None = None
) -> Iterator[Fix]:
    """Changes that a text offers: close a knob.

    `space` has the options of knobs that are not written as a list.
    """
    yield from _close_knob(document, spot, space)


# -- a handle that was consumed --------------------------------------------------


def _consumed(
    document: Document, finding: Finding, place: Place, module: ModuleOp | None
) -> Iterator[Fix]:
    """Use the handle that the consuming statement returned."""
    user = _action_at(document, place)
    for note in finding.error.notes:
        consumer = None if note.place is None else _action_at(document, note.place)
        if user is None or consumer is None or consumer.place.line >= place.line:
            continue
        shared = _shared_handle(consumer, user)
        if shared is None:
            continue
        verb = consumer.verb.text
        new = consumer.targets[0].text if consumer.targets else None
        if new == shared:
            continue
        if new is not None:
            edits = tuple(
                Edit(span_of(name.text, spot_of(name.place)), new)
                for name in handles_and_words(user)[0]
                if name.text == shared
            )
            yield Fix(f"use '{new}', which '{verb}' returned", edits, finding)
            return
        number = _results_at(module, consumer.place)
        if number:
            names = [shared, *(f"{shared}_{i}" for i in range(1, number))]
            start = spot_of(consumer.place)
            edit = Edit(Span(start, start), f"{', '.join(names)} = ")
            yield Fix(f"bind what '{verb}' returns to '{shared}'", (edit,), finding)
            return


def _shared_handle(consumer: Action, user: Action) -> str | None:
    """The first handle that both statements use."""
    used = {name.text for name in handles_and_words(user)[0]}
    names = [name.text for name in handles_and_words(consumer)[0]]
    return next((name for name in names if name in used), None)


def _results_at(module: ModuleOp | None, place: Place) -> int:
    """The number of results of the last op that a statement makes."""
    numbers = [
        len(op.results)
        for op in (module.walk() if module is not None else ())
        if (at := place_of(op)) is not None
        and (at.line, at.column) == (place.line, place.column)
    ]
    return numbers[-1] if numbers else 0


# -- a statement after bufferize -------------------------------------------------


def _too_late(document: Document, finding: Finding, place: Place) -> Iterator[Fix]:
    """Move a statement on tensors before `bufferize`, or `bufferize` behind it."""
    for note in finding.error.notes:
        made = None if note.place is None else _action_at(document, note.place)
        if made is None or not _is(made, BUFFERIZE.ops):
            continue
        before, after = made.place.line, place.line
        if before >= after or any(_shares_line(document, i) for i in (before, after)):
            continue
        verb = made.verb.text
        up = _moved(document, after, before)
        yield Fix(f"move it before '{verb}'", up, finding)
        # The statement may need names that are bound in between.
        down = _moved(document, before, after + 1)
        yield Fix(f"move '{verb}' behind it", down, finding)


def _moved(document: Document, line: int, before: int) -> tuple[Edit, Edit]:
    """The edits that move a line before another one."""
    at = Spot(before, 1)
    gone = Span(Spot(line, 1), Spot(line + 1, 1))
    return Edit(Span(at, at), f"{document.line(line)}\n"), Edit(gone, "")


def _is(action: Action, ops: Sequence[str]) -> bool:
    verb = BY_NAME.get(action.verb.text)
    return verb is not None and set(verb.translation.ops) == set(ops)


def _shares_line(document: Document, line: int) -> bool:
    """Whether a line opens or closes a block, or holds several statements."""
    code = code_of(document.line(line))
    return bool(set("{};") & set(code)) or code.count("[") != code.count("]")


# -- a word that is almost right -------------------------------------------------


def _near_words(document: Document, finding: Finding, place: Place) -> Iterator[Fix]:
    spot = spot_of(place)
    word, start = document.word_at(spot)
    if word and word[0].isalpha():
        known = [c.label for c in complete(_cut(document, start, word), start)]
        if word not in known:
            yield from _changes(word, start, known, finding)
    action = _action_at(document, place)
    for text, at in _quoted(document, action):
        if "." in text and text not in known_ops():
            known = list(document.payload_ops) or known_ops()
            yield from _changes(text, at, known, finding)


def _cut(document: Document, start: Spot, word: str) -> Document:
    """The document without a word."""
    lines = list(document.lines)
    line = lines[start.line - 1]
    lines[start.line - 1] = (
        line[: start.column - 1] + line[start.column - 1 + len(word) :]
    )
    return Document(
        "\n".join(lines), document.path, document.payload, document.holdings
    )


def _changes(
    word: str, start: Spot, known: Sequence[str], finding: Finding
) -> Iterator[Fix]:
    for near in _nearest(word, known):
        edit = Edit(span_of(word, start), near)
        yield Fix(f"change '{word}' to '{near}'", (edit,), finding)


def _nearest(word: str, known: Sequence[str]) -> list[str]:
    """The words that are almost as near as the nearest one."""
    near = list(dict.fromkeys(get_close_matches(word, known, n=3)))
    likeness = [SequenceMatcher(None, each, word).ratio() for each in near]
    return [
        w for w, like in zip(near, likeness, strict=True) if like > likeness[0] - 0.1
    ]


def _quoted(document: Document, action: Action | None) -> Iterator[tuple[str, Spot]]:
    if action is None:
        return
    line = action.place.line
    for found in re.finditer(r'"([^"\n]*)"', document.line(line)):
        yield found[1], Spot(line, found.start() + 2)


# -- offers ----------------------------------------------------------------------


def _close_knob(document: Document, spot: Spot, space: Space | None) -> Iterator[Fix]:
    """Replace the knob at a spot by one of its options, the default first."""
    for binding in document.names.bindings:
        node = binding.node
        if not isinstance(node, Knob) or binding.spot.line != spot.line:
            continue
        span = _statement_span(document, node)
        if span is None or not span.start <= spot <= span.end:
            continue
        values = list(_options(node, space))
        if node.default is not None:
            values.insert(0, node.default.value)
        behind = code_of(document.line(spot.line))[span.end.column - 1 :].lstrip()
        # Knobs may stand side by side; a number ends its statement.
        end = ";" if behind and behind[0] not in ";}" else ""
        for text in dict.fromkeys(map(_text, values)):
            edit = Edit(span, f"{binding.name} = {text}{end}")
            yield Fix(f"close the knob: {binding.name} = {text}", (edit,))


def _options(node: Knob, space: Space | None) -> Sequence[int | float | str | bool]:
    name = node.label or node.target.text
    if space is not None and name in space.choices:
        return space.choices[name].options
    items = node.options.items if isinstance(node.options, Items) else ()
    return [each.value for each in items if isinstance(each, Literal)]


def _text(value: int | float | str | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _statement_span(document: Document, node: Knob) -> Span | None:
    """The span of a knob that stands on one line."""
    line = node.place.line
    code = code_of(document.line(line))
    others = [
        binding.spot.column
        for binding in document.names.bindings
        if binding.spot.line == line and binding.spot.column > node.place.column
    ]
    end = min([*others, len(code) + 1])
    text = code[node.place.column - 1 : end - 1]
    text = text.split(";")[0].rstrip(" \t\r{}")
    if text.count("[") != text.count("]"):
        return None
    start = spot_of(node.place)
    return Span(start, Spot(line, start.column + len(text)))


def _action_at(document: Document, place: Place) -> Action | None:
    """The statement with a verb at a place."""
    if place.file != str(document.path):
        return None
    on_line = [a for a in document.names.verbs if a.place.line == place.line]
    exact = [a for a in on_line if a.place.column == place.column]
    return next(iter(exact or on_line), None)
