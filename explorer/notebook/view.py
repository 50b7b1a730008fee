"""`tilewright.view`: the page of a program, a payload, a model or a tuning run.

page = tilewright.view(program)                        # what was compiled
page = tilewright.view("payload.mlir", "schedule.tw", BM=64)
page = tilewright.view("payload.mlir")                 # under a planned schedule
page = tilewright.view(model, args=(x,))               # a torch model
page = tilewright.view("results.db")                   # a tuning run
page.save("page.html")                                 # a notebook shows it in place
tilewright.view("payload.mlir", "schedule.tw", live=True)   # choices as sliders
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from xdsl.dialects.builtin import ModuleOp

from tilewright.compile_inputs import GivenSchedule, read_given
from tilewright.compiled_program import Program
from tilewright.explorer.notebook.shown_page import ShownPage
from tilewright.explorer.page.html import page
from tilewright.explorer.program.program_data import program_data
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.explorer.trials.sources import is_results_file
from tilewright.frontend.builder import Payload
from tilewright.ir.errors import UserError
from tilewright.ir.parsing.sources import known_source
from tilewright.ir.text import place_of, to_text
from tilewright.planning.plan import PLANNED
from tilewright.program import find_target, plan_payload
from tilewright.schedules.language.syntax import LIBRARY
from tilewright.schedules.schedule import Schedule

if TYPE_CHECKING:
    from tilewright.explorer.notebook.widget import ProgramWidget


Shown: TypeAlias = Program | str | Path | ModuleOp | Payload
"""What `compile` takes as a payload, and what it returns."""
_PROGRAMS = 8
"""Trials of a tuning run whose steps and source are in its page."""


@overload
def view(
    what: Shown | Callable[..., Any],
    schedule: GivenSchedule = None,
    *,
    args: Sequence[Any] = (),
    backward: bool = False,
    target: str = "auto",
    estimate: bool = False,
    verify: bool = False,
    compiled: tuple[str, ...] = (),
    live: Literal[False] = False,
    **point: Any,
) -> ShownPage: ...


@overload
def view(
    what: Shown,
    schedule: GivenSchedule = None,
    *,
    target: str = "auto",
    estimate: bool = False,
    verify: bool = False,
    compiled: tuple[str, ...] = (),
    live: Literal[True],
    **point: Any,
) -> ProgramWidget: ...


def view(
    what: Shown | Callable[..., Any],
    schedule: GivenSchedule = None,
    *,
    args: Sequence[Any] = (),
    backward: bool = False,
    target: str = "auto",
    estimate: bool = False,
    verify: bool = False,
    compiled: tuple[str, ...] = (),
    live: bool = False,
    **point: Any,
) -> ShownPage | ProgramWidget:
    """A page with every step of a schedule, of a model or of a tuning run.

    `what` is a program of `compile`, or a payload as `compile` takes it; `schedule` and
    `point` are those of `compile`. A torch model comes with its `args` (and `backward`
    for its training graphs), a results file is named by its path. `estimate` compiles
    the kernels for `target`, which needs no GPU, and shows their times. `verify` runs
    the payload on numpy after each step. `compiled` names levels to show below Triton:
    ttir, ttgir, llir, ptx, sass. `live` gives a widget instead, whose choices can be
    changed in the notebook.
    """
    if isinstance(what, str | Path) and is_results_file(str(what)):
        return _trials(Path(what))
    if not isinstance(what, Program | str | Path | ModuleOp | Payload):
        return _model(what, args, backward, target)
    request = request_of(what, schedule, target, point, estimate or bool(compiled))
    request = replace(request, verify=verify, compiled=compiled)
    if live:
        return _widget(request)
    data = program_data(request)
    return ShownPage(data["title"], page("program", data))


def _trials(path: Path) -> ShownPage:
    from tilewright.explorer.trials.trials_data import Extent, trials_data

    data = trials_data(path, extent=Extent(programs=_PROGRAMS))
    return ShownPage(data["title"], page("tuning", data))


def _model(
    model: Callable[..., Any], args: Sequence[Any], backward: bool, target: str
) -> ShownPage:
    if not callable(model):
        raise UserError(
            f"there is no page of {type(model).__name__}",
            remedy="give a program, a payload, a torch model or a results file",
        )
    from tilewright.explorer.model.model_data import model_data
    from tilewright.explorer.model.request import ModelRequest

    name = getattr(model, "__name__", type(model).__name__)
    given = None if target == "auto" else target
    measure = None if given is None else False
    request = ModelRequest(name, model, tuple(args), backward, given, measure)
    data = model_data(request)
    return ShownPage(data["title"], page("model", data))


def _widget(request: ProgramRequest) -> ProgramWidget:
    try:
        from tilewright.explorer.notebook.widget import ProgramWidget
    except ImportError as error:
        raise UserError(
            f"a live widget needs anywidget: {error}",
            remedy="pip install 'tilewright[notebook]', or leave out live=True",
        ) from error
    return ProgramWidget(request)


def request_of(
    what: Shown,
    schedule: GivenSchedule,
    target: str,
    point: dict[str, Any],
    with_target: bool,
) -> ProgramRequest:
    """What is to be looked at."""
    card = find_target(target)[0] if with_target else None
    if isinstance(what, Program):
        payload, given = what.steps[0].module, what.schedule
        planned, point = what.plan is not None, {**what.point, **point}
    else:
        payload, given = read_given(what, schedule)
        planned = given is None
        if given is None:
            given = plan_payload(payload, target).schedule
    assert given is not None
    return ProgramRequest(
        payload,
        _payload_file(payload),
        given,
        _schedule_file(given, planned),
        given.full_point(point),
        planned,
        target=card,
    )


def _payload_file(payload: ModuleOp) -> TextFile:
    """The text that the payload was parsed from, or else its IR."""
    for op in payload.ops:
        if (place := place_of(op)) is not None:
            if (text := known_source(place.file)) is not None:
                return TextFile(place.file, text)
    return TextFile("payload.mlir", to_text(payload))


def _schedule_file(schedule: Schedule, planned: bool) -> TextFile | None:
    """The text that the places of the statements are in: a `.tw` or a Python file."""
    for op in schedule.module.walk():
        place = place_of(op)
        if place is None or place.file.startswith(LIBRARY):
            continue
        text = known_source(place.file)
        if text is not None and schedule.source in ("", text):
            return TextFile(place.file, text)
    name = PLANNED if planned else "schedule.tw"
    return TextFile(name, schedule.source or schedule.to_tw())
