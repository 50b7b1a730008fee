"""Pictures of a tuning run: PNG, SVG or PDF by matplotlib, an optional extra.

write_plot("heatmap:BM,BN", log, logs, Path("tiles.svg"))
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.ir.errors import UserError
from tilewright.tuning.explaining.time_spent import improvements
from tilewright.tuning.search.encoding import Encoding, ranked_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog
    from tilewright.tuning.search.encoding import Codes

KINDS = {
    "convergence": "every trial, and the best so far",
    "frontier": "speed against tuning seconds",
    "heatmap:A,B": "the best time for each pair of options of two choices",
    "parallel": "every point as a line through its choices",
}
SUFFIXES = (".svg", ".png", ".pdf")
_SLOWEST = 2.0
"""Colours end here: points this many times as slow as the best look alike."""
_BAND = 0.06
"""Half of the height over which the lines of one option are spread."""
_CLOSED = -0.2
"""The height of lines at a choice that their branch does not open."""
_LABEL_BOX = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
_FAINT, _STRONG, _BEST = "#b0b7c3", "#1f4e79", "#c8501e"


def write_plot(
    kind: str, log: TuningLog, logs: Sequence[TuningLog], path: Path
) -> None:
    """Draw a picture of a run into a file, whose suffix is the format.

    `logs` are all runs of the file: the frontier shows those of the same payload.
    """
    draw_plot(kind, log, logs).save(path)


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture: a notebook shows it, `save` writes it to a file."""

    kind: str
    _draw: Callable[[Any], None]

    def save(self, path: str | Path) -> None:
        """Write it to a file, whose suffix is the format: .svg, .png or .pdf."""
        path = Path(path)
        if path.suffix.lower() not in SUFFIXES:
            raise UserError(
                f"{path}: the format '{path.suffix}' is not known",
                remedy=f"end the name in {', '.join(SUFFIXES)}",
            )
        try:
            self._write(path, path.suffix.lower().removeprefix("."))
        except OSError as error:
            raise UserError(f"cannot write {path}: {error}") from error

    def _write(self, out: Path | io.BytesIO, form: str) -> None:
        try:
            import matplotlib
            from matplotlib.figure import Figure
        except ImportError as error:
            raise UserError(
                "plots need matplotlib", remedy="pip install 'tilewright[plots]'"
            ) from error
        # Names may have dollar signs; ids in an SVG are the same in every run.
        with matplotlib.rc_context(
            {"text.parse_math": False, "svg.hashsalt": "tilewright"}
        ):
            figure = Figure(figsize=(8.0, 4.8), layout="constrained")
            self._draw(figure)
            metadata = {"Date": None} if form == "svg" else None
            figure.savefig(out, format=form, dpi=150, metadata=metadata)

    def __repr__(self) -> str:
        """`<picture: convergence>`."""
        return f"<picture: {self.kind}>"

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        out = io.BytesIO()
        self._write(out, "svg")
        return out.getvalue().decode()


def draw_plot(kind: str, log: TuningLog, logs: Sequence[TuningLog]) -> Picture:
    """A picture of a run; `logs` are all runs of the file."""
    draw = _drawing(kind, log, logs)
    if not log.worked:
        raise UserError(
            f"the run '{log.name}' has no trial with a time: there is nothing to draw"
        )
    return Picture(kind, draw)


def _drawing(
    kind: str, log: TuningLog, logs: Sequence[TuningLog]
) -> Callable[[Any], None]:
    name, _, arguments = kind.partition(":")
    if name == "heatmap":
        first, second = _two_choices(arguments, log)
        return lambda figure: _draw_heatmap(figure, log, first, second)
    drawings: dict[str, Callable[[Any], None]] = {
        "convergence": lambda figure: _draw_convergence(figure, log),
        "frontier": lambda figure: _draw_frontier(figure, log, logs),
        "parallel": lambda figure: _draw_parallel(figure, log),
    }
    if name not in drawings or arguments:
        known = "; ".join(f"{kind}: {meaning}" for kind, meaning in KINDS.items())
        raise UserError(f"there is no plot '{kind}'", remedy=known)
    if name == "parallel" and not log.space.choices:
        raise UserError(f"the run '{log.name}' has no open choices")
    return drawings[name]


