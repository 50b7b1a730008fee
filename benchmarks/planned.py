"""Time programs without a schedule of their own beside eager torch and torch.compile.

`tilewright.compile(payload)` plans, builds and compiles every work of
`contenders/planned_works`. Each program is checked against torch in float64 or float32
on poisoned memory, then timed interleaved with its rivals in this one process. A work
that fails stays in the record with its error. The record is written anew after every
work.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

from harness.bench import SHORT_SECONDS, Bench, earlier_rivals, own_triton_cache, replay
from harness.options import benchmark_parser, checked_options, run_works
from harness.planned.options import EXAMPLE, add_options
from harness.planned.summary import (
    HEADING,
    by_family,
    estimate_us,
    ratio,
    summarize,
    summary_text,
    text_of,
)
from harness.session import Session
from harness.timing import Contender


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = benchmark_parser(__doc__, EXAMPLE, budget=540.0, unfit="count as failed")
    add_options(parser)
    return checked_options(
        parser, arguments, pattern="works", offline=("dry", "list", "build")
    )


class PlannedBench(Bench):
    """One run over the works."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Choose the works, open the record."""
        from contenders.planned_works.table import table
        from tilewright.codegen.targets import detect, target_named

        super().__init__(
            options,
            method={
                "rounds_asked": options.rounds,
                "sample_ms": self.sample_ms,
                "rivals": str(options.rivals) if options.rivals else "this run",
            },
            ahead={},
            summary={},
            lines=[],
            works={},
        )
        found = table(tiny=self.dry)
        self.works = {n: w for n, w in found.items() if options.works.search(n)}
        self.target = detect() or target_named("h200")
        self.ahead: dict[str, Any] = {}
        self.tuned: dict[str, Any] = {}
        self.torch_errors: dict[str, str] = {}
        self.autotuned: set[str] = set()
        self.earlier = earlier_rivals(options.rivals)

    def save(self) -> None:
        """Write the record so far."""
        lines = self.record["lines"]
        self.record["summary"] = summarize(lines) | {"families": by_family(lines)}
        if any("tuned_ratio" in line for line in lines):
            tuned = [line for line in lines if line["work"] in self.tuned]
            self.record["summary"]["tuned"] = summarize(tuned, "tuned_ratio")
        super().save()

    # Before the timing

    def prepare(self) -> None:
        """Build our programs and let torch compile, in processes."""
        from harness.planned import ahead

        cores = os.cpu_count()
        self.say(f"{len(self.works)} works: building ours and torch's, {cores} cores")
        wanted = not (self.options.no_compile or self.dry or self.options.build)
        names = [name for name in self.works if name not in self.earlier]
        theirs = ahead.compile_torch(names) if wanted else ()
        self.build(list(self.works))
        self.build([n for n, a in self.ahead.items() if ahead.is_broken(a)])
        self.say(f"ours: {sum(bool(a.error) for a in self.ahead.values())} failed")
        for name, found in theirs:
            if found.error and not ahead.is_broken(found):
                self.torch_errors[name] = found.error
                self.say(f"{name}: torch.compile: {found.error}")
        if wanted:
            ahead.forget_choices()
            self.say(f"torch.compile: {len(self.torch_errors)} failed")
        self.save()

    def build(self, names: list[str]) -> None:
        """Our programs of these works."""
        from harness.planned import ahead

        made = ahead.build_all(names, self.dry, compiled=not self.dry)
        for count, (name, found) in enumerate(made, start=1):
            self.ahead[name] = found
            self.record["ahead"][name] = found.seconds | {"error": found.error}
            for refusal in found.planned.get("refusals", ()):
                self.say(f"{name}: {refusal}")
            if found.error:
                self.say(f"{name}: {found.error}")
            elif self.options.build:
                times = ", ".join(f"{k} {v:.2f} s" for k, v in found.seconds.items())
                self.say(f"{name}: {times}: {_words(found.planned)}")
                if warning := found.planned["warning"]:
                    self.say(f"{name}: warning: {warning}")
                self.record["works"][name] = {"planned": found.planned}
            elif count % 20 == 0:
                self.say(f"built {count} of {len(names)}")

    def tune(self) -> None:
        """Tune the planned schedules of the works."""
        from harness.planned import ahead, tuning

        options = self.options
        found: dict[str, Any] = {}
        self.record["tuning"] = found
        for name in self.works:
            self.say(f"tuning {name} for {options.tune_seconds:g} s")
            work = self.works[name]
            seconds = options.tune_seconds + tuning.reference_seconds(work)
            found[name] = tuning.tune(work, seconds, options.seed)
            found[name].pop("summary", None)
            if "error" in found[name]:
                self.say(f"{name}: {found[name]['error']}")
            self.save()
        texts = [(n, f["schedule"]) for n, f in found.items() if "schedule" in f]
        self.tuned = dict.fromkeys(self.works)
        self.tuned |= dict(ahead.build_tuned(texts, self.dry))

    # Timing

    def run_work(self, name: str) -> dict[str, Any]:
        """Check and time everything there is for one work."""
        work = self.works[name]
        line: dict[str, Any] = {"work": name, "family": work.family}
        ahead = self.ahead[name]
        found = {"planned": ahead.planned, "timed": None, "line": line}
        self.record["works"][name] = found
        tensors = work.inputs(self.device)
        session = self.session(
            name,
            work.reference(*tensors),
            work.error,
            operations=work.flops,
            moved=work.moved,
        )
        found["timed"] = session.record
        self.add_rivals(session, work, tensors)
        self.add_ours(session, name, "ours", ahead, tensors)
        if self.tuned.get(name) is not None:
            self.add_ours(session, name, "ours tuned", self.tuned[name], tensors)
        bound = max(
            work.moved / self.target.hbm_bandwidth,
            work.flops / self.target.flops(work.dtype),
        )
        line["mode"] = replay(session) if bound < SHORT_SECONDS else "launched"
        session.time_all()
        line |= self.line(session.record, name)
        if "ours_us" in line:
            line["roofline"] = bound * 1e6 / line["ours_us"]
            line["planned"] = _words(ahead.planned)
            line["estimate_us"] = estimate_us(ahead.planned.get("estimates", ()))
        return line

    def add_rivals(self, session: Session, work: Any, tensors: Any) -> None:
        """Eager torch and its compiled modes; none if they are known from before."""
        from rivals import torch_modes

        if work.name in self.earlier:
            return
        session.add(Contender("torch eager", lambda: work.torch(*tensors)))
        with own_triton_cache():
            for mode in torch_modes.MODES:
                wanted = mode.name == "compile" and not self.options.no_compile
                if mode.name == "max-autotune-no-cudagraphs":
                    wanted = work.name in self.autotuned
                    wanted &= time.monotonic() + mode.seconds < self.deadline
                if not wanted or work.name in self.torch_errors:
                    continue
                backend = "eager" if self.dry else None
                function = torch_modes.build(work.torch, mode, backend)
                title = f"torch {mode.name}"
                session.add(Contender(title, lambda f=function: f(*tensors)))

    def add_ours(
        self, session: Session, name: str, title: str, ahead: Any, tensors: Any
    ) -> None:
        """Our program, planned or tuned."""
        if ahead.error:
            session.fail(title, "", RuntimeError(ahead.error))
            return
        try:
            call = self.loaded(name, ahead)
        except Exception as error:
            session.fail(title, "", error)
            return
        session.add(Contender(title, lambda: call(*tensors), ours=True))

    def loaded(self, name: str, ahead: Any) -> Any:
        """Our program as a callable."""
        if self.dry:
            import tilewright

            return tilewright.compile(self.works[name].payload)
        from tilewright.codegen.runtime.launch import load
        from tilewright.codegen.runtime.source_cache import source_directory

        return load(ahead.program, source_directory())

    def line(self, record: dict[str, Any], name: str) -> dict[str, Any]:
        """Ours beside the best rival."""
        rivals = [row for row in record["rows"] if not row["ours"]]
        rivals += self.earlier.get(name, [])
        rows = {row["name"]: row for row in record["rows"] if row["ours"]}
        made: dict[str, Any] = {}
        if name in self.earlier:
            made["rivals_earlier"] = True
        if rivals:
            made["rival_us"] = min(row["ms"]["median"] for row in rivals) * 1e3
        failed = [one for one in record["failed"] if one["name"].startswith("ours")]
        if failed:
            made["error"] = "; ".join(f"{o['name']}: {o['reason']}" for o in failed)
        for title, key in (("ours", ""), ("ours tuned", "tuned_")):
            if title in rows:
                made[f"{key or 'ours_'}us"] = rows[title]["ms"]["median"] * 1e3
                found = ratio(rows[title], rivals) or {}
                made |= {f"{key}{name}": value for name, value in found.items()}
        return made

    def run(self) -> int:
        """All works; 1 if one failed or was skipped."""
        if self.options.sweep:
            from harness.planned.sweep import sweep

            return sweep(self, self.options.sweep)
        if self.options.tune:
            from harness.planned.tuning import picked

            options = self.options
            given = options.tune, options.tune_skip, options.seed
            self.works = {n: self.works[n] for n in picked([*self.works], *given)}
        self.prepare()
        if self.options.build:
            return int(any(ahead.error for ahead in self.ahead.values()))
        if self.options.tune:
            self.tune()
        self.autotuned = set(_spread(list(self.works), self.options.max_autotune))
        print(HEADING)
        for name, work in self.works.items():
            line: dict[str, Any] = {"work": name, "family": work.family}
            if not self.has_time():
                line["error"] = "skipped: the budget ended"
            else:
                try:
                    line = self.run_work(name)
                except Exception as error:
                    line["error"] = f"{type(error).__name__}: {error}"
                    self.record["works"].setdefault(name, {})["error"] = line["error"]
            self.record["lines"].append(line)
            self.say(text_of(line))
            self.save()
            self.forget_work()
        self.print_table()
        return int(any("ours_us" not in line for line in self.record["lines"]))

    def print_table(self) -> None:
        """All lines, and what they come to."""
        lines = self.record["lines"]
        print(f"\n{self.device_line()}")
        print(HEADING)
        for line in sorted(lines, key=lambda line: line.get("ratio") or 0.0):
            print(text_of(line))
        summary = self.record["summary"]
        for family, found in summary["families"].items():
            print(summary_text(found, family))
        print(summary_text(summary, "all"))
        if "tuned" in summary:
            print(summary_text(summary["tuned"], "tuned"))
        print("* timed by replaying a CUDA graph")


def _words(planned: dict[str, Any]) -> str:
    """The library calls and kernels of a program."""
    return "; ".join([*planned.get("libraries", ()), *planned.get("kernels", ())])


def _spread(names: list[str], count: int) -> list[str]:
    """So many of the names, evenly spread over the list."""
    count = min(count, len(names))
    return [names[at * len(names) // count] for at in range(count)]


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    options = read_options(arguments)
    return run_works(PlannedBench(options), options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
