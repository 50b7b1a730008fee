"""`tilewright profile`: a trace of a torch model with the schedules' lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tilewright.commands.inputs.models import read_model
from tilewright.commands.model_tools.quiet_work import quiet_work
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.failure import UsageError


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    model: str
    inputs: tuple[str, ...]
    output: Path
    calls: int = 5
    backward: bool = False
    as_json: bool = False


def profile(options: Options) -> None:
    """Record calls of a compiled model, write the trace and print a summary."""
    from tilewright.torch_backend.diagnosis.profiling import profile as record

    if options.calls < 1:
        raise UsageError(f"--calls is {options.calls}", remedy="write 1 or more")
    named = read_model(options.model, options.inputs)
    with quiet_work("compiling and recording"):
        found = record(
            named.model,
            named.args,
            output=options.output,
            calls=options.calls,
            backward=options.backward,
        )
    out = console()
    if options.as_json:
        out.print(json.dumps(found.as_json(), indent=1), markup=False)
        return
    out.print(found if out.is_terminal else str(found))
