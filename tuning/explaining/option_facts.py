"""Measured facts about every option: its best point, its time at the winner, failures.

No model is involved, so these hold whatever the search looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.search.encoding import is_structural, ranked_options
from tilewright.tuning.space.choices import Alternative, choices_in
from tilewright.tuning.space.redundant_choices import unchanged_choices

if TYPE_CHECKING:
    from tilewright.tuning.explaining.effects import Effects, NoEffects
    from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog
    from tilewright.tuning.space.choices import Choice, Point, Value
    from tilewright.tuning.space.space import Space

SMALL = 0.01
"""A choice that changes the time by less has no effect to speak of."""
TRUSTED = 0.5
"""The share of unseen trials that a model must predict to be believed about that."""


@dataclass(frozen=True)
class OptionFacts:
    """What the trials with one option tell."""

    value: Value
    tried: int
    failed: int
    best_ms: float | None
    """The fastest trial with it; None where none worked."""
    best_point: Point | None
    behind: float | None
    """How much slower that is than the winner, as a share of it."""
    at_winner: float | None
    """How much slower than the winner the point is that differs from it only here;
    0 for the winner's own option, None where that point has no time."""


@dataclass(frozen=True)
class ChoiceFacts:
    """What the trials tell about one choice."""

    name: str
    structural: bool
    """Whether its options are structures, not numbers."""
    options: tuple[OptionFacts, ...]
    """All options of the schedule, if it is known; else those that were tried."""
    winner: Value | None
    """The winner's option; None where its branch does not open the choice."""

    @property
    def untried(self) -> tuple[Value, ...]:
        """Options without a trial."""
        return tuple(option.value for option in self.options if not option.tried)

    @property
    def never_worked(self) -> tuple[Value, ...]:
        """Options that were tried and always failed."""
        return tuple(
            option.value
            for option in self.options
            if option.tried and option.failed == option.tried
        )

    @property
    def tried(self) -> tuple[Value, ...]:
        """Options with a trial."""
        return tuple(option.value for option in self.options if option.tried)


@dataclass(frozen=True)
class Inert:
    """A choice that changed nothing, and what that means."""

    name: str
    kind: str
    """`same program`: no kernel depends on it, at any valid point. `same in trials`: no
    kernel of the trials does. `no effect`: the times do not. `one option`: only one was
    tried."""
    text: str


def option_facts(log: TuningLog) -> tuple[ChoiceFacts, ...]:
    """The facts of every choice, in the order of the schedule."""
    changed = _one_change_away(log)
    return tuple(
        _choice_facts(choice, log, changed) for choice in log.space.choices.values()
    )


def _choice_facts(
    choice: Choice, log: TuningLog, changed: Mapping[tuple[str, str], float]
) -> ChoiceFacts:
    best = log.best
    by_option: dict[str, list[LoggedTrial]] = {}
    for trial in log.trials:
        if choice.name in trial.point:
            # In Python 1 == True, so compare texts.
            by_option.setdefault(repr(trial.point[choice.name]), []).append(trial)
    found: list[OptionFacts] = []
    for value in ranked_options(choice):
        having = by_option.get(repr(value), [])
        worked = [t for t in having if t.milliseconds is not None]
        fastest = min(worked, key=lambda t: t.milliseconds or 0.0, default=None)
        at_winner = changed.get((choice.name, repr(value)))
        if best is not None and _has(best.point, choice.name, value):
            fastest, at_winner = best, 0.0
        found.append(
            OptionFacts(
                value,
                len(having),
                len(having) - len(worked),
                None if fastest is None else fastest.milliseconds,
                None if fastest is None else fastest.point,
                _behind(fastest, best),
                at_winner,
            )
        )
    winner = None if best is None else best.point.get(choice.name)
    return ChoiceFacts(choice.name, is_structural(choice), tuple(found), winner)


def _has(point: Mapping[str, Value], name: str, value: Value) -> bool:
    return name in point and repr(point[name]) == repr(value)


def _behind(trial: LoggedTrial | None, best: LoggedTrial | None) -> float | None:
    if trial is None or best is None or not trial.milliseconds or not best.milliseconds:
        return None
    return trial.milliseconds / best.milliseconds - 1.0


def _one_change_away(log: TuningLog) -> dict[tuple[str, str], float]:
    """By choice and option: the fastest point that differs from the winner only there.

    Another branch opens other choices; of points that differ in those too, the fastest
    counts.
    """
    best = log.best
    if best is None:
        return {}
    inside = _nested(log.space)
    found: dict[tuple[str, str], float] = {}
    for trial in log.worked:
        behind = _behind(trial, best)
        differing = [
            name
            for name in {**best.point, **trial.point}
            if not (name in trial.point and _has(best.point, name, trial.point[name]))
        ]
        outer = [n for n in differing if n in best.point and n in trial.point]
        if behind is None or len(outer) != 1:
            continue
        name = outer[0]
        if all(other == name or other in inside.get(name, ()) for other in differing):
            key = (name, repr(trial.point[name]))
            found[key] = min(found.get(key, behind), behind)
    return found


def _nested(space: Space) -> dict[str, set[str]]:
    """The choices in the branches of each alternative."""
    return {
        choice.name: {inner.name for b in choice.branches for inner in choices_in(b)}
        for choice in choices_in(space.items)
        if isinstance(choice, Alternative)
    }


def inert_choices(
    log: TuningLog, facts: Sequence[ChoiceFacts], effects: Effects | NoEffects
) -> tuple[Inert, ...]:
    """Choices that changed nothing: neither the program, nor the time."""
    from tilewright.tuning.explaining.effects import Effects

    known = log.known_space
    valid = known.count_valid() if known is not None and known.is_exact() else None
    programs = ((t.point, t.program) for t in log.trials)
    same = {one.name: one for one in unchanged_choices(programs, valid)}
    by_name = (
        {effect.name: effect for effect in effects.choices}
        if isinstance(effects, Effects)
        else {}
    )
    trusted = isinstance(effects, Effects) and effects.held_out_share >= TRUSTED
    found: list[Inert] = []
    for one in facts:
        effect = by_name.get(one.name)
        if (unchanged := same.get(one.name)) is not None:
            kind = "same program" if unchanged.proved else "same in trials"
            found.append(Inert(one.name, kind, str(unchanged)))
        elif len(one.tried) == 1 and len(log.trials) > 1 and not one.untried:
            found.append(
                Inert(one.name, "one option", f"only {one.tried[0]} was tried")
            )
        elif (
            effect is not None
            and trusted
            and all(
                -SMALL < option.slowdown.low and option.slowdown.high < SMALL
                for option in effect.options
            )
        ):
            largest = _largest_pair(effects, one.name)
            alone = "" if largest is None else f"; only together with {largest}"
            text = f"less than {SMALL:.0%} of the time{alone}"
            found.append(Inert(one.name, "no effect", text))
    return tuple(found)


def _largest_pair(effects: Effects | NoEffects, name: str) -> str | None:
    """The choice that matters together with this one, if there is one."""
    from tilewright.tuning.explaining.effects import Effects

    if not isinstance(effects, Effects):
        return None
    for pair in effects.pairs:
        if name in (pair.first, pair.second) and pair.share.value >= SMALL:
            return pair.second if pair.first == name else pair.first
    return None
