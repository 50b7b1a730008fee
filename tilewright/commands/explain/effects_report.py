"""The tables of `tilewright explain`: what each option and each pair earned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from tilewright.commands.explain.wrapped import milliseconds, say, shortened, title
from tilewright.tuning.explaining.effects import Effects, Interval, NoEffects
from tilewright.tuning.explaining.tuning_log import point_text

if TYPE_CHECKING:
    from rich.console import Console

    from tilewright.tuning.explaining.effects import ChoiceEffect, PairEffect
    from tilewright.tuning.explaining.explanation import Explanation
    from tilewright.tuning.explaining.option_facts import ChoiceFacts, OptionFacts

_LEAST_PAIR = 0.01
"""The share that a pair needs to be listed."""
_PAIRS = 6
_OPTIONS = 12
"""Options of a choice that are listed: the best ones, if there are more."""
_NAME = 24
"""Characters of an option's name."""
_SHORT = 12
"""Characters of a name in the table of pairs."""


def say_effects(log: Console, found: Explanation) -> None:
    """Print a table of all options, then one of the pairs that matter."""
    title(log, "which choice earned what")
    effects = found.effects
    by_name: dict[str, ChoiceEffect] = {}
    if isinstance(effects, NoEffects):
        say(log, f"No model of the times: {effects.reason}.", indent="  ", more="")
    else:
        say(log, _method(effects), indent="  ", more="")
        by_name = {effect.name: effect for effect in effects.choices}
    if not found.choices:
        return
    order = [*by_name, *(one.name for one in found.choices)]
    table = Table(
        "choice, option", "others equal", box=None, header_style="bold", pad_edge=True
    )
    for column in ("at the winner", "its best ms", "behind", "tried", "failed"):
        table.add_column(column, justify="right")
    for facts in sorted(found.choices, key=lambda one: order.index(one.name)):
        _add_choice(table, facts, by_name.get(facts.name))
    log.print(table)
    say(
        log,
        "others equal: slower than the best option of the choice, by the model, with "
        "its 95% interval. at the winner: the trial that differs from the winner only "
        "here. its best ms, behind: the fastest trial with the option, and how far it "
        "is behind the winner. * marks the winner's option.",
        indent="  ",
        more="",
    )
    if isinstance(effects, Effects):
        _say_pairs(log, effects.pairs)


def _method(effects: Effects) -> str:
    over = f"{effects.points} valid points"
    if not effects.whole_space:
        over = f"{effects.points} crossings of the trials"
    held_out = max(0.0, effects.held_out_share)
    trust = "" if held_out >= 0.5 else " Read its numbers with care."
    return (
        "A model of the log time (Bayesian ridge regression on options and pairs, from "
        f"{effects.trials} trials) predicts {held_out:.0%} of the variation between "
        f"trials that it has not seen.{trust} Searches try good points more often than "
        f"others, so it is averaged over {over}, each counted once."
    )


def _add_choice(table: Table, facts: ChoiceFacts, effect: ChoiceEffect | None) -> None:
    share = "" if effect is None else f"{_share(effect.share)} of variation"
    table.add_row(shortened(facts.name, _NAME), share, style="bold")
    slower = {} if effect is None else {repr(o.value): o for o in effect.options}
    options: Sequence[OptionFacts] = facts.options
    if len(options) > _OPTIONS:
        known = [one for one in options if one.behind is not None]
        options = sorted(known, key=lambda one: one.behind or 0.0)[:_OPTIONS]
    for option in options:
        found = slower.get(repr(option.value))
        best = effect is not None and found is effect.best
        mark = "*" if repr(option.value) == repr(facts.winner) else " "
        table.add_row(
            shortened(f" {mark} {option.value}", _NAME),
            "best" if best else "" if found is None else _slower(found.slowdown),
            "" if option.at_winner is None else _percent(option.at_winner),
            "-" if option.best_ms is None else milliseconds(option.best_ms),
            "-" if option.behind is None else _percent(option.behind),
            str(option.tried),
            str(option.failed) if option.failed else "",
        )
    if len(options) < len(facts.options):
        table.add_row(f"   and {len(facts.options) - len(options)} more")


def say_structures(log: Console, choices: Sequence[ChoiceFacts]) -> None:
    """Print the best point of each structure that the winner does not have."""
    lines = [
        f"{one.name}={option.value}: {milliseconds(option.best_ms)} ms "
        f"({_percent(option.behind)}): {point_text(option.best_point)}"
        for one in choices
        if one.structural
        for option in one.options
        if option.best_point is not None
        and option.best_ms is not None
        and option.behind is not None
        and repr(option.value) != repr(one.winner)
    ]
    if lines:
        title(log, "the best point of each other structure")
        for line in lines:
            say(log, line, indent="  ")


def _say_pairs(log: Console, pairs: Sequence[PairEffect]) -> None:
    shown = [pair for pair in pairs if pair.share.value >= _LEAST_PAIR][:_PAIRS]
    if not shown:
        say(log, "No pair of choices matters beyond what each does alone.", indent="  ")
        return
    title(log, "pairs: what two choices do together, beyond what each does alone")
    table = Table(
        "pair", "of variation", "slowest together", "fastest together", box=None
    )
    table.header_style = "bold"
    for pair in shown:
        cells = [pair.cells[0], pair.cells[-1]]
        table.add_row(
            f"{shortened(pair.first, _SHORT)} x {shortened(pair.second, _SHORT)}",
            _share(pair.share),
            *(
                f"{shortened(f'{cell.first}, {cell.second}', _NAME)}: "
                f"{100 * cell.slowdown.value:+.0f}% ({100 * cell.slowdown.low:+.0f} .. "
                f"{100 * cell.slowdown.high:+.0f})"
                for cell in cells
            ),
        )
    log.print(table)


def _share(share: Interval) -> str:
    """`12% (8.1 .. 15)`."""
    value, low, high = (_digits(part) for part in (share.value, share.low, share.high))
    return f"{value}% ({low} .. {high})"


def _slower(slowdown: Interval) -> str:
    """`+12% (+8.1 .. +15)`."""
    low, high = _digits(slowdown.low, "+"), _digits(slowdown.high, "+")
    return f"{_percent(slowdown.value)} ({low} .. {high})"


def _percent(share: float) -> str:
    return f"{_digits(share, '+')}%"


def _digits(share: float, sign: str = "") -> str:
    """A share in percent; with a decimal where it is small."""
    digits = 0 if abs(share) >= 0.0995 else 1
    return f"{100 * share:{sign}.{digits}f}"
