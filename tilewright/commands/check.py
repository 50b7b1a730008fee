"""`tilewright check`: report everything that is wrong with a schedule."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.check_schedule.findings import Findings, Severity
from tilewright.check_schedule.stages import Runs, check_stages
from tilewright.commands.inputs.files import Files, sort_files
from tilewright.commands.terminal.failure import USER_ERROR, UsageError
from tilewright.commands.terminal.messages import say
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.ir.text import read_text
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import ENTRY
from tilewright.tuning.space.space import Space

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from tilewright.check_schedule.run_points import Examination
    from tilewright.pipeline import Point


_MOST_NAMED = 8
"""Untried options that the last line names; the JSON has all."""


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path
    other: Path | None = None
    schedule: Path | None = None
    entry: str | None = None
    settings: tuple[str, ...] = ()
    limit: int = 32
    steps_only: bool = False
    as_json: bool = False
    strict: bool = False
    as_sarif: bool = False


def check(options: Options) -> None:
    """Check a schedule in every branch; with a payload, also run it."""
    if options.as_json and options.as_sarif:
        raise UsageError(
            "--json and --sarif print two forms", remedy="leave one of them out"
        )
    session = _Session(options)
    try:
        session.run()
    except UsageError:
        raise
    except UserError as error:
        session.findings.add(Severity.ERROR, error)
    fails = [Severity.ERROR, Severity.WARNING] if options.strict else [Severity.ERROR]
    code = USER_ERROR if any(map(session.findings.count, fails)) else 0
    if options.as_json:
        session.print_json()
    elif options.as_sarif:
        session.print_sarif(code)
    else:
        session.print_text()
    if code:
        sys.exit(code)


class _Session:
    """One check in stages; a stage that finds errors is the last."""

    def __init__(self, options: Options):
        self.options = options
        self.findings = Findings()
        # Until `sort_files` tells them apart, the first file counts as the schedule.
        self.files = Files(options.schedule or options.file, options.other)
        self.space: Space | None = None
        self.examination: Examination | None = None

    def run(self) -> None:
        """Read and check the schedule, and run it at points that try every option."""
        given = self.options
        self.files = sort_files(given.file, given.other, given.schedule)
        payload = self._read_payload()
        schedule = self._read_schedule(payload)
        if schedule is None or self._has_errors():
            return
        if payload is None:
            self.space, _ = check_stages(schedule, self.findings, None)
            return
        from tilewright.commands.terminal.console import console, progress_bar

        with progress_bar(console(stderr=True), "checking") as tell:
            runs = Runs(payload, given.limit, not given.steps_only, tell)
            self.space, self.examination = check_stages(schedule, self.findings, runs)

    def _has_errors(self) -> bool:
        return self.findings.count(Severity.ERROR) > 0

    def _read_schedule(self, payload: ModuleOp | None) -> Schedule | None:
        from tilewright.commands.inputs.programs import parse_settings

        point = parse_settings(self.options.settings)
        path = self.files.schedule
        if path is None:
            return None if payload is None else self._planned(payload, point)
        try:
            read, errors = Schedule.read_path(path, self.options.entry or ENTRY)
            self.findings.add_all(Severity.ERROR, errors)
            return None if errors else read.with_point(point)
        except UserError as error:
            self.findings.add_all(Severity.ERROR, all_errors(path, error))
            return None

    def _planned(self, payload: ModuleOp, point: Point) -> Schedule:
        from tilewright.commands.planned import Request, planned_schedule

        request = Request(payload, self.files.payload or self.options.file)
        schedule = planned_schedule(request, lambda line: say(line, error=True))
        return schedule.with_point(point)

    @property
    def _schedule_name(self) -> str:
        """The file of the schedule, for the reader."""
        return str(self.files.schedule or "the planned schedule")

    def _read_payload(self) -> ModuleOp | None:
        if self.files.payload is None:
            return None
        from tilewright.ir.warnings import payload_warnings
        from tilewright.pipeline import read_payload

        try:
            payload = read_payload(self.files.payload)
        except UserError as error:
            self.findings.add(Severity.ERROR, error)
            return None
        self.findings.add_all(Severity.WARNING, payload_warnings(payload))
        return payload

    # -- printing ----------------------------------------------------------------

    def print_text(self) -> None:
        """Print the findings to stderr, and a summary to stdout."""
        for finding in self.findings.in_order():
            say(finding, error=True)
        if self._has_errors():
            found = ", ".join(self._counts(*Severity))
            say(f"{self._schedule_name}: {found}", error=True)
        elif self.space is not None:
            points = self.space.count().of("valid point")
            found = "".join(f", with {w}" for w in self._counts(Severity.WARNING))
            say(f"{self._schedule_name}: ok{found}; {points}")
        if self.examination is not None:
            say(f"{self.files.payload}: {self._run_summary(self.examination)}")

    def _counts(self, *severities: Severity) -> list[str]:
        """How many findings there are of each severity: `2 warnings`."""
        return [
            count(number, str(severity))
            for severity in severities
            if (number := self.findings.count(severity))
        ]

    def _run_summary(self, done: Examination) -> str:
        end = "the last step" if self.options.steps_only else "the kernel"
        text = f"runs to {end} at {done.worked} of {count(done.run, 'point')} tried"
        if done.worked:
            text += f"; {count(done.steps, 'step')}"
        if done.not_tried:
            named = ", ".join(map(str, done.not_tried[:_MOST_NAMED]))
            if (more := len(done.not_tried) - _MOST_NAMED) > 0:
                named += f" and {count(more, 'other option')}"
            text += f"; not tried: {named} (--limit {self.options.limit})"
        elif self.space is not None and self.space.choices:
            text += "; every option was tried"
        return text

    def print_json(self) -> None:
        """Print everything as one JSON object, to stdout."""
        done = self.examination
        found = {
            "schedule": self._schedule_name,
            "payload": None if self.files.payload is None else str(self.files.payload),
            "ok": not self._has_errors(),
            "valid_points": None if self.space is None else self.space.count_valid(),
            "requirements_not_counted": 0
            if self.space is None
            else len(self.space.uncounted),
            "points_run": 0 if done is None else done.run,
            "points_working": 0 if done is None else done.worked,
            "not_tried": []
            if done is None
            else [{"name": o.name, "value": o.value} for o in done.not_tried],
            "findings": [finding.as_json() for finding in self.findings.in_order()],
        }
        say(json.dumps(found, indent=2))

    def print_sarif(self, exit_code: int) -> None:
        """Print the findings as a SARIF log, to stdout."""
        from tilewright.check_schedule.sarif import sarif_log

        log = sarif_log(self.findings.in_order(), exit_code)
        say(json.dumps(log, indent=2))


def all_errors(path: Path, first: UserError) -> list[UserError]:
    """The error that ended the parsing of a file, and certain errors after it."""
    from tilewright.schedules.language.parsing.syntax_errors import syntax_errors

    if path.suffix != ".tw" or first.place is None:
        return [first]
    return syntax_errors(read_text(path), str(path), first)
