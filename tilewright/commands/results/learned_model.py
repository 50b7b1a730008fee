"""`tilewright results model`: how well the learned cost model ranks programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table

from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.errors import UserError
from tilewright.tuning.learning.dataset import Example, examples_of
from tilewright.tuning.learning.quality import (
    HELD_OUT,
    SHOWN,
    TOP,
    Fold,
    HeldOut,
    Ranking,
    folds,
    mean_ranking,
)
from tilewright.tuning.results.database import Database

_MEANING: dict[HeldOut, str] = {
    "shape": "a shape; its family's others are known",
    "family": "a payload at all its sizes",
    "device": "a device",
    "most": f"a space, but for {SHOWN} of its points",
}
_NONE: dict[HeldOut, str] = {
    "shape": "no payload was measured at two shapes",
    "family": "there is no second payload",
    "device": "all results are of one device",
    "most": "no space has results enough",
}


def report(database: Path, *, as_json: bool) -> None:
    """Report the quality of the model on the measured results of a file."""
    judge(_examples(database), as_json=as_json)


def judge(examples: Sequence[Example], *, as_json: bool = False) -> None:
    """Hold out groups of examples, and rank them by a model of the others."""
    found = {kind: list(folds(examples, kind)) for kind in HELD_OUT}
    after = {kind: list(folds(examples, kind, compiled=True)) for kind in HELD_OUT}
    if as_json:
        every = [fold for kind in HELD_OUT for fold in (*found[kind], *after[kind])]
        text = json.dumps(as_data(len(examples), every), indent=1)
        write_output(text + "\n", None)
        return
    spaces = Counter(example.origin.space for example in examples)
    devices = {example.origin.device for example in examples}
    console().print(
        f"{len(examples)} programs of {len(spaces)} spaces on {len(devices)} devices",
        markup=False,
    )
    table = Table("held out", "ranked by", "spaces", "rank correlation", box=None)
    for size in TOP:
        table.add_column(f"regret of {size}", justify="right")
    for kind in HELD_OUT:
        _add(table, kind, found[kind], after[kind])
    console().print(table)
    for kind in HELD_OUT:
        if not found[kind]:
            console().print(f"not judged: {_MEANING[kind]}: {_NONE[kind]}")


def as_data(examples: int, found: Sequence[Fold]) -> dict[str, Any]:
    """The report as plain data; docs/result_formats.md has its fields."""
    return {
        "format": "tilewright-model-quality-1",
        "examples": examples,
        "top": list(TOP),
        "folds": [asdict(fold) for fold in found],
    }


def _add(
    table: Table, kind: HeldOut, found: Sequence[Fold], after: Sequence[Fold]
) -> None:
    if not found:
        return
    rows = {
        "cost model": [fold.analytic for fold in found],
        "learned": [fold.learned for fold in found],
        "learned, compiled": [fold.learned for fold in after],
    }
    for place, (name, rankings) in enumerate(rows.items()):
        first = _MEANING[kind] if place == 0 else ""
        table.add_row(first, name, str(len(rankings)), *_cells(mean_ranking(rankings)))


def _cells(ranking: Ranking) -> list[str]:
    regret = [f"{100 * value:.1f}%" for value in ranking.regret]
    return [f"{ranking.correlation:.2f}", *regret]


def _examples(database: Path) -> list[Example]:
    if not database.exists():
        raise UserError(f"no such file: {database}", remedy="tune makes one")
    with Database(database, read_only=True) as opened:
        records = [record for record in opened.list() if record.measured]
    examples = examples_of(records)
    if not examples:
        raise UserError(
            f"{database} has no measured results with features",
            remedy="tune on a machine with a GPU; results of older versions have none",
        )
    return examples
