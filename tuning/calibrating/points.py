"""The kernels that a calibration times: points of the sketches of its works."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from tilewright.codegen.targets import Target
from tilewright.ir.dtypes import element
from tilewright.planning.kernels import Candidate, PlannedKernel
from tilewright.planning.model.library import LibraryMatmul
from tilewright.planning.plan import Plan, plan
from tilewright.planning.preparation import prepare
from tilewright.planning.schedule_text import ScheduleWriter
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.splitting import split_long_rows
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.calibrating.works import EMPTY, CalibrationWork, works


@dataclass(frozen=True)
class KernelPoint:
    """A sketch of a work at one point, and its time once that is known."""

    work: str
    sketch: str
    point: Point
    seconds: float = 0.0
    kernels: tuple[Mapping[str, Any], ...] = field(default=())
    """What the launches of the program do, as plain data of `KernelInfo`."""


@dataclass(frozen=True)
class RowsPoint:
    """A softmax by torch, as one of its kernels on rows, and its time."""

    rows: int
    columns: int
    dtype: str
    seconds: float = 0.0

    @property
    def moved(self) -> int:
        """The bytes that are read and written."""
        return 2 * self.rows * self.columns * element(self.dtype).byte_width


@dataclass(frozen=True)
class LibraryPoint:
    """A product that a library computes, and its time once that is known."""

    product: LibraryMatmul
    seconds: float = 0.0


@dataclass(frozen=True)
class Measurements:
    """The times that a calibration is fitted to."""

    device: str
    kernels: tuple[KernelPoint, ...]
    library: tuple[LibraryPoint, ...]
    rows: tuple[RowsPoint, ...]
    launch: float = 0.0
    """Seconds that one more kernel that does nothing takes in a full queue; 0 if that
    was not measured."""

    def overhead(self, launch: float) -> float:
        """Seconds that each time has besides the kernel: of the events around it."""
        empty = [one.seconds for one in self.kernels if one.work == EMPTY]
        return max(0.0, min(empty) - launch) if empty else 0.0

    def to_data(self) -> dict[str, Any]:
        """As plain data; seconds have four digits."""
        data = asdict(self)
        for part in ("kernels", "library", "rows"):
            data[part] = [
                one | {"seconds": float(f"{one['seconds']:.4g}")} for one in data[part]
            ]
        return data

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Measurements:
        """From plain data."""
        return Measurements(
            data["device"],
            tuple(KernelPoint(**one) for one in data["kernels"]),
            tuple(
                LibraryPoint(LibraryMatmul(**one["product"]), one["seconds"])
                for one in data["library"]
            ),
            tuple(RowsPoint(**one) for one in data["rows"]),
            data.get("launch", 0.0),
        )


def kernel_points(target: Target, count: int) -> list[KernelPoint]:
    """Up to `count` points of every sketch of every work with one kernel."""
    found: list[KernelPoint] = []
    for work in works().values():
        planned = planned_work(work, target)
        if not is_usable(planned):
            continue
        found += [
            KernelPoint(work.name, sketch.label, dict(point))
            for sketch, points in _sketches(planned)
            for point in spread(points, count)
        ]
    return found


def planned_work(work: CalibrationWork, target: Target) -> Plan:
    """The plan of a work for a target."""
    return plan(work.payload, replace(target, own_f32=work.own_f32))


def is_usable(planned: Plan) -> bool:
    """Whether a plan has one kernel, so that a time is that of one sketch."""
    return len(planned.kernels) == 1 and len(planned.kernels[0].groups) == 1


def schedule_at(
    work: CalibrationWork, label: str, point: Point, target: Target
) -> Schedule:
    """The schedule of a work with one sketch alone, at a point."""
    planned = planned_work(work, target)
    (kernel,) = planned.kernels
    sketch = next(c.sketch for c in kernel.considered if c.sketch.label == label)
    knobs = tuple(Knob(knob.name, (point[knob.name],)) for knob in sketch.knobs())
    made = Candidate(sketch, point, sketch.seconds(point), knobs)
    alone = PlannedKernel(kernel.number, kernel.groups, (made,))
    prepared = split_long_rows(prepare(work.payload), planned.target, None)
    writer = ScheduleWriter(
        planned.analysis,
        planned.grouping,
        (alone,),
        prepared.statements,
        planned.target,
    )
    return writer.written().schedule()


def _sketches(planned: Plan) -> Iterable[tuple[Sketch, list[Point]]]:
    """The sketches of a plan's kernel with their points, the fastest first."""
    (kernel,) = planned.kernels
    best = kernel.candidates[0].seconds if kernel.candidates else 0.0
    for candidate in kernel.considered:
        sketch = candidate.sketch
        if sketch.is_spare:
            continue
        timed = [(sketch.seconds(p), i, p) for i, p in enumerate(sketch.points())]
        # Points whose estimate is this many times the best one are left out.
        worth = sorted(one for one in timed if one[0] <= 6.0 * best)
        if worth:
            yield sketch, [point for _, _, point in worth]


def spread(points: list[Point], count: int) -> list[Point]:
    """Up to `count` of the points, from the first to the last."""
    if len(points) <= count:
        return points
    steps = max(1, count - 1)
    return [points[at * (len(points) - 1) // steps] for at in range(count)]


def rows_points() -> list[RowsPoint]:
    """The softmax of large matrices."""
    return [RowsPoint(16384, 4096, "bf16"), RowsPoint(16384, 4096, "f32")]


def library_points() -> list[LibraryPoint]:
    """Products by a library: every tile, split sums, ragged rows, vectors, biases."""
    square = [(n, n, n) for n in (64, 256, 512, 1024, 2048, 4096)]
    shapes = [
        *square,
        (128, 1024, 1024),
        (64, 8192, 1024),
        (32, 4096, 4096),
        (16, 16384, 512),
        (256, 128, 16384),
        (64, 64, 65536),
        (1, 8192, 8192),
        (2048, 64, 256),
        (8448, 64, 1024),
        (64, 33792, 1024),
        (4224, 256, 2048),
        (512, 16896, 512),
        (1000, 1000, 1000),
        (16384, 16, 1024),
        (8192, 8192, 64),
    ]
    found = [
        LibraryMatmul(*shape, dtype=t) for t in ("bf16", "f32") for shape in shapes
    ]
    ragged = [(2048, 2047, 1001), (2048, 2046, 1002), (2048, 2044, 1004)]
    found += [LibraryMatmul(*shape) for shape in ragged]
    biased = [(64, 256, 512), (128, 1024, 1024), (2048, 2048, 512), (128, 256, 4096)]
    found += [LibraryMatmul(*shape, dtype="f32", added="row") for shape in biased]
    added = [(64, 64, 64), (4096, 4096, 256)]
    found += [LibraryMatmul(*shape, added="matrix") for shape in added]
    batched = [(1024, 1024, 64, 64), (128, 128, 128, 256), (256, 256, 256, 16)]
    found += [LibraryMatmul(m, n, k, batch) for m, n, k, batch in batched]
    return [LibraryPoint(product) for product in found]
