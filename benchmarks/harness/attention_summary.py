"""A line for each work of `attention.py`: rates of all, ours relative to each rival."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.planned.summary import ratio

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

MARKDOWN = (
    "| work | ms | ours | hand-written | cuDNN | FlexAttention | best of torch "
    "| / hand-written | / cuDNN | / FlexAttention | / best of torch | / copy |"
)


def summary_line(
    work: Any, record: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Times and ratios of one work, from its record; `earlier` rows are not paired."""
    rows = [*record["rows"], *earlier]
    line: dict[str, Any] = {"work": work.name, "family": work.family, "ms": {}}
    line |= {"flops": work.flops, "moved": work.moved}
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


def text_of(line: Mapping[str, Any]) -> str:
    """The line for people; rates in TFLOP/s, or in GB/s where memory bounds."""
    if "ms" not in line:
        return f"{line['work']:42s} failed: {line.get('error', '')[:150]}"
    rates, unit = _rates(line)
    cells = [f"{rates.get(name, '-'):>10s}" for name in SHOWN]
    versus = line.get("versus", {})
    cells += [
        f"{versus[name]['ratio']:9.3f}" if name in versus else f"{'-':>9s}"
        for name in RIVALS
    ]
    copy = f"{line['of_copy']:9.3f}" if "of_copy" in line else f"{'-':>9s}"
    return (
        f"{_title(line):42s} {unit[:5]:5s}{''.join(cells)}{copy}"
        f"  {line.get('best_torch', '-')}; {line.get('ours_config', '-')};"
        f" {line.get('hand_config', '-')}"
    )


def markdown(record: Mapping[str, Any]) -> str:
    """The table of a record in Markdown: a row a work, failed ones too."""
    rows = [MARKDOWN, "|" + "---|" * (MARKDOWN.count("|") - 1)]
    for line in record["lines"]:
        if "ms" not in line:
            rows.append(f"| {line['work']} | failed |" + " |" * 10)
            continue
        rates, unit = _rates(line)
        mine = line["ms"].get("ours")
        torch_rate = rates.get(line.get("best_torch", "-").split()[0], "-")
        versus = line.get("versus", {})
        cells = (
            _title(line).replace("*", "\\*"),
            f"{mine:.4f}" if mine else "-",
            f"{rates['ours']} {unit}" if mine else unit,
            *(rates.get(name, "-") for name in ("hand", "cudnn", "flex")),
            f"{torch_rate} {line.get('best_torch', '')}",
            *(_interval(versus.get(name)) for name in RIVALS),
            f"{line['of_copy']:.2f}" if "of_copy" in line else "-",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _rates(line: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    """The rate of each contender as text, and the unit of all."""
    per_ms, unit = line["moved"] * 1e-6, "GB/s"
    if line["flops"]:
        per_ms, unit = line["flops"] * 1e-9, "TFLOP/s"
    return {name: f"{per_ms / ms:.0f}" for name, ms in line["ms"].items()}, unit


def _title(line: Mapping[str, Any]) -> str:
    return line["work"] + (" *" if line.get("mode") == "graph" else "")


def _interval(ratio: Mapping[str, Any] | None) -> str:
    if ratio is None:
        return "-"
    if "low" not in ratio:
        return f"{ratio['ratio']:.2f}"
    return "{ratio:.2f} ({low:.2f} .. {high:.2f})".format(**ratio)
