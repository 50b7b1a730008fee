"""What a run of `models.py` came to: a line a work, geometric means, Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.models.contenders import EAGER, PAIRS
from harness.session import ratio_of

Line = Mapping[str, Any]
HEADING = (
    f"{'work':38s} {'mode':15s} {'ours ms':>9s} {'rival ms':>9s} {'speed':>6s}"
    f" {'eager':>6s} {'calls':>6s} {'compile':>8s} {'rival':>6s}"
    f" {'kernels':>8s}  payloads"
)
MARKDOWN = (
    "| work | mode | ms | rival, ms | speed | of eager | with the host | compile, s "
    "| rival's, s | kernels | rival's | payloads | in torch |"
)


def ratios(rows: Sequence[Line], call_ms: Mapping[str, float]) -> dict[str, Any]:
    """Our speed in each mode over its rival and over eager; above 1 is faster.

    `calls` are whole calls, with the host's part in them.
    """
    by_name = {row["name"]: row for row in rows}
    found: dict[str, Any] = {}
    for mode, (ours, rival) in PAIRS.items():
        mine, other = by_name.get(ours.name), by_name.get(rival.name)
        eager = by_name.get(EAGER)
        if mine is None:
            continue
        line: dict[str, Any] = {"ms": mine["ms"]["median"]}
        if other is not None:
            line |= {"rival_ms": other["ms"]["median"]}
            line |= {"speed": vars(ratio_of(mine, other))}
            line |= {"calls": call_ms[rival.name] / call_ms[ours.name]}
        if eager is not None:
            line |= {"of_eager": ratio_of(mine, eager).median}
        found[mode] = line
    return found


def geometric_means(lines: Iterable[Line]) -> dict[str, Any]:
    """By mode and element type: the means of speeds, how many works, how many fail."""
    lines = list(lines)
    found: dict[str, Any] = {}
    for mode in PAIRS:
        for dtype in ("all", *dict.fromkeys(line["dtype"] for line in lines)):
            of = [one for one in lines if dtype in ("all", one["dtype"])]
            rows = [one["modes"][mode] for one in of if mode in one.get("modes", {})]
            if not rows:
                continue
            found[f"{mode} {dtype}"] = {
                "works": len(of),
                "timed": len(rows),
                "speed": geometric_mean(
                    r["speed"]["median"] for r in rows if "speed" in r
                ),
                "calls": geometric_mean(r["calls"] for r in rows if "calls" in r),
                "of_eager": geometric_mean(
                    r["of_eager"] for r in rows if "of_eager" in r
                ),
            }
    return found


def geometric_mean(values: Iterable[float]) -> float | None:
    """The geometric mean of some values; None of none."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else None


def texts_of(line: Line) -> list[str]:
    """The lines of a work in the table for people."""
    if not line.get("modes"):
        errors = "; ".join(line.get("errors", {}).values()) or "not timed"
        return [f"{line['work']:38s} FAILED {errors[:150]}"]
    made: list[str] = []
    for mode, row in line["modes"].items():
        ours, rival = (way.name for way in PAIRS[mode])
        speed = row.get("speed", {}).get("median", math.nan)
        made.append(
            f"{line['work']:38s} {mode:15s} {row['ms']:9.4f}"
            f" {row.get('rival_ms', math.nan):9.4f} {speed:6.3f}"
            f" {row.get('of_eager', math.nan):6.3f} {row.get('calls', math.nan):6.3f}"
            f" {_seconds(line, ours):8.1f} {_seconds(line, rival):6.1f}"
            f" {line['kernels'].get(ours, 0):4d}/{line['kernels'].get(rival, 0):3d}"
            f"  {_payloads(line, ours)}"
        )
    return made


def _payloads(line: Line, name: str) -> str:
    graph = line["graphs"].get(name, {})
    stayed = list(dict.fromkeys(graph.get("stayed", ())))
    refused = graph.get("refused", [])
    text = str(graph.get("payloads", "-"))
    text += f"; torch: {', '.join(stayed)}" if stayed else ""
    return text + (f"; refused: {'; '.join(refused)}"[:120] if refused else "")


def _seconds(line: Line, name: str) -> float:
    """Of compiling ahead; in the process that times where it had to be there."""
    times = line["compile_s"].get(name, {})
    return times.get("ahead", times.get("here", math.nan))


def mean_texts(summary: Mapping[str, Any]) -> list[str]:
    """The geometric means, a line each."""
    return [
        f"{name}: {one['timed']} of {one['works']} works; geometric mean "
        f"{_number(one['speed'])} over torch.compile in its mode, "
        f"{_number(one['of_eager'])} over eager; {_number(one['calls'])} with the host"
        for name, one in summary.items()
    ]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def markdown(record: Mapping[str, Any]) -> str:
    """The table of a record in Markdown, with the means below."""
    rows = [MARKDOWN, "|" + "---|" * (MARKDOWN.count("|") - 1)]
    for line in record["lines"]:
        if not line.get("modes"):
            reason = "; ".join(line.get("errors", {}).values())[:80]
            rows.append(f"| {line['work']} | failed | {reason} |" + " |" * 10)
        for mode, row in line.get("modes", {}).items():
            ours, rival = (way.name for way in PAIRS[mode])
            speed = "-"
            if "speed" in row:
                speed = "{median:.2f} ({low:.2f} .. {high:.2f})".format(**row["speed"])
            graph = line["graphs"].get(ours, {})
            cells = (
                line["work"],
                mode,
                f"{row['ms']:.4f}",
                f"{row.get('rival_ms', math.nan):.4f}",
                speed,
                f"{row.get('of_eager', math.nan):.2f}",
                f"{row.get('calls', math.nan):.2f}",
                f"{_seconds(line, ours):.1f}",
                f"{_seconds(line, rival):.1f}",
                str(line["kernels"].get(ours, "-")),
                str(line["kernels"].get(rival, "-")),
                str(graph.get("payloads", "-")),
                str(len(graph.get("stayed", ()))),
            )
            rows.append(f"| {' | '.join(cells)} |")
    return "\n".join([*rows, "", *mean_texts(record["means"])])
