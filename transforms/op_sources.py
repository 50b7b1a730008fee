"""Every transform op, found by its file: its class, and its statement in `.tw`.

An op is there as soon as its file is in a folder of `transforms/`. The files are read
as text and searched for classes with a `name` of the transform dialect: that takes a
few milliseconds, while importing them all would take longer than a schedule of ten
lines runs. The file of an op is imported when the op is first named.
"""

from __future__ import annotations

import os
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from xdsl.ir import Operation

import tilewright.transforms

PREFIX = "transform."
"""The dialect's name, which an op's name begins with."""

_CLASS, _NAME = "\n@irdl_op_definition\nclass ", f'\n    name = "{PREFIX}'
_LITERAL = re.compile(
    r"\n    (FORM|SUMMARY): ClassVar\[str\] = (\((?:\n        .*)+\n    \)|.*)"
)
"""A string in one line, or in several in parentheses, as ruff formats it."""


@dataclass(frozen=True)
class OpSource:
    """Where an op is defined, and its statement if it has a verb of its own."""

    name: str
    """Its name without the dialect: `structured.match`."""
    module: str
    class_name: str
    form: str = ""
    summary: str = ""

    def load(self) -> type[Operation]:
        """The op's class."""
        return getattr(import_module(self.module), self.class_name)


@cache
def op_sources() -> Mapping[str, OpSource]:
    """All ops by name, in the order of their files."""
    return {
        source.name: source
        for root in tilewright.transforms.__path__
        for folder, _, files in sorted(os.walk(root))
        for file in sorted(files)
        if file.endswith(".py")
        for source in _ops_of(os.path.join(folder, file), root)
    }


def _ops_of(file: str, root: str) -> Iterator[OpSource]:
    """The ops that a file defines."""
    with open(file, "rb") as opened:
        content = opened.read()
    if _NAME.encode() not in content:
        return
    path = os.path.relpath(file, root).removesuffix(".py").replace(os.sep, ".")
    for text in content.decode().split(_CLASS)[1:]:
        _, _, after = text.partition(_NAME)
        said = {key: literal_eval(value) for key, value in _LITERAL.findall(after)}
        yield OpSource(
            after.partition('"')[0],
            f"tilewright.transforms.{path}",
            text.partition("(")[0],
            said.get("FORM", ""),
            said.get("SUMMARY", ""),
        )
