"""HTML of texts, differences and tables, for the cells of a notebook.

Styles are inline: a notebook shows a cell without a style sheet of its own. Colours are
half transparent, so that they can be read on light and on dark backgrounds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from html import escape

_PRE = (
    "margin:0;padding:6px 8px;overflow:auto;max-height:28em;line-height:1.35;"
    "text-align:left;border:1px solid #8884;border-radius:4px"
)
_DIFF = {
    "+": "background:#2da44e33",
    "-": "background:#cf222e33",
    "@": "color:#8250df",
}
"""The style of a line of a difference, by its first character."""
_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*)|(?P<string>"[^"\n]*"|`[^`\n]*`)'
    r"|(?P<number>(?<![\w.%])\d[\w.]*)|(?P<word>[A-Za-z_][\w.]*)"
)
_COLOURS = {
    "comment": "#6e7781",
    "string": "#0a7d33",
    "number": "#b35900",
    "word": "#8250df;font-weight:600",
}


def text_html(title: str, text: str, words: Collection[str] = ()) -> str:
    """A text under a title; `words` are its keywords."""
    return _titled(title, _pre(coloured(text, words)))


def diff_html(title: str, lines: Iterable[str]) -> str:
    """The hunks of a unified diff, with added and removed lines coloured."""
    shown = [
        f'<span style="display:block;{_DIFF.get(line[:1], "")}">{escape(line)}</span>'
        for line in lines
    ]
    return _titled(title, _pre("".join(shown)))


def table_html(
    title: str, head: Sequence[str], rows: Iterable[Sequence[object]]
) -> str:
    """A table; its cells are text."""
    cell = 'style="text-align:left;padding:2px 10px 2px 0"'
    first = "".join(f"<th {cell}>{escape(each)}</th>" for each in head)
    body = "".join(
        f"<tr>{''.join(f'<td {cell}>{escape(str(each))}</td>' for each in row)}</tr>"
        for row in rows
    )
    table = f"<table><thead><tr>{first}</tr></thead><tbody>{body}</tbody></table>"
    return _titled(title, table)


def folded_html(title: str, inner: str, is_open: bool = False) -> str:
    """Something that opens with a click on its title."""
    mark = " open" if is_open else ""
    summary = f'<summary style="cursor:pointer">{escape(title)}</summary>'
    return f"<details{mark}>{summary}{inner}</details>"


def coloured(text: str, words: Collection[str] = ()) -> str:
    """A program text with its comments, strings, numbers and keywords coloured."""
    made: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind == "word" and match.group() not in words:
            continue
        made.append(escape(text[end : match.start()]))
        made.append(
            f'<span style="color:{_COLOURS[kind]}">{escape(match.group())}</span>'
        )
        end = match.end()
    return "".join([*made, escape(text[end:])])


def _pre(inner: str) -> str:
    return f'<pre style="{_PRE}">{inner}</pre>'


def _titled(title: str, inner: str) -> str:
    head = f'<div style="font-weight:600;margin:4px 0">{escape(title)}</div>'
    return f"<div>{head if title else ''}{inner}</div>"
