"""What each handle holds: the ops of the payload it points at when it is bound.

One run of the schedule over the payload records it. A run that fails has recorded
everything up to the step that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp, ShapedType, TensorType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.errors import Place, UserError
from tilewright.ir.phrases import count
from tilewright.ir.text import place_of
from tilewright.pipeline import Point, open_run
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.interpreter import ScheduleRun, Step
from tilewright.tuning.space.space import Space

_MOST_OPS = 200
"""The most ops of a handle that are described."""


@dataclass(frozen=True)
class HeldOp:
    """An op that a handle points at."""

    name: str
    shapes: tuple[str, ...]
    """The types of its results, or of its operands where it has none."""
    place: Place | None

    @property
    def text(self) -> str:
        """`linalg.matmul 512x512xf32`."""
        return " ".join([self.name, *self.shapes[:1]])


@dataclass(frozen=True)
class Held:
    """What a handle points at, or the values of a number."""

    ops: tuple[HeldOp, ...] = ()
    number: int = 0
    """The number of ops or values."""
    values: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """A line: `linalg.matmul 512x512xf32`, or `3 ops: linalg.generic ...`."""
        if self.values:
            return ", ".join(self.values)
        if self.number == 0:
            return "nothing"
        texts = list(dict.fromkeys(op.text for op in self.ops))
        if self.number == 1:
            return texts[0]
        more = ", ..." if len(texts) > 1 else ""
        return f"{count(self.number, 'op')}: {texts[0]}{more}"


@dataclass
class Holdings:
    """What was recorded: by the line of the statement and the name that it binds."""

    point: Point = field(default_factory=dict[str, "int | float | bool | str"])
    held: dict[tuple[str, int, str], Held] = field(
        default_factory=dict[tuple[str, int, str], Held]
    )
    """By file, line and name; a statement that runs often is recorded once."""
    error: UserError | None = None

    def moved(self, file: str, old: Sequence[str], new: Sequence[str]) -> Holdings:
        """The holdings after an edit: lines below it move, changed ones go."""
        most = min(len(old), len(new))
        above = next((i for i in range(most) if old[i] != new[i]), most)
        below = next(
            (i for i in range(most - above) if old[-1 - i] != new[-1 - i]), most - above
        )
        shift = len(new) - len(old)
        moved: dict[tuple[str, int, str], Held] = {}
        for (where, line, name), held in self.held.items():
            if where != file or line <= above:
                moved[where, line, name] = held
            elif line > len(old) - below:
                moved[where, line + shift, name] = held
        return Holdings(self.point, moved, self.error)

    def of(self, file: str, line: int, name: str) -> Held | None:
        """What a name holds after the statement on a line."""
        return self.held.get((file, line, name))


def holdings_of(
    payload_run: ScheduleRun,
    entry: str,
    point: Point,
    after_each: Callable[[TransformOp, Step | None], None] = lambda op, step: None,
) -> Holdings:
    """Run a schedule and record; `after_each` is called after each op, may raise."""
    found = Holdings(point)

    def record(op: TransformOp, step: Step | None) -> None:
        after_each(op, step)
        place = place_of(op)
        if place is None:
            return
        for result in op.results:
            if result.name_hint is None:
                continue
            key = place.file, place.line, result.name_hint
            found.held.setdefault(key, held_by(payload_run, result))

    payload_run.after_each = record
    try:
        payload_run.start(entry)
    except UserError as error:
        found.error = error
    return found


def run_over(
    payload: ModuleOp,
    schedule: Schedule,
    space: Space,
    go_on: Callable[[], None] = lambda: None,
) -> Holdings:
    """The holdings at the default point.

    A choice without a default takes its first option, or another if the requirements
    exclude it.
    """
    point = shown_point(space)
    run = open_run(payload, schedule, point, verify_steps=False)
    return holdings_of(run, schedule.entry, point, lambda op, step: go_on())


def shown_point(space: Space) -> Point:
    """The point at which a schedule is shown: defaults, then first options."""
    try:
        point = space.completed({})
        return point if space.contains(point) else space.first()
    except UserError:
        return {}


def held_by(run: ScheduleRun, handle: SSAValue) -> Held:
    """What a handle points at now."""
    items = run.state.items(handle)
    ops = [item for item in items if isinstance(item, Operation)]
    values = [item for item in items if isinstance(item, SSAValue)]
    if ops:
        described = tuple(_described(op) for op in ops[:_MOST_OPS])
        return Held(described, len(ops))
    if values:
        return Held(values=tuple(shape_text(v.type) for v in values[:_MOST_OPS]))
    texts = [str(item) for item in items if isinstance(item, Attribute)]
    return Held(values=tuple(text.split(" : ")[0] for text in texts))


def _described(op: Operation) -> HeldOp:
    types: Sequence[Attribute] = [result.type for result in op.results]
    if not types:
        types = [operand.type for operand in op.operands]
    shaped = tuple(shape_text(of) for of in types if isinstance(of, ShapedType))
    return HeldOp(op.name, shaped, place_of(op))


def shape_text(of: Attribute) -> str:
    """`512x512xf32` of a tensor, `vector 64x64xf32` of a vector."""
    if not isinstance(of, ShapedType) or not hasattr(of, "element_type"):
        return str(of)
    sizes = ["?" if size < 0 else str(size) for size in of.get_shape()]
    text = "x".join([*sizes, str(getattr(of, "element_type"))])  # noqa: B009
    if isinstance(of, TensorType):
        return text
    return f"{'vector' if isinstance(of, VectorType) else 'memref'} {text}"
