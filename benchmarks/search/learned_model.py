"""How well the learned cost model ranks the programs of the recorded spaces.

The same report as `tilewright results model`, on the recordings that strategies are
compared on (`record_spaces.py` makes them). Needs no GPU.

    python benchmarks/search/learned_model.py
    python benchmarks/search/learned_model.py --each       # every space
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tilewright.commands.results.learned_model import judge
from tilewright.tuning.learning.dataset import Example
from tilewright.tuning.learning.quality import HELD_OUT, Ranking, folds
from tilewright.tuning.replay.recorded_examples import recorded_examples
from tilewright.tuning.replay.recorded_space import SUFFIX, RecordedSpace

FOLDER = Path(__file__).resolve().parents[1] / "spaces"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="recorded spaces")
    parser.add_argument("--each", action="store_true", help="print every space")
    options = parser.parse_args()
    paths = sorted(options.folder.glob(f"*{SUFFIX}"))
    if not paths:
        sys.exit(f"no recorded space in {options.folder}")
    examples = [e for p in paths for e in recorded_examples(RecordedSpace.load(p))]
    judge(examples)
    if options.each:
        print_each(examples)


def print_each(examples: list[Example]) -> None:
    """A line for each space and each way to hold it out."""
    print("\nheld out, space: correlation and regrets in percent: learned; cost model")
    for kind in HELD_OUT:
        for fold in folds(examples, kind):
            both = f"{_cells(fold.learned)}; {_cells(fold.analytic)}"
            print(f"{kind}, {fold.origin.space} ({fold.programs}): {both}")


def _cells(ranking: Ranking) -> str:
    regrets = " ".join(f"{100 * value:.1f}" for value in ranking.regret)
    return f"{ranking.correlation:.2f} {regrets}"


if __name__ == "__main__":
    main()
