"""The page of a torch model."""

from __future__ import annotations

import warnings

from tilewright.commands.inputs.models import read_model
from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.view.arguments import Options
from tilewright.explorer.page.html import page

_NOT_FOR_MODELS = (
    "--schedule",
    "--entry",
    "--set",
    "--emit",
    "--verify-each",
    "words after the file",
)
_REMEDY = "give --input, --backward, --target, --details"


def model_page(options: Options) -> str:
    """Compile the model for its inputs, and make the page."""
    from tilewright.explorer.model.model_data import model_data
    from tilewright.explorer.model.request import DETAILS, ModelRequest

    options.refuse(_NOT_FOR_MODELS, "a torch model", _REMEDY)
    named = read_model(options.file, options.inputs, options.seed)
    request = ModelRequest(
        named.title,
        named.model,
        named.args,
        options.backward,
        options.target,
        measure=False if options.target is not None else None,
        details=DETAILS if options.details is None else options.details,
    )
    log = console(stderr=True)
    with progress_bar(log, "compiling the model") as tell, warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", ".*results are right, times are the interpreter's"
        )
        return page("model", model_data(request, tell))
