"""The reference of the schedule language, from the language's own tables.

`python -m tilewright.editor.reference` writes `docs/reference.md`; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.editor.pages import FOLDER, pages_of_verbs
from tilewright.ir.structured.roles import Role
from tilewright.schedules.language.syntax import (
    NUMBER_FUNCTIONS,
    OPTION_FUNCTIONS,
    PAYLOAD_NUMBERS,
    RESERVED,
    File,
    Import,
)
from tilewright.schedules.language.verbs.vocabulary import VERBS
from tilewright.schedules.library.imports import module_names, with_imports
from tilewright.transforms.op_sources import PREFIX

PAGE = FOLDER / "reference.md"


def reference_text() -> str:
    """The text of the page."""
    return "\n".join([*_head(), *_verbs(), *_functions(), *_library(), *_words(), ""])


def _head() -> Iterator[str]:
    yield "# Reference of the schedule language"
    yield ""
    yield "Every verb, function and library schedule, written from the tables by"
    yield "`python -m tilewright.editor.reference`."
    yield "[schedules.md](schedules.md) explains them."


def _verbs() -> Iterator[str]:
    pages = pages_of_verbs()
    rows: list[tuple[str, str, str]] = []
    for verb in sorted(VERBS, key=lambda verb: verb.name):
        ops = ", ".join(f"`{op.removeprefix(PREFIX)}`" for op in verb.translation.ops)
        page = pages.get(verb.name)
        made = ops if page is None else f"{ops} ([page](transforms/{page}.md))"
        rows.append((f"`{verb.form.usage}`", verb.doc, made))
    yield from _table("Verbs", ("statement", "what it does", "ops"), rows)
    yield ""
    yield "What is in brackets may be left out. `match` finds these roles:"
    yield ", ".join(f"`{role}`" for role in Role) + "."


def _functions() -> Iterator[str]:
    kinds = (
        (NUMBER_FUNCTIONS, "of numbers and conditions"),
        (PAYLOAD_NUMBERS, "reads a number off the payload"),
        (OPTION_FUNCTIONS, "lists the options of a knob"),
    )
    rows = [(f"`{text}`", what) for table, what in kinds for text in table.values()]
    yield from _table("Functions", ("written", "what it is"), rows)


def _library() -> Iterator[str]:
    rows: list[tuple[str, ...]] = []
    for file in module_names():
        tree = File((), (), (Import(file, False),))
        for name, one in with_imports(tree, "reference.tw").definitions.items():
            if name.startswith(f"{file}."):
                given = ", ".join(parameter.name.text for parameter in one.parameters)
                rows.append((f"`include {name}({given})`", f"`import {file}`"))
    yield from _table("Library", ("statement", "needs"), rows)
    yield ""
    yield "[library.md](library.md) says what each is for, and what it leaves open."


def _words() -> Iterator[str]:
    yield ""
    yield "## Words that cannot be names"
    yield ""
    yield ", ".join(f"`{word}`" for word in RESERVED) + "."


def _table(
    title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]
) -> Iterator[str]:
    """A section with one table; a bar inside a cell is escaped."""
    yield from ("", f"## {title}", "", f"| {' | '.join(columns)} |")
    yield "|" + "---|" * len(columns)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |"


if __name__ == "__main__":
    PAGE.write_text(reference_text(), encoding="utf-8")
