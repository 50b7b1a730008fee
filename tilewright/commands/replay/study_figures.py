"""The five figures of the study of tuning cost, as pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tilewright.tuning.explaining.plots import Picture
from tilewright.tuning.replay.study import published

_DOTS, _LINE, _OTHER = "#b0b7c3", "#1f4e79", "#c8501e"
_POINT = 9


def write_figures(study: Mapping[str, Any], folder: Path) -> list[Path]:
    """Draw the figures that the recording has figures for."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for number, (draw, has_data) in enumerate(_FIGURES, 1):
        if has_data(study):
            path = folder / f"figure_{number}.svg"
            Picture(f"figure {number}", _bound(draw, study)).save(path)
            written.append(path)
    return written


def _bound(
    draw: Callable[[Any, Mapping[str, Any]], None], study: Mapping[str, Any]
) -> Callable[[Any], None]:
    def drawn(figure: Any) -> None:
        axes = figure.subplots()
        draw(axes, study)
        axes.grid(alpha=0.3)

    return drawn


def _inputs(axes: Any, study: Mapping[str, Any]) -> None:
    rows = study["inputs_seconds"]
    repetition = [row["repetition_ms"] for row in rows]
    overhead = [row["overhead_ms"] for row in rows]
    places = range(len(rows))
    axes.bar(places, repetition, color=_LINE, label="repetition")
    axes.bar(places, overhead, bottom=repetition, color=_DOTS, label="overhead")
    asked = study["repetition_ms"]["published"] * 1.25
    axes.axhline(asked, color=_OTHER, label=f"{asked:g} ms were asked for")
    axes.set_xticks(list(places), [row["input"] for row in rows], rotation=90)
    axes.tick_params(axis="x", labelsize=5)
    axes.set_ylabel("ms, mean of the configurations")
    axes.set_title(f"Timing a configuration, {study['device']}")
    axes.legend()


def _estimates(axes: Any, study: Mapping[str, Any]) -> None:
    rows = study["estimates"]
    axes.scatter(
        [row["kernel_us"] for row in rows],
        [row["short_ms"] for row in rows],
        s=_POINT,
        color=_LINE,
    )
    axes.axvline(published.ESTIMATE_US, color=_DOTS)
    axes.set_xscale("log")
    axes.set_xlabel("us of a launch")
    axes.set_ylabel("ms less than the 100 asked for")
    axes.set_title(f"Repetitions by five cold launches, {study['frontier_input']}")


def _frontier(axes: Any, study: Mapping[str, Any]) -> None:
    found = study["frontier"]
    best = found["best_tflops"]
    axes.scatter(
        [point[0] for point in found["points"]],
        [100 * point[1] / best for point in found["points"]],
        s=_POINT,
        color=_DOTS,
        label="settings",
    )
    axes.step(
        [row["seconds"] for row in found["kept"]],
        [100 * row["tflops"] / best for row in found["kept"]],
        where="post",
        color=_LINE,
        label=study["device"],
    )
    top = published.FRONTIER[-1][1]
    axes.step(
        [row[0] for row in published.FRONTIER],
        [100 * row[1] / top for row in published.FRONTIER],
        where="post",
        color=_OTHER,
        label=f"{published.DEVICE}, of its last",
    )
    _speed_and_seconds(axes, f"Random settings, {study['frontier_input']}")


def _parallel(axes: Any, study: Mapping[str, Any]) -> None:
    found = study["all_inputs"]
    processes = f"{found['processes']} compile processes, ideal"
    _two(axes, found, {"one": "one compile process", "parallel": processes})
    _speed_and_seconds(axes, f"All {study['inputs']} inputs, {study['device']}")


def _early(axes: Any, study: Mapping[str, Any]) -> None:
    found = study["all_inputs"]
    _two(axes, found, {"one": "timed in full", "early": "early stopping"})
    _speed_and_seconds(axes, f"All {study['inputs']} inputs, {study['device']}")


def _two(axes: Any, found: Mapping[str, Any], names: Mapping[str, str]) -> None:
    for (name, label), color in zip(names.items(), (_LINE, _OTHER), strict=True):
        series = found[name]
        axes.scatter(
            [point[0] for point in series["points"]],
            [100 * point[1] for point in series["points"]],
            s=_POINT,
            color=color,
            alpha=0.2,
        )
        axes.step(
            [seconds for seconds, _ in series["kept"]],
            [100 * speed for _, speed in series["kept"]],
            where="post",
            color=color,
            label=label,
        )


def _speed_and_seconds(axes: Any, title: str) -> None:
    axes.set_xscale("log")
    axes.set_xlabel("seconds of tuning")
    axes.set_ylabel("speed, % of the best configuration")
    axes.set_title(title)
    axes.legend(loc="lower right")


_FIGURES: tuple[
    tuple[
        Callable[[Any, Mapping[str, Any]], None], Callable[[Mapping[str, Any]], bool]
    ],
    ...,
] = (
    (_inputs, lambda study: True),
    (_estimates, lambda study: bool(study["estimates"])),
    (_frontier, lambda study: True),
    (_parallel, lambda study: True),
    (_early, lambda study: True),
)
"""How each figure is drawn, and whether the recording has it."""
