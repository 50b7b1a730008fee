"""Time torch models by tilewright beside eager torch and torch.compile.

Every model of `torch_models/table.py` at its usual size, in bf16 and f32. Each
contender is checked against torch in float64 on poisoned memory first; those of one
work are timed interleaved in one process. They are compiled ahead in processes, into
caches of this run's own; the seconds are recorded. Those that measure kernels while
they compile do so alone, in the process that times. A work that fails stays in the
record with its error. The record is written anew after every work.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.bench import Bench, own_triton_cache
from harness.models.summary import (
    HEADING,
    geometric_means,
    markdown,
    mean_texts,
    ratios,
    texts_of,
)
from harness.options import run_works
from harness.session import Session
from harness.timing import Contender, relative_error

EXAMPLE = """example:
  python benchmarks/models.py --out record.json --table record.md
  python benchmarks/models.py --works 'encoder.*bf16' --modes default,max-autotune
  python benchmarks/models.py --smoke --works perceptron
"""


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    from harness.models.contenders import PAIRS
    from harness.models.options import model_options, model_parser

    parser = model_parser(__doc__, EXAMPLE)
    add = parser.add_argument
    add(
        "--modes",
        default="default",
        metavar="MODE,...",
        help=f"of {', '.join(PAIRS)} (%(default)s)",
    )
    add("--tune-budget", metavar="TIME", help="max-autotune's for a graph, such as 30s")
    add("--training", action="store_true", help="gradients of weights too")
    add("--no-rivals", action="store_true", help="no torch.compile")
    add(
        "--alone",
        action="store_true",
        help="compile ahead one by one, each in a new process with all cores",
    )
    add("--table", type=Path, metavar="FILE", help="where a table in Markdown goes")
    return model_options(parser, arguments, {"modes": PAIRS})


class ModelBench(Bench):
    """One run over the works."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Choose the works, open the record."""
        from harness.models.contenders import PAIRS
        from harness.models.options import chosen_works

        super().__init__(
            options,
            benchmark="models",
            method={
                "rounds_asked": options.rounds,
                "sample_ms": self.sample_ms,
                "modes": options.modes,
                "tune_budget": options.tune_budget,
                "compiled_ahead": "alone" if options.alone else "in processes",
            },
            means={},
            lines=[],
            works={},
        )
        self.works = chosen_works(options, training=options.training)
        self.ways = [
            way
            for mode in options.modes
            for way in PAIRS[mode]
            if way.is_ours or not options.no_rivals
        ]
        self.ahead: dict[tuple[str, str], Any] = {}

    def save(self) -> None:
        """Write the record so far."""
        self.record["means"] = geometric_means(self.record["lines"])
        super().save()
        if self.options.table is not None:
            self.options.table.write_text(markdown(self.record) + "\n")

    def compile_all(self) -> None:
        """Compile in processes what needs no measuring."""
        from harness.models.ahead import compile_ahead
        from harness.planned.ahead import forget_choices

        jobs = [
            (work, way.name)
            for work in self.works.values()
            for way in self.ways
            if not way.measures
        ]
        self.say(f"compiling {len(jobs)} models ahead")
        for count, ((work, way), found) in enumerate(
            compile_ahead(jobs, self.options.alone), start=1
        ):
            self.ahead[work.name, way] = found
            what = found.error or f"{found.seconds[way]:.1f} s"
            self.say(f"{count} of {len(jobs)}: {work.name}: {way}: {what}")
        forget_choices()

    def run_work(self, work: Any) -> dict[str, Any]:
        """Check and time every contender of a work."""
        import torch

        from harness.models.contenders import EAGER

        line: dict[str, Any] = {
            "work": work.name,
            "model": work.model,
            "dtype": work.dtype,
            "training": work.training,
            "compile_s": {},
            "graphs": {},
            "kernels": {},
        }
        made = work.made(self.device, self.dry)
        eager = made.call(made.module)
        results = eager()
        exact = made.exact()
        eager_error = relative_error(tuple(x.detach() for x in results), exact)
        line["parameters"] = sum(p.numel() for p in made.module.parameters())
        session = self.session(
            work.name,
            exact,
            made.tolerance(work.dtype, eager_error),
            operations=0.0,
            moved=0.0,
        )
        self.record["works"][work.name] = session.record
        session.add(Contender(EAGER, eager))
        del results
        with own_triton_cache():
            for way in self.ways:
                self.add_way(session, line, work, made, way)
        session.time_all()
        line["call_ms"] = {c.name: self.call_ms(c.call) for c in session.contenders}
        if not self.dry:
            line["kernels"] = {c.name: kernels(c.call) for c in session.contenders}
        rows = session.record["rows"]
        line["errors"] = {f["name"]: f["reason"] for f in session.record["failed"]}
        line["modes"] = ratios(rows, line["call_ms"])
        del made
        torch._dynamo.reset()
        return line

    def add_way(
        self, session: Session, line: dict[str, Any], work: Any, made: Any, way: Any
    ) -> None:
        """Compile for a contender, check it, and note how it went."""
        from tilewright.torch_backend.report import RECENT

        known = self.ahead.get((work.name, way.name))
        times = line["compile_s"].setdefault(way.name, {})
        if known is not None and known.error:
            session.fail(way.name, "", RuntimeError(known.error))
            return
        if known is not None:
            times["ahead"] = known.seconds[way.name]
        RECENT.clear()
        started = time.perf_counter()
        try:
            function = way.build(made.function(), self.dry, self.options.tune_budget)
            call = made.call(function)
            call()
        except Exception as error:
            session.fail(way.name, "", error)
            return
        times["here"] = time.perf_counter() - started
        if way.is_ours:
            line["graphs"][way.name] = {
                "payloads": sum(len(report.segments) for report in RECENT),
                "ops": sum(len(ops) for report in RECENT for ops in report.segments),
                "stayed": [one.op for report in RECENT for one in report.stayed],
                "refused": [one for report in RECENT for one in report.refused],
            }
        session.add(Contender(way.name, call, ours=way.is_ours))

    def call_ms(self, call: Callable[[], Any], calls: int = 30) -> float:
        """Milliseconds of a call among many, the host's part included."""
        import torch

        calls = 2 if self.dry else calls
        for phase in range(2):
            started = time.perf_counter()
            for _ in range(calls):
                call()
            if not self.dry:
                torch.cuda.synchronize()
            if phase:
                break
        return (time.perf_counter() - started) / calls * 1e3

    def run(self) -> int:
        """All works; 1 if one failed, was skipped or has none of ours."""
        if not self.dry:
            self.compile_all()
        print(HEADING)
        for work in self.works.values():
            line: dict[str, Any] = {"work": work.name, "dtype": work.dtype}
            if not self.has_time():
                line["errors"] = {"budget": "skipped: the budget ended"}
            else:
                try:
                    line = self.run_work(work)
                except Exception as error:
                    line["errors"] = {"work": f"{type(error).__name__}: {error}"[:400]}
            self.record["lines"].append(line)
            for text in texts_of(line):
                self.say(text)
            self.save()
            self.forget_work()
        print(f"\n{self.device_line()}")
        print("\n".join(mean_texts(self.record["means"])))
        wanted = set(self.options.modes)
        return int(
            any(not wanted <= set(one.get("modes", ())) for one in self.record["lines"])
        )


def kernels(call: Callable[[], Any]) -> int:
    """How many kernels a call runs on the GPU, copies included."""
    import torch
    from torch.autograd import DeviceType

    kind = torch.profiler.ProfilerActivity.CUDA
    with torch.profiler.profile(activities=[kind]) as profile:
        call()
        torch.cuda.synchronize()
    return sum(event.device_type == DeviceType.CUDA for event in profile.events())


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    from harness.models.ahead import own_caches

    options = read_options(arguments)
    if not (options.dry or options.list):
        own_caches()
    return run_works(ModelBench(options), options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
