"""What stands before the cursor: the statement so far, and the word being typed.

`tail, grid = tile tail by [BM, B` has the verb `tile`, the arguments `tail` and `by`,
an open list with one item, and the word `B`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tilewright.editor.reading.positions import Spot
from tilewright.editor.reading.scanner import Token, keywords, scan

_CLOSERS = {"(": ")", "[": "]"}
_NESTING = {"(": 1, "[": 1, ")": -1, "]": -1}
_JOINING = {",", "=", "+", "-", "*", "/", "%", "and", "or"}
_OF_KNOBS = {"knob", "of"}
"""A statement with one of these is a knob, and another may follow on its line."""


@dataclass(frozen=True)
class Written:
    """One argument as it is written; `key` is set for `key = value`."""

    tokens: tuple[Token, ...]
    key: str | None = None

    @property
    def first(self) -> Token:
        """Its first token."""
        return self.tokens[0]


@dataclass(frozen=True)
class Cursor:
    """The statement before the cursor."""

    word: str = ""
    """The word that is being typed; the cursor stands at its end."""
    targets: tuple[str, ...] = ()
    has_equal: bool = False
    head: str | None = None
    """The verb or keyword of the statement; None if it is yet to be typed."""
    start: int | None = None
    """The offset of the statement's first token; None if there is none yet."""
    arguments: tuple[Written, ...] = ()
    """The complete arguments after the head."""
    key: str | None = None
    """The option whose value comes next: `warps =`."""
    open_items: tuple[Written, ...] | None = None
    """The items of the list or call that is open, if one is."""
    call: str | None = None
    """The function whose parentheses are open."""
    string: str | None = None
    """The text of the string that is open."""
    is_comment: bool = False
    depth: int = 0
    """How many blocks are open: 0 is outside of every definition."""
    before: Sequence[Token] = field(default=(), repr=False)


def cursor_at(text: str, spot: Spot) -> Cursor:
    """The statement before a spot."""
    lines = text.split("\n")
    line = lines[spot.line - 1] if spot.line <= len(lines) else ""
    before = "\n".join([*lines[: spot.line - 1], line[: spot.column - 1]])
    tokens = list(scan(before))
    last = tokens[-1] if tokens else None
    if last is not None and last.kind == "COMMENT":
        return Cursor(is_comment=True)
    string = word = None
    if last is not None and last.kind == "OPEN_STRING":
        string, tokens = last.text[1:], tokens[:-1]
    elif last is not None and last.end == len(before) and _is_word(last):
        word, tokens = last.text, tokens[:-1]
    elif word is None and before.endswith(".") and len(tokens) > 1:
        # `structured.` is the beginning of a name.
        *others, name, dot = tokens
        if name.kind == "NAME" and name.end == dot.start:
            word, tokens = f"{name.text}.", others
    code = [token for token in tokens if token.kind != "COMMENT"]
    depth = sum({"{": 1, "}": -1}.get(t.text, 0) for t in code if t.kind == "SIGN")
    statement = _last_knob(_statement(code))
    return _read(statement, word or "", string, max(depth, 0), code)


def _is_word(token: Token) -> bool:
    return token.kind in ("NAME", "NUMBER")


def _statement(tokens: list[Token]) -> list[Token]:
    """The tokens of the last statement, from its beginning."""
    start, depth = 0, 0
    for index, token in enumerate(tokens):
        if token.kind != "SIGN":
            continue
        if token.text in "([":
            depth += 1
        elif token.text in ")]":
            depth = max(depth - 1, 0)
        elif token.text in "{};" or (
            token.text == "\n" and depth == 0 and not _joins(tokens, index)
        ):
            start, depth = index + 1, 0
    return [token for token in tokens[start:] if token.text != "\n"]


def _joins(tokens: list[Token], index: int) -> bool:
    """Whether the line before a line end continues."""
    return index > 0 and tokens[index - 1].text in _JOINING


