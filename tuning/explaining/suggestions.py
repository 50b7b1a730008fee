"""What to change before the next run, as the trials suggest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tilewright.tuning.search.encoding import is_ordered, ranked_options

if TYPE_CHECKING:
    from tilewright.tuning.explaining.failures import FailureGroup
    from tilewright.tuning.explaining.option_facts import ChoiceFacts, Inert
    from tilewright.tuning.explaining.time_spent import Improvement
    from tilewright.tuning.explaining.tuning_log import TuningLog

_SLOWER = 0.02
"""An option next to the winner's that is so much slower shows a direction."""
_FAR = 0.25
"""An option whose best point is so far behind may be dropped."""
_ENOUGH = 8
"""Trials of an option that must have worked before one drops it; twice as many of all
before anything is suggested."""
_FREQUENT = 0.03
"""A failure of this share of the trials is worth a `require`."""
_HOPELESS = 0.9
"""If this share of the trials with some options fails, they are worth a `require`."""
_EARLY = 0.5
"""A run that was within 1% of its best in this share of its time may be shorter."""


def suggestions(
    log: TuningLog,
    facts: Sequence[ChoiceFacts],
    inert: Sequence[Inert],
    failures: Sequence[FailureGroup],
    near: Improvement | None,
) -> tuple[str, ...]:
    """Sentences that each name one change; `near` is the first trial within 1%."""
    if len(log.worked) < 2 * _ENOUGH:
        return ()
    return (
        *_more_options(log, facts),
        *_fewer_options(facts),
        *_closed(inert),
        *_required(log, failures),
        *_shorter(log, near),
    )


def _more_options(log: TuningLog, facts: Sequence[ChoiceFacts]) -> Iterator[str]:
    """A winner at the end of a list of numbers, beside a slower neighbour."""
    for one in facts:
        choice = log.space.choices[one.name]
        options = ranked_options(choice)
        if not is_ordered(choice) or one.structural or len(options) < 2:
            continue
        places = [repr(value) for value in options]
        place = places.index(repr(one.winner)) if repr(one.winner) in places else 1
        ends = (
            (0, 1, "smallest", "smaller"),
            (len(places) - 1, -2, "largest", "larger"),
        )
        for end, beside, extreme, more in ends:
            next_to = one.options[beside]
            slower = next_to.at_winner
            if slower is None and next_to.tried - next_to.failed >= _ENOUGH:
                slower = next_to.behind
            if end == 0 and isinstance(one.winner, int | float) and one.winner <= 1:
                continue  # numbers of a schedule count something
            if place == end and slower is not None and slower > _SLOWER:
                yield (
                    f"{one.name}: the winner has the {extreme} option, {one.winner}, "
                    f"and {next_to.value} is {slower:.0%} slower: try {more} ones"
                )


def _fewer_options(facts: Sequence[ChoiceFacts]) -> Iterator[str]:
    """Options that worked often and were never near the best."""
    for one in facts:
        far = [
            option
            for option in one.options
            if option.behind is not None
            and option.behind > _FAR
            and option.tried - option.failed >= _ENOUGH
        ]
        if far and len(far) < len(one.tried):
            values = ", ".join(str(option.value) for option in far)
            least = min(option.behind or 0.0 for option in far)
            yield (
                f"{one.name}: drop {values}: no trial with "
                f"{'it' if len(far) == 1 else 'them'} is within {least:.0%} of the best"
            )


def _closed(inert: Sequence[Inert]) -> Iterator[str]:
    for one in inert:
        if one.kind == "same program":
            yield f"{one.name}: close it, the kernels do not depend on it"


def _required(log: TuningLog, failures: Sequence[FailureGroup]) -> Iterator[str]:
    """Options with which nearly every trial fails."""
    for group in failures:
        if group.share < _FREQUENT or group.by_environment or not group.options:
            continue
        having = [
            trial
            for trial in log.trials
            if all(str(trial.point.get(name)) == value for name, value in group.options)
        ]
        failed = sum(trial.milliseconds is None for trial in having) / len(having)
        if failed >= _HOPELESS:
            common = ", ".join(f"{name} = {value}" for name, value in group.options)
            count = "all" if failed == 1.0 else f"{failed:.0%} of"
            yield f"`require` against {common}: {count} {len(having)} trials there fail"


def _shorter(log: TuningLog, near: Improvement | None) -> Iterator[str]:
    if near is None:
        return
    whole = log.wall_seconds
    if near.seconds is not None and whole and near.seconds < _EARLY * whole:
        yield (
            f"a budget of {near.seconds:.0f} s of {whole:.0f} s would have come within "
            "1% of this result, with the same luck"
        )