def _two_choices(arguments: str, log: TuningLog) -> tuple[str, str]:
    names = [name.strip() for name in arguments.split(",")]
    known = list(log.space.choices)
    unknown = [name for name in names if name not in known]
    if len(names) != 2 or unknown or names[0] == names[1]:
        fact = f"'{unknown[0]}' is no choice" if unknown and arguments else ""
        raise UserError(
            fact or "a heat map needs two choices",
            remedy=f"heatmap:A,B with two of: {', '.join(known) or 'none'}",
        )
    return names[0], names[1]


def _heading(log: TuningLog) -> str:
    unit = "" if log.measured else " (estimated)"
    sizes = f" {log.sizes}" if log.sizes else ""
    return f"{log.payload}{sizes}, {log.device}{unit}"


def _draw_convergence(figure: Any, log: TuningLog) -> None:
    axes = figure.add_subplot()
    numbered = list(enumerate(log.trials, 1))
    worked = [(n, t.milliseconds) for n, t in numbered if t.milliseconds is not None]
    failed = [n for n, trial in numbered if trial.milliseconds is None]
    axes.scatter(*zip(*worked, strict=True), s=10, color=_FAINT, label="a trial")
    axes.set_yscale("log")
    steps = improvements(log)
    axes.step(
        [*(step.trial for step in steps), len(log.trials)],
        [*(step.milliseconds for step in steps), steps[-1].milliseconds],
        where="post",
        color=_STRONG,
        label="the best so far",
    )
    if failed:
        # At the lower edge, whatever the times are.
        axes.plot(
            failed,
            [0.02] * len(failed),
            "x",
            color=_BEST,
            markersize=4,
            transform=axes.get_xaxis_transform(),
            label="failed",
        )
    axes.set(xlabel="trial, in the order of ending", ylabel="ms", title=_heading(log))
    _plain_log_ticks(axes.yaxis)
    axes.legend()


def _draw_frontier(figure: Any, log: TuningLog, logs: Sequence[TuningLog]) -> None:
    axes = figure.add_subplot()
    alike = [
        other
        for other in logs
        if other.worked
        and other.subject == log.subject
        and bool(other.clock) == bool(log.clock)
    ]
    best = min(_best_ms(other) for other in alike)
    for other in alike:
        steps = improvements(other)
        at = [s.trial if s.seconds is None else s.seconds for s in steps]
        end = len(other.trials) if not log.clock else max(_end(other), at[-1])
        speed = [100.0 * best / step.milliseconds for step in steps]
        strategy = f", {other.strategy}" if other.strategy else ""
        own = other.name == log.name
        axes.step(
            [*at, end],
            [*speed, speed[-1]],
            where="post",
            marker="o",
            markersize=3,
            linewidth=1.8 if own else 1.0,
            color=_STRONG if own else None,
            label=f"{other.name}{strategy}",
        )
    for share in (90.0, 95.0, 99.0):
        axes.axhline(share, color=_FAINT, linewidth=0.6, zorder=0)
    clock = "seconds of tuning" if log.clock else "trials"
    axes.set(
        xlabel=clock,
        ylabel="speed, % of the best",
        title=f"{_heading(log)}: 100% is {best:.4f} ms",
    )
    axes.set_xlim(left=0)
    axes.legend(loc="lower right")


def _draw_heatmap(figure: Any, log: TuningLog, first: str, second: str) -> None:
    rows = ranked_options(log.space.choices[first])
    columns = ranked_options(log.space.choices[second])
    fastest = np.full((len(rows), len(columns)), math.nan)
    tried = np.zeros(fastest.shape, dtype=bool)
    places = [
        {repr(value): place for place, value in enumerate(options)}
        for options in (rows, columns)
    ]
    for trial in log.trials:
        if first in trial.point and second in trial.point:
            cell = (
                places[0][repr(trial.point[first])],
                places[1][repr(trial.point[second])],
            )
            tried[cell] = True
            if trial.milliseconds is not None:
                fastest[cell] = np.fmin(fastest[cell], trial.milliseconds)
    behind = fastest / np.nanmin(fastest) if tried.any() else fastest
    figure.set_size_inches(
        max(5.0, 2.5 + 0.8 * len(columns)), max(3.0, 1.5 + 0.5 * len(rows))
    )
    axes = figure.add_subplot()
    picture = axes.imshow(
        100.0 * (behind - 1.0),
        cmap="viridis_r",
        vmin=0.0,
        vmax=100.0 * (_SLOWEST - 1.0),
        aspect="auto",
    )
    for row, column in np.ndindex(fastest.shape):
        text = f"{fastest[row, column]:.4f}"
        if math.isnan(fastest[row, column]):
            text = "failed" if tried[row, column] else ""
        dark = behind[row, column] > 1.0 + 0.55 * (_SLOWEST - 1.0)
        colour = "white" if dark else "black"
        axes.text(column, row, text, ha="center", va="center", color=colour, size=8)
    axes.set_xticks(range(len(columns)), list(map(str, columns)))
    axes.set_yticks(range(len(rows)), list(map(str, rows)))
    axes.set(xlabel=second, ylabel=first, title=f"{_heading(log)}: best ms of a pair")
    figure.colorbar(picture, label="% slower than the best pair", extend="max")


