"""Checks open documents in a thread, and stops when a text changes."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from tilewright.check_schedule.findings import Finding, Severity
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.findings import Checked, check_over, check_text
from tilewright.editor.answers.fixes import Fix
from tilewright.editor.answers.holdings import Holdings, run_over
from tilewright.editor.answers.mending import changes_in
from tilewright.editor.reading.payload import Payload, Payloads
from tilewright.editor.reading.positions import Span
from tilewright.ir.errors import UserError
from tilewright.transforms.core.printing import printing_to


class Stale(Exception):
    """The text has changed: nobody waits for this check any more."""


@dataclass
class OpenDocument:
    """A document of the editor: its text, and what the last check found.

    Only the server's event loop changes it.
    """

    uri: str
    version: int
    document: Document
    checked: Checked = field(default_factory=lambda: Checked(()))
    findings: tuple[Finding, ...] = ()
    edition: int = 0
    """Counts the texts and the checks: a check that is not the latest is stale."""

    def change(self, text: str, version: int) -> None:
        """Take a new text; what handles hold moves along with their lines."""
        old = self.document
        holdings = old.holdings.moved(str(old.path), old.lines, text.split("\n"))
        self.document = Document(text, old.path, old.payload, holdings)
        self.version = version
        self.edition += 1

    def begin_check(self) -> Check:
        """A check of the text as it is now; it takes the place of an earlier one."""
        self.edition += 1
        return Check(self, self.edition, self.document)

    def question(self) -> Question:
        """A question about the text as it is now."""
        return Question(self, self.document, self.checked)


@dataclass(frozen=True)
class Question:
    """A question about one text that takes time to answer."""

    opened: OpenDocument
    document: Document
    checked: Checked
    """The last check; the text may have been an older one."""

    def need_latest(self) -> None:
        """Raise `Stale` if the text has changed."""
        if self.opened.document.text != self.document.text:
            raise Stale


@dataclass
class Check:
    """One check of one text."""

    opened: OpenDocument
    edition: int
    document: Document
    """The text that is checked; with its payload and what its handles hold, later."""

    def need_latest(self) -> None:
        """Raise `Stale` if the text has changed, or a later check has begun."""
        if self.opened.edition != self.edition:
            raise Stale

    # What follows is called on the event loop: between the question whether the text is
    # the same and the answer's arrival, no change can come.

    def keep_checked(self, checked: Checked) -> None:
        """Take the findings that need no run."""
        self.need_latest()
        self.opened.checked, self.opened.findings = checked, checked.findings

    def keep_run(self, run: Run) -> None:
        """Take what handles hold, and the findings about the payload's file."""
        self.need_latest()
        self.document = self.opened.document = replace(
            self.document, payload=run.payload, holdings=run.holdings
        )
        self.opened.findings = (*self.opened.checked.findings, *run.failed)

    def keep_findings(self, found: tuple[Finding, ...]) -> None:
        """Take the findings of all stages."""
        self.need_latest()
        self.opened.findings = found


@dataclass(frozen=True)
class Run:
    """What one run over the payload gives."""

    payload: Payload | None
    holdings: Holdings
    failed: tuple[Finding, ...] = ()
    """Why the payload cannot be read."""


class Checker:
    """Runs checks one after the other: the compiler is not made for threads.

    Its methods change no document; their results are given to the `Check`.
    """

    def __init__(self, payload: Path | None) -> None:
        self.payloads = Payloads(payload)
        self._lock = threading.Lock()

    def check_text(self, check: Check) -> Checked:
        """The findings that need no run."""
        check.need_latest()
        with self._working():
            return check_text(check.document.text, check.document.path)

    def hold(self, check: Check, checked: Checked) -> Run:
        """Run the schedule once over its payload; gives what handles hold."""
        check.need_latest()
        document = check.document
        with self._working():
            payload, failed = self._payload(document)
            holdings = document.holdings
            is_whole = checked.schedule is not None and checked.space is not None
            if payload is not None and is_whole and not checked.has_errors:
                assert checked.schedule is not None and checked.space is not None
                holdings = run_over(
                    payload.module, checked.schedule, checked.space, check.need_latest
                )
        return Run(payload, holdings, tuple(failed))

    def check_payload(
        self, check: Check, checked: Checked, payload: Payload, *, when_saved: bool
    ) -> tuple[Finding, ...]:
        """Run the schedule at several points; gives all findings."""
        with self._working():
            return check_over(
                checked,
                payload,
                when_saved=when_saved,
                tell=lambda _: check.need_latest(),
            )

    def changes(self, question: Question, span: Span) -> list[Fix]:
        """The changes that help in a part of a text."""
        question.need_latest()
        with self._working():
            return changes_in(
                question.document, span, question.checked, question.need_latest
            )

    def _payload(self, document: Document) -> tuple[Payload | None, list[Finding]]:
        try:
            return self.payloads.payload_of(document.text, document.path), []
        except UserError as error:
            return None, [Finding(Severity.ERROR, error)]
        except OSError as error:
            failed = UserError(f"the payload cannot be read: {error}")
            return None, [Finding(Severity.ERROR, failed)]

    @contextlib.contextmanager
    def _working(self) -> Iterator[None]:
        """Hold the compiler; what a schedule prints is not for the editor."""
        with self._lock, printing_to(io.StringIO()):
            yield
