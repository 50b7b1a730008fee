"""Print records as a table in Markdown, or only what misses its aim.

Records of `codegen.py` make one table; one of `planned.py`, `attention.py` or
`models.py` has a table of its own.

A row by CUDA-graph replay carries a star. Several records make one table; of a row that
is in two of them the last one counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

EXAMPLE = """example:
  python benchmarks/table.py benchmarks/results/*/codegen*.json
"""
HEADING = (
    "| work | structure | ms | | of ceiling | same structure | best of torch "
    "| which is | with cuBLAS |"
)
BAR = 0.97


def lines_of(paths: Iterable[Path]) -> dict[tuple[str, str], dict[str, Any]]:
    """Every summary of the records, by work and mode."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path in paths:
        for row in json.loads(path.read_text())["work"].values():
            for line in row.get("summary", ()):
                if "ours" in line:
                    found[line["work"], line["mode"]] = against_torch(line, row)
    return found


def against_torch(line: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """A summary with its speed beside torch, from the rounds where it lacks that."""
    timed = {} if "best_torch" in line else row.get(line["mode"]) or {}
    rivals = [one for one in timed.get("rows", ()) if one["name"].startswith("torch")]
    if not rivals:
        return line
    from harness.timing import Timing, speedup

    mine, best = (
        Timing(one["repetitions"], one["rounds_ms"])
        for one in (
            next(one for one in timed["rows"] if one["name"] == line["ours"]),
            rivals[0],
        )
    )
    ratio = vars(speedup(mine, over=best))
    return line | {"best_torch": rivals[0]["name"], "versus_best_torch": ratio}


def markdown(line: dict[str, Any]) -> str:
    """One row of the table."""
    structure = line["ours"].removeprefix("ours ")
    is_product = line["tflops"] > 20
    rate = f"{line['tflops']:.0f} TFLOP/s" if is_product else f"{line['gbs']:.0f} GB/s"
    ceiling = f"{line['of_ceiling']:.2f}" if line["of_ceiling"] else "-"
    same = line["same_structure"].get(structure)
    cells = (
        line["work"] + (" *" if line["mode"] == "graph" else ""),
        structure,
        f"{line['ms']:.4f}",
        rate,
        ceiling,
        _ratio(same, interval=False),
        _ratio(line.get("versus_best_torch")),
        line.get("best_torch", "-").removeprefix("torch "),
        _ratio(line.get("library_versus_torch"), interval=False),
    )
    return f"| {' | '.join(cells)} |"


def misses(line: dict[str, Any]) -> Iterable[str]:
    """The aims that a row misses, in words."""
    structure = line["ours"].removeprefix("ours ")
    name = f"{line['work']} ({line['mode']})"
    same = line["same_structure"].get(structure)
    if same is not None and same["median"] < BAR:
        yield f"{name}: {_ratio(same)} of the hand-written kernel"
    versus = line.get("versus_best_torch")
    if versus is not None and versus["median"] < 1.0:
        yield f"{name}: {_ratio(versus)} of {line['best_torch']}"


def _ratio(ratio: dict[str, float] | None, interval: bool = True) -> str:
    if ratio is None:
        return "-"
    if not interval:
        return f"{ratio['median']:.2f}"
    return "{median:.2f} ({low:.2f} .. {high:.2f})".format(**ratio)


def table_of(record: dict[str, Any]) -> str:
    """The table of a record of `planned.py`, `attention.py` or `models.py`."""
    from harness import attention_summary
    from harness.models import summary as models_summary
    from harness.planned import summary as planned_summary

    if record.get("benchmark") == "models":
        return models_summary.markdown(record)
    is_planned = "summary" in record
    return (planned_summary if is_planned else attention_summary).markdown(record)


def main(arguments: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("records", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--misses", action="store_true", help="what is below its aim")
    options = parser.parse_args(arguments)
    try:
        records = [json.loads(path.read_text()) for path in options.records]
        whole = [table_of(record) for record in records if "lines" in record]
        if whole:
            print("\n\n".join(whole))
            return 0
        lines = lines_of(options.records)
    except (OSError, ValueError, KeyError) as error:
        print(f"error: not a record of codegen.py: {error}", file=sys.stderr)
        return 1
    if options.misses:
        for line in lines.values():
            print("\n".join(misses(line)) or f"{line['work']} ({line['mode']}): ok")
        return 0
    print(HEADING)
    print("|" + "---|" * (HEADING.count("|") - 1))
    for line in lines.values():
        print(markdown(line))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
