"""The changes that an editor offers: each was tried, and the text was checked again.

A change that mends a finding leaves fewer errors, or lets the check come further than
it came. Any other change adds no finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilewright.editor.answers.document import Document
from tilewright.editor.answers.findings import Checked, check_text
from tilewright.editor.answers.fixes import Fix, fixes_for, offers_at
from tilewright.editor.reading.positions import Span
from tilewright.ir.text import remember_source


def changes_in(
    document: Document,
    span: Span,
    checked: Checked,
    tell: Callable[[], None] = lambda: None,
) -> list[Fix]:
    """The changes that help in a part of a text.

    `checked` is the last check, of this text or an older one. `tell` is called before
    each trial; what it raises ends the search.
    """
    if checked.text != document.text:
        checked = check_text(document.text, document.path)
    found: list[Fix] = []
    try:
        for fix in _candidates(document, span, checked):
            tell()
            if _helps(document, fix, checked):
                found.append(fix)
        return found
    finally:
        # The places of errors show the lines of the text that was read last.
        remember_source(str(document.path), document.text)


def _candidates(document: Document, span: Span, checked: Checked) -> Iterator[Fix]:
    near = [
        finding
        for finding in checked.errors
        if finding.error.place is not None
        and span.start.line <= finding.error.place.line <= span.end.line
    ]
    module = None if checked.schedule is None else checked.schedule.module
    yield from fixes_for(document, near, module)
    yield from offers_at(document, span.start, checked.space)


def _helps(document: Document, fix: Fix, before: Checked) -> bool:
    after = check_text(fix.applied(document.lines), document.path)
    if fix.finding is not None:
        return (after.stage, -len(after.errors)) > (before.stage, -len(before.errors))
    return after.stage >= before.stage and len(after.findings) <= len(before.findings)
