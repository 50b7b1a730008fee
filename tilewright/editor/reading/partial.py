"""The tree of a text that may be half-typed.

A line that does not parse is emptied and the rest is parsed again. A block that it
opens becomes a plain block, and closing braces that are missing are added at the end,
so that every line keeps its number.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from tilewright.ir.errors import UserError
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.syntax import File

_MOST = 60
"""The most lines that are left out; a text with more errors has an empty tree."""

_NOT_CODE = re.compile(r'"[^"\n]*"|`[^`\n]*`|//[^\n]*')
_DEFINITION = re.compile(r"\s*(schedule|sequence)\b")
_JOINING = ("=", ",", "+", "-", "*", "/", "%", "<", ">")
"""A line that ends with one of these continues."""
_PLAIN_BLOCK = "; suppress {"
"""A block without a meaning, in the place of one whose first line does not parse."""


@dataclass(frozen=True)
class Partial:
    """The tree of the lines that parse, and the lines that were left out."""

    file: File
    left_out: frozenset[int] = frozenset()


def read_partial(text: str, name: str) -> Partial:
    """The tree of a text, without the lines that do not parse."""
    try:
        return Partial(parse(text, name))
    except (UserError, RecursionError):
        pass
    lines = text.split("\n")
    left_out: set[int] = set()
    while len(left_out) < _MOST:
        # A line that was left out may have opened a bracket that another one closes.
        for line in _stray_closers(lines):
            left_out.add(line)
            lines[line - 1] = _emptied(lines[line - 1])
        try:
            return Partial(parse(_closed("\n".join(lines)), name), frozenset(left_out))
        except UserError as error:
            line = _line_to_leave_out(error, lines, left_out)
        except RecursionError:
            break
        if line is None:
            break
        left_out.add(line)
        lines[line - 1] = _emptied(lines[line - 1])
    return Partial(File(()), frozenset(left_out))


def code_of(text: str) -> str:
    """The text with spaces in the place of strings and comments."""
    return _NOT_CODE.sub(lambda found: " " * len(found[0]), text)


def _line_to_leave_out(
    error: UserError, lines: list[str], left_out: Set[int]
) -> int | None:
    """The line of an error, or the last one before it that still has words."""
    last = len(lines) if error.place is None else min(error.place.line, len(lines))
    opener = _opener(lines, last)
    if opener is not None and opener not in left_out and not _is_branch(lines, last):
        return opener
    for line in range(last, 0, -1):
        words = code_of(lines[line - 1]).strip(" \t\r{}") or '"' in lines[line - 1]
        if words and line not in left_out:
            above = _line_above(lines, line)
            return above if above is not None and above not in left_out else line
    return None


def _line_above(lines: list[str], line: int) -> int | None:
    """The line that a line continues: one that ends with `=`, a comma, an operator."""
    for above in range(line - 1, 0, -1):
        if text := code_of(lines[above - 1]).strip():
            return above if text.endswith(_JOINING) else None
    return None


def _opener(lines: list[str], line: int) -> int | None:
    """The line of the `choose` whose branches a line is among."""
    depth = 0
    for above in range(line - 1, 0, -1):
        code = code_of(lines[above - 1])
        depth += code.count("}") - code.count("{")
        if depth < 0:
            return above if re.search(r"\bchoose\b", code) else None
    return None


def _is_branch(lines: list[str], line: int) -> bool:
    return bool(re.match(r"\s*[\w\"-]+\s*\{|\s*\}", lines[line - 1]))


def _emptied(line: str) -> str:
    """The blocks that a line opens and closes, without their words."""
    code = code_of(line)
    if _DEFINITION.match(code) and "{" in code:
        return "schedule unreadable(root) {" + code.partition("{")[2].count("}") * "}"
    braces = re.sub(r"[^{}]", " ", code)
    return braces.replace("{", _PLAIN_BLOCK)


def _stray_closers(lines: list[str]) -> set[int]:
    """The lines with a `)` or `]` that closes nothing."""
    found: set[int] = set()
    open_ = ""
    for number, line in enumerate(code_of("\n".join(lines)).split("\n"), 1):
        for character in line:
            if character in "([{":
                open_ += character
            elif character == "}":
                # A brace closes the brackets that are open in its block.
                open_ = open_[: open_.rfind("{")] if "{" in open_ else ""
            elif character in ")]":
                if not open_.endswith("(" if character == ")" else "["):
                    found.add(number)
                    break
                open_ = open_[:-1]
    return found


def _closed(text: str) -> str:
    """The text with closing braces added, and those that close too early left out.

    A brace that ends a definition closes too early if the next line is indented.
    """
    characters = list(text)
    code = code_of(text)
    depth = 0
    for position, character in enumerate(code):
        if character == "{":
            depth += 1
        elif character == "}":
            if depth == 0 or (depth == 1 and _goes_on(code, position + 1)):
                characters[position] = " "
            else:
                depth -= 1
    return "".join(characters) + ("\n" + "}" * depth if depth else "")


def _goes_on(code: str, position: int) -> bool:
    """Whether an indented line follows."""
    rest = code[position:]
    following = rest.lstrip()
    before = rest[: len(rest) - len(following)]
    return bool(following) and not before.endswith("\n")
