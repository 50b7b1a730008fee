"""Torch models that a command names, `model.py:Model`, and inputs: `f16[8,512]`."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    import torch

_SIZE = r"(?:[A-Za-z_]\w*=)?\d+"
_INPUT = re.compile(rf"(?P<dtype>\w+)\[(?P<sizes>(?:{_SIZE}(?:,{_SIZE})*)?)\]")
_WAY = "write a type and sizes: f16[8,512], i64[8], f32[]"
_CHECK = "check the model and --input"


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


@dataclass(frozen=True)
class InputText:
    """An input as the command line has it: `f16[rows=8,512]`."""

    dtype: str
    sizes: tuple[int, ...]
    names: dict[int, str]
    """The names of dimensions that stay open."""


def read_model(name: str, inputs: Sequence[str], seed: int = 0) -> NamedModel:
    """A model with random inputs, on a GPU if there is one; it is known to run.

    Where all weights of a module have one float type, they get that of the first float
    input.
    """
    import torch

    from tilewright.torch_backend.capture.user_errors import user_errors

    read = [read_input(text) for text in inputs]
    if any(one.names for one in read):
        fact = "sizes have names here; only `tilewright import` leaves sizes open"
        raise UsageError(fact, remedy=_WAY)
    args = example_inputs(read, seed)
    model = find_model(name)
    if torch.cuda.is_available():
        args = [one.cuda() for one in args]
        model = model.cuda() if isinstance(model, torch.nn.Module) else model
    adopt_type(model, args)
    if torch.cuda.is_available() or not _runs_without_data(model, args):
        with torch.no_grad(), user_errors(f"{name} fails in torch", _CHECK):
            model(*args)
    return NamedModel(name, model, tuple(args))


def _runs_without_data(model: Any, args: Sequence[torch.Tensor]) -> bool:
    """Whether a copy of a module runs on tensors without data, which is quick.

    Models that look at numbers do not; a copy, since a module may keep tensors.
    """
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    from tilewright.torch_backend.capture.user_errors import without_logs

    if not isinstance(model, torch.nn.Module):
        return False
    try:
        copied = copy.deepcopy(model)
        without_data = FakeTensorMode(allow_non_fake_inputs=True)
        with torch.no_grad(), without_logs(), without_data:
            copied(*args)
    except Exception:
        return False
    return True


def find_model(model: str) -> Any:
    """The object `file.py:Name`, a module in evaluation mode.

    A class is called, and so is a function without arguments that makes a module.
    """
    import torch

    from tilewright.torch_backend.capture.user_errors import user_errors

    file, _, name = model.rpartition(":")
    path = Path(file)
    if not file or not name.isidentifier():
        remedy = "write FILE.py:NAME; `tilewright import` reads .pt2 files too"
        raise UsageError(f"'{model}' names no model", remedy=remedy)
    if not path.is_file():
        raise UserError(f"{path}: no such file", remedy="check its name")
    found = getattr(_imported(path), name, None)
    if not callable(found):
        raise UserError(
            f"{path} has no class or function '{name}'", remedy="check its name"
        )
    if isinstance(found, type) or _needs_no_arguments(found):
        with user_errors(f"{name}() fails; it is called without arguments", _CHECK):
            made = found()
        is_made = isinstance(found, type) or isinstance(made, torch.nn.Module)
        found = made if is_made else found
    return found.eval() if isinstance(found, torch.nn.Module) else found


def _needs_no_arguments(found: Any) -> bool:
    """Whether an object is a function whose arguments all have defaults."""
    if not inspect.isroutine(found):
        return False
    given = inspect.signature(found).parameters.values()
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return not any(
        one.default is inspect.Parameter.empty or one.kind in several for one in given
    )


def _imported(path: Path) -> ModuleType:
    from tilewright.torch_backend.capture.user_errors import user_errors

    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} is not a Python file", remedy="name a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    with user_errors(f"{path} cannot be imported", _CHECK):
        spec.loader.exec_module(module)
    return module


def read_input(text: str) -> InputText:
    """The type and the sizes of an input; a size with a name stays open."""
    found = _INPUT.fullmatch(text.replace(" ", ""))
    if found is None:
        raise UsageError(f"'{text}' is not an input", remedy=_WAY)
    sizes: list[int] = []
    names: dict[int, str] = {}
    for dim, size in enumerate(filter(None, found["sizes"].split(","))):
        name, _, number = size.rpartition("=")
        sizes.append(int(number))
        names |= {dim: name} if name else {}
    return InputText(found["dtype"], tuple(sizes), names)


def example_inputs(
    given: Sequence[InputText], seed: int | None = None
) -> list[torch.Tensor]:
    """A tensor for each input; random numbers from a seed, or else zeros.

    Integers are below 8, so that they can index small tables.
    """
    import torch

    generator = None if seed is None else torch.Generator().manual_seed(seed)
    return [_example(one, generator) for one in given]


def _example(given: InputText, generator: torch.Generator | None) -> torch.Tensor:
    import torch

    from tilewright.codegen.runtime.compile import torch_dtype
    from tilewright.ir.dtypes import element

    sizes = given.sizes
    try:
        dtype = torch_dtype(element(given.dtype).name)
    except (UserError, KeyError):
        fact = f"--input: there is no type '{given.dtype}'"
        raise UsageError(fact, remedy="f32, f16, bf16, i64, i32, i1, ...") from None
    if generator is None:
        return torch.zeros(sizes, dtype=dtype)
    if dtype.is_floating_point:
        return torch.randn(sizes, generator=generator).to(dtype)
    most = 2 if dtype == torch.bool else 8
    return torch.randint(0, most, sizes, generator=generator).to(dtype)


def adopt_type(model: Any, args: Sequence[torch.Tensor]) -> None:
    """Give a module's weights of one float type that of the first float input."""
    import torch

    if not isinstance(model, torch.nn.Module):
        return
    held = [*model.parameters(), *model.buffers()]
    types = {one.dtype for one in held if one.is_floating_point()}
    given = [one.dtype for one in args if one.is_floating_point()]
    if len(types) == 1 and given:
        model.to(given[0])
