"""`tilewright explain model.py:Model`: the kernels of a torch model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tilewright.commands.inputs.models import read_model
from tilewright.commands.model_tools.quiet_work import quiet_work
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import write_output


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    model: str
    inputs: tuple[str, ...]
    target: str | None = None
    backward: bool = False
    as_json: bool = False
    output: Path | None = None


def explain(options: Options) -> None:
    """Compile a model and print its kernels."""
    from tilewright.torch_backend.diagnosis.explanation import explain as find

    named = read_model(options.model, options.inputs)
    with quiet_work("compiling the model"):
        found = find(
            named.model,
            named.args,
            backward=options.backward,
            measure=False if options.target is not None else None,
            options={} if options.target is None else {"target": options.target},
        )
    if options.as_json:
        write_output(json.dumps(found.as_json(), indent=1) + "\n", options.output)
        return
    if options.output is not None:
        write_output(f"{found}\n", options.output)
        return
    out = console()
    out.print(found if out.is_terminal else str(found))
