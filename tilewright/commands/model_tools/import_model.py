"""`tilewright import`: the payload of a torch model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.commands.inputs.models import (
    InputText,
    adopt_type,
    example_inputs,
    find_model,
    read_input,
)
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.errors import UserError


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    model: str
    inputs: tuple[str, ...] = ()
    output: Path | None = None
    weights: str = "arguments"


def import_model(options: Options) -> None:
    """Write the payload of a model to a file, or print it."""
    from tilewright.torch_backend.from_torch import from_torch

    if options.model.endswith(".pt2"):
        if options.inputs:
            fact = f"{options.model} has its own inputs; --input is for a Python file"
            raise UsageError(fact, remedy="leave it out")
        saved = _saved(Path(options.model))
        payload = from_torch(saved, weights=options.weights)
    else:
        inputs = [read_input(text) for text in options.inputs]
        model = find_model(options.model)
        given = example_inputs(inputs)
        adopt_type(model, given)
        shapes = _open_sizes(inputs)
        payload = from_torch(model, given, shapes, weights=options.weights)
    write_output(payload.text() + "\n", options.output)


def _open_sizes(inputs: Sequence[InputText]) -> Any:
    """The dimensions with names, as torch.export wants them; equal names are equal."""
    from torch.export import Dim

    if not any(one.names for one in inputs):
        return None
    names = {name for one in inputs for name in one.names.values()}
    dims = {name: Dim(name) for name in names}
    return tuple({at: dims[name] for at, name in one.names.items()} for one in inputs)


def _saved(path: Path) -> Any:
    import torch

    from tilewright.torch_backend.capture.user_errors import user_errors, without_logs

    if not path.is_file():
        raise UserError(f"{path}: no such file", remedy="check its name")
    failure = user_errors(f"{path} cannot be read", "save it with torch.export.save")
    with failure, without_logs():
        return torch.export.load(path)
