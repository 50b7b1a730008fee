"""Time the first call of torch models, by tilewright and by torch.compile.

Every model of `torch_models/table.py`, each time in a new process: cold, with empty
caches, and warm, as the next process of a user finds them. The seconds are those of the
first call with all that is compiled for it; what Python imports for it comes before.
Processes run one at a time, with all cores, unless `--workers` says otherwise.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from harness.bench import Bench
from harness.options import run_works

EXAMPLE = """example:
  python benchmarks/compile_times.py --out record.json
  python benchmarks/compile_times.py --works 'LSTM|encoder.*f32' --workers 4
  python benchmarks/compile_times.py --smoke --works '^perceptron'
"""
HEADING = (
    f"{'work':32s} {'cold':>7s} {'rival':>7s} {'ratio':>6s} {'warm':>7s} {'rival':>7s}"
)
STARTS = ("cold", "warm")
Outcome = dict[str, float] | str
"""The seconds of each start, or what went wrong."""


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    from harness.models.options import model_options, model_parser

    parser = model_parser(__doc__, EXAMPLE, rounds=None)
    parser.add_argument(
        "--workers", type=int, default=1, help="processes at a time (%(default)s)"
    )
    options = model_options(parser, arguments)
    if options.workers < 1:
        parser.error(f"--workers {options.workers}: take 1 or more")
    return options


class CompileBench(Bench):
    """One run over the works."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Choose the works, open the record."""
        from harness.models.contenders import PAIRS
        from harness.models.options import chosen_works

        super().__init__(
            options,
            benchmark="compile_times",
            method={"workers": options.workers},
            means={},
            lines=[],
        )
        self.works = chosen_works(options, training=False)
        self.ways = PAIRS["default"]

    def run(self) -> int:
        """All works; 1 if one failed or was skipped."""
        works = list(self.works.values())
        with ThreadPoolExecutor(self.options.workers) as threads:
            outcomes = threads.map(
                self.outcome,
                [work for work in works for _ in self.ways],
                [way.name for _ in works for way in self.ways],
            )
            print(HEADING)
            for work in works:
                line = self.line_of(work, outcomes)
                self.record["lines"].append(line)
                self.record["means"] = means(self.record["lines"])
                self.say(text_of(line))
                self.save()
        print(f"\n{self.device_line()}")
        for name, ratio in self.record["means"].items():
            print(f"geometric mean, ours over torch.compile, {name}: {ratio:.2f}")
        return int(any("error" in line for line in self.record["lines"]))

    def line_of(self, work: Any, outcomes: Iterator[Outcome]) -> dict[str, Any]:
        """The seconds of a work's first calls: the next outcomes, one for each way."""
        line: dict[str, Any] = {"work": work.name, "dtype": work.dtype, "seconds": {}}
        for way in self.ways:
            outcome = next(outcomes)
            if isinstance(outcome, str):
                line.setdefault("error", outcome)
            else:
                line["seconds"][way.name] = outcome
        return line

    def outcome(self, work: Any, way: str) -> Outcome:
        """The seconds of a work's starts by one compiler, or what went wrong."""
        if not self.has_time():
            return "skipped: the budget ended"
        try:
            seconds = self.starts(work, way)
        except Exception as error:
            return f"{type(error).__name__}: {error}"[:300]
        self.say(f"{work.name}, {way}: {seconds['cold']:.2f}, {seconds['warm']:.2f} s")
        return seconds

    def starts(self, work: Any, way: str) -> dict[str, float]:
        """A cold start, then a warm one, each in a process of its own."""
        from harness.models.ahead import first_call, in_new_process

        with tempfile.TemporaryDirectory(prefix="compile_times_") as folder:
            return {
                start: in_new_process(first_call, work, way, folder, self.dry)
                for start in STARTS
            }


def text_of(line: dict[str, Any]) -> str:
    """A line of the table."""
    if "error" in line:
        return f"{line['work']:32s} {line['error']}"
    ours, rival = line["seconds"].values()
    return (
        f"{line['work']:32s} {ours['cold']:7.2f} {rival['cold']:7.2f}"
        f" {ours['cold'] / rival['cold']:6.2f} {ours['warm']:7.2f} {rival['warm']:7.2f}"
    )


def means(lines: list[dict[str, Any]]) -> dict[str, float]:
    """How many times as long ours takes, cold and warm."""
    from harness.models.summary import geometric_mean

    pairs = [tuple(one["seconds"].values()) for one in lines if "error" not in one]
    found = {
        start: geometric_mean(ours[start] / rival[start] for ours, rival in pairs)
        for start in STARTS
    }
    return {start: mean for start, mean in found.items() if mean is not None}


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    options = read_options(arguments)
    return run_works(CompileBench(options), options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