def _last_knob(tokens: list[Token]) -> list[Token]:
    """A statement without the knobs that stand before it on its line."""
    equals = [
        i for i, t in enumerate(tokens) if t.text == "=" and _depth_at(tokens, i) == 0
    ]
    for first, second in zip(equals, equals[1:], strict=False):
        words = {token.text for token in tokens[first + 1 : second]}
        if words & _OF_KNOBS:
            return _last_knob(tokens[second - 1 :])
    return tokens


def _depth_at(tokens: list[Token], index: int) -> int:
    return sum(_NESTING.get(token.text, 0) for token in tokens[:index])


def _read(
    tokens: list[Token],
    word: str,
    string: str | None,
    depth: int,
    before: list[Token],
) -> Cursor:
    targets, rest = _split_targets(tokens)
    has_equal = rest is not tokens
    if not rest:
        return Cursor(
            word, targets, has_equal, string=string, depth=depth, before=before
        )
    head, *words = rest
    text = head.text
    if text == "for" and words and words[0].text == "each":
        text, words = "for each", words[1:]
    reader = _Arguments(words)
    return Cursor(
        word,
        targets,
        has_equal,
        text,
        tokens[0].start,
        tuple(reader.done),
        reader.key,
        None if reader.open_items is None else tuple(reader.open_items),
        reader.call,
        string,
        depth=depth,
        before=before,
    )


def _split_targets(tokens: list[Token]) -> tuple[tuple[str, ...], list[Token]]:
    """The names before `=`, and the tokens after it; all tokens if there is none."""
    for index, token in enumerate(tokens):
        if token.text == "=" and index > 0:
            names = tuple(
                t.text
                for position, t in enumerate(tokens[:index])
                if t.kind == "NAME"
                and (position == 0 or tokens[position - 1].text == ",")
            )
            return names, tokens[index + 1 :]
        if token.kind not in ("NAME", "STRING") and token.text not in (",", ":"):
            break
        if token.text in keywords() and index == 0:
            break
        if index and token.kind == "NAME" and tokens[index - 1].kind == "NAME":
            break
    return (), tokens


class _Arguments:
    """Groups the tokens after a verb into arguments."""

    def __init__(self, tokens: list[Token]) -> None:
        self.done: list[Written] = []
        self.key: str | None = None
        self.open_items: list[Written] | None = None
        self.call: str | None = None
        self._tokens = tokens
        self._index = 0
        while self._index < len(tokens) and self.open_items is None:
            self._one()

    def _one(self) -> None:
        """Read one argument, with the operators that join it with the next value."""
        tokens = self._tokens
        first = tokens[self._index]
        if first.text == ",":
            self._index += 1
            return
        key = None
        if (
            first.kind in ("NAME", "STRING")
            and self._index + 1 < len(tokens)
            and tokens[self._index + 1].text == "="
        ):
            key = first.text
            self._index += 2
            if self._index >= len(tokens):
                self.key = key
                return
        taken = self._value()
        while (
            taken and self._index < len(tokens) and tokens[self._index].text in "+*/%-"
        ):
            taken.append(tokens[self._index])
            self._index += 1
            if self._index < len(tokens):
                taken += self._value()
        if self.open_items is None and taken:
            self.done.append(Written(tuple(taken), key))
        elif key is not None:
            self.key = key

    def _value(self) -> list[Token]:
        """One value: a word, a list, or a call."""
        tokens = self._tokens
        taken = [tokens[self._index]]
        self._index += 1
        if taken[0].text in _CLOSERS:
            return taken + self._bracket(taken[0].text, None)
        if (
            taken[0].kind == "NAME"
            and self._index < len(tokens)
            and tokens[self._index].text == "("
        ):
            self._index += 1
            return taken + self._bracket("(", taken[0].text)
        return taken

    def _bracket(self, opener: str, call: str | None) -> list[Token]:
        """The tokens up to the closing bracket; without one, the list stays open."""
        start, depth = self._index, 1
        for index in range(start, len(self._tokens)):
            text = self._tokens[index].text
            depth += _NESTING.get(text, 0)
            if depth == 0:
                self._index = index + 1
                return self._tokens[start : index + 1]
        inner = _Arguments(self._tokens[start:])
        self._index = len(self._tokens)
        self.call = inner.call or call
        self.open_items = inner.done if inner.open_items is None else inner.open_items
        return []
