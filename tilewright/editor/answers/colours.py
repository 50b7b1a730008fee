"""The kind of every word, for editors that colour by meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.editor.answers.document import Document
from tilewright.editor.reading.names import Meaning
from tilewright.editor.reading.positions import Spot, spot_of
from tilewright.editor.reading.roles import handles_and_words
from tilewright.schedules.language.syntax import Setting

KINDS = ("keyword", "function", "variable", "parameter", "property", "enumMember")
"""Token types of the protocol: form words, verbs and sequences, handles, numbers,
options, branches and words of slots."""

_KIND = {
    Meaning.HANDLE: "variable",
    Meaning.KNOB: "parameter",
    Meaning.NUMBER: "parameter",
    Meaning.SIZE: "parameter",
    Meaning.CHOICE: "parameter",
    Meaning.BRANCH: "enumMember",
    Meaning.SEQUENCE: "function",
    Meaning.SCHEDULE: "function",
}


@dataclass(frozen=True)
class Coloured:
    """A word and its kind, one of `KINDS`."""

    spot: Spot
    length: int
    kind: str


def colours_of(document: Document) -> list[Coloured]:
    """All words that have a meaning, in the order of the text."""
    unique = {each.spot: each for each in _coloured(document)}
    return sorted(unique.values(), key=lambda each: each.spot)


def _coloured(document: Document) -> Iterator[Coloured]:
    for action in document.names.verbs:
        yield Coloured(spot_of(action.verb.place), len(action.verb.text), "function")
        for word in handles_and_words(action)[1]:
            kind = "enumMember" if "." in word.text else "keyword"
            yield Coloured(spot_of(word.place), len(word.text), kind)
        for argument in action.arguments:
            if isinstance(argument, Setting) and not argument.quoted:
                yield Coloured(spot_of(argument.place), len(argument.key), "property")
    for found in document.names.occurrences:
        kind = "function"
        if found.binding is not None:
            kind = _KIND[found.binding.meaning]
        yield Coloured(found.spot, len(found.name), kind)
