"""Values of torch as data: what AOTAutograd knows of a graph, and tensors.

`compiling/plain_data.py` writes dataclasses; here is what else they hold.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import torch
from torch._functorch._aot_autograd.functional_utils import ViewMetaSequence
from torch._subclasses.fake_tensor import FakeTensor
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.fx.experimental.symbolic_shapes import SymIntEqByExpr

from tilewright.torch_backend.compiling.plain_data import (
    DamagedData,
    NotPlain,
    Special,
)

_views = torch._C._functionalization  # pyright: ignore[reportAttributeAccessIssue]

_NAMED = (torch.dtype, torch.layout, torch.memory_format)
_CLASSES: dict[str, type] = {
    "torch.Tensor": torch.Tensor,
    "torch.nn.Parameter": torch.nn.Parameter,
    "torch.FakeTensor": FakeTensor,
    "torch.FunctionalTensor": FunctionalTensor,
    "int": int,
    "float": float,
    "bool": bool,
    "None": type(None),
}
"""The classes of a graph's inputs and results."""
_CLASS_NAMES = {value: name for name, value in _CLASSES.items()}


def _named(name: str) -> Any:
    found = getattr(torch, name)
    if not isinstance(found, _NAMED):
        raise DamagedData(f"torch.{name} is not a type of elements or a layout")
    return found


def _number(value: SymIntEqByExpr) -> int:
    if not value.val.is_Integer:
        raise NotPlain(f"the size {value.val} is not a number")
    return int(value.val)


def _view_parts(views: ViewMetaSequence) -> tuple[Any, ...]:
    steps = [(type(step).__name__, step.as_tuple()) for step in views.sequence]
    return steps, views.metadata


def _view_sequence(parts: tuple[Any, ...]) -> ViewMetaSequence:
    """The views of a result on an input; torch gives them no constructor."""
    made = ViewMetaSequence.__new__(ViewMetaSequence)
    steps, made.metadata = parts
    made.sequence = [_view_step(name, state) for name, state in steps]
    return made


def _view_step(name: str, state: tuple[Any, ...]) -> Any:
    found = getattr(_views, name)
    if not issubclass(found, _views.ViewMeta):
        raise DamagedData(f"{name} is not a view")
    step = found.__new__(found)
    step.__setstate__(state)
    return step


def _kind_of(kind: type) -> Any:
    return lambda value: isinstance(value, kind)


SPECIALS = (
    Special(
        "torch",
        lambda value: isinstance(value, _NAMED),
        lambda value: str(value).removeprefix("torch."),
        _named,
    ),
    Special("device", _kind_of(torch.device), str, torch.device),
    Special("size", _kind_of(torch.Size), tuple, torch.Size),
    Special(
        "class",
        lambda value: isinstance(value, type) and value in _CLASS_NAMES,
        _CLASS_NAMES.__getitem__,
        _CLASSES.__getitem__,
    ),
    Special(
        "lists",
        lambda value: type(value) is defaultdict and value.default_factory is list,
        dict,
        lambda pairs: defaultdict(list, pairs),
    ),
    Special("number", _kind_of(SymIntEqByExpr), _number, SymIntEqByExpr),
    Special("views", _kind_of(ViewMetaSequence), _view_parts, _view_sequence),
    Special(
        "inverse",
        _kind_of(_views.InverseReturnMode),
        int,
        _views.InverseReturnMode,
    ),
)
"""For `to_json` and `from_json`."""


@dataclass(frozen=True)
class TensorData:
    """A tensor as text."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    device: torch.device
    requires_grad: bool
    content: str
    """The elements in row-major order, in base 64."""

    @staticmethod
    def of(tensor: torch.Tensor) -> TensorData:
        """The data of a tensor; raises where it is more than elements in memory."""
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
            raise NotPlain(f"a {type(tensor).__name__} is not a plain tensor")
        if tensor.layout != torch.strided or tensor.is_quantized:
            raise NotPlain("a tensor is not plain elements in memory")
        rows = tensor.detach().resolve_conj().resolve_neg().cpu().reshape(-1)
        content = rows.contiguous().view(torch.uint8).numpy().tobytes()
        return TensorData(
            tensor.dtype,
            tuple(tensor.shape),
            tuple(tensor.stride()),
            tensor.device,
            tensor.requires_grad,
            base64.b64encode(content).decode(),
        )

    def tensor(self) -> torch.Tensor:
        """The tensor."""
        content = bytearray(base64.b64decode(self.content, validate=True))
        made = torch.empty_strided(
            self.shape, self.stride, dtype=self.dtype, device=self.device
        )
        if content:
            rows = torch.frombuffer(content, dtype=self.dtype)
            made.copy_(rows.reshape(self.shape))
        return made.requires_grad_(self.requires_grad)
