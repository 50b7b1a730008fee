"""Compares JSON with its description in docs/result_formats.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from support.paths import DOCS

PAGE = (DOCS / "result_formats.md").read_text()
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|", re.MULTILINE)
FREE = {
    "choices",
    "reasons",
    "texts",
    "point",
    "outcomes",
    "origins",
    "seconds",
    "features",
    "device_use",
    "milestones",
    "share",
    "slowdown",
    "example",
    "best_point",
}
"""Objects whose names depend on the run."""
TYPES = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": int | float,
    "list": list,
    "list of numbers": list,
    "object": dict,
    "point": dict,
    "null": type(None),
    "interval": dict,
    "option": int | float | str | bool,
}


def section(title: str) -> str:
    """The part of the page below a heading."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every field by its path; objects that stand for their fields are left out."""
    for name, inner in value.items():
        here = f"{path}.{name}" if path else name
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            yield here, inner
            for each in inner:
                yield from fields(each, f"{here}[]")
        elif isinstance(inner, dict) and name not in FREE:
            yield from fields(inner, here)
        else:
            yield here, inner


def assert_documented(document: dict[str, Any], page: str) -> None:
    rows = {path: kind.strip() for path, kind in ROW.findall(page)}
    found = dict(fields(document))
    # An object that may be null has a row of its own.
    either = {path for path, kind in rows.items() if kind == "object or null"}
    assert found.keys() | either == rows.keys()
    for path, value in fields(document):
        kinds = [TYPES[kind] for kind in rows[path].split(" or ")]
        assert any(isinstance(value, kind) for kind in kinds), (path, value)
