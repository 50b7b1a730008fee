"""A benchmark whose kernels, ours and hand-written, are compiled before the timing."""

from __future__ import annotations

from typing import Any

import torch

from contenders.ours import Ours
from harness.bench import Bench
from harness.compile_ahead import Compiler, HandJob, OursJob
from harness.session import Session
from harness.timing import Contender


class CompiledBench(Bench):
    """One run over works that list our points and hand-written candidates."""

    table: str
    """The module of the works, which the compiling processes import."""
    works: dict[str, Any]
    programs: int
    """The multiprocessors of the card: the grid of a persistent kernel."""

    def __init__(self, options: Any, **record: Any) -> None:
        """Open the record."""
        super().__init__(options, **record)
        self.compiled: dict[Any, Any] = {}

    def ours(self, work: Any) -> tuple[Ours, ...]:
        """Our points of a work."""
        return work.ours

    def wants_hand(self, work: Any) -> bool:
        """Whether the hand-written candidates of a work take part."""
        return True

    # Before the timing

    def jobs(self) -> dict[Any, HandJob | OursJob]:
        """The kernels to compile, each once: equal launches share a binary."""
        capability, target = 90, "h200"
        if not self.options.aot:
            from tilewright.codegen.targets import detect

            major, minor = torch.cuda.get_device_capability()
            capability, target = 10 * major + minor, getattr(detect(), "name", "h200")
        jobs: dict[Any, HandJob | OursJob] = {}
        for work in self.works.values():
            for ours in self.ours(work):
                job = OursJob(work.name, ours, target, self.table)
                jobs[_ours_key(work, ours)] = job
            if not self.wants_hand(work):
                continue
            found = work.hand(work.inputs("meta"), self.programs)
            for index, one in enumerate(found):
                title = f"hand {one.structure} {one.name}"
                place = work.name, title, index
                hand = HandJob(*place, capability, self.programs, self.table)
                jobs.setdefault(_hand_key(one), hand)
        return jobs

    def collect(self, compiler: Compiler, jobs: dict[Any, HandJob | OursJob]) -> int:
        """Keep what is compiled, tell of failures, and return how many failed."""
        keys = {job: key for key, job in jobs.items()}
        bad = 0
        for job, compiled in compiler.results():
            self.compiled[keys[job]] = compiled
            bad += bool(compiled.error)
            if self.options.aot or compiled.error:
                mark = "SPILLS " if compiled.spills else ""
                about = compiled.error or "; ".join(compiled.kernels)
                self.say(f"{job.row}: {job.title}: {mark}{about}")
        self.say(f"compiled, {bad} failed")
        return bad

    # Timing

    def add_hand(self, session: Session, work: Any, tensors: Any) -> None:
        """The best configuration of each hand-written structure."""
        groups: dict[str, list[Contender]] = {}
        for one in work.hand(tensors, self.programs):
            compiled = self.compiled.get(_hand_key(one))
            group = groups.setdefault(one.structure, [])
            if compiled is not None and compiled.error:
                continue
            if self.dry and group:  # the interpreter is slow: one will do
                continue
            contender = Contender(one.name, one, output="own", buffers=one.scratch)
            group.append(contender)
        session.add_best("hand", groups)

    def add_ours(self, session: Session, work: Any, tensors: Any) -> None:
        """The best point of each of our schedules."""
        groups: dict[str, list[Contender]] = {}
        for ours in self.ours(work):
            if self.dry and groups.get(ours.name):
                continue
            try:
                call = self.load(work, ours)
            except Exception as error:
                session.fail(f"ours {ours.name}", ours.config, error)
                continue
            group = groups.setdefault(ours.name, [])
            made = Contender(
                ours.config,
                lambda f=call: f(*tensors),
                note=f"schedule {ours.file_name}",
                ours=True,
            )
            group.append(made)
        session.add_best("ours", groups)

    def load(self, work: Any, ours: Ours) -> Any:
        """One of our points as a function."""
        if self.dry:
            import tilewright

            return tilewright.compile(work.payload(), ours.source, **ours.point)
        from tilewright.codegen.runtime.launch import load
        from tilewright.codegen.runtime.source_cache import source_directory

        compiled = self.compiled[_ours_key(work, ours)]
        if compiled.error:
            raise RuntimeError(compiled.error)
        return load(compiled.program, source_directory())


def _ours_key(work: Any, ours: Ours) -> Any:
    return work.name, ours.name, ours.config


def _hand_key(candidate: Any) -> Any:
    return tuple(launch.key for launch in candidate.launches)
