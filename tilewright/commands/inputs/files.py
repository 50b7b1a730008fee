"""Telling the schedule and the payload apart among the files of a command.

    check tuned.tw payload.mlir      check payload.mlir tuned.tw
    check payload.mlir -s tuned.tw   check both.mlir
    check payload.mlir

A `.tw` file is a schedule. Of two `.mlir` files, the schedule is the one with a
transform sequence. A payload alone gets a planned schedule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.errors import UserError
from tilewright.ir.text import read_text

_SCRIPT = re.compile(r"\btransform\.(named_)?sequence\b")
_FUNCTION = re.compile(r"\bfunc\.func\b")
_PIPE = Path("-")


@dataclass(frozen=True)
class Files:
    """A schedule, and a payload to run it over."""

    schedule: Path | None
    """None if a schedule is to be planned for the payload."""
    payload: Path | None


def sort_files(first: Path, second: Path | None, schedule: Path | None) -> Files:
    """Tell schedule and payload apart; `schedule` is the file of `-s`."""
    if schedule is not None:
        return _with_option(first, second, schedule)
    if second is None:
        return _alone(first)
    scripts = [path for path in (first, second) if path.suffix == ".tw"]
    if len(scripts) == 2:
        raise UsageError(
            f"{first} and {second} are both schedules",
            remedy="give one schedule and one payload (.mlir)",
        )
    if not scripts:
        scripts = [path for path in (first, second) if _holds(path, _SCRIPT)]
    if not scripts:
        raise UserError(
            f"neither {first} nor {second} holds a schedule",
            remedy="give a .tw file, or a .mlir file with a "
            "transform.named_sequence @__transform_main",
        )
    return Files(first, second) if scripts[0] is first else Files(second, first)


def check_payload(path: Path, remedy: str | None = None) -> None:
    """Refuse a schedule where a payload belongs."""
    is_script = path.suffix == ".mlir" and path.is_file() and _holds(path, _SCRIPT)
    if path.suffix == ".tw" or (is_script and not _holds(path, _FUNCTION)):
        raise UsageError(
            f"{path} is a schedule, and a payload (.mlir) belongs here",
            remedy=remedy or f"give the payload first: PAYLOAD.mlir -s {path}",
        )


def _with_option(first: Path, second: Path | None, schedule: Path) -> Files:
    if second is not None:
        raise UsageError(
            f"two files in addition to -s {schedule}: {first} and {second}",
            remedy=f"give one payload: {first} -s {schedule}",
        )
    check_payload(first)
    return Files(schedule, first)


def _alone(path: Path) -> Files:
    if path.suffix == ".tw":
        return Files(path, None)
    if path.suffix not in (".mlir", "") and path.is_file():
        raise UserError(
            f"{path}: neither a schedule nor a payload",
            remedy="a schedule is a .tw or a .mlir file, a payload a .mlir file",
        )
    if not _holds(path, _SCRIPT):
        if path != _PIPE and not _holds(path, _FUNCTION):
            raise UserError(
                f"{path} holds no schedule and no payload",
                remedy="a payload is a func.func; give a schedule with -s SCHEDULE.tw",
            )
        return Files(None, path)
    return Files(path, path if _holds(path, _FUNCTION) else None)


def _holds(path: Path, pattern: re.Pattern[str]) -> bool:
    """Whether a pattern occurs outside comments; standard input counts as a payload."""
    if path == _PIPE:
        return False
    return bool(pattern.search(re.sub(r"//[^\n]*", "", read_text(path))))
