"""One call of a kernel: its arguments by name, and what kind each is.

Tensors travel to the workers as files. Numbers are written into the program, since
Triton specializes kernels on them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tilewright.codegen.program import TensorSpec
from tilewright.ir.dtypes import element
from tilewright.ir.element_types import TENSOR_TYPES
from tilewright.tuning.own_kernels.errors import ArgumentError
from tilewright.tuning.own_kernels.kernel_source import KernelSource, literal

if TYPE_CHECKING:
    import numpy as np
    import torch

LAUNCH_OPTIONS = (
    "num_warps",
    "num_stages",
    "num_ctas",
    "maxnreg",
    "enable_fp_fusion",
    "waves_per_eu",
    "matrix_instr_nonkdim",
    "kpack",
)
"""Values of a configuration that Triton takes, not the kernel."""

_NAMES = {f"torch.{row.torch}": row.name for row in TENSOR_TYPES}
_BY_WIDTH = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}


@dataclass(frozen=True)
class TensorArgument:
    """A tensor that a kernel gets, as a program declares it."""

    name: str
    tensor: torch.Tensor
    is_written: bool
    is_read: bool
    """Whether the kernel reads what it had before."""
    same_as: str | None = None
    """An earlier argument that is the same tensor."""

    @property
    def torch_type(self) -> str:
        """`torch.bfloat16`."""
        return str(self.tensor.dtype)

    @property
    def dtype(self) -> str:
        """The element type, or the integer of its width that carries its bits."""
        return _NAMES.get(self.torch_type) or _BY_WIDTH[self.tensor.element_size()]

    @property
    def is_carried(self) -> bool:
        """Whether programs pass it as integers of the same width."""
        return self.torch_type not in _NAMES

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return tuple(self.tensor.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        """Elements between neighbours along each dimension."""
        return tuple(self.tensor.stride())

    @property
    def is_contiguous(self) -> bool:
        """Whether its elements lie one after another, in order."""
        return self.tensor.is_contiguous()

    @property
    def spec(self) -> TensorSpec:
        """How a program declares it; without order, as the memory that it spans."""
        shape = self.shape if self.is_contiguous else (self._span,)
        return TensorSpec(self.name, shape, self.dtype)

    @property
    def result_spec(self) -> TensorSpec:
        """How a program declares it as a result."""
        return TensorSpec(self.name, self.shape, self.dtype)

    @property
    def _span(self) -> int:
        if 0 in self.shape:
            return 0
        pairs = zip(self.shape, self.strides, strict=True)
        return 1 + sum((size - 1) * stride for size, stride in pairs)

    def array(self) -> np.ndarray:
        """Its elements, or their bits where numpy lacks the type."""
        import torch

        flat = self.tensor.detach()
        if not self.is_contiguous:
            flat = flat.as_strided((self._span,), (1,))
        bits = element(self.dtype).carrier
        if self.is_carried:
            bits = f"int{8 * self.tensor.element_size()}"
        plain = flat if bits is None else flat.view(getattr(torch, bits))
        return plain.cpu().numpy()

    def expected(self, value: Any) -> np.ndarray:
        """What a reference gives for it, as the check reads it."""
        import torch

        tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(value)
        if tuple(tensor.shape) != self.shape:
            raise ArgumentError(
                f"the reference of '{self.name}' has the shape {tuple(tensor.shape)}, "
                f"the kernel writes {self.shape}",
                remedy="return a tensor of the shape of the argument",
            )
        tensor = tensor.detach().cpu()
        if self.is_carried:
            width = getattr(torch, f"int{8 * self.tensor.element_size()}")
            return tensor.to(self.tensor.dtype).contiguous().view(width).numpy()
        if self.tensor.is_floating_point():
            wide = torch.float64 if self.dtype == "f64" else torch.float32
            return tensor.to(wide).contiguous().numpy()
        return tensor.to(self.tensor.dtype).contiguous().numpy()


@dataclass(frozen=True)
class KernelCall:
    """The arguments of one call, without the values of a configuration."""

    source: KernelSource
    values: Mapping[str, Any]
    """Every given argument by name, in the order of the parameters."""
    tensors: tuple[TensorArgument, ...]
    options: Mapping[str, Any]
    """Launch options that are not searched."""

    @cached_property
    def outputs(self) -> tuple[TensorArgument, ...]:
        """The tensors that the kernel writes, each once."""
        return tuple(t for t in self.tensors if t.is_written and t.same_as is None)

    @cached_property
    def inputs(self) -> tuple[TensorArgument, ...]:
        """The tensors that a program gets: those whose contents count.

        If there are none, an output says on which device to work.
        """
        own = [t for t in self.tensors if t.same_as is None]
        return tuple(t for t in own if t.is_read) or self.outputs[:1]

    @property
    def device(self) -> torch.device:
        """Where the tensors are."""
        return self.tensors[0].tensor.device

    def describe(self, names: Sequence[str] | None) -> dict[str, str]:
        """The values that results depend on, in words.

        `names` are the arguments of the key; without them these are all shapes and all
        numbers but floats. The element types always count.
        """
        found: dict[str, str] = {}
        tensors = {tensor.name: tensor for tensor in self.tensors}
        for name, value in self.values.items():
            by_default = not isinstance(value, float)
            counts = by_default if names is None else name in names
            if name in tensors:
                found[name] = _tensor_text(tensors[name], with_shape=counts)
            elif counts:
                found[name] = str(value)
        return found

    def extents(self, names: Sequence[str] | None) -> tuple[int, ...]:
        """The sizes among the values that results depend on."""
        found: list[int] = []
        for name, value in self.values.items():
            if names is not None and name not in names:
                continue
            tensor = next((t for t in self.tensors if t.name == name), None)
            if tensor is not None:
                found += tensor.shape
            elif isinstance(value, int) and not isinstance(value, bool) and value > 0:
                found.append(value)
        return tuple(found)


def _tensor_text(tensor: TensorArgument, *, with_shape: bool) -> str:
    """`bfloat16[64, 32]`, with its strides where they are not the usual ones."""
    kind = tensor.torch_type.removeprefix("torch.")
    shape = list(tensor.shape) if with_shape else ""
    order = "" if tensor.is_contiguous else f" by {list(tensor.strides)}"
    return f"{kind}{shape}{order}"


def bind_call(
    source: KernelSource,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    searched: Iterable[str],
    outputs: Sequence[str] | None = None,
) -> KernelCall:
    """Match the arguments of a call with a kernel's parameters."""
    values = _named(source, args, kwargs)
    searched = tuple(searched)
    for name in searched:
        if name in values or name in kwargs:
            raise _refused(
                source,
                f"'{name}' is searched and also given",
                "leave it out of the arguments, or out of the space",
            )
    for name in source.parameters:
        if name in values or name in searched:
            continue
        if name not in source.defaults:
            raise _refused(
                source, f"'{name}' has no value", "pass it, or add it to the space"
            )
        values[name] = source.defaults[name]
    ordered = {name: values[name] for name in source.parameters if name in values}
    options = {name: kwargs[name] for name in LAUNCH_OPTIONS if name in kwargs}
    tensors = _tensors(source, ordered, outputs)
    for name, value in ordered.items():
        if all(t.name != name for t in tensors) and literal(value) is None:
            raise _refused(
                source,
                f"the argument '{name}' is {type(value).__name__}, which is no tensor "
                "and no number",
                "make descriptors in the kernel, with tl.make_tensor_descriptor",
            )
    return KernelCall(source, ordered, tensors, options)


