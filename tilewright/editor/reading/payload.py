"""The payload of a schedule: `// payload: FILE` at its top, or the one of the command.

Files are read again when they change on disk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import Place, UserError
from tilewright.pipeline import read_payload

_HEADER = re.compile(r"^//\s*payload:\s*(?P<file>\S.*?)\s*$")
_ABOVE = re.compile(r"\s*($|//|import\b)")
"""The begin of a line that may stand above the first definition."""


@dataclass(frozen=True)
class Named:
    """A payload that a comment names, and where the name stands."""

    file: str
    place: Place


@dataclass(frozen=True)
class Payload:
    """A payload that was read."""

    path: Path
    module: ModuleOp


@dataclass
class Payloads:
    """Reads payloads, and keeps them until their files change."""

    of_command: Path | None = None
    _read: dict[Path, tuple[int, ModuleOp]] = field(
        default_factory=dict[Path, tuple[int, ModuleOp]]
    )

    def payload_of(self, text: str, path: Path) -> Payload | None:
        """The payload of a schedule; raises an error if it cannot be read."""
        named = payload_comment(text, str(path))
        if named is None:
            if self.of_command is None:
                return None
            return self._payload(self.of_command)
        file = path.parent / Path(named.file).expanduser()
        if not file.is_file():
            raise UserError(
                f"there is no payload '{named.file}'",
                named.place,
                f"the name counts from the folder {path.parent}",
            )
        try:
            return self._payload(file)
        except UserError as error:
            # The error is in another file: this text shows it where it names the file.
            where = "" if error.place is None else f"{error.place}: "
            raise UserError(
                f"the payload cannot be read: {where}{error.fact}",
                named.place,
                error.remedy,
            ) from error

    def _payload(self, path: Path) -> Payload:
        changed = path.stat().st_mtime_ns
        known = self._read.get(path)
        if known is None or known[0] != changed:
            known = self._read[path] = (changed, read_payload(path))
        return Payload(path, known[1])


def payload_comment(text: str, file: str) -> Named | None:
    """The payload that a comment before the first definition names."""
    for number, line in enumerate(text.split("\n"), 1):
        if not _ABOVE.match(line):
            return None
        if found := _HEADER.match(line):
            column = found.start("file") + 1
            return Named(found["file"], Place(file, number, column, line))
    return None
