"""What a run of `planned.py` came to: a line a work, the mean, the worst."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from harness.timing import Timing, speedup

BAR = 0.6
HEADING = (
    f"{'work':44s} {'ours us':>9s} {'rival us':>9s} {'rival':14s} {'speed':>6s}"
    f" {'roofline':>8s} {'estimate':>9s}  planned"
)
MARKDOWN = "| work | us | best rival, us | which is | speed | of roofline | planned |"


def ratio(
    mine: Mapping[str, Any], rivals: Iterable[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """Speed beside the best rival, paired by rounds where both ran in this process."""
    best = min(rivals, key=lambda row: row["ms"]["median"], default=None)
    if best is None:
        return None
    if len(best["rounds_ms"]) != len(mine["rounds_ms"]) or best.get("earlier"):
        median = best["ms"]["median"] / mine["ms"]["median"]
        return {"best_rival": best["name"], "ratio": median}
    found = speedup(
        Timing(mine["repetitions"], mine["rounds_ms"]),
        over=Timing(best["repetitions"], best["rounds_ms"]),
    )
    interval = {"ratio": found.median, "low": found.low, "high": found.high}
    return {"best_rival": best["name"], **interval}


def estimate_us(kernels: Iterable[Mapping[str, Any]]) -> float | None:
    """The planner's estimate of a program; None where the default made a kernel."""
    total = 0.0
    for kernel in kernels:
        if not kernel["candidates"]:
            return None
        total += kernel["candidates"][0]["us"] * kernel["times"]
    return total or None


def summarize(lines: Iterable[Mapping[str, Any]], key: str = "ratio") -> dict[str, Any]:
    """Geometric mean, worst, shares; works without a ratio count as failed."""
    lines = list(lines)
    found = {line["work"]: line[key] for line in lines if line.get(key)}
    ratios = sorted(found.values())
    if not ratios:
        return {"works": len(lines), "failed": len(lines)}
    return {
        "works": len(lines),
        "failed": len(lines) - len(ratios),
        "geometric_mean": math.exp(sum(map(math.log, ratios)) / len(ratios)),
        "worst": ratios[0],
        "worst_work": min(found, key=found.__getitem__),
        "at_least_1": sum(r >= 1 for r in ratios) / len(lines),
        "at_least_0.95": sum(r >= 0.95 for r in ratios) / len(lines),
        "below_bar": [name for name, r in found.items() if r < BAR],
    }


def text_of(line: Mapping[str, Any]) -> str:
    """One line of the table."""
    if "ours_us" not in line:
        reason = line.get("error", "not timed")
        return f"{line['work']:44s} FAILED {reason}"
    mark = "*" if line["mode"] == "graph" else " "
    rival = line.get("best_rival", "-").removeprefix("torch ")
    rival += " (earlier)" if line.get("rivals_earlier") else ""
    share = f"{line['roofline']:.2f}" if line.get("roofline") else "-"
    tuned = f"  tuned {line['tuned_ratio']:.3f}" if "tuned_ratio" in line else ""
    estimate = line.get("estimate_us") or math.nan
    return (
        f"{line['work'] + mark:44s} {line['ours_us']:9.1f}"
        f" {line.get('rival_us', math.nan):9.1f} {rival:14s}"
        f" {line.get('ratio', math.nan):6.3f} {share:>8s} {estimate:9.1f}"
        f"  {line['planned']}{tuned}"
    )


def markdown(record: Mapping[str, Any]) -> str:
    """The table of a record in Markdown, with the figures of each family."""
    rows = [MARKDOWN, "|" + "---|" * (MARKDOWN.count("|") - 1)]
    for line in record["lines"]:
        name = line["work"].replace("|", "/")
        if "ours_us" not in line:
            rows.append(f"| {name} | failed | | | | | {line.get('error', '')[:80]} |")
            continue
        mark = " \\*" if line["mode"] == "graph" else ""
        speed = f"{line.get('ratio', math.nan):.2f}"
        if "low" in line:
            speed += f" ({line['low']:.2f} .. {line['high']:.2f})"
        cells = (
            f"{name}{mark}",
            f"{line['ours_us']:.1f}",
            f"{line.get('rival_us', math.nan):.1f}",
            line.get("best_rival", "-").removeprefix("torch "),
            speed,
            f"{line.get('roofline', math.nan):.2f}",
            line["planned"],
        )
        rows.append(f"| {' | '.join(cells)} |")
    summary = record["summary"]
    families = [summary_text(f, name) for name, f in summary["families"].items()]
    return "\n".join([*rows, "", *families, summary_text(summary, "all")])


def summary_text(summary: Mapping[str, Any], what: str) -> str:
    """The figures of all works in a few words."""
    if "geometric_mean" not in summary:
        return f"{what}: nothing was timed; {summary['failed']} failed"
    below = len(summary["below_bar"])
    return (
        f"{what}: {summary['works']} works, {summary['failed']} failed; geometric mean "
        f"{summary['geometric_mean']:.3f}, worst {summary['worst']:.3f} "
        f"({summary['worst_work']}), {summary['at_least_1']:.0%} at least 1, "
        f"{summary['at_least_0.95']:.0%} at least 0.95, {below} below {BAR}"
    )


def by_family(lines: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The same figures for each family."""
    families: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        families.setdefault(line["family"], []).append(line)
    return {family: summarize(found) for family, found in families.items()}
