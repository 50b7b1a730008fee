"""The page of a tuning run."""

from __future__ import annotations

from pathlib import Path

from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.view.arguments import Options
from tilewright.explorer.page.html import page
from tilewright.explorer.trials.trials_data import Extent, trials_data

_NOT_FOR_RESULTS = (
    "--schedule",
    "--entry",
    "--set",
    "--input",
    "--backward",
    "--verify-each",
    "--emit",
    "--details",
    "--target",
)
_REMEDY = "give --trials, and words that name a run"


def trials_page(options: Options) -> str:
    """Read the runs of a results file and make the page."""
    options.refuse(_NOT_FOR_RESULTS, "a results file", _REMEDY)
    log = console(stderr=True)
    extent = Extent(programs=options.trials)
    with progress_bar(log, "looking") as tell:
        data = trials_data(
            Path(options.file), options.words, extent=extent, progress=tell
        )
    if data["damaged"]:
        note = f"note: {data['damaged']} results of {options.file} cannot be read"
        log.print(note, style="yellow", markup=False, highlight=False)
    return page("tuning", data)
