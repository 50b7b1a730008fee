"""What a tuning run taught, all together; also as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tilewright.tuning.explaining.effects import Effects, NoEffects, find_effects
from tilewright.tuning.explaining.failures import FailureGroup, group_failures
from tilewright.tuning.explaining.limits import Limits, limits_of
from tilewright.tuning.explaining.option_facts import (
    ChoiceFacts,
    Inert,
    inert_choices,
    option_facts,
)
from tilewright.tuning.explaining.suggestions import suggestions
from tilewright.tuning.explaining.time_spent import (
    NEAR,
    STOPS,
    Improvement,
    Moment,
    StageSeconds,
    improvements,
    reached,
    stage_seconds,
    stopped_after,
)

if TYPE_CHECKING:
    from tilewright.tuning.explaining.tuning_log import TuningLog

FORMAT = "tilewright-explanation-1"


@dataclass(frozen=True)
class Explanation:
    """The findings about one log."""

    log: TuningLog
    effects: Effects | NoEffects
    choices: tuple[ChoiceFacts, ...]
    inert: tuple[Inert, ...]
    failures: tuple[FailureGroup, ...]
    stages: tuple[StageSeconds, ...]
    improvements: tuple[Improvement, ...]
    stops: tuple[Moment, ...]
    limits: Limits | None
    suggestions: tuple[str, ...]
    """What to change before the next run, in words."""

    def as_json(self) -> dict[str, Any]:
        """The findings as plain data; docs/result_formats.md has the fields."""
        log, best = self.log, self.log.best
        found = self.effects
        steps = [(near, reached(self.improvements, near)) for near in NEAR]
        return {
            "format": FORMAT,
            "run": {
                "name": log.name,
                "source": log.source,
                "payload": log.payload,
                "schedule": log.schedule,
                "device": log.device,
                "versions": log.versions,
                "measured": log.measured,
                "sizes": log.sizes,
                "strategy": log.strategy,
                "started": log.started,
                "clock": log.clock,
                "wall_seconds": log.wall_seconds,
                "trials": len(log.trials),
                "outcomes": log.outcomes,
                "valid_points": None
                if log.known_space is None
                else log.known_space.count_valid(),
            },
            "best": None
            if best is None
            else {
                "point": best.point,
                "ms": best.milliseconds,
                "final_ms": best.final,
                "limits": None if self.limits is None else asdict(self.limits),
            },
            "effects": asdict(found) if isinstance(found, Effects) else None,
            "no_effects_because": found.reason
            if isinstance(found, NoEffects)
            else None,
            "choices": [
                {
                    **asdict(one),
                    "untried": one.untried,
                    "never_worked": one.never_worked,
                }
                for one in self.choices
            ],
            "changed_nothing": [asdict(one) for one in self.inert],
            "suggestions": self.suggestions,
            "failures": [asdict(group) for group in self.failures],
            "stages": [asdict(stage) for stage in self.stages],
            "improvements": [asdict(step) for step in self.improvements],
            "within": [
                {"behind": near, "trial": step.trial, "seconds": step.seconds}
                for near, step in steps
                if step is not None
            ],
            "stopped_after": [
                {"share": share, **asdict(moment)}
                for share, moment in zip(STOPS, self.stops, strict=False)
            ],
        }


def explain(log: TuningLog, seed: int = 0) -> Explanation:
    """Find out what the trials of a log teach."""
    best = log.best
    effects = find_effects(log, seed)
    facts = option_facts(log)
    steps = improvements(log)
    stops = [stopped_after(log, steps, share) for share in STOPS]
    inert = inert_choices(log, facts, effects)
    failures = group_failures(log.trials)
    return Explanation(
        log,
        effects,
        facts,
        inert,
        failures,
        stage_seconds(log),
        steps,
        tuple(stop for stop in stops if stop is not None),
        None
        if best is None
        else limits_of(best.final or best.milliseconds or 0.0, best.features),
        suggestions(log, facts, inert, failures, reached(steps, 0.01)),
    )
