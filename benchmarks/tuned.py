"""Tune works for a minute each, and time the winners beside what people use today.

`tilewright tune` gets a payload without a schedule and `--seconds` of wall time. Its
winner is timed interleaved with eager torch, torch.compile, max-autotune, and
hand-written Triton under `triton.autotune` over the usual list, in this one process.
The record also has what each tuner took: wall time, trials, where the time went.
`--seeds N` tunes again with other seeds. `--long SECONDS` goes on from the first run's
results for that long, and never stops early. The regret of a run is its winner's time
over the best of all runs, less one; runs with the same winner have the same time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from harness.bench import Bench
from harness.first_calls import first_calls
from harness.options import benchmark_parser, checked_options, run_works
from harness.session import Session
from harness.timing import Contender
from harness.tuned_rivals import Rivals
from harness.tuned_summary import HEADING, LONG, line_of, text_of

EXAMPLE = """example:
  python benchmarks/tuned.py --out record.json
  python benchmarks/tuned.py --works '4096.3' --seeds 5 --no-rivals --out seeds.json
"""
WORKS = (
    "gemm 4096^3 bf16",
    "gemm 3000x5000x2000 bf16",
    "gemm 128x11008x4096 bf16",
    "gemm 1021x2039x1013 bf16",
    "gemm 64x256x16384 bf16",
    "batched 64x1024x1024x64 bf16",
    "linear+gelu 2048x3072x768 bf16",
    "gated mlp 2048x4096x11008 bf16",
    "softmax 4096x4096 f16",
    "softmax 8192x50257 bf16",
    "layernorm 4096x5119 bf16",
    "rmsnorm 8192x5120 bf16",
    "row sum 4096x16384 bf16",
    "causal attention 4x16x4096x128 bf16",
)
"""What is tuned: products, rows, attention; ragged and odd ones among them."""


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = benchmark_parser(__doc__, EXAMPLE, budget=580.0, rounds=15)
    add = parser.add_argument
    add("--works", default="", metavar="REGEX", help="only works whose name matches")
    add("--seconds", type=float, default=60.0, help="wall time of a run (%(default)s)")
    add(
        "--seeds", type=int, default=1, metavar="N", help="runs of a work (%(default)s)"
    )
    add("--long", type=float, metavar="SECONDS", help="then go on for so long")
    add("--until-no-gain", type=int, metavar="N", help="passed on to each run")
    add(
        "--rival-seconds",
        type=float,
        default=120.0,
        metavar="SECONDS",
        help="a rival whose first call takes longer is left out (%(default)s)",
    )
    add("--no-rivals", action="store_true", help="ours alone")
    add("--no-max-autotune", action="store_true", help="leave max-autotune out")
    add("--list", action="store_true", help="print the names of the works, and stop")
    add("--dry", action="store_true", help="on the CPU, tiny, to try the command")
    return checked_options(parser, arguments, pattern="works", offline=("dry", "list"))


class TunedBench(Bench):
    """One run over the works."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Choose the works, open the record."""
        from contenders.planned_works.table import table

        super().__init__(
            options,
            method={"seconds": options.seconds, "rounds_asked": options.rounds},
            lines=[],
            works={},
        )
        found = table(tiny=self.dry)
        # At a small size every work has another name.
        named = [name for name in WORKS if name in found] or list(found)[:2]
        self.works = {n: found[n] for n in named if options.works.search(n)}

    def tune(self, name: str) -> dict[str, dict[str, Any]]:
        """The runs of a work by their titles: one for each seed, and a long one."""
        from harness.planned import tuning

        options, work = self.options, self.works[name]
        more = () if options.until_no_gain is None else _no_gain(options.until_no_gain)
        runs: dict[str, dict[str, Any]] = {}

        def note(title: str, found: dict[str, Any]) -> None:
            runs[title] = found
            said = found.get("error") or found["output"].splitlines()[-1]
            self.say(f"{name}: {title}: {found['seconds']:.1f} s: {said}")

        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "results.db"
            for seed in range(options.seeds):
                title = f"ours seed {seed}" if seed else "ours"
                # Other seeds start from nothing.
                known = None if seed else results
                note(title, tuning.tune(work, options.seconds, seed, more, known))
            if options.long is not None:
                seed = options.seeds
                note(LONG, tuning.tune(work, options.long, seed, (), results))
        return runs

    def run_work(self, name: str) -> dict[str, Any]:
        """Tune a work, then check and time everything there is for it."""
        work = self.works[name]
        runs = self.tune(name)
        found: dict[str, Any] = {"runs": runs, "first_call_s": {}}
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
        for title, call in self.ours(name, runs, session):
            session.add(Contender(title, lambda c=call: c(*tensors), ours=True))
        if not self.options.no_rivals:
            for title, call in self.rivals(found, work, tensors, session):
                session.add(Contender(title, call))
        session.time_all()
        return line_of(name, session.record, runs, found["first_call_s"])

    def ours(self, name: str, runs: dict[str, Any], session: Session) -> Any:
        """The planned program and the winners of the runs, as they load."""
        import tilewright

        payload = self.works[name].payload
        texts = {t: r["schedule"] for t, r in runs.items() if "schedule" in r}
        for title, text in {"planned": None, **texts}.items():
            try:
                yield title, tilewright.compile(payload, text)
            except Exception as error:
                session.fail(title, "", error)

    def rivals(
        self, found: dict[str, Any], work: Any, tensors: Any, session: Session
    ) -> Any:
        """Those whose first call ended in time; notes how long it took."""
        options = self.options
        rivals = Rivals(work.name, not options.no_max_autotune, self.dry)
        said = first_calls(
            rivals,
            [title for title, _ in rivals.calls(work, tensors)],
            lambda: min(options.rival_seconds, self.deadline - time.monotonic()),
        )
        for title, call in rivals.calls(work, tensors):
            seconds = said[title]
            if isinstance(seconds, str):
                session.fail(title, "", RuntimeError(seconds))
                continue
            found["first_call_s"][title] = seconds
            self.say(f"  {title}: first call {seconds:.1f} s")
            yield title, call

    def run(self) -> int:
        """All works; 1 if one failed or was left out."""
        print(HEADING)
        for name in self.works:
            try:
                options = self.options
                needed = options.seconds * options.seeds + (options.long or 0.0)
                if time.monotonic() + needed > self.deadline:
                    raise RuntimeError("left out: the budget ended")
                line = self.run_work(name)
            except Exception as error:
                line = {"work": name, "error": f"{type(error).__name__}: {error}"}
            self.record["lines"].append(line)
            self.say(text_of(line))
            self.save()
            self.forget_work()
        print(f"\n{HEADING}")
        for line in self.record["lines"]:
            print(text_of(line))
        return int(any("ours_us" not in line for line in self.record["lines"]))


def _no_gain(trials: int) -> tuple[str, str]:
    return "--until-no-gain", str(trials)


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    options = read_options(arguments)
    return run_works(TunedBench(options), options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
