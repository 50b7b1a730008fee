"""A line for each work of `attention.py`: rates of all, ours relative to each rival."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.planned_summary import ratio

# The rivals that ours is compared with, and the beginnings of their names.
RIVALS = {
    "hand": ("hand ",),
    "cudnn": ("torch cudnn",),
    "flex": ("torch flex",),
    "torch": ("torch ",),
}
SHOWN = ("ours", "hand", "cudnn", "flash", "efficient", "flex", "compile", "eager")
HEADING = (
    f"{'work':42s} {'unit':5s}"
    + "".join(f"{name:>10s}" for name in SHOWN)
    + "".join(f"{'/ ' + name:>9s}" for name in RIVALS)
    + f"{'/ copy':>9s}  best of torch; config of ours; of hand"
)


def summary_line(
    work: Any, record: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Times and ratios of one work, from its record; `earlier` rows are not paired."""
    rows = [*record["rows"], *earlier]
    line: dict[str, Any] = {"work": work.name, "family": work.family, "ms": {}}
    for row in sorted(rows, key=lambda row: row["ms"]["median"]):
        who, _, name = row["name"].partition(" ")
        # The fastest of each: what it is named after comes first.
        short = name.split()[0] if who == "torch" else who
        line["ms"].setdefault(short, row["ms"]["median"])
        if who in ("ours", "hand"):
            line.setdefault(f"{who}_config", f"{name} {row['config']}")
        elif who == "torch":
            line.setdefault("best_torch", name)
    mine = [row for row in rows if row["ours"]]
    base = min(mine, key=lambda row: row["ms"]["median"], default=None)
    line["of"] = "ours" if base is not None else "hand"
    if base is None:  # what there is to compare: our own rival
        hand = [row for row in rows if row["name"].startswith("hand ")]
        base = min(hand, key=lambda row: row["ms"]["median"], default=None)
    if base is None:
        return line
    line["versus"] = {}
    for name, starts in RIVALS.items():
        found = [
            row
            for row in rows
            if row["name"].startswith(starts) and row is not base and not row["ours"]
        ]
        compared = ratio(base, found)
        if compared is not None and (line["of"], name) != ("hand", "hand"):
            line["versus"][name] = compared
    return line


def text_of(line: Mapping[str, Any], flops: float, moved: float) -> str:
    """The line for people; rates in TFLOP/s, or in GB/s where memory bounds."""
    if "ms" not in line:
        return f"{line['work']:42s} failed: {line.get('error', '')[:150]}"
    mark = " *" if line.get("mode") == "graph" else ""
    amount, unit = (flops * 1e-9, "TFLOP") if flops else (moved * 1e-6, "GB/s")
    cells = [
        f"{amount / line['ms'][name]:10.0f}" if name in line["ms"] else f"{'-':>10s}"
        for name in SHOWN
    ]
    versus = line.get("versus", {})
    cells += [
        f"{versus[name]['ratio']:9.3f}" if name in versus else f"{'-':>9s}"
        for name in RIVALS
    ]
    copy = f"{line['of_copy']:9.3f}" if "of_copy" in line else f"{'-':>9s}"
    return (
        f"{line['work'] + mark:42s} {unit:5s}{''.join(cells)}{copy}"
        f"  {line.get('best_torch', '-')}; {line.get('ours_config', '-')};"
        f" {line.get('hand_config', '-')}"
    )
