"""The formatter over schedules with mistakes: those that parse keep their meaning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.paths import DATA
from tilewright.ir.errors import UserError
from tilewright.schedules.language.formatting.format import format_text
from tilewright.schedules.language.parsing.parser import parse

FILES = [DATA / "schedule_errors.txt", *sorted((DATA / "findings").glob("*.txt"))]


def texts_of(path: Path) -> list[str]:
    """The schedules of a file, without what the check says about each."""
    cases = path.read_text(encoding="utf-8").split("=====\n")
    return [case.partition("-----\n")[0] for case in cases]


def comments(text: str) -> list[str]:
    """The comments of a text, without those that stand in strings."""
    code = re.sub(r'"[^"\n]*"|`[^`\n]*`', '""', text)
    return sorted(found.strip() for found in re.findall(r"//[^\n]*", code))


@pytest.mark.sampled(30)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_formatting_twice_is_formatting_once(path: Path) -> None:
    tried = 0
    for text in texts_of(path):
        try:
            tree = parse(text, "s.tw")
        except UserError:
            continue
        tried += 1
        once = format_text(text, "s.tw")
        assert format_text(once, "s.tw") == once
        assert parse(once, "s.tw") == tree
        assert comments(once) == comments(text)
    assert tried
