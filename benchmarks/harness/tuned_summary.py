"""What a run of `tuned.py` came to: a line for each work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.planned.summary import ratio

RIVALS = {
    "torch eager": "eager",
    "torch compile": "compile",
    "torch max-autotune-no-cudagraphs": "max_autotune",
    "triton.autotune": "autotune",
}
LONG = "ours long"
"""The run that the others are compared with."""
HEADING = (
    f"{'work':38s} {'ours us':>9s} {'planned':>8s} {'eager':>7s} {'compile':>8s}"
    f" {'max-at':>7s} {'autot.':>7s} {'regret':>7s} {'wall s':>7s} {'trials':>7s}"
    f" {'/s':>5s}"
)


def line_of(
    name: str,
    record: Mapping[str, Any],
    runs: Mapping[str, Mapping[str, Any]],
    first_calls: Mapping[str, float],
) -> dict[str, Any]:
    """Our winner's time, its speed over each rival, and what the tuning took."""
    rows = {row["name"]: row for row in record["rows"]}
    line: dict[str, Any] = {"work": name}
    failed = {one["name"]: one["reason"] for one in record["failed"]}
    if failed:
        line["failed"] = failed
    if "ours" not in rows:
        line["error"] = failed.get("ours") or runs["ours"].get("error", "not timed")
        return line
    mine = rows["ours"]
    line["ours_us"] = mine["ms"]["median"] * 1e3
    for title, key in {"planned": "planned", **RIVALS}.items():
        if title in rows and (found := ratio(mine, [rows[title]])) is not None:
            line[f"over_{key}"] = found["ratio"]
    own = _own_times(rows, runs)
    line["regret"] = {title: ms / min(own.values()) - 1 for title, ms in own.items()}
    line["wall_s"] = {title: run["seconds"] for title, run in runs.items()}
    line["device_timing"] = {
        title: run["summary"]["timing_share"]
        for title, run in runs.items()
        if "timing_share" in run.get("summary", {})
    }
    line["first_call_s"] = dict(first_calls)
    summary = runs["ours"].get("summary", {})
    line["trials"] = len(summary.get("trials", ()))
    return line


def _own_times(
    rows: Mapping[str, Any], runs: Mapping[str, Mapping[str, Any]]
) -> dict[str, float]:
    """The time of each run's winner; runs with the same winner have the same time."""
    times: dict[str, float] = {}
    winners: dict[str, str] = {}
    for title in [title for title in rows if title in runs]:
        lines = runs[title].get("schedule", title).splitlines()
        # The comments on top have the date.
        winner = "\n".join(line for line in lines if not line.startswith("//"))
        winners[title] = winner
        ms = rows[title]["ms"]["median"]
        times[winner] = min(ms, times.get(winner, ms))
    return {title: times[winner] for title, winner in winners.items()}


def text_of(line: Mapping[str, Any]) -> str:
    """The line in a table; speeds above 1 mean that ours is faster."""
    if "error" in line:
        return f"{line['work']:38s} {line['error']}"
    over = [line.get(f"over_{key}") for key in ("planned", *RIVALS.values())]
    planned, eager, compiled, most, autotuned = (
        "-" if value is None else f"{value:.3f}" for value in over
    )
    wall = line["wall_s"]["ours"]
    regrets = [share for title, share in line["regret"].items() if title != LONG]
    return (
        f"{line['work']:38s} {line['ours_us']:9.2f} {planned:>8s} {eager:>7s}"
        f" {compiled:>8s} {most:>7s} {autotuned:>7s}"
        f" {max(regrets):7.1%} {wall:7.1f} {line['trials']:7d}"
        f" {line['trials'] / wall:5.1f}"
    )