def _draw_parallel(figure: Any, log: TuningLog) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import LineCollection
    from matplotlib.colors import Normalize

    encoding = Encoding(log.space)
    fastest = sorted(log.worked, key=_ms)[:2000]
    best, slowest = _ms(fastest[0]), _ms(fastest[-1])
    codes = encoding.codes([trial.point for trial in fastest])
    tops = np.array([max(1, len(c.options) - 1) for c in encoding.choices])
    span = max(math.log(slowest / best), 1e-9)
    logs = np.log([_ms(trial) / best for trial in fastest])
    heights = np.where(codes < 0, _CLOSED, codes / tops) + _bands(codes)
    lines = np.column_stack([heights, logs / span])
    places = np.arange(lines.shape[1])
    segments = [np.column_stack([places, row]) for row in lines]
    behind = 100.0 * np.expm1(logs)
    scale = Normalize(0.0, min(100.0 * (_SLOWEST - 1.0), max(1e-9, behind[-1])))
    shade = ScalarMappable(scale, "viridis_r")
    figure.set_size_inches(max(6.0, 2.0 + 1.0 * lines.shape[1]), 4.8)
    axes = figure.add_subplot()
    axes.add_collection(
        LineCollection(
            segments[::-1],
            colors=shade.to_rgba(behind[::-1]),
            linewidths=0.6,
            alpha=0.6,
        )
    )
    axes.plot(places, lines[0], color=_BEST, linewidth=2.0, label="the best")
    last = len(encoding.choices)
    label = {"size": 8, "va": "center", "bbox": _LABEL_BOX}
    for place in places:
        axes.axvline(place, color="black", linewidth=0.8, zorder=0)
    for place, choice in enumerate(encoding.choices):
        for rank, option in enumerate(ranked_options(choice)):
            axes.text(place + 0.06, rank / tops[place], str(option)[:14], **label)
        if (codes[:, place] < 0).any():
            axes.text(place + 0.06, _CLOSED, "not open", **label)
    for height, ms in ((0.0, best), (1.0, slowest)):
        axes.text(last + 0.06, height, f"{ms:.4f}", **label)
    names = [*(choice.name[:14] for choice in encoding.choices), "ms"]
    axes.set_xticks(places, names)
    lowest = -0.3 if (codes < 0).any() else -0.1
    axes.set(yticks=[], xlim=(-0.2, last + 0.7), ylim=(lowest, 1.1))
    axes.set_title(_heading(log))
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0))
    figure.colorbar(shade, ax=axes, label="% slower than the best", extend="max")


def _bands(codes: Codes) -> NDArray[np.float64]:
    """Offsets that spread the lines of an option: the fast ones below, as on the axis.

    The rows are in the order of their times.
    """
    offsets = np.zeros(codes.shape)
    for place, column in enumerate(codes.T):
        for code in np.unique(column):
            rows = column == code
            offsets[rows, place] = np.linspace(-_BAND, _BAND, np.count_nonzero(rows))
    return offsets


def _ms(trial: LoggedTrial) -> float:
    return trial.milliseconds or math.inf


def _best_ms(log: TuningLog) -> float:
    return min(map(_ms, log.worked))


def _end(log: TuningLog) -> float:
    ends = [trial.ended or 0.0 for trial in log.trials]
    return max([*ends, log.wall_seconds or 0.0])


def _plain_log_ticks(axis: Any) -> None:
    """Plain numbers on a logarithmic axis, not powers of ten."""
    from matplotlib.ticker import FuncFormatter

    plain = FuncFormatter(lambda value, _: f"{value:g}")
    axis.set_major_formatter(plain)
    axis.set_minor_formatter(plain)
