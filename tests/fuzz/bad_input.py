"""Fuzz the command line with damaged files: a located error or success, nothing else.

    python tests/fuzz/bad_input.py --minutes 60 --out findings

Takes the payloads, schedules and scripts of this repository, damages them and runs
`opt`, `check`, `space`, `interpret` and `opt --emit triton` on them, each in a process
with limits. A traceback, more than 20 s of CPU time or more than 2 GiB of memory is a
finding. Each kind of finding is shrunk and left in a folder with its files and the
command that shows it again. The exit status is 1 where something was found.
"""

from __future__ import annotations

import argparse
import random
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT), str(HERE.parent)]

from fuzz.bad_files.damage import damaged  # noqa: E402
from fuzz.bad_files.sandbox import Outcome, run  # noqa: E402

_FOLDERS = (
    "examples",
    "tests/golden",
    "tests/data",
    "tests/fuzz/found",
)
_LONGEST = 20_000
"""The greatest length of a text; longer ones only take longer."""


@dataclass(frozen=True)
class Attempt:
    """A command line and the files that it reads."""

    arguments: tuple[str, ...]
    files: dict[str, bytes]
    how: str
    seed: int

    @property
    def command(self) -> str:
        """What to type in the folder of the files."""
        return shlex.join(["tilewright", *self.arguments])


class Seeds:
    """The undamaged texts: payloads and scripts in MLIR, schedules in `.tw`."""

    def __init__(self) -> None:
        self.mlir: list[bytes] = []
        self.tw: list[bytes] = []
        self.payloads: list[bytes] = []
        for folder in _FOLDERS:
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix == ".mlir":
                    self.mlir += path.read_bytes().split(b"// -----\n")
                elif path.suffix == ".tw":
                    self.tw.append(path.read_bytes())
        self.mlir = [text for text in self.mlir if len(text) < _LONGEST]
        self.payloads = [
            text
            for text in self.mlir
            if b"linalg." in text and b"func.func" in text and b"transform." not in text
        ]
        self.scripts = [text for text in self.mlir if b"transform." in text]


def attempt(seeds: Seeds, seed: int) -> Attempt:
    """The attempt of a seed; it is the same every time."""
    chance = random.Random(seed)
    if chance.random() < 0.3:
        schedule, how = damaged(chance.choice(seeds.tw), chance, seeds.tw)
        payload = chance.choice(seeds.payloads)
        arguments = chance.choice(
            (
                ("check", "s.tw"),
                ("check", "s.tw"),
                ("space", "s.tw"),
                ("check", "s.tw", "p.mlir"),
                ("opt", "p.mlir", "-s", "s.tw"),
                ("opt", "p.mlir", "-s", "s.tw", "--emit", "mlir-schedule"),
                ("opt", "p.mlir", "-s", "s.tw", "--emit", "tw-schedule"),
            )
        )
        return Attempt(arguments, {"s.tw": schedule, "p.mlir": payload}, how, seed)
    if chance.random() < 0.35:
        text, how = damaged(chance.choice(seeds.scripts), chance, seeds.scripts)
        arguments = chance.choice(
            (
                ("opt", "p.mlir"),
                ("opt", "p.mlir"),
                ("opt", "p.mlir", "--emit", "triton"),
                ("opt", "p.mlir", "--emit", "tw-schedule"),
                ("check", "p.mlir"),
                ("space", "p.mlir"),
            )
        )
        return Attempt(arguments, {"p.mlir": text}, how, seed)
    text, how = damaged(chance.choice(seeds.mlir), chance, seeds.mlir)
    arguments = chance.choice(
        (
            ("opt", "p.mlir"),
            ("opt", "p.mlir", "--generic"),
            ("opt", "p.mlir", "--emit", "triton"),
            ("opt", "p.mlir", "--emit", "triton"),
            ("interpret", "p.mlir"),
            ("interpret", "p.mlir", "--size", "5"),
        )
    )
    return Attempt(arguments, {"p.mlir": text}, how, seed)


