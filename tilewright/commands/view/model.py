"""The page of a torch model."""

from __future__ import annotations

import warnings

from tilewright.commands.inputs.models import read_model
from tilewright.commands.terminal.console import console, progress_bar
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.view.arguments import Options
from tilewright.explorer.page.html import page


def model_page(options: Options) -> str:
    """Compile the model for its inputs, and make the page."""
    from tilewright.explorer.model.model_data import model_data
    from tilewright.explorer.model.request import DETAILS, ModelRequest

    _check(options)
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


def _check(options: Options) -> None:
    """Refuse options that a model has no use for."""
    given = {
        "--schedule": options.schedule is not None,
        "--entry": options.entry is not None,
        "--set": bool(options.settings),
        "--emit": bool(options.compiled),
        "--verify-each": options.verify,
        "words after the file": bool(options.words),
    }
    wrong = [name for name, is_given in given.items() if is_given]
    if wrong:
        fact = f"{', '.join(wrong)}: not for a torch model"
        raise UsageError(fact, remedy="give --input, --backward, --target, --details")