def known_names(source: KernelSource) -> tuple[str, ...]:
    """The names that a configuration may have."""
    return (*source.parameters, *LAUNCH_OPTIONS)


def nearest(name: str, known: Iterable[str]) -> str:
    """`did you mean 'BLOCK'? ` or nothing."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean '{near[0]}'? " if near else ""


def _named(
    source: KernelSource, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    if len(args) > len(source.parameters):
        raise _refused(
            source,
            f"{len(args)} arguments are given, it has {len(source.parameters)}",
            "leave the searched values to the tuner",
        )
    values = dict(zip(source.parameters, args, strict=False))
    for name, value in kwargs.items():
        if name in values:
            raise _refused(source, f"'{name}' is given twice", "pass it once")
        if name in source.parameters:
            values[name] = value
        elif name not in LAUNCH_OPTIONS:
            guess = nearest(name, known_names(source))
            raise _refused(
                source,
                f"it has no argument '{name}'",
                f"{guess}it has {', '.join(source.parameters)}",
            )
    return values


def _tensors(
    source: KernelSource, values: Mapping[str, Any], outputs: Sequence[str] | None
) -> tuple[TensorArgument, ...]:
    import torch

    given = {n: v for n, v in values.items() if isinstance(v, torch.Tensor)}
    uses = source.uses
    written = set(uses.written if outputs is None else outputs)
    for name in sorted(written - given.keys() if outputs is not None else ()):
        raise _refused(
            source,
            f"outputs names '{name}', which is not a tensor of this call",
            f"{nearest(name, given)}the tensors are {', '.join(given) or 'none'}",
        )
    if not written & given.keys():
        raise _refused(
            source,
            "its source does not show which tensors it writes",
            "name them: outputs=['out']",
        )
    first: dict[tuple[Any, ...], str] = {}
    found: list[TensorArgument] = []
    for name, tensor in given.items():
        place = (tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride()))
        same = first.setdefault(place, name) if tensor.numel() else name
        group = [n for n, t in given.items() if _is_same(t, tensor)]
        is_written = any(n in written for n in group)
        is_read = any(n in uses.read or n not in written for n in group)
        alias = None if same == name else same
        found.append(TensorArgument(name, tensor, is_written, is_read, alias))
    if len({str(t.tensor.device) for t in found}) > 1:
        where = ", ".join(f"{t.name} on {t.tensor.device}" for t in found)
        raise _refused(
            source, f"its tensors are on several devices: {where}", "move them"
        )
    return tuple(found)


def _is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one is other or (
        one.numel() > 0
        and one.data_ptr() == other.data_ptr()
        and one.shape == other.shape
        and one.stride() == other.stride()
    )


def _refused(source: KernelSource, fact: str, remedy: str) -> ArgumentError:
    return ArgumentError(f"kernel '{source.name}': {fact}", source.place, remedy)
