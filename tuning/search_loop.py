"""The search loop: ask the strategy for points, run them, tell it the results.

The parent proposes while workers build, compile and measure, so the stages overlap.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.tuning.results.tuning_result import GAIN, Trial, rank
from tilewright.tuning.run_guide import RunGuide, learned_estimates
from tilewright.tuning.search.feedback import OrderedFeedback
from tilewright.tuning.search.seeding import SeededStrategy
from tilewright.tuning.search.strategies import STRATEGIES, make_strategy
from tilewright.tuning.size_guides import SizeEstimates, SizeGuide
from tilewright.tuning.transfer.per_size import PerSizeStrategy, best_times

if TYPE_CHECKING:
    from tilewright.tuning.options import Progress, TuneOptions, TuningTask
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.search.strategies.base import Strategy
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.stages.candidate_stages import CandidateStages
    from tilewright.tuning.time_budget import TimeBudget

T = TypeVar("T")


@dataclass
class _Proposals:
    """What was proposed so far, and what proposes."""

    seeded: SeededStrategy
    feedback: OrderedFeedback
    limit: int
    """Trials there can be; lower once the strategy has no point left."""
    guide: RunGuide
    taught: int = 0
    """Trials that the guide has learned from."""
    asked: int = 0
    """Points that the strategy proposed."""
    queue: list[Point] = field(default_factory=list["Point"])
    """Those of them that have not been started."""


class SearchLoop:
    """The search of one run."""

    def __init__(
        self,
        task: TuningTask[Any],
        options: TuneOptions,
        database: Database | None,
        progress: Progress,
        budget: TimeBudget,
        stages: CandidateStages,
    ) -> None:
        """Set up the search; `run` does it."""
        self._space = task.space
        self._given = task.seeds
        self._closed = task.closed or (lambda point: "")
        self._starts = [p for p in task.starts if task.space.contains(p)]
        self._options = options
        self._database = database
        self._progress = progress
        self._budget = budget
        self._stages = stages
        self._sizes = len(task.extents) if options.per_size else 1
        self._per_size: PerSizeStrategy | None = None
        self._proposals: _Proposals | None = None
        # Enough to keep every worker busy. With more, a learning strategy would propose
        # points before it knows the results of those before. Where time is short, idle
        # compilers cost more than that.
        each = 2 if options.budget is None else 3
        self.most_outstanding = each * options.workers + 4
        self.allowed: int | None = None
        """Trials that may be proposed by now; None: as many as the options say."""
        self._best_ms: float | None = None
        self.trials: list[Trial] = []
        """The trials that have ended, in the order of their ends."""
        self.unfinished = 0
        """Candidates that had not ended when time was up."""
        self.seconds: dict[str, float] = defaultdict(float)
        """Seconds spent in the strategy, as `search`."""
        self.warnings: list[str] = []

    def run(self) -> None:
        """Search until the trials, the time or the space are exhausted."""
        while self.step(0.5):
            pass
        self.unfinished = self._stages.outstanding
        self._stages.abandon()

    def step(self, seconds: float) -> bool:
        """Propose points, or wait for a trial; False if there is neither to do.

        Waits at most `seconds`. A caller with several searches takes steps of each in
        turn, and lets one propose no more than `allowed` trials.
        """
        if self._proposals is None:
            self._proposals = self._begin()
        proposals, stages = self._proposals, self._stages
        if not self._budget.search_left():
            self._close(proposals)
        if not proposals.queue:
            self._propose(proposals)
        ended: list[Trial] = []
        if proposals.queue and stages.outstanding < self.most_outstanding:
            number = proposals.asked - len(proposals.queue) + 1
            ended += stages.put(number, proposals.queue.pop(0))
            ended += stages.collect(0.0)
        elif stages.outstanding and not self._is_over():
            # Seconds to wait at a time for candidates that may still end when time is
            # up.
            left = max(self._budget.search_left(), 0.02)
            ended += stages.collect(min(seconds, left))
        elif not proposals.queue:
            return False
        for trial in ended:
            self.trials.append(trial)
            if self._per_size is not None:
                self._per_size.note(trial)
            self._keep_time_for_final(trial)
            proposals.feedback.take(trial)
            self._progress.on_trial(trial)
        return True

    def _close(self, proposals: _Proposals) -> None:
        """Start nothing more when time is up, except the first point of all.

        It is the default point, if there is one. So a run has a result, however short
        its budget is.
        """
        proposals.limit = max(proposals.asked, 1)
        proposals.queue = proposals.queue[: max(1 - self.started, 0)]

    def _is_over(self) -> bool:
        """Whether candidates that have not ended are given up: not if none works."""
        return self._best_ms is not None and self._budget.grace_is_over()

    def _keep_time_for_final(self, trial: Trial) -> None:
        """Tell the budget the time of the best, which the final round times again."""
        ms = trial.milliseconds
        if ms is not None and self._best_ms is None and self._budget.grace_is_over():
            self.warnings.append(
                "the budget was over before a trial had ended; the first was waited for"
            )
        if ms is not None and (self._best_ms is None or ms < self._best_ms):
            self._best_ms = ms
            self._budget.expect_final(ms)

    def suggest(self, points: Sequence[Point]) -> None:
        """Propose these points next, except those that were proposed before."""
        if self._proposals is None:
            self._proposals = self._begin()
        self._proposals.seeded.add(points)
        # The search may have been closed before its time was extended for them.
        most = self._proposals.asked + len(points)
        self._proposals.limit = max(self._proposals.limit, most)

    @property
    def started(self) -> int:
        """Trials that were started."""
        proposals = self._proposals
        return 0 if proposals is None else proposals.asked - len(proposals.queue)

    @property
    def exhausted(self) -> bool:
        """Whether no trial is left to propose, whatever is allowed."""
        proposals = self._proposals
        return proposals is not None and proposals.asked >= proposals.limit

    def _begin(self) -> _Proposals:
        """The strategy, behind the points that are tried first."""
        options = self._options
        learned = learned_estimates(
            self._database if options.reuse else None,
            self._stages.setting,
            measured=options.device is not None,
            seed=options.seed,
        )
        guide = RunGuide(self._stages, self._budget, learned)
        strategy = self._strategy(guide)
        limit = options.planned(self._space)
        seeds = self._default_point() + self._recorded_best() + self._starts
        seeds += self._given_seeds()
        seeded = SeededStrategy(seeds, strategy)
        learns = STRATEGIES[options.strategy].learns
        feedback = OrderedFeedback(seeded, ordered=learns and options.budget is None)
        return _Proposals(seeded, feedback, limit, guide)

    def _strategy(self, guide: RunGuide) -> Strategy:
        """The strategy, or one for each size."""
        options = self._options

        def make(guide: Guide) -> Strategy:
            # The same seed for all sizes: they sample the same points, built once.
            return make_strategy(
                options.strategy,
                self._space,
                options.seed,
                options.strategy_options,
                guide,
            )

        if not options.per_size:
            return make(guide)
        estimates = SizeEstimates(self._stages, self._budget, options.target)
        guides = [SizeGuide(guide, estimates, place) for place in range(self._sizes)]
        self._per_size = PerSizeStrategy([make(one) for one in guides])
        return self._per_size

    def _propose(self, proposals: _Proposals) -> None:
        """Ask the strategy for points, unless it must wait for results first."""
        asked, limit = proposals.asked, proposals.limit
        most = limit if self.allowed is None else min(limit, self.allowed)
        # Points asked for at once; few, so that a learning strategy is soon asked
        # again.
        wanted = min(4, most - asked)
        needed = asked + wanted - self.most_outstanding
        if wanted <= 0 or not self._timed(proposals.feedback.catch_up, needed):
            return
        proposals.guide.learn(proposals.feedback.trials[proposals.taught :])
        proposals.taught = len(proposals.feedback.trials)
        if self._gains_nothing(proposals.feedback.trials):
            proposals.limit = asked
            return
        proposals.queue = self._timed(proposals.seeded.ask, wanted)
        proposals.asked += len(proposals.queue)
        if not proposals.queue:
            proposals.limit = asked

    def _default_point(self) -> list[Point]:
        """The point that the schedule has without tuning: the first trial."""
        point = self._space.default_point()
        if point is None:
            return []
        if (reason := self._space.why_not(point)) is not None:
            self.warnings.append(f"the default point is not tried: {reason}")
            return []
        return [point]

    def _given_seeds(self) -> list[Point]:
        """The seeds of the task that are points of the space."""
        points = [self._space.completed(seed) for seed in self._given]
        return [point for point in points if self._space.contains(point)]

    def _recorded_best(self) -> list[Point]:
        """The best point of earlier runs: an unlucky run should not lose it."""
        if self._database is None or not self._options.reuse:
            return []
        setting = self._stages.setting
        found = self._database.ranked(
            setting.payload,
            device=setting.device,
            measured=self._options.device is not None,
            sizes=setting.sizes,
        )
        for record in found:
            # An older version of the schedule may have had other choices.
            is_same = record.setting.schedule == setting.schedule or (
                record.closed != ""
                and self._space.contains(record.point)
                and self._closed(record.point) == record.closed
            )
            if is_same:
                inside = self._space.contains(record.point)
                return [record.point] if inside else []
        return []

    def _gains_nothing(self, trials: Sequence[Trial]) -> bool:
        """Whether the last `until_no_gain` trials were no faster than those before."""
        wanted = self._options.until_no_gain
        if wanted is None or len(trials) <= wanted:
            return False
        before, last = rank(trials[:-wanted]), rank(trials[-wanted:])
        if not before or not last:
            return bool(before)
        if self._options.per_size:
            pairs = zip(best_times(before), best_times(last), strict=True)
            return all(new > old * (1 - GAIN) for old, new in pairs)
        fastest, best = last[0].milliseconds, before[0].milliseconds
        assert fastest is not None and best is not None
        return fastest > best * (1 - GAIN)

    def _timed(self, call: Callable[..., T], *args: Any) -> T:
        # A strategy may wait for its guide, which builds points in the workers.
        start = time.perf_counter() - self._stages.waited
        try:
            return call(*args)
        finally:
            now = time.perf_counter() - self._stages.waited
            self.seconds["search"] += now - start
