"""Torch models that a command names, `model.py:Model`, and inputs: `f16[8,512]`."""

from __future__ import annotations

import copy
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.errors import Place, UserError

if TYPE_CHECKING:
    import torch

_INPUT = re.compile(r"(?P<dtype>\w+)\[(?P<sizes>[0-9, ]*)\]")
_WAY = "write a type and sizes: f16[8,512], i64[8], f32[]"


@dataclass(frozen=True)
class NamedModel:
    """A model, and the arguments to call it with."""

    title: str
    """`model.py:Model`."""
    model: Callable[..., Any]
    args: tuple[torch.Tensor, ...]


def is_model(text: str) -> bool:
    """Whether a text spells a model, `FILE.py:NAME`."""
    file, colon, _ = text.rpartition(":")
    return bool(colon) and file.endswith(".py")


def read_model(name: str, inputs: Sequence[str], seed: int = 0) -> NamedModel:
    """A model with random inputs, on a GPU if there is one; it is known to run.

    Where all weights of a module have one float type, they get that of the first float
    input.
    """
    import torch

    args = example_inputs(inputs, seed)
    model = find_model(name)
    if torch.cuda.is_available():
        args = [one.cuda() for one in args]
        model = model.cuda() if isinstance(model, torch.nn.Module) else model
    if isinstance(model, torch.nn.Module):
        _adopt_type(model, args)
    if torch.cuda.is_available() or not _runs_without_data(model, args):
        with torch.no_grad(), _as_user_error(f"{name} fails in torch"):
            model(*args)
    return NamedModel(name, model, tuple(args))


def _runs_without_data(model: Any, args: Sequence[torch.Tensor]) -> bool:
    """Whether a copy of a module runs on tensors without data, which is quick.

    Models that look at numbers do not; a copy, since a module may keep tensors.
    """
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    if not isinstance(model, torch.nn.Module):
        return False
    try:
        with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
            copy.deepcopy(model)(*args)
    except Exception:
        return False
    return True


def find_model(model: str) -> Any:
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
    found = getattr(_imported(path), name, None)
    if not callable(found):
        raise UserError(
            f"{path} has no class or function '{name}'", remedy="check its name"
        )
    if isinstance(found, type):
        with _as_user_error(f"{name}() fails; a class is called without arguments"):
            found = found()
    return found.eval() if isinstance(found, torch.nn.Module) else found


def _imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} is not a Python file", remedy="name a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    with _as_user_error(f"{path} cannot be imported"):
        spec.loader.exec_module(module)
    return module


def example_inputs(texts: Sequence[str], seed: int | None = None) -> list[torch.Tensor]:
    """A tensor for each text; random numbers from a seed, or else zeros.

    Integers are below 8, so that they can index small tables.
    """
    import torch

    generator = None if seed is None else torch.Generator().manual_seed(seed)
    return [_example(text, generator) for text in texts]


def _example(text: str, generator: torch.Generator | None) -> torch.Tensor:
    import torch

    from tilewright.codegen.runtime.compile import torch_dtype
    from tilewright.ir.dtypes import element

    found = _INPUT.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"'{text}' is not an input", remedy=_WAY)
    sizes = [int(size) for size in found["sizes"].split(",") if size.strip()]
    try:
        dtype = torch_dtype(element(found["dtype"]).name)
    except (UserError, KeyError):
        fact = f"'{text}': there is no type '{found['dtype']}'"
        raise UsageError(fact, remedy="f32, f16, bf16, i64, i32, i1, ...") from None
    if generator is None:
        return torch.zeros(sizes, dtype=dtype)
    if dtype.is_floating_point:
        return torch.randn(sizes, generator=generator).to(dtype)
    most = 2 if dtype == torch.bool else 8
    return torch.randint(0, most, sizes, generator=generator).to(dtype)


def _adopt_type(model: torch.nn.Module, args: Sequence[torch.Tensor]) -> None:
    held = [*model.parameters(), *model.buffers()]
    types = {one.dtype for one in held if one.is_floating_point()}
    given = [one.dtype for one in args if one.is_floating_point()]
    if len(types) == 1 and given:
        model.to(given[0])


class _as_user_error:
    """Errors of the user's own code become a `UserError` at its innermost line."""

    def __init__(self, fact: str):
        self.fact = fact

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, Exception) or isinstance(error, UserError):
            return
        import torch

        others = (str(Path(torch.__file__).parent), str(Path(__file__).parents[2]))
        own = [
            frame
            for frame in traceback.extract_tb(trace)
            if not frame.filename.startswith((*others, "<frozen"))
        ]
        place = None
        if own:
            last, column = own[-1], (own[-1].colno or 0) + 1
            place = Place(last.filename, last.lineno or 1, column, last.line)
        told = " ".join(str(error).split())[:300]
        raise UserError(
            f"{self.fact}: {type(error).__name__}: {told}",
            place,
            "check the model and --input",
        ) from error
