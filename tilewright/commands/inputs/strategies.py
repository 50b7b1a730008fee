"""The option `--strategy NAME[:OPTION=VALUE,...]`."""

from __future__ import annotations

from tilewright.commands.terminal.failure import UsageError
from tilewright.tuning.search.strategies import STRATEGIES
from tilewright.tuning.search.strategies.base import Option, OptionValue


def parse_strategy(text: str) -> tuple[str, dict[str, OptionValue]]:
    """The name of the strategy, and the options that are given."""
    name, _, rest = text.partition(":")
    kind = STRATEGIES.get(name)
    if kind is None:
        raise UsageError(
            f"--strategy {name}: no such strategy",
            remedy=f"one of: {', '.join(STRATEGIES)}",
        )
    known = {option.name: option for option in kind.options}
    values: dict[str, OptionValue] = {}
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if key not in known:
            options = ", ".join(f"{o.name} ({o.meaning})" for o in kind.options)
            raise UsageError(
                f"--strategy {name}: no option '{key}'",
                remedy=f"options: {options or 'none'}",
            )
        values[key] = _value(name, known[key], value)
    return name, values


def _value(strategy: str, option: Option, text: str) -> OptionValue:
    """The text as a number of the kind that the default is."""
    kind = type(option.default)
    try:
        return kind(text)
    except ValueError:
        raise UsageError(
            f"--strategy {strategy}: {option.name}={text} is not a number",
            remedy=f"such as {option.name}={option.default}",
        ) from None
