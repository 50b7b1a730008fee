"""The table of strategies in the docs, and the option `--strategy`."""

from __future__ import annotations

import pytest

from support.paths import DOCS
from tilewright.commands.inputs.strategies import parse_strategy
from tilewright.commands.terminal.failure import UsageError
from tilewright.tuning.search.strategies import DEFAULT, STRATEGIES


def test_the_docs_list_every_strategy_and_option() -> None:
    page = (DOCS / "tuning.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for kind in STRATEGIES.values():
        name = f"`{kind.name}`" + (" (default)" if kind.name == DEFAULT else "")
        options = ", ".join(f"`{o.name}` {o.default}" for o in kind.options)
        row = f"| {name} | {kind.summary} | {options} |".replace("|  |", "| |")
        assert row in rows


def test_the_command_has_the_same_default() -> None:
    import inspect

    from tilewright.cli.tune import tune

    assert inspect.signature(tune).parameters["strategy"].default == DEFAULT


def test_options_have_the_type_of_their_defaults() -> None:
    assert parse_strategy("random") == ("random", {})
    name, options = parse_strategy("annealing:walks=2,temperature=1")
    assert name == "annealing" and options == {"walks": 2, "temperature": 1.0}
    assert isinstance(options["temperature"], float)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("luck", "no such strategy"),
        ("guided:samples=3", "no option 'samples'"),
        ("guided:sample=many", "sample=many is not a number"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_strategy(text)
