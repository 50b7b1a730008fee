"""Hostile names through the whole compiler: parsed, emitted, checked, run.

Each case goes through the command line in this process. The emitted file must parse,
consist of what emitted files consist of, have the syntax tree of the same case with
harmless names, and run in Triton's interpreter; or the case is refused with an error.
Nothing in a name may ever be executed, and no control character reaches the terminal.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from fuzz.names.cases import Case, draw
from fuzz.names.checks import complaints, skeleton
from fuzz.names.hostile_text import CANARY
from tilewright.cli import main
from tilewright.ir.printable import printable

_EMITTED = "emitted.py"
_LONGEST_RUN = 600.0


@dataclass(frozen=True)
class Finding:
    """A case with a fault."""

    seed: int
    what: str

    def __str__(self) -> str:
        """The fault, and the command that reproduces it."""
        again = f"python tests/fuzz/run_names.py --seed {self.seed} --cases 1"
        return f"seed {self.seed}: {self.what}\n  {again}"


@dataclass
class Statistics:
    """Counters of a fuzzing run."""

    cases: int = 0
    emitted: int = 0
    refused: int = 0
    run: int = 0
    findings: list[Finding] = field(default_factory=list)


class NameFuzzer:
    """Tries the cases from a seed on, until the time is up."""

    def __init__(
        self,
        seed: int,
        seconds: float,
        cases: int | None = None,
        run_at_once: int = 24,
        tell: Callable[[str], None] = lambda _: None,
    ):
        self.seed = seed
        self.seconds = seconds
        self.cases = cases
        self.run_at_once = run_at_once
        """Emitted files that one process runs: importing torch takes its time."""
        self.tell = tell
        self.statistics = Statistics()
        self._waiting: list[tuple[int, Path, tuple[str, ...]]] = []

    def run(self) -> None:
        """Fuzz; everything happens in a folder of its own, which is removed."""
        end = time.monotonic() + self.seconds
        with _inside_new_folder() as folder:
            while time.monotonic() < end and self.statistics.cases != self.cases:
                seed = self.seed + self.statistics.cases
                self._case(seed, folder / f"case{seed}")
                self.statistics.cases += 1
                if len(self._waiting) >= self.run_at_once:
                    self._run_waiting(folder)
            self._run_waiting(folder)

    def _case(self, seed: int, folder: Path) -> None:
        hostile, tame = draw(seed)
        folder.mkdir()
        os.chdir(folder)
        code, said = _emit(hostile)
        self._check_said(seed, "opt --emit triton", code, said)
        self._look_around(seed, hostile)
        if code == 0:
            self.statistics.emitted += 1
            text = (folder / _EMITTED).read_text(encoding="utf-8")
            found = complaints(text)
            for complaint in found:
                self._report(seed, complaint)
            if not found:
                self._compare(seed, text, tame)
                self._waiting.append((seed, folder / _EMITTED, hostile.sizes))
        else:
            self.statistics.refused += 1
        if list(folder.parent.rglob(CANARY)):
            self._report(seed, "code in a name was executed")

    def _compare(self, seed: int, text: str, tame: Case) -> None:
        os.chdir(_made(Path.cwd() / "tame"))
        code, said = _emit(tame)
        if code != 0:
            self._report(seed, f"the tame case is refused: {said}")
        elif skeleton(Path(_EMITTED).read_text(encoding="utf-8")) != skeleton(text):
            self._report(seed, "names change the syntax tree")
        os.chdir("..")

    def _look_around(self, seed: int, case: Case) -> None:
        """Other commands on the same files."""
        if case.schedule is None:
            return
        words = [
            ["check", case.schedule_name],
            ["space", case.schedule_name],
            [
                "opt",
                case.payload_name,
                "-s",
                case.schedule_name,
                "--emit",
                "tw-schedule",
            ],
            ["opt", case.payload_name, "-s", case.schedule_name, "--diff"],
        ][seed % 4]
        code, said = _tilewright(words)
        if "tw-schedule" in words and code == 0:
            # Strings of the language have no escapes; a terminal is spared them.
            Path("printed.tw").write_text(said, encoding="utf-8")
            code, said = _tilewright(["check", "printed.tw"])
            if code != 0:
                self._report(seed, f"a printed schedule does not read: {ascii(said)}")
        self._check_said(seed, words[0], code, said)

    def _check_said(self, seed: int, what: str, code: int, said: str) -> None:
        if code not in (0, 1):
            self._report(seed, f"{what} exits with {code}: {ascii(said)[-2000:]}")
        elif printable(said, keep="\n\t") != said:
            self._report(seed, f"{what} prints control characters: {ascii(said)}")
        elif code and not said.strip():
            self._report(seed, f"{what} fails without a word")

    def _run_waiting(self, folder: Path) -> None:
        if not self._waiting:
            return
        os.chdir(folder)
        listed = folder / "list.json"
        jobs = [(str(path), options) for _, path, options in self._waiting]
        listed.write_text(json.dumps(jobs))
        subprocess.run(
            [
                sys.executable,
                str(Path(__file__).with_name("child.py")),
                "list.json",
            ],
            env={**os.environ, "TRITON_INTERPRET": "1"},
            timeout=_LONGEST_RUN,
            check=True,
        )
        for (seed, path, _), ended in zip(
            self._waiting, json.loads(listed.read_text()), strict=True
        ):
            self.statistics.run += 1
            if ended not in ("ok", "silent"):
                self._report(seed, f"the emitted file does not run: {ended}")
            if (folder / CANARY).exists():
                self._report(seed, "code in a name was executed by an emitted file")
            shutil.rmtree(path.parent, ignore_errors=True)
        self._waiting.clear()
        done = self.statistics
        self.tell(
            f"{done.cases} cases: {done.emitted} emitted, {done.refused} refused, "
            f"{done.run} run, {len(done.findings)} findings"
        )

    def _report(self, seed: int, what: str) -> None:
        found = Finding(seed, what)
        self.statistics.findings.append(found)
        self.tell(str(found))


def _emit(case: Case) -> tuple[int, str]:
    """Write the files of a case here, and emit their program."""
    Path(case.payload_name).write_text(case.payload, encoding="utf-8")
    words = ["opt", _path(case.payload_name), "--emit", "triton", "-o", _EMITTED]
    if case.schedule is not None:
        Path(case.schedule_name).write_text(case.schedule, encoding="utf-8")
        words += ["-s", _path(case.schedule_name)]
    for setting in case.settings:
        words += ["--set", setting]
    return _tilewright(words)


def _path(name: str) -> str:
    """A path that is not parsed as an option or as standard input."""
    return f"./{name}" if name.startswith("-") else name


def _tilewright(words: list[str]) -> tuple[int, str]:
    """A command in this process: its exit code, and all that it prints."""
    said = io.StringIO()
    words = [
        words[0],
        *(_path(w) if w.endswith((".mlir", ".tw")) else w for w in words[1:]),
    ]
    with (
        mock.patch.object(sys, "argv", ["tilewright", *words]),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        try:
            main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code or 0
    gc.unfreeze()  # A command expects that its process ends.
    return code if isinstance(code, int) else 1, said.getvalue()


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


@contextlib.contextmanager
def _inside_new_folder() -> Iterator[Path]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="tilewright-names-") as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)
