"""One run of a schedule over a payload, and the IR between its steps."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp, UnitAttr

from tilewright.commands.inputs.programs import (
    wanted_target,
)
from tilewright.commands.opt.arguments import COMPILED, Options
from tilewright.commands.terminal.console import console, heading, progress_bar
from tilewright.commands.terminal.diagnostics import remark, warn
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.output_files import write_output, writing
from tilewright.inspect.dumps import Dumps
from tilewright.inspect.passes import Passes, PassObserver, PassStep
from tilewright.inspect.stepping import StopAfter, Stopped
from tilewright.inspect.timings import Clock, table_of
from tilewright.ir.diffs import Diffs
from tilewright.ir.errors import CompilerBug, UserError
from tilewright.ir.phrases import count
from tilewright.ir.text import to_text
from tilewright.payload_work import reduction_length
from tilewright.pipeline import Point, defaults_line, open_run
from tilewright.schedules.includes import own_remarks
from tilewright.schedules.language.lowering.lower import NAMED_SEQUENCES
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import ENTRY, Observer, ScheduleRun, Step

if TYPE_CHECKING:
    from rich.console import Console

    from tilewright.codegen.program import GeneratedProgram
    from tilewright.codegen.standalone.file import Origin
    from tilewright.codegen.targets import Target
    from tilewright.inspect.verify_each import VerifyEach

LOWERING = "codegen.lower"
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class Session:
    """One run of a schedule, with its observers."""

    def __init__(
        self,
        options: Options,
        payload: ModuleOp,
        schedule: Schedule | None,
        point: Point,
        clock: Clock,
        is_planned: bool,
    ):
        self.is_planned = is_planned
        self.options = options
        self.payload = payload
        self.schedule = schedule
        self.point = point
        self.clock = clock
        self.dumps: Dumps | None = None
        self.diffs: Diffs | None = None
        self.passes: Passes | None = None
        self.verifier: VerifyEach | None = None

    @cached_property
    def log(self) -> Console:
        """The console of remarks, made when first used."""
        return console(stderr=True)

    @cached_property
    def diff_output(self) -> Console:
        """The console of diffs: standard output, in colour on a terminal."""
        return console()

    def run(self) -> None:
        """Run the schedule, show the requested steps, and print the result."""
        run = open_run(self.payload, self.schedule, self.point)
        # Kernels are right for all sizes, and their inputs are values. What is only
        # printed is what upstream prints.
        only_printed = self.options.emit in ("mlir", "outline")
        run.as_upstream = only_printed and not self.options.verify_each
        run.bound_arguments = self.options.bound_arguments
        if self.schedule and (defaults := self.schedule.defaults(self.point)):
            self.log.print(defaults_line(defaults), style="dim", markup=False)
        try:
            text = self._output(run)
            # The diff is the output: the result goes to a file, if one is named.
            if not self.options.diff or self.options.output is not None:
                with self.clock("emit and print"):
                    write_output(text, self.options.output)
        finally:
            if self.options.time:
                passes = self.passes.seconds if self.passes is not None else {}
                self.log.print(table_of(run, self.clock, passes))

    def _output(self, run: ScheduleRun) -> str:
        """Run the schedule and return the output; reports on the run in any case."""
        error: UserError | None = None
        try:
            stopped = self._run_schedule(run)
            return self._emitted(run, stopped)
        except UserError as failed:
            error = failed
            raise
        except CompilerBug as bug:
            self._write_reproducer(bug)
            raise
        finally:
            self._report(run, error)

    def _run_schedule(self, run: ScheduleRun) -> bool:
        """Run with the observers; returns whether the run stopped before its end."""
        if not self.options.verify_each:
            run.observers = self._observers(run, None)
            return self._start(run)
        with progress_bar(self.log, "verifying") as tell:
            run.observers = self._observers(run, tell)
            return self._start(run)

    # -- observers ---------------------------------------------------------------

    def _observers(
        self, run: ScheduleRun, tell: Callable[[str], None] | None
    ) -> list[Observer]:
        options, observers = self.options, list[Observer]()
        if options.dump is not None:
            with writing(options.dump):
                self.dumps = Dumps(options.dump, self.payload)
            observers.append(self.dumps)
        if options.print_after_each:
            self._print("00 payload", self.payload)
            observers.append(self._print_step)
        if options.diff:
            # Diff the copy that the run changes: its values keep their names.
            diffs = self.diffs = Diffs(run.payload)
            observers.append(
                lambda step, payload: self._diff(diffs, _title(step), payload)
            )
        if options.verify_each:
            from tilewright.inspect.verify_each import VerifyEach

            self.verifier = VerifyEach(self.payload, options.seed, tell)
            observers.append(self.verifier)
        return observers

    def _pass_observers(self) -> list[PassObserver]:
        """The observers of the IR between the passes of code generation."""
        observers: list[PassObserver] = []
        if self.dumps is not None:
            observers.append(self.dumps.after_pass)
        if self.options.print_after_each:
            observers.append(lambda step: self._show(step.title, step.text))
        if self.options.diff:
            observers.append(self._diff_pass)
        return observers

    def _print_step(self, step: Step, payload: ModuleOp) -> None:
        self._print(_title(step), payload)

    def _print(self, title: str, payload: ModuleOp) -> None:
        with self.clock("show steps"):
            self._show(title, to_text(payload))

    def _show(self, title: str, text: str) -> None:
        heading(self.log, title)
        self.log.out(text, highlight=False)

    def _diff_pass(self, step: PassStep) -> None:
        """Lowering makes a new module: what follows is compared with that."""
        if self.diffs is None or step.name == LOWERING:
            self.diffs = Diffs(step.module)
            heading(self.diff_output, step.title)
            said = "(a new module; --print-after-each shows it)"
            self.diff_output.print(said, style="dim")
            return
        self._diff(self.diffs, step.title, step.module)

    def _diff(self, diffs: Diffs, title: str, payload: ModuleOp) -> None:
        with self.clock("show steps"):
            lines = diffs.after(payload)
            shown = self.diff_output
            heading(shown, title)
            for line in lines:
                shown.out(line, style=_COLOURS.get(line[:1]), highlight=False)
            if not lines:
                shown.print("(no change)", style="dim")

    # -- running -----------------------------------------------------------------

    def _start(self, run: ScheduleRun) -> bool:
        """Run the schedule, and the default where --emit needs it; True if stopped."""
        entry = self.schedule.entry if self.schedule is not None else ENTRY
        label = self.options.stop_after
        stop = run.after_each = StopAfter(label) if label is not None else None
        try:
            run.start(entry)
            if self.options.needs_kernels:
                from tilewright.planning.plain import finish

                for line in finish(run):
                    self.log.print(f"default: {line}", style="dim", markup=False)
        except Stopped:
            return True
        if stop is not None:
            seen = ", ".join(stop.seen) or "none that changed the payload"
            raise UsageError(
                f"--stop-after {label}: no step of the run matches",
                remedy=f"the steps are: {seen}",
            )
        return False

    def _report(self, run: ScheduleRun, error: UserError | None) -> None:
        """Print warnings, remarks and what the observers found, after any ending."""
        warn(run.warnings)
        remark(own_remarks(run.remarks))
        if self.dumps is not None and self.options.dump is not None:
            with writing(self.options.dump):
                dumps = self.dumps.close(run, error)
            self.clock.add("dump", self.dumps.seconds)
            self.log.print(
                f"{count(dumps, 'dump')} and index.json in {self.options.dump}"
            )
        if self.verifier is not None:
            self.clock.add("interpret", self.verifier.seconds)
            self._report_verified(self.verifier)

    def _report_verified(self, verifier: VerifyEach) -> None:
        for skipped in verifier.skipped:
            warn(
                [
                    UserError(
                        f"@{skipped.function} is not verified: {skipped.reason}",
                        skipped.place,
                    )
                ]
            )
        if names := [f"@{question.name}" for question in verifier.questions]:
            give = "gives" if len(names) == 1 else "give"
            rounded = (
                f", {verifier.rounded} of which rounded as its format allows"
                if verifier.rounded
                else ""
            )
            self.log.print(
                f"verified: {', '.join(names)} {give} the same numbers after "
                f"{count(verifier.checked, 'step')}{rounded}"
            )

    def _write_reproducer(self, bug: CompilerBug) -> None:
        """Write the files that reproduce a wrong result of --verify-each."""
        if self.verifier is None:
            return
        from tilewright.inspect.verify_each import WrongResult, write_reproducer

        if not isinstance(bug, WrongResult):
            return
        schedule = (self.schedule or Schedule.empty()).with_defaults(self.point)
        # A folder that cannot be written must not hide the bug.
        with suppress(OSError):
            folder = write_reproducer(bug, self.verifier, schedule.to_mlir())
            bug.evidence = str(folder)

    def _emitted(self, run: ScheduleRun, stopped: bool) -> str:
        is_whole = self.options.emit in ("mlir", "outline")
        form = self.options.emit if is_whole or not stopped else "mlir"
        if form in ("triton", "kernel", *COMPILED):
            return self._generated(run, form)
        if form == "outline":
            from tilewright.ir.outline import outline_text

            return outline_text(run.payload) + "\n"
        module = run.payload
        if self.options.keep_schedule and self.schedule is not None:
            module = _with_schedule(run.payload, self.schedule)
        with self.clock("emit and print"):
            return to_text(module, generic=self.options.generic)

    def _generated(self, run: ScheduleRun, form: str) -> str:
        from tilewright.codegen.generate import generate
        from tilewright.codegen.standalone.file import standalone
        from tilewright.codegen.targets import writing_for
        from tilewright.ir.structured.equal_extents import same_extents

        self.passes = Passes(run.payload, len(run.steps), self._pass_observers())
        same = same_extents(self.payload)
        named = self.options.target
        with writing_for(None if named is None else wanted_target(named)):
            generated = generate(run.payload, same, observe=self.passes)
        warn(generated.warnings)
        self._verify_warps(generated.kernel_module)
        source = generated.program.text
        if self.dumps is not None:
            self.dumps.source(self.passes.last + 1, source)
        with self.clock("emit and print"):
            if form == "kernel":
                if self.options.print_after_each:
                    self._show(f"{self.passes.last + 1:02} triton", source)
                return to_text(generated.kernel_module, generic=self.options.generic)
            if self.options.stats:
                self._report_stats(generated.program)
            if form in COMPILED:
                from tilewright.commands.compile_for_target import code_text

                return code_text(generated.program, self._target(), form)
            longest = reduction_length(self.payload)
            return standalone(generated.program, self.payload, longest, self._origin())

    def _verify_warps(self, module: ModuleOp) -> None:
        """Run kernels whose warps have roles in several orders, for --verify-each."""
        if self.verifier is None:
            return
        from tilewright.inspect.verify_warps import has_roles, verify_warps

        if has_roles(module):
            count = verify_warps(module, self.verifier.questions)
            self.log.print(
                f"verified: the warps of the kernel give the same numbers in {count} "
                "orders of their steps",
                markup=False,
            )

    def _origin(self) -> Origin:
        """The files and the choices, for the header of the emitted file."""
        from tilewright.codegen.standalone.file import Origin

        options = self.options
        name = None if options.schedule is None else options.schedule.name
        if name is None and self.is_planned:
            name = "a planned schedule"
        elif name is None and self.schedule is not None:
            name = f"the schedule in {options.file.name}"
        payload = options.file.name if str(options.file) != "-" else "a pipe"
        defaults = self.schedule.defaults(self.point) if self.schedule else {}
        return Origin(payload, name, {**defaults, **self.point})

    def _report_stats(self, program: GeneratedProgram) -> None:
        """Print the statistics of the kernels for a target, without its GPU."""
        from tilewright.commands.compile_for_target import (
            compile_for,
            print_misfits,
            print_stats,
        )

        target = self._target()
        self.log.print(f"for {target.name}:")
        stats = compile_for(program, target, self.log)
        print_stats(stats, self.log)
        print_misfits(program, stats, target, self.log)

    def _target(self) -> Target:
        """The card to compile for: --target, this machine's GPU, or else h200."""
        from tilewright.codegen.targets import detect

        named = self.options.target
        target = wanted_target(named) if named is not None else detect()
        return target or wanted_target("h200")


def _title(step: Step) -> str:
    return f"{step.index:02} {step.name}  {step.place or ''}"


def _with_schedule(payload: ModuleOp, schedule: Schedule) -> ModuleOp:
    """A module with payload and schedule, as `mlir-opt` prints it."""
    both = payload.clone()
    both.attributes[NAMED_SEQUENCES] = UnitAttr()
    both.body.block.add_ops([op.clone() for op in schedule.module.ops])
    return both
