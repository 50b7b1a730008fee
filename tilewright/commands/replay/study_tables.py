"""The study of tuning cost as tables, beside the published figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.tuning.replay.study import published

HERE = "here"
_NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class StudyTable:
    """One table of the study."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def markdown(self) -> str:
        """The table for a page."""
        lines = [
            f"**{self.title}**",
            "",
            "| " + " | ".join(self.header) + " |",
            "|" + "---|" * len(self.header),
            *("| " + " | ".join(row) + " |" for row in self.rows),
        ]
        if self.note:
            lines += ["", self.note]
        return "\n".join(lines)


def study_tables(study: Mapping[str, Any]) -> list[StudyTable]:
    """All tables for which the recording has figures."""
    found: list[StudyTable] = [_configurations(study)]
    if study["small_run"] is not None:
        found.append(_small_run(study["small_run"]))
    found.append(_inputs(study))
    if study["kernels"]:
        found.append(_kernels(study["kernels"]))
    if study["estimates"]:
        found.append(_estimates(study["estimates"]))
    if study["clears"]:
        found.append(_clears(study["clears"]))
    found += [_frontier_beside(study), _frontier(study), _pools(study["pools"])]
    found.append(_all_inputs(study["all_inputs"]))
    if study["full"] is not None:
        found.append(_full(study["full"]))
    return found


def heading(study: Mapping[str, Any]) -> list[str]:
    """What was recorded, and what of it differs from what was asked for."""
    lines = [
        f"{study['device']}, {study['versions']}, against {published.DEVICE}; "
        f"{study['inputs']} inputs, L2 clear of {_megabytes(study['clear_bytes'])}; "
        f"{study['draws']} random settings, {study['runs']} simulated runs of each "
        f"({study['runs_of_each']} on each input for the means of all inputs)"
    ]
    if study["dry"]:
        lines.append("a dry run without a GPU: its times mean nothing")
    if study["version"] == 1:
        lines.append(
            "an earlier recording: its configurations were drawn from the valid ones, "
            "a few launches of each were recorded, and they were cleared with the "
            "card's own size"
        )
    asked = study["repetition_ms"]
    if asked["others"] is not None and asked["others"] < asked["published"]:
        first = asked["frontier_input"]
        lines.append(
            f"timed for {first:g} ms on {study['frontier_input']}, for "
            f"{asked['others']:.3g} ms (median) on the other inputs; the published "
            f"{asked['published']:g} ms there are simulated by taking the recorded "
            "launches again"
        )
    if not study["complete"]:
        missing = "; ".join(study["missing"][:4]) or "the end of the recording"
        lines.append(f"missing: {missing}")
    return lines


def _configurations(study: Mapping[str, Any]) -> StudyTable:
    found = study["configurations"]
    share = found["compile_seconds_of_invalid"] / max(found["compile_seconds"], 1e-9)
    reasons = "; ".join(f"{n} x {text}" for text, n in found["reasons"].items())
    return StudyTable(
        "Configurations",
        ("", "published", HERE),
        (
            ("drawn", str(published.DRAWN), str(found["drawn"])),
            ("valid", str(published.VALID), str(found["valid"])),
            ("compiling all, one process", "", _seconds(found["compile_seconds"])),
            ("of it, invalid ones", "", f"{100 * share:.0f}%"),
        ),
        f"Invalid: {reasons}." if reasons else "",
    )


def _small_run(found: Mapping[str, Any]) -> StudyTable:
    compiling, timing = published.SMALL_RUN_COMPILE, published.SMALL_RUN_TUNE
    share = compiling / (compiling + timing)
    return StudyTable(
        f"A small run: {found['configurations']} configurations, "
        f"{found['inputs']} inputs",
        ("", "published", HERE),
        (
            ("compiling", _seconds(compiling), _seconds(found["compile_seconds"])),
            ("timing", _seconds(timing), _seconds(found["timing_seconds"])),
            (
                "share of compiling",
                f"{100 * share:.0f}%",
                f"{100 * found['compile_share']:.0f}%",
            ),
        ),
    )


def _inputs(study: Mapping[str, Any]) -> StudyTable:
    rows = study["inputs_seconds"]
    asked = study["repetition_ms"]["published"] * 1.25
    more = sum(row["overhead_ms"] > row["repetition_ms"] for row in rows)
    below = sum(row["overhead_ms"] + row["repetition_ms"] < asked for row in rows)
    return StudyTable(
        "Figure 1: the seconds of a timing, by input",
        ("", "published", HERE),
        (
            ("overhead is over half", "most inputs", f"{more} of {len(rows)} inputs"),
            (
                f"the whole is below {asked:g} ms",
                "often",
                f"{below} of {len(rows)} inputs",
            ),
        ),
    )


