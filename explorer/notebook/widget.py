"""A live widget for notebooks: the program page, whose choices Python answers.

The page runs in a frame. It sends the choices that the reader makes; the kernel of the
notebook runs the schedule at that point, and sends the page its data. Needs anywidget
(`pip install 'tilewright[notebook]'`).
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import anywidget
import traitlets

from tilewright.explorer.notebook.shown_page import HEIGHT
from tilewright.explorer.page.assets import ASSETS
from tilewright.explorer.page.html import page
from tilewright.explorer.program.program_data import program_data
from tilewright.explorer.program.request import ProgramRequest
from tilewright.ir.errors import UserError


class ProgramWidget(anywidget.AnyWidget):
    """The steps of a schedule, with its open choices as sliders and switches.

    `point` has the choices made in the page, and may be set from Python.
    """

    _esm = ASSETS / "notebook.js"
    title = traitlets.Unicode().tag(sync=True)
    page = traitlets.Unicode().tag(sync=True)
    data = traitlets.Unicode().tag(sync=True)
    """The data of the present point, as JSON."""
    point = traitlets.Dict().tag(sync=True)
    height = traitlets.Int(HEIGHT).tag(sync=True)

    def __init__(self, request: ProgramRequest):
        self._request = request
        first = program_data(request)
        super().__init__(
            title=first["title"], page=page("widget", first), data=json.dumps(first)
        )

    @traitlets.observe("point")
    def _on_point(self, change: dict[str, Any]) -> None:
        """Run the schedule at a point; one that it refuses shows as a failure."""
        self.data = json.dumps(self._data_at(dict(change["new"])))

    def _data_at(self, point: dict[str, Any]) -> dict[str, Any]:
        wanted = {**self._request.point, **point}
        try:
            return program_data(replace(self._request, point=wanted))
        except UserError as error:
            # The point itself is refused: say so beside the steps of the last one.
            failure = {"fact": error.fact, "remedy": error.remedy, "place": None}
            last = json.loads(self.data)
            return {**last, "failure": failure | {"notes": [], "message": str(error)}}
