"""Long lists of numbers: read as short ones are, and quickly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from tilewright.ir.errors import UserError
from tilewright.schedules.language.parsing import number_runs
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.syntax import Node

ITEMS = st.lists(
    st.sampled_from(
        "1 -2 3.5 1.5e3 N (4) 5*N 6-7 6 - 7 -N [1,2] f(1,2,3) x=1 true".split()
        + ['"s"', "8 + 9", "\n10\n", "-3-4", "11 // 12\n"]
    ),
    max_size=40,
)


def places(node: object) -> Iterator[object]:
    """The places of a tree: equality of nodes leaves them out."""
    if isinstance(node, tuple):
        for each in node:
            yield from places(each)
    elif isinstance(node, Node):
        for field in fields(node):
            value = getattr(node, field.name)
            if field.name == "place":
                yield value
            else:
                yield from places(value)


def read(items: str, shortest: int) -> object:
    text = f"schedule s(root) {{\n  a = f [{items}] by [{items}]\n  b = knob [2]\n}}\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(number_runs, "_SHORTEST", shortest)
        try:
            file = parse(text, "s.tw")
            return file, list(places(file))
        except UserError as error:
            return str(error)


@given(ITEMS, st.sampled_from([", ", ",\n", ",,", " "]), st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_a_run_changes_nothing(items: list[str], comma: str, trailing: bool) -> None:
    text = comma.join(items) + ("," if trailing else "")
    assert read(text, 1) == read(text, 10**9)


@pytest.mark.parametrize("last", ["x", "1.0", "99999999999999999999", "7 8", "1"])
def test_a_mistake_in_a_long_list_has_its_place(last: str) -> None:
    from tilewright.schedules.schedule import check_text

    numbers = ", ".join(map(str, range(1, 100)))
    text = f"schedule s(root) {{\n  K = knob [{numbers},\n    {last}]\n}}\n"
    (error,) = check_text(text, "s.tw")
    assert error.place is not None and error.place.line == 3


def test_a_long_list_is_one_token() -> None:
    from tilewright.schedules.language.parsing.grammar import build_parser
    from tilewright.schedules.language.parsing.tokens import Lines

    numbers = ", ".join(map(str, range(10_000)))
    text = f"schedule s(root) {{ K = knob [{numbers}] }}"
    tokens = list(build_parser(Lines()).lex(text))
    assert len(tokens) < 20
    (run,) = [t for t in tokens if isinstance(t, number_runs.NumberRun)]
    assert len(run.numbers) == 10_000