def _kernels(rows: Sequence[Mapping[str, Any]]) -> StudyTable:
    cells: list[tuple[str, ...]] = []
    names = list(published.KERNEL_SECONDS)
    for name, row in zip(names, rows, strict=False):
        kernel, clear = published.KERNEL_SECONDS[name]
        cells.append(
            (
                _clear_name(row["clear_bytes"]),
                f"{kernel:.2f} s, {published.KERNEL_US[name]:.1f} us",
                f"{clear:.2f} s",
                f"{row['kernel_seconds']:.2f} s, {row['kernel_us']:.1f} us",
                f"{row['clear_seconds']:.2f} s",
            )
        )
    launches = rows[0]["launches"]
    return StudyTable(
        "Table 3: kernels and clears on the device",
        (
            "clear",
            "GEMM, published",
            "clears, published",
            f"GEMM, {HERE}",
            f"clears, {HERE}",
        ),
        tuple(cells),
        f"Here {launches} launches of {rows[0]['timings']} pairs of a configuration "
        "and an input, timed by events behind a queue; the published clears without a "
        "clear are those of the estimate.",
    )


def _estimates(rows: Sequence[Mapping[str, float]]) -> StudyTable:
    fast = [r["short_ms"] for r in rows if r["kernel_us"] < published.ESTIMATE_US]
    slow = [r["short_ms"] for r in rows if r["kernel_us"] >= published.ESTIMATE_US]
    limit = f"{published.ESTIMATE_US:g} us"
    return StudyTable(
        "Figure 2: milliseconds less than the 100 that were asked for",
        ("kernels", "published", HERE),
        (
            (f"under {limit}", f"up to {published.SHORT_MS:g}", _spread(fast)),
            (f"from {limit}", "few", _spread(slow)),
        ),
        "Least, median and most. A negative figure is a longer timing than asked for.",
    )


