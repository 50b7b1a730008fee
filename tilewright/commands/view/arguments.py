"""The arguments of `tilewright view`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilewright.commands.terminal.failure import UsageError


@dataclass(frozen=True)
class Options:
    """What to look at, and where the page goes."""

    file: str
    """A payload, `model.py:Model`, or a results file."""
    words: tuple[str, ...] = ()
    """Words that name a run of a results file."""
    schedule: Path | None = None
    entry: str | None = None
    settings: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    """The inputs of a model."""
    backward: bool = False
    output: Path | None = None
    verify: bool = False
    seed: int = 0
    compiled: tuple[str, ...] = ()
    target: str | None = None
    results: Path | None = None
    """The results file whose points close open choices of a payload's schedule."""
    trials: int = 8
    """Trials of a results file whose steps and source are in the page."""
    open_page: bool = True
    """Whether to open the page in a browser, if there is a display."""
    estimate: bool = True
    """Whether to compile the kernels and estimate their time."""
    details: int | None = None
    """Of how many kernels of a model the page has every step; None: the default."""

    def refuse(self, names: tuple[str, ...], what: str, remedy: str) -> None:
        """Refuse those of the named options that were given; `what` ignores them."""
        given = {
            "--schedule": self.schedule is not None,
            "--entry": self.entry is not None,
            "--set": bool(self.settings),
            "--input": bool(self.inputs),
            "--backward": self.backward,
            "--verify-each": self.verify,
            "--emit": bool(self.compiled),
            "--details": self.details is not None,
            "--target": self.target is not None,
            "words after the file": bool(self.words),
        }
        wrong = [name for name in names if given[name]]
        if wrong:
            raise UsageError(f"{', '.join(wrong)}: not for {what}", remedy=remedy)
