"""A planned schedule: comments, choices with defaults, statements."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.ir.phrases import count, in_units
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.grouping import Grouping
from tilewright.planning.kernels import (
    Candidate,
    PlannedKernel,
    ProgramEstimate,
    count_kernels,
    kernel_suffix,
    knob_suffix,
)
from tilewright.planning.structure import (
    CHOICE,
    Region,
    every_kernel,
    region_names,
)
from tilewright.planning.writing.lines import PLANNED, Lines, action, match_ops
from tilewright.planning.writing.terms import always_holds, renamed
from tilewright.schedules.language.comments.notes import OPEN
from tilewright.schedules.language.syntax import Statement
from tilewright.schedules.schedule import Schedule

HINT = (
    "//? A `default` is the planner's pick; `tilewright tune` measures other options."
)
NO_KERNELS = (
    "// The compiler's default does the rest, such as copies and empty results."
)
NAME = "planned"
"""The name of a planned schedule."""


@dataclass(frozen=True)
class WrittenSchedule:
    """A planned schedule: its statements, and the text that they are printed as."""

    text: str
    statements: tuple[Statement, ...]
    line_ranges: Mapping[int, range]
    """The lines of the text, from 1, that each kernel has, by its number."""

    def schedule(self) -> Schedule:
        """The schedule; no text is read."""
        return Schedule.of_statements(self.statements, NAME, PLANNED, self.text)


class ScheduleWriter:
    """Writes the statements of all kernels, with comments that say why."""

    def __init__(
        self,
        analysis: Analysis,
        grouping: Grouping,
        kernels: Sequence[PlannedKernel],
        statements: Sequence[Statement],
        target: Target,
        regions: Sequence[Region] = (),
    ):
        self.analysis = analysis
        self.kernels = kernels
        self.regions = regions
        self.every_kernel = every_kernel(kernels, regions)
        self.shared = grouping.shared
        self.in_branches = {f for region in regions for f in region.uneven()}
        """The ops that several kernels compute in some branches of a structure only."""
        self.prepared = statements
        self.target = target
        self.line_ranges: dict[int, range] = {}
        self.estimate: ProgramEstimate | None = None
        numbers = [facts.number for facts in analysis.ops]
        # Up to this number of ops, `split_handle` names them all.
        self.picks = (
            len(numbers) > 16
            or numbers != list(range(analysis.structured))
            or any(len(kernel.groups) > 1 for kernel in self.every_kernel)
        )
        self.handles = self._handles()

    def written(self, estimate: ProgramEstimate | None = None) -> WrittenSchedule:
        """The whole schedule.

        Times and limits in its comments are those of the `estimate`: that of the
        generated program, which `run` and `explain` tell too. The planner's own
        estimates only compare, so the comments have them as ratios.
        """
        self.estimate = estimate
        above = [self.head(), self.hint(), f"schedule {NAME}(root) {{"]
        lines = Lines(above=len(above))
        for statement in self.prepared:
            lines.add(statement)
        self.bind_ops(lines)
        names = dict(zip(region_names(self.regions), self.regions, strict=True))
        owners = {
            kernel.number: name
            for name, region in names.items()
            for kernel in region.planned.kernels
        }
        for kernel in self.kernels:
            name = owners.get(kernel.number)
            if name in names:
                lines.line()
                self.write_region(lines, name, names.pop(name))
            elif name is None and kernel.candidates:
                lines.line()
                self.write_kernel(lines, kernel)
        self.recompute_all(lines, set(self.shared) - self.in_branches, self.kernels)
        text = "\n".join([*above, *lines.text, "}", ""])
        return WrittenSchedule(text, tuple(lines.statements), self.line_ranges)

    def head(self) -> str:
        """How many kernels there are, and how long they take together."""
        written = count_kernels(self.kernels)
        kernels = count(written, "kernel") if written else "no kernels"
        unplanned = [kernel for kernel in self.kernels if kernel.seconds is None]
        left = [kernel.group.sink.name for kernel in unplanned]
        rest = f" The default schedules {', '.join(left)}." if left else ""
        time = ""
        if not self.analysis.ops:
            time = "; the payload has no structured op"
        elif not self.kernels and all(facts.is_empty for facts in self.analysis.ops):
            time = "; no op has anything to compute at these sizes"
        elif not self.kernels:
            time = "; every structured op is in a loop, or nothing reads it"
        head = f"// Planned for {self.target.name}: {kernels}{time}.{rest}"
        if self.estimate is None:
            return head
        return f"{head} {OPEN} {_about(self.estimate.seconds)}"

    def hint(self) -> str:
        """What to do with the choices, or who does what has no kernel."""
        return HINT if count_kernels(self.kernels) else NO_KERNELS

    def recompute_all(
        self, lines: Lines, ops: Collection[OpFacts], kernels: Sequence[PlannedKernel]
    ) -> None:
        """Compute shared ops in every kernel that reads them, the last op first."""
        if ops:
            lines.line()
        for facts in sorted(ops, key=lambda facts: -facts.number):
            self.recompute(lines, facts, kernels)

    def recompute(
        self, lines: Lines, facts: OpFacts, kernels: Sequence[PlannedKernel]
    ) -> None:
        """Compute a shared op in every kernel that reads it.

        Kernels that call a library, and those left to the default, read no tiles of
        it, and a single number has none: then the step does not apply.
        """
        statement = action("recompute", facts.name, to=(facts.name,))
        readers = [
            kernel
            for kernel in kernels
            if any(facts in group.ops for group in kernel.groups)
        ]
        if facts.extents and not any(
            not kernel.candidates
            or any(candidate.sketch.calls_library for candidate in kernel.candidates)
            for kernel in readers
        ):
            lines.add(statement)
            return
        with lines.suppress("root"):
            lines.add(statement)

    def bind_ops(self, lines: Lines) -> None:
        """Name the ops of the payload."""
        ops = self.analysis.ops
        if not self.shared and not any(k.candidates for k in self.every_kernel):
            return  # No statement follows.
        if len(ops) == 1 and not self.picks:
            lines.add(match_ops(ops[0].name))
            return
        lines.add(match_ops("ops"))
        if not self.picks:
            lines.do("split_handle", "ops", to=[facts.name for facts in ops])
        else:
            for numbers, handle in self.handles.items():
                lines.do("pick", "ops", "at", list(numbers), to=(handle,))

    def _handles(self) -> dict[tuple[int, ...], str]:
        """The ops that are picked, by their numbers; those of equal groups together."""
        found: dict[tuple[int, ...], str] = {}
        taken: set[str] = set()
        for kernel in self.every_kernel:
            for place, facts in enumerate(kernel.group.ops):
                numbers = _numbers(kernel, place)
                if kernel.candidates and facts not in self._shared_in(kernel):
                    name = f"all_{facts.name}" if len(numbers) > 1 else facts.name
                    while numbers not in found and name in taken:
                        name += "_"
                    taken.add(found.setdefault(numbers, name))
        for facts in sorted({*self.shared, *self.in_branches}, key=lambda f: f.number):
            found.setdefault((facts.number,), facts.name)
        return found

    def _shared_in(self, kernel: PlannedKernel) -> Collection[OpFacts]:
        """The ops of a kernel that other kernels compute too."""
        covers = [cover for region in self.regions for cover in region.covers]
        for cover in covers:
            if kernel in cover.kernels:
                return cover.shared
        return self.shared

    def write_region(self, lines: Lines, name: str, region: Region) -> None:
        """Write a branch for each cover: all its kernels, and what they recompute."""
        lines.suffix = name.removeprefix(CHOICE)
        lines.comment(
            "",
            f"{len(region.covers)} ways to cut these ops into kernels are worth a "
            "trial. The planner picks the first.",
        )
        with lines.choice(CHOICE, region.planned.label) as branches:
            for cover in region.covers:
                kernels = count(cover.kernel_count, "kernel")
                time = ""
                if cover is not region.planned:
                    time = _ratio(cover.seconds, region.planned.seconds)
                lines.comment(f"{kernels}: {cover.in_words()}", time)
                with lines.branch(cover.label, branches):
                    for kernel in cover.kernels:
                        if kernel is not cover.kernels[0]:
                            lines.line()
                        self.write_kernel(lines, kernel)
                    ops = self.in_branches.intersection(cover.shared)
                    self.recompute_all(lines, ops, cover.kernels)

    def write_kernel(self, lines: Lines, kernel: PlannedKernel) -> None:
        """Write the statements of a kernel under its number."""
        first, suffix = lines.place().line, lines.suffix
        lines.kernel = kernel.number
        lines.suffix = kernel_suffix(self.every_kernel, kernel)
        lines.shared = self._shared_in(kernel)
        self.comment(lines, kernel)
        self.write_candidates(lines, kernel)
        lines.kernel, lines.suffix = None, suffix
        self.line_ranges.setdefault(kernel.number, range(first, lines.place().line))

    def write_candidates(self, lines: Lines, kernel: PlannedKernel) -> None:
        """Write the statements of a kernel: its knobs, and a branch a candidate."""
        if len(kernel.candidates) == 1:
            self.write_candidate(lines, kernel, kernel.candidates[0])
            return
        best = kernel.candidates[0].sketch.label
        with lines.choice("kernel", best) as branches:
            for candidate in kernel.candidates:
                time = ""
                if candidate is not kernel.candidates[0]:
                    time = _ratio(candidate.seconds, kernel.candidates[0].seconds)
                lines.comment(candidate.sketch.summary, _about_open(time, candidate))
                with lines.branch(candidate.sketch.label, branches):
                    self.write_candidate(lines, kernel, candidate)

    def comment(self, lines: Lines, kernel: PlannedKernel) -> None:
        """Say what a kernel computes, what limits it, and how it is built."""
        group = kernel.group
        names = ", ".join(f.name for f in group.ops if f.role != Role.FILL)
        times = f" ({len(kernel.groups)} of them)" if len(kernel.groups) > 1 else ""
        made = self.estimate
        found = None if made is None else made.kernels.get(kernel.number)
        work = f"{in_units(group.flops, 'FLOP')} and {in_units(group.moved_bytes, 'B')}"
        time = f"{_about(found.seconds)}: {found.limit} is the limit" if found else ""
        lines.comment(f"Kernel {kernel.number}{times}: {names or group.sink.name}.")
        # A line of its own: the lines below keep their numbers when the time is known.
        lines.comment(f"{work}.", time)
        if len(kernel.candidates) == 1:
            (candidate,) = kernel.candidates
            words = candidate.sketch.summary
            said = _about_open("", candidate)
            lines.comment(f"{words[0].upper()}{words[1:]}.", said)
        elif len(kernel.candidates) > 1:
            lines.comment("", _several(kernel.candidates))

    def write_candidate(
        self, lines: Lines, kernel: PlannedKernel, candidate: Candidate
    ) -> None:
        """Knobs with their defaults, conditions, statements."""
        suffix = lines.suffix
        lines.suffix = knob_suffix(self.every_kernel, kernel, candidate)
        lines.words = candidate.words
        knobs = candidate.knobs
        for knob in knobs:
            if len(knob.options) == 1:
                lines.constant(lines.knob(knob.name), knob.options[0])
        lines.knobs(
            {
                lines.knob(knob.name): (knob.options, candidate.point[knob.name])
                for knob in knobs
                if len(knob.options) > 1
            }
        )
        names = {knob.name: lines.knob(knob.name) for knob in knobs}
        options = {knob.name: knob.options for knob in knobs}
        for condition in candidate.sketch.requires():
            if not always_holds(condition, options):
                lines.require(renamed(condition, names))
        if len(kernel.groups) == 1:
            candidate.sketch.write(lines)
        else:
            inner = [facts.name for facts in kernel.group.ops]
            places = range(len(inner))
            outer = [self.handles[_numbers(kernel, place)] for place in places]
            with lines.for_each(inner, outer):
                candidate.sketch.write(lines)
        lines.suffix = suffix


def _numbers(kernel: PlannedKernel, place: int) -> tuple[int, ...]:
    """The numbers of the ops at one place of equal groups."""
    return tuple(group.ops[place].number for group in kernel.groups)


def _several(candidates: Sequence[Candidate]) -> str:
    """How many structures there are, and why the default is one of the slower ones."""
    words = f"{len(candidates)} structures are worth a trial."
    first = candidates[0]
    is_fastest = first.seconds <= min(c.seconds for c in candidates)
    if is_fastest or first.source or not first.sketch.is_sure:
        return words
    return f"{words} The library is the default, as its estimate is the surest."


def _about_open(time: str, candidate: Candidate) -> str:
    """How long a sketch takes at its defaults, and where these come from."""
    source = f"defaults {candidate.source}" if candidate.source else ""
    return "; ".join(filter(None, (time, source)))


def _about(seconds: float) -> str:
    return f"about {seconds * 1e6:.1f} us"


def _ratio(seconds: float, default: float) -> str:
    """The planner's estimate of a branch, as a multiple of the default's."""
    return f"about {seconds / default:.2f} times the default's time"