def outcome(given: Attempt) -> Outcome:
    """Run an attempt."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in given.files.items():
            (folder / file).write_bytes(text)
        executes = given.arguments[0] == "interpret"
        return run(list(given.arguments), folder, may_be_long=executes)


def shrunk(given: Attempt, kind: str, seconds: float = 15.0) -> Attempt:
    """The same finding with fewer lines, then with fewer characters."""
    deadline = time.monotonic() + seconds
    for file in given.files:
        for separator in (b"\n", b" ", b""):
            given = _shrunk_file(given, file, separator, kind, deadline)
    return given


def _shrunk_file(
    given: Attempt, file: str, separator: bytes, kind: str, deadline: float
) -> Attempt:
    text = given.files[file]
    if separator:
        parts = [part + separator for part in text.split(separator)]
    else:
        parts = [text[at : at + 1] for at in range(len(text))]
    size = max(len(parts) // 2, 1)
    while size and time.monotonic() < deadline:
        at = 0
        while at < len(parts) and time.monotonic() < deadline:
            fewer = parts[:at] + parts[at + size :]
            smaller = replace(given, files={**given.files, file: b"".join(fewer)})
            if outcome(smaller).kind == kind:
                parts, given = fewer, smaller
            else:
                at += size
        size //= 2
    return given


def keep(given: Attempt, found: Outcome, folder: Path) -> None:
    """Write the files of a finding, its command and its output to a folder."""
    place = folder / f"seed-{given.seed}"
    place.mkdir(parents=True, exist_ok=True)
    for file, text in given.files.items():
        if file in given.arguments:
            (place / file).write_bytes(text)
    (place / "finding.txt").write_text(
        f"{found.kind}\ndamage: {given.how}\nseed: {given.seed}\n"
        f"again: {given.command}\n\n{found.text}\n"
    )


def attempts(seeds: Seeds, first: int) -> Iterator[Attempt]:
    """An endless iterator of attempts."""
    seed = first
    while True:
        yield attempt(seeds, seed)
        seed += 1


def warm_up() -> None:
    """Import everything once, so that each fork starts with it."""
    from fuzz.bad_files.sandbox import outcome_of

    folder = ROOT / "examples" / "matmul_relu"
    payload, schedule = str(folder / "payload.mlir"), str(folder / "tile_fuse.tw")
    outcome_of(["check", schedule])
    outcome_of(["space", str(folder / "tuned.tw")])
    outcome_of(["opt", payload, "-s", schedule, "--emit", "triton"])
    small = ROOT / "tests" / "fuzz" / "found" / "a_broadcast_is_cast.mlir"
    outcome_of(["interpret", str(small)])


def fuzz(
    first: int, seconds: float, limit: int | None = None, *, out: Path | None = None
) -> list[tuple[Attempt, Outcome]]:
    """Fuzz for some seconds; return the first finding of each kind, shrunk if kept."""
    warm_up()
    seeds = Seeds()
    deadline = time.monotonic() + seconds
    found: dict[str, tuple[Attempt, Outcome]] = {}
    codes: dict[int | None, int] = {}
    told = time.monotonic()
    for number, given in enumerate(attempts(seeds, first)):
        now = time.monotonic()
        if now > deadline or number == limit:
            break
        if out is not None and now - told > 30:
            told = now
            print(f"{number} attempts, exit codes {codes}, {len(found)} kinds found")
        end = outcome(given)
        codes[end.code] = codes.get(end.code, 0) + 1
        if not end.is_finding or end.kind in found:
            continue
        found[end.kind] = (given, end)
        if out is not None:
            print(f"seed {given.seed}: {end.kind}\n  {given.command}", flush=True)
            is_quick = end.seconds < SLOW
            keep(shrunk(given, end.kind) if is_quick else given, end, out)
    if out is not None:
        print(f"{sum(codes.values())} attempts, exit codes {codes}")
    return list(found.values())


SLOW = 5.0
"""Findings that take longer than this are not shrunk."""


def main(given: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the first attempt")
    parser.add_argument("--attempts", type=int, help="stop after so many")
    parser.add_argument(
        "--out", type=Path, default=Path("bad-input-findings"), help="for the findings"
    )
    options = parser.parse_args(given)
    found = fuzz(
        options.seed, options.minutes * 60, options.attempts, out=options.out.resolve()
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
