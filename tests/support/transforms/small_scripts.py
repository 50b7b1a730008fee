"""Run many small scripts with real MLIR and with our interpreter, a file at once.

A file of `data/small` holds scripts between lines of `// -----`. The first part is the
payload of all that have none. A script begins with its title, a comment. Real MLIR
runs a whole file in one process, which is why this is quick.

A script must have the same outcome in both: a refusal, or the same program and the same
remarks. If it differs, its head says who refuses, and docs/upstream.md says why:

    // only ours refuses: ...
    // only real MLIR refuses: ...
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support.mlir_opt import MLIR_OPT
from support.paths import DATA
from support.transforms.same_program import CLEAN, normal_form
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.schedules.check.check import check_module
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import prepare

FOLDER = DATA / "small"
MARK = "// -----"
RUN = (
    "--allow-unregistered-dialect",
    "--transform-interpreter",
    "--test-transform-dialect-erase-schedule",
    "--mlir-print-local-scope",
)


@dataclass(frozen=True)
class Small:
    """One script: its title, and payload and schedule in one module."""

    title: str
    text: str

    @property
    def only(self) -> str | None:
        """The only one that refuses it: `ours` or `real MLIR`; None if both agree."""
        found = re.search(r"^// only (ours|real MLIR) refuses: ", self.text, re.M)
        return found[1] if found else None


@dataclass(frozen=True)
class End:
    """The outcome of a script."""

    refusal: str | None
    program: str = ""
    remarks: tuple[str, ...] = ()


def small(title: str, body: str) -> Small:
    """A script of payload and sequences, without its module."""
    module = "module attributes {transform.with_named_sequence}"
    return Small(title, f"// {title}\n{module} {{\n{body}\n}}\n")


def read_scripts(path: Path) -> list[Small]:
    """The scripts of a file."""
    payload, *parts = path.read_text().split(MARK)
    found: list[Small] = []
    for part in parts:
        title = re.search(r"^// (.+)$", part, re.MULTILINE)
        assert title is not None, f"{path.name}: a script without a title:\n{part}"
        whole = part if "func.func @" in part else payload + part
        found.append(small(title[1], whole))
    return found


def by_us(script: Small) -> End:
    """The outcome in our interpreter; other exceptions escape."""
    said = io.StringIO()
    context = schedule_context(reads_unregistered=True)
    try:
        both = parse_module(script.text, "small.mlir", context)
        payload, schedule = Schedule.split(both)
        assert schedule is not None
        if wrong := check_module(schedule.module):
            return End(str(wrong[0]))
        with contextlib.redirect_stderr(said):
            run = prepare(schedule.module, payload)
            run.as_upstream = True
            run.start()
    except UserError as error:
        return End(str(error))
    return End(None, to_text(payload), _remarks(said.getvalue()))


def by_real_mlir(scripts: Sequence[Small]) -> list[End]:
    """The outcomes in real MLIR, all in one process."""
    done = _run("\n// -----\n".join(script.text for script in scripts), *RUN)
    programs = done.stdout.split(MARK)
    starts = [1]
    for script in scripts:
        starts.append(starts[-1] + script.text.count("\n") + 2)
    said: list[list[str]] = [[] for _ in scripts]
    for line in done.stderr.splitlines():
        if (place := re.match(r"<stdin>:(\d+):\d+: ", line)) is not None:
            number = sum(start <= int(place[1]) for start in starts) - 1
            said[number].append(line)
    if done.returncode < 0 or len(programs) != len(scripts):
        raise AssertionError(f"real MLIR crashed:\n{done.stderr[-3000:]}")
    ends: list[End] = []
    for program, lines in zip(programs, said, strict=True):
        error = next((line for line in lines if " error: " in line), None)
        end = End(None, _module(program), _remarks("\n".join(lines)))
        ends.append(end if error is None else End(error))
    return ends


def programs_alike(ours: Sequence[str], theirs: Sequence[str]) -> list[bool]:
    """For each pair of programs, whether they are the same after clean-up."""
    if not ours:
        return []
    done = _run(
        "\n// -----\n".join([*ours, *theirs]), "--allow-unregistered-dialect", *CLEAN
    )
    assert done.returncode == 0, f"real MLIR rejects what we print:\n{done.stderr}"
    texts = [
        re.sub(r"module .*", "module {", text, count=1)
        for text in done.stdout.split(MARK)
    ]
    pairs = zip(texts[: len(ours)], texts[len(ours) :], strict=True)
    return [
        left == right or normal_form(left) == normal_form(right)
        for left, right in pairs
    ]


def differences(scripts: Sequence[Small]) -> list[str]:
    """The scripts with another outcome than their head says, each with the outcome."""
    ours, theirs = [by_us(script) for script in scripts], by_real_mlir(scripts)
    found: list[str] = []
    compared: list[tuple[Small, End, End]] = []
    for script, mine, real in zip(scripts, ours, theirs, strict=True):
        refusing = {"ours": mine.refusal, "real MLIR": real.refusal}
        who = [name for name, refusal in refusing.items() if refusal is not None]
        expected = [script.only] if script.only is not None else None
        if expected is None and len(who) != 1:
            if not who:
                compared.append((script, mine, real))
        elif who != expected:
            found.append(f"{script.title}: refused by {who}, expected {expected}")
            found += [f"    {name}: {why}" for name, why in refusing.items() if why]
    alike = programs_alike(
        [mine.program for _, mine, _ in compared],
        [real.program for _, _, real in compared],
    )
    for (script, mine, real), same in zip(compared, alike, strict=True):
        if not same:
            found.append(f"{script.title}: ours\n{mine.program}\nreal\n{real.program}")
        if mine.remarks != real.remarks:
            found.append(f"{script.title}: says {mine.remarks}, real {real.remarks}")
    return found


def _module(program: str) -> str:
    """The program, without the output of `transform.print` before it."""
    head, module, body = program.rpartition("\nmodule ")
    return module + body if module else head + body


def _remarks(text: str) -> tuple[str, ...]:
    return tuple(sorted(re.findall(r"remark: (.*)$", text, re.MULTILINE)))


def _run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [MLIR_OPT, "--split-input-file", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
