"""The estimates of measured points as functions of a calibration.

Sketches are made once, for a target whose calibration varies: what the planner offers
stays the same, and only the numbers change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, cast

from tilewright.codegen.program import Access, DotWork, KernelInfo, VectorWork
from tilewright.codegen.targets import Target
from tilewright.codegen.targets.calibration import Calibration
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.homes import Homes
from tilewright.planning.model.library import library_time
from tilewright.planning.plan import Plan
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.table import sketches_for
from tilewright.tuning.calibrating.points import (
    KernelPoint,
    LibraryPoint,
    Measurements,
    RowsPoint,
    planned_work,
)
from tilewright.tuning.calibrating.works import works
from tilewright.tuning.model.cost import estimate_kernel


class _Varying:
    """Stands in for a calibration, has the numbers of the current one, and notes which
    parts of it are read."""

    def __init__(self, current: Calibration) -> None:
        self.current = current
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return getattr(self.current, name)


class Estimates:
    """The estimates of all measured points for a calibration.

    Points are timed kernels, as the planner estimates them; library calls; torch's
    kernels on rows; and the timed kernels once more, as the cost model of the tuner
    estimates them, which knows only their tiles.
    """

    def __init__(self, measured: Measurements, target: Target) -> None:
        """Make the sketches of the works as the target has them planned."""
        self._varying = _Varying(target.calibration)
        calibration = cast("Calibration", self._varying)
        self._target = replace(target, calibration=calibration)
        self._measured = measured
        self._planned_for = target

    def seconds(self, calibration: Calibration, points: Iterable[int]) -> list[float]:
        """The estimates of some points, by their numbers."""
        self._varying.current = calibration
        return [self._points[number][1]() for number in points]

    def times(self, points: Iterable[int], launch: float) -> list[float]:
        """The measured seconds of some points, without those of the events."""
        overhead = self._measured.overhead(launch)
        found = (self._points[number][0] for number in points)
        return [max(seconds - overhead, seconds / 2) for seconds in found]

    def named(self, number: int) -> str:
        """The work of a point."""
        return self._points[number][2]

    @cached_property
    def readers(self) -> dict[str, list[int]]:
        """The points whose estimates read each part of a calibration.

        The cost model of the tuner is coarse: its points count for its own part alone.
        """
        found: dict[str, list[int]] = {}
        for number, (_, estimated, _) in enumerate(self._points):
            self._varying.read.clear()
            estimated()
            read = self._varying.read
            for part in read & {"kernels"} or read:
                found.setdefault(part, []).append(number)
        return found

    @cached_property
    def _points(self) -> list[tuple[float, Callable[[], float], str]]:
        """The time of each point, its estimate, and its name."""
        found: list[tuple[float, Callable[[], float], str]] = []
        for one, sketch in self._sketches:
            found.append((one.seconds, partial(sketch.seconds, one.point), one.work))
        for call in self._measured.library:
            found.append((call.seconds, partial(self._call, call), str(call.product)))
        for rows in self._measured.rows:
            found.append((rows.seconds, partial(self._rows, rows), f"{rows} by torch"))
        for one, infos in self._launches:
            name = f"{one.work} by its tiles"
            found.append((one.seconds, partial(self._tiles, infos), name))
        return found

    def _call(self, point: LibraryPoint) -> float:
        return library_time(point.product, self._target).seconds

    def _rows(self, point: RowsPoint) -> float:
        fitted = self._target.calibration
        rate = self._target.hbm_bandwidth * fitted.library.rows_share
        return fitted.launch + point.moved / rate

    def _tiles(self, infos: Sequence[KernelInfo]) -> float:
        return sum(estimate_kernel(info, None, self._target).seconds for info in infos)

    @cached_property
    def _sketches(self) -> list[tuple[KernelPoint, Sketch]]:
        """The points whose sketches the planner still offers."""
        made: dict[str, dict[str, Sketch]] = {}
        found: list[tuple[KernelPoint, Sketch]] = []
        for one in self._measured.kernels:
            if one.work not in works():
                continue
            if one.work not in made:
                made[one.work] = self._of_work(one.work)
            if (sketch := made[one.work].get(one.sketch)) is not None:
                found.append((one, sketch))
        return found

    def _of_work(self, name: str) -> dict[str, Sketch]:
        work = works()[name]
        planned = planned_work(work, self._planned_for)
        own = replace(self._target, own_f32=work.own_f32)
        group = _as_one_kernel(planned)
        found = sketches_for(planned.analysis, group, own) if group else ()
        return {sketch.label: sketch for sketch in found}

    @cached_property
    def _launches(self) -> list[tuple[KernelPoint, list[KernelInfo]]]:
        """The points whose programs are kernels alone."""
        found: list[tuple[KernelPoint, list[KernelInfo]]] = []
        for one in self._measured.kernels:
            own_f32 = works()[one.work].own_f32
            infos = [_info(data, own_f32) for data in one.kernels]
            if infos and "library" not in one.sketch:
                found.append((one, infos))
        return found


def _as_one_kernel(planned: Plan) -> Group | None:
    """The ops of a work as one kernel, as it was timed, also where two are faster."""
    groups = planned.grouping.groups
    if len(groups) == 1:
        return groups[0]
    both = Homes(planned.analysis, groups).merged(groups)
    return both if isinstance(both, Group) else None


def _info(data: Mapping[str, Any], own_f32: str) -> KernelInfo:
    """What a launch does, from its plain data; older ones lack the precision."""
    return KernelInfo(
        **dict(data)
        | {
            "grid": tuple(data["grid"]),
            "dots": tuple(
                DotWork(
                    **{"tf32x3": one["dtype"] == "f32" and own_f32 == "tf32x3"} | one
                )
                for one in data["dots"]
            ),
            "accesses": tuple(
                Access(**one | {"tile": tuple(one["tile"])}) for one in data["accesses"]
            ),
            "vector": VectorWork(**data["vector"]),
        }
    )