def _spread(values: Sequence[float]) -> str:
    if not values:
        return _NOT_RECORDED
    ordered = sorted(values)
    middle = ordered[len(ordered) // 2]
    return f"{ordered[0]:.1f}, {middle:.1f}, {ordered[-1]:.1f}"


def _clears(rows: Sequence[Mapping[str, Any]]) -> StudyTable:
    names = ("256 MB", "the size of the L2", "none")
    whole = published.WHOLE_SECONDS
    # Largest first, as `names`; where there is no clear, the size is 0.
    cells = [
        (
            f"{name} (here {_clear_name(row['clear_bytes'])})",
            _seconds(whole[name]),
            f"{whole[names[0]] / whole[name]:.1f}x",
            _seconds(row["wall_seconds"]),
            f"{row['speedup']:.1f}x",
        )
        for name, row in zip(names, rows, strict=False)
    ]
    asked = rows[0]["repetition_ms"]
    words = "as many launches each" if asked is None else f"{asked:.3g} ms each"
    return StudyTable(
        "Table 5: the wall time of the benchmark, by the clear",
        ("clear", "published", "", HERE, ""),
        tuple(cells),
        f"Here {rows[0]['timings']} timings on {rows[0]['inputs']} inputs, {words}.",
    )


def _frontier_beside(study: Mapping[str, Any]) -> StudyTable:
    kept = study["frontier"]["kept"]
    last = kept[-1]
    top_seconds, top_speed, _, _ = published.FRONTIER[-1]
    rows: list[tuple[str, ...]] = []
    for seconds, speed, count, _ in published.FRONTIER:
        share = speed / top_speed
        first = next((r for r in kept if r["tflops"] >= share * last["tflops"]), last)
        rows.append(
            (
                f"{100 * share:.0f}%",
                f"{seconds:.2f} s ({count})",
                f"{100 * seconds / top_seconds:.0f}%",
                f"{first['seconds']:.2f} s ({first['configurations']})",
                f"{100 * first['seconds'] / last['seconds']:.0f}%",
            )
        )
    return StudyTable(
        f"Table 6: seconds to a share of the last speed, {study['frontier_input']}",
        ("speed", "published", "of its last", HERE, "of its last"),
        tuple(rows),
        f"In brackets, the configurations. The last speed is {top_speed:.1f} TFLOP/s "
        f"there and {last['tflops']:.1f} here, where the best configuration has "
        f"{study['frontier']['best_tflops']:.1f}.",
    )


def _frontier(study: Mapping[str, Any]) -> StudyTable:
    found = study["frontier"]
    ranks = found["correlation"]
    note = ""
    if ranks["configurations"] is not None and ranks["milliseconds"] is not None:
        note = (
            "Rank correlation with the speed over all settings: configurations "
            f"{ranks['configurations']:.2f}, milliseconds {ranks['milliseconds']:.2f}."
        )
    return StudyTable(
        f"Table 6 and figure 3: the frontier here, {study['frontier_input']}",
        ("seconds", "TFLOP/s", "configurations", "ms each"),
        tuple(
            (
                f"{row['seconds']:.2f}",
                f"{row['tflops']:.2f}",
                str(row["configurations"]),
                f"{row['milliseconds']:.0f}",
            )
            for row in _thinned(found["kept"])
        ),
        note,
    )


def _thinned(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows that gain a percent of speed on the row before, and the last."""
    kept: list[Mapping[str, Any]] = []
    for row in rows:
        if not kept or row["tflops"] >= 1.01 * kept[-1]["tflops"]:
            kept.append(row)
    return kept if kept[-1] is rows[-1] else [*kept, rows[-1]]


def _pools(rows: Sequence[Mapping[str, Any]]) -> StudyTable:
    here = {row["processes"]: row for row in rows}
    alone = published.POOLS[1]
    cells: list[tuple[str, ...]] = []
    for processes in sorted({*published.POOLS, *here}):
        seconds = published.POOLS.get(processes)
        there = "" if seconds is None else f"{seconds:.1f} s ({alone / seconds:.2f}x)"
        row = here.get(processes)
        cells.append((str(processes), there, "" if row is None else _pool(row)))
    return StudyTable(
        "Table 7: compiling in parallel",
        ("processes", "published", HERE),
        tuple(cells),
        "Here against the seconds of each compilation in one process.",
    )


def _pool(row: Mapping[str, Any]) -> str:
    text = f"{row['wall_seconds']:.1f} s"
    if row["processes"] > 1:
        text += f" ({row['speedup']:.2f}x)"
    return text if row["whole"] else f"{text}, only {row['compiled']} of them"


def _all_inputs(found: Mapping[str, Any]) -> StudyTable:
    names = {
        "one": "one process",
        "parallel": f"{found['processes']} processes, ideal (figure 4)",
        "early": "one process, early stopping (figure 5)",
    }
    rows = [
        (f"{100 * share:.0f}%", *(_first(found[name]["kept"], share) for name in names))
        for share in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
    ]
    return StudyTable(
        "Figures 4 and 5: seconds to a share of the best speed, mean of all inputs",
        ("speed", *names.values()),
        tuple(rows),
        "Published: parallel compilation moves the frontier far to the left, early "
        "stopping has no effect on it.",
    )


def _first(kept: Sequence[Sequence[float]], share: float) -> str:
    return next((f"{s:.2f} s" for s, speed in kept if speed >= share), "not reached")


def _full(found: Mapping[str, Any]) -> StudyTable:
    return StudyTable(
        f"The {found['points']} points of BLOCK_M, BLOCK_N {{32, 64, 128, 256}}, "
        f"BLOCK_K {{16, 32, 64}}, 2 to 8 warps, 2 to 5 stages, {found['input']}",
        (f"best of {found['trials']} random trials", "of the valid", "of all"),
        tuple(_full_rows(found)),
        f"{found['valid']} are valid; the best has {found['best_tflops']:.0f} TFLOP/s "
        f"({_point(found['best'])}), the median {found['median_tflops']:.0f}. "
        f"{found['trials']} random valid trials reach "
        f"{100 * found['expected_speed']:.1f}% of the best on average.",
    )


def _full_rows(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    share = f"{100 * found['top_share']:.0f}%"
    for name, key, count in (
        (f"in the fastest {share}", "chance_in_top", found["in_top"]),
        (f"within {share} of the best", "chance_near_best", found["near_best"]),
    ):
        chances = found[key]
        yield (
            f"{name} ({count} points)",
            f"{100 * chances['valid']:.0f}% of the time",
            f"{100 * chances['all']:.0f}%",
        )


def _point(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in point.items())


def _seconds(value: float) -> str:
    return f"{value:.1f} s"


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):.3g} MB"


def _clear_name(size: int) -> str:
    return _megabytes(size) if size else "none"
