"""The outline of a text: definitions, and in them choices, knobs and handles."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilewright.editor.answers.document import Document
from tilewright.editor.reading.names import Binding, Meaning
from tilewright.editor.reading.positions import Span, Spot, span_of, spot_of
from tilewright.schedules.language.syntax import Branch, Definition


@dataclass
class Symbol:
    """An entry of the outline."""

    name: str
    meaning: Meaning
    whole: Span
    """All of it; a definition reaches to its closing brace."""
    name_span: Span
    detail: str = ""
    children: list[Symbol] = field(default_factory=list["Symbol"])


def outline_of(document: Document) -> list[Symbol]:
    """The definitions of a text; every name once, where it is first bound."""
    found: list[Symbol] = []
    inside: dict[int, Symbol] = {}
    for binding in document.names.bindings:
        node = binding.node
        if isinstance(node, Definition) and node.name.text == binding.name:
            if binding.meaning in (Meaning.SCHEDULE, Meaning.SEQUENCE):
                symbol = _symbol(document, binding)
                found.append(symbol)
                inside[id(node)] = symbol
                continue
        if binding.definition is None or binding.meaning is Meaning.BRANCH:
            continue
        parent = inside.get(id(binding.definition))
        if parent is None or any(c.name == binding.name for c in parent.children):
            continue
        parent.children.append(_symbol(document, binding))
    for symbol in found:
        symbol.children.sort(key=lambda child: child.name_span.start)
    return found


def _symbol(document: Document, binding: Binding) -> Symbol:
    name = span_of(binding.name, binding.spot)
    node = binding.node
    end = getattr(node, "end", None) if isinstance(node, Definition | Branch) else None
    last = Spot(binding.spot.line, len(document.line(binding.spot.line)) + 1)
    if end is not None:
        last = Spot(end.line, end.column + 1)
    start = min(spot_of(node.place), binding.spot) if end is not None else binding.spot
    held = document.held(binding)
    detail = binding.meaning.value if held is None else held.text
    return Symbol(
        binding.name, binding.meaning, Span(start, max(last, name.end)), name, detail
    )
