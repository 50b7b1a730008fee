"""The result of a sweep: a table, range certificates, a picture, JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from tilewright.commands.sweep.candidates import Candidate
from tilewright.tuning.explaining.plots import Picture
from tilewright.tuning.measure.side_by_side import SideBySide
from tilewright.tuning.measure.torch_rivals import COMPILED, EAGER
from tilewright.tuning.transfer.certificates import certificate
from tilewright.tuning.transfer.size_tree import TimedSize

FORMAT = "tilewright-sweep-1"
_RIVAL_COLORS = {EAGER: "#8a8f98", COMPILED: "#c8501e"}


@dataclass(frozen=True)
class SweepResult:
    """The times of programs and rivals at the values of one size."""

    name: str
    values: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    times: SideBySide
    work: tuple[float, ...]
    """Operations at each value, or bytes where no product is among them."""
    unit: str
    """Of the speed: `TFLOP/s` or `GB/s`."""
    device: str
    measured: bool

    @property
    def rivals(self) -> list[str]:
        """The rivals that ran somewhere."""
        ours = {one.name for one in self.candidates}
        return [name for name in self.times.milliseconds if name not in ours]

    def milliseconds(self, name: str, place: int) -> float | None:
        """The time of a program or rival at one of the values."""
        return self.times.milliseconds[name][place]

    def speed(self, name: str, place: int) -> float | None:
        """The same as a speed."""
        milliseconds = self.milliseconds(name, place)
        scale = 1e-9 if self.unit == "TFLOP/s" else 1e-6
        return None if not milliseconds else self.work[place] / milliseconds * scale

    def certificates(self) -> Iterator[tuple[Candidate, str]]:
        """Between which of the values each point stays near the best of ours."""
        timed = [
            TimedSize(
                {self.name: value},
                tuple(self.milliseconds(one.name, place) for one in self.candidates),
            )
            for place, value in enumerate(self.values)
            if any(
                self.milliseconds(one.name, place) is not None
                for one in self.candidates
            )
        ]
        for number, candidate in enumerate(self.candidates):
            found = certificate(timed, number) if timed else None
            yield candidate, "near the best nowhere" if found is None else str(found)


def say_result(result: SweepResult, out: Console) -> None:
    """Print the points, the times and the certificates."""
    for one in result.candidates:
        out.print(f"{one.name}: {one.text() or 'no open choices'} ({one.origin})")
    unit = "ms" if result.measured else "ms (estimated)"
    names = [*(one.name for one in result.candidates), *result.rivals]
    columns = [result.name, *(f"{name} {unit}" for name in names)]
    best = [*columns, f"best of ours, {result.unit}"]
    table = Table(*best, *(["over torch"] if result.rivals else []), box=None)
    for place, value in enumerate(result.values):
        cells = [_number(result.milliseconds(name, place), 4) for name in names]
        speeds = [result.speed(one.name, place) for one in result.candidates]
        ours = max(filter(None, speeds), default=None)
        row = [str(value), *cells, _number(ours, 1)]
        if result.rivals:
            theirs = [result.speed(name, place) for name in result.rivals]
            rival = max(filter(None, theirs), default=None)
            gain = None if ours is None or rival is None else ours / rival
            row.append("-" if gain is None else f"{gain:.2f}x")
        table.add_row(*row)
    out.print(table)
    if len(result.candidates) > 1:
        by = "" if result.measured else ", by the cost model"
        for candidate, text in result.certificates():
            out.print(f"{candidate.name}: {text}{by}", markup=False)
    else:
        out.print(
            "one point: there is no other to compare with; name some by --point, or "
            "find some by `tune --per-size`"
        )
    for line in problem_lines(result):
        out.print(line, style="yellow", markup=False)


def problem_lines(result: SweepResult) -> Iterator[str]:
    """Why something was not timed, or how a rival's numbers differ: a line each."""
    for one in result.candidates:
        refused: dict[str, list[int]] = {}
        for value, reason in zip(result.values, one.refused, strict=True):
            if reason is not None:
                refused.setdefault(reason, []).append(value)
        for reason, values in refused.items():
            at = ", ".join(map(str, values))
            yield f"{one.name} does not take {result.name} = {at}: {reason}"
    for name, problems in result.times.problems.items():
        reasons: dict[str, list[str]] = {}
        for title, problem in problems.items():
            reasons.setdefault(problem, []).append(title)
        for problem, titles in reasons.items():
            at = ", ".join(filter(None, titles))
            yield f"{name}{' at ' + at if at else ''}: {problem}"


def picture(result: SweepResult) -> Picture:
    """Speed against size, of every point and rival."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        ours = {one.name: one.text() or one.origin for one in result.candidates}
        for name in [*ours, *result.rivals]:
            points = [
                (value, speed)
                for place, value in enumerate(result.values)
                if (speed := result.speed(name, place)) is not None
            ]
            if not points:
                continue
            text = ours.get(name, "")
            short = text if len(text) <= _LABEL else f"{text[:_LABEL]} ..."
            axes.plot(
                *zip(*points, strict=True),
                marker="o" if name in ours else "s",
                linestyle="-" if name in ours else "--",
                color=_RIVAL_COLORS.get(name),
                label=f"{name}: {short}" if short else name,
            )
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(result.values), [str(value) for value in result.values])
        axes.minorticks_off()
        axes.set_xlabel(result.name)
        axes.set_ylabel(result.unit + ("" if result.measured else " (estimated)"))
        axes.set_ylim(bottom=0)
        axes.set_title(result.device)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)

    return Picture("sweep", draw)


_LABEL = 60
"""Characters of a point in the picture's legend."""


def as_data(result: SweepResult) -> dict[str, Any]:
    """The sweep as plain data; docs/result_formats.md has its fields."""
    return {
        "format": FORMAT,
        "device": result.device,
        "measured": result.measured,
        "size": result.name,
        "values": list(result.values),
        "unit": result.unit,
        "points": [
            {
                "name": one.name,
                "point": dict(one.point),
                "origin": one.origin,
                "milliseconds": result.times.milliseconds[one.name],
                "speed": _speeds(result, one.name),
                "refused": list(one.refused),
            }
            for one in result.candidates
        ],
        "rivals": [
            {
                "name": name,
                "milliseconds": result.times.milliseconds[name],
                "speed": _speeds(result, name),
            }
            for name in result.rivals
        ],
        "certificates": {
            candidate.name: text for candidate, text in result.certificates()
        },
        "problems": {
            name: dict(problems) for name, problems in result.times.problems.items()
        },
    }


def _speeds(result: SweepResult, name: str) -> list[float | None]:
    return [result.speed(name, place) for place in range(len(result.values))]


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
