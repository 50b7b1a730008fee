"""`tune --log FILE`: a line for each configuration, as it ends."""

from __future__ import annotations

from pathlib import Path
from typing import Self, TextIO

from tilewright.commands.terminal.output_files import writing
from tilewright.ir.printable import printable
from tilewright.tuning.results.tuning_result import Trial, first_line


class TrialLog:
    """A file that gets a line for every trial; each can be read at once."""

    def __init__(self, path: Path) -> None:
        """The file is written anew when it is entered."""
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        """Open the file."""
        with writing(self._path):
            self._file = self._path.open("w", buffering=1, encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def write(self, trial: Trial) -> None:
        """Add the line of a trial."""
        assert self._file is not None, "the log is open during a run"
        with writing(self._path):
            self._file.write(f"{trial_line(trial)}\n")


def trial_line(trial: Trial) -> str:
    """`3  ok  0.0041 ms  new  gemm.mlir  BM=64 BN=128`, or how it failed."""
    point = " ".join(f"{name}={value}" for name, value in trial.point.items())
    record = trial.record
    if trial.milliseconds is not None:
        told = f"{trial.milliseconds:.6f} ms"
        if record.p20 is not None and record.p80 is not None and record.measured:
            told += f" ({record.p20:.6f} .. {record.p80:.6f})"
    else:
        told = first_line(record.error)
    parts = [str(trial.number), trial.outcome, told, trial.origin]
    parts += [record.setting.payload_name or "-", point or "-"]
    return printable("  ".join(parts))
