"""`tilewright import`: the payload of a torch model."""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    import torch

_INPUT = re.compile(r"(?P<dtype>\w+)\[(?P<sizes>[0-9, ]*)\]")


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    model: str
    inputs: tuple[str, ...] = ()
    output: Path | None = None


def import_model(options: Options) -> None:
    """Write the payload of a model to a file, or print it."""
    from tilewright.torch_backend.from_torch import from_torch

    if options.model.endswith(".pt2"):
        payload = from_torch(_saved(Path(options.model)))
    else:
        model = _found(options.model)
        payload = from_torch(model, [_example(text) for text in options.inputs])
    write_output(payload.text() + "\n", options.output)


def _saved(path: Path) -> Any:
    import torch

    if not path.is_file():
        raise UserError(f"{path}: no such file", remedy="check its name")
    return torch.export.load(path)


def _found(model: str) -> Any:
    """The object `file.py:Name`; a class is made into a module in evaluation mode."""
    import torch

    file, _, name = model.rpartition(":")
    path = Path(file)
    if not file or not name.isidentifier():
        raise UsageError(
            f"'{model}' names no model", remedy="write FILE.py:NAME, or a .pt2 file"
        )
    if not path.is_file():
        raise UserError(f"{path}: no such file", remedy="check its name")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} is not a Python file", remedy="name a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not callable(found):
        raise UserError(
            f"{path} has no class or function '{name}'", remedy="check its name"
        )
    made = found() if isinstance(found, type) else found
    return made.eval() if isinstance(made, torch.nn.Module) else made


def _example(text: str) -> torch.Tensor:
    """A tensor of the type and sizes that `f16[8,512]` names."""
    import torch

    from tilewright.codegen.runtime.compile import torch_dtype
    from tilewright.ir.dtypes import element

    found = _INPUT.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            f"'{text}' is not an input", remedy="write a type and sizes: f16[8,512]"
        )
    sizes = [int(size) for size in found["sizes"].split(",") if size.strip()]
    return torch.zeros(sizes, dtype=torch_dtype(element(found["dtype"]).name))
