"""`tilewright import`: the payload of a torch model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.commands.inputs.models import example_inputs, find_model
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
        saved = _saved(Path(options.model))
        payload = from_torch(saved, weights=options.weights)
    else:
        model = find_model(options.model)
        given = example_inputs(options.inputs)
        payload = from_torch(model, given, weights=options.weights)
    write_output(payload.text() + "\n", options.output)


def _saved(path: Path) -> Any:
    import torch

    if not path.is_file():
        raise UserError(f"{path}: no such file", remedy="check its name")
    return torch.export.load(path)
