"""The table of the best trials: columns, conditional choices, what is said once."""

from __future__ import annotations

import io

from rich.console import Console

from support.tuning.records import record
from tilewright.commands.tune.trial_table import WIDTH, layout_of, print_trials
from tilewright.tuning.results.tuning_result import Trial
from tilewright.tuning.space.choices import Point

TILES: Point = {"kernel": "tiles", "BM": 64, "BN": 32, "loads": "descriptors"}
SPLIT: Point = {"kernel": "split", "BM_split": 64, "parts": 4}


def printed(points: list[Point]) -> list[str]:
    text = io.StringIO()
    trials = [Trial(n, record(n / 8, point=p), "new") for n, p in enumerate(points, 1)]
    print_trials(trials, "ms", Console(file=text, width=WIDTH))
    return [line.rstrip() for line in text.getvalue().splitlines()]


def test_only_choices_that_differ_have_columns() -> None:
    points: list[Point] = [{"BM": 64, "warps": 4}, {"BM": 128, "warps": 4}]
    assert printed(points) == [
        "the same in every row that has them: warps=4",
        " rank  ms      BM",
        " 1     0.1250  64",
        " 2     0.2500  128",
    ]


def test_a_row_lists_the_choices_of_its_branch() -> None:
    assert printed([TILES, {**TILES, "BM": 128}, SPLIT]) == [
        "the same in every row that has them: BN=32, loads=descriptors",
        " rank  ms      kernel  choices",
        " 1     0.1250  tiles   BM=64",
        " 2     0.2500  tiles   BM=128",
        " 3     0.3750  split   BM_split=64 parts=4",
    ]


def test_one_trial_has_its_choices_in_columns() -> None:
    assert printed([SPLIT]) == [
        " rank  ms      kernel  BM_split  parts",
        " 1     0.1250  split   64        4",
    ]


def test_many_choices_do_not_widen_the_table() -> None:
    names = [f"choice_number_{number}" for number in range(20)]
    points = [dict.fromkeys(names, value) for value in range(3)]
    layout = layout_of(points, 80)
    assert layout.columns == tuple(names[:2])
    assert layout.listed == tuple(names[2:])
    equal = {f"constant_{number}": number for number in range(20)}
    lines = printed([{**point, **equal} for point in points])
    assert all(len(line) <= WIDTH for line in lines)
    # What does not fit is folded, not cut.
    assert "constant_19=19" in " ".join(lines)
    assert "choice_number_19=2" in " ".join(lines)
