"""`tilewright.build`: a folder with compiled kernels that run without the compiler.

artefact = tilewright.build("payload.mlir", "schedule.tw", folder="linear")
out = artefact(x, w, bias)

Kernels are compiled in worker processes, and no GPU is needed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.artefact.folder import Member, refuse_foreign, write_artefact
from tilewright.codegen.artefact.loader import Artefact, load
from tilewright.codegen.emit.constants import constants_of
from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.codegen.targets import Target
from tilewright.compile_inputs import GivenSchedule
from tilewright.compiled_program import Program
from tilewright.frontend.builder import Payload
from tilewright.ir.errors import UserError
from tilewright.program import compile_program, find_target
from tilewright.sized_program import SizedProgram
from tilewright.tuning.model.occupancy import prune_program
from tilewright.tuning.workers.pools import wait
from tilewright.tuning.workers.worker_pool import ProcessPool

if TYPE_CHECKING:
    from tilewright.codegen.artefact.binaries import Binary
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.schedules.size_table import Rule

_LIMIT = 600.0
"""Seconds for the kernels of one program."""


@dataclass(frozen=True)
class BinariesJob:
    """Compile all launches of a program, with their variants."""

    program: GeneratedProgram
    target: Target
    directory: Path

    def run(self) -> list[list[Binary]]:
        """The binaries of each launch."""
        from tilewright.codegen.artefact.binaries import compile_launches

        return compile_launches(self.program, self.target, self.directory)


def build_artefact(
    payload: str | Path | ModuleOp | Payload,
    schedule: GivenSchedule = None,
    *,
    folder: str | Path,
    target: str = "auto",
    inherit: bool | str | Path = True,
    **point: Any,
) -> Artefact:
    """Compile a payload ahead of time into a folder, and load it.

    Payload, schedule, `inherit` and the point are those of `tilewright.compile`; the
    target is a name, or `auto` for this machine's GPU (without one, h200). A schedule
    with a decision table gives a program for each of its rules.
    """
    card, _ = find_target(target)
    compiled = compile_program(payload, schedule, target, inherit=inherit, **point)
    write_program(compiled, card, Path(folder))
    return load(folder)


def write_program(compiled: Program, card: Target, folder: Path) -> None:
    """Compile the kernels of a program for a card, and write its artefact."""
    refuse_foreign(folder)
    rules: list[tuple[Rule | None, Program]] = [(None, compiled)]
    positions = None
    if isinstance(compiled, SizedProgram):
        rules = list(compiled.members())
        positions = compiled.positions
    for _, one in rules:
        if (reason := prune_program(one.built.program, None, card)) is not None:
            raise UserError(
                f"{one.built.program.entry} cannot run on {card.name}: {reason}",
                remedy="choose another point with --set, or another --target",
            )
    binaries = _compiled([one for _, one in rules], card)
    members = [
        _member(rule, one, made)
        for (rule, one), made in zip(rules, binaries, strict=True)
    ]
    try:
        write_artefact(folder, members, card, positions)
    except OSError as error:
        raise UserError(
            f"cannot write {folder}: {error.strerror or error}",
            remedy="name a folder with room, which you may write to",
        ) from error


def _member(rule: Rule | None, one: Program, binaries: list[list[Binary]]) -> Member:
    point = {**one.built.defaults, **one.point}
    text = ""
    if one.schedule is not None:
        text = one.schedule.with_defaults(one.point).to_tw(device=one.target)
    return Member(
        one.built.program,
        constants_of(one.built.kernel),
        binaries,
        text,
        point,
        one.origin or ("" if one.point else "the schedule's defaults"),
        "" if rule is None else rule.title,
        ()
        if rule is None
        else tuple((c.size, c.sign, c.number) for c in rule.conditions),
    )


def _compiled(programs: Sequence[Program], card: Target) -> list[list[list[Binary]]]:
    """The binaries of every program, compiled in worker processes."""
    size = min(len(programs), os.cpu_count() or 1)
    found: dict[int, list[list[Binary]]] = {}
    with ProcessPool(size, "compile", limit=_LIMIT) as pool:
        tickets = [
            pool.submit(BinariesJob(one.built.program, card, source_directory()))
            for one in programs
        ]
        while len(found) < len(tickets):
            for done in wait([pool], _LIMIT):
                if done.ending != "ok":
                    text = done.error.removeprefix("error: ")
                    how = "" if done.ending == "error" else f"{done.ending}: "
                    raise UserError(
                        f"the kernels cannot be compiled for {card.name}: {how}{text}"
                    )
                found[done.ticket] = done.value
    return [found[ticket] for ticket in tickets]
