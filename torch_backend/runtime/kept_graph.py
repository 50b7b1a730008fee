"""A compiled graph that is kept for later processes, and how it is read again.

What is kept is the text of the graph's function and the names of what it calls: parts
of torch, and the programs of segments by their keys. The programs themselves are in
`compiling/stored_programs.py`. All of it is data; the text is code, so whoever reads it
must know that nobody else can have written it (`codegen/runtime/private_files.py`).
"""

from __future__ import annotations

import importlib
import logging
import time
from dataclasses import dataclass
from types import ModuleType, NoneType
from typing import Any

import torch
from torch._functorch._aot_autograd.autograd_cache import BypassAOTAutogradCache
from torch._inductor.output_code import OutputCode
from torch._subclasses.fake_tensor import unset_fake_temporarily

from tilewright.codegen.runtime.lean.orders import Orders
from tilewright.program import find_target
from tilewright.torch_backend.compiling.cached import kept_program, key_of
from tilewright.torch_backend.compiling.parallel import kernels_in_parallel
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.report import RECENT, Report
from tilewright.torch_backend.runtime.fake_calls import EmptyResults
from tilewright.torch_backend.runtime.graph_function import GraphFunction, GraphSource
from tilewright.torch_backend.runtime.program import CompiledGraph
from tilewright.torch_backend.runtime.runners import (
    call_of,
    orders_of,
    uses_kernels,
)
from tilewright.torch_backend.runtime.segment_call import SegmentCall
from tilewright.torch_backend.runtime.torch_data import TensorData

_log = logging.getLogger("tilewright.torch")

_MOST_BYTES = 2**20
"""The size of a graph's constants that are kept with it."""


@dataclass(frozen=True)
class KeptSegment:
    """What is kept of a segment: where its program is, and what it is called with."""

    key: str
    name: str
    device: torch.device
    orders: Orders


@dataclass(frozen=True)
class KeptName:
    """What is kept of a module, a function or a class: where it is."""

    module: str
    name: str = ""
    """The name in the module; empty for the module itself."""

    def found(self) -> Any:
        """What has the name."""
        module = importlib.import_module(self.module)
        return getattr(module, self.name) if self.name else module


@dataclass(frozen=True)
class KeptSource:
    """A `GraphSource` as data."""

    text: str
    scope: dict[str, KeptSegment | KeptName | float]
    constants: dict[str, TensorData]
    device_index: int | None
    empty: dict[str, EmptyResults]


class _NotKept(Exception):
    """Why a graph is not kept."""


@dataclass
class KeptGraph(OutputCode):
    """The function of a graph, in the form that torch's cache takes.

    A copy is written after `prepare_for_serialization` (`graph_cache.py`), and torch
    calls `post_compile` when one was read.
    """

    report: Report
    options: Options
    function: GraphFunction | None
    """None in a file."""
    source: KeptSource | None = None
    """The source of the function; None if it is not kept."""
    why_not: str = ""

    _boxed_call: bool = True
    """torch looks for it in the object itself."""

    @staticmethod
    def of(compiled: CompiledGraph, options: Options, *, is_kept: bool) -> KeptGraph:
        """The function of a graph that was compiled."""
        made = KeptGraph(compiled.report, options, compiled.function)
        try:
            if not is_kept:
                raise _NotKept("it is not of inference")
            made.source = _written(compiled, options)
        except _NotKept as reason:
            made.why_not = f"{compiled.report.name}: {reason}"
        return made

    def __call__(self, inputs: Any) -> Any:
        """Run the graph; empties the list of inputs. Without a check, for time."""
        return self.function(inputs)  # pyright: ignore[reportOptionalCall]

    def prepare_for_serialization(self) -> None:
        """Drop the function."""
        if self.source is None:
            raise BypassAOTAutogradCache(self.why_not)
        self.function = None

    def restore(self) -> None:
        """Make the function of the source; raises if a program of it is missing."""
        start = time.perf_counter()
        assert self.source is not None
        self.function = _read(self.source, self.options).function()
        _log.info(
            "%s: from the cache in %.2f s",
            self.report.name,
            time.perf_counter() - start,
        )

    def post_compile(
        self, example_inputs: Any, constants: Any, graph_kwargs: Any
    ) -> None:
        """Report the graph."""
        RECENT.append(self.report)
        _log.info("%s", self.report.text())

    def set_triton_bundle(self, triton_bundle: Any) -> None:
        """Triton keeps its kernels itself."""


def _written(compiled: CompiledGraph, options: Options) -> KeptSource:
    """The source of a function as data."""
    source = compiled.source
    size = 0
    for name, value in source.constants.items():
        if not isinstance(value, torch.Tensor):
            raise _NotKept(f"'{name}' is a graph of its own")
        size += value.nbytes
    if size > _MOST_BYTES:
        raise _NotKept(f"it has {size} bytes of constants")
    segments = {id(call.call): _kept(call, options) for call in compiled.calls}
    try:
        with unset_fake_temporarily():
            constants = {n: TensorData.of(v) for n, v in source.constants.items()}
    except Exception as error:  # each class has its own way to refuse
        raise _NotKept(f"it cannot be written: {error}") from error
    scope = {
        name: segments.get(id(value)) or _named(name, value)
        for name, value in source.scope.items()
    }
    return KeptSource(source.text, scope, constants, source.device_index, source.empty)


def _kept(call: SegmentCall, options: Options) -> KeptSegment:
    if call.lowered is None or not uses_kernels(call.device, options):
        raise _NotKept(f"{call.name} has no program")
    key, orders = key_of(call.lowered, options), orders_of(call.lowered)
    return KeptSegment(key, call.name, call.device, orders)


def _named(name: str, value: Any) -> KeptName | float:
    """A value of a function's scope by its name."""
    if isinstance(value, float):
        return value
    if isinstance(value, ModuleType):
        return KeptName(value.__name__)
    if value is NoneType:
        return KeptName("types", "NoneType")
    module, own = getattr(value, "__module__", None), getattr(value, "__name__", "")
    if module and own:
        kept = KeptName(module, own)
        try:
            if kept.found() is value:
                return kept
        except (ImportError, AttributeError):
            pass
    raise _NotKept(f"'{name}' is not found by its name")


def _read(kept: KeptSource, options: Options) -> GraphSource:
    """The source of a function, with its kernels; raises if one of them is missing."""
    names: list[str] = []

    def found(value: KeptSegment | KeptName | float) -> Any:
        if isinstance(value, KeptName):
            return value.found()
        if not isinstance(value, KeptSegment):
            return value
        program = kept_program(value.key, value.name)
        if program is None:
            raise LookupError(f"the program of {value.name} is not in the cache")
        names.append(value.name)
        return call_of(program, value.device, value.orders)

    with kernels_in_parallel() as compiling:
        scope = {name: found(value) for name, value in kept.scope.items()}
        with unset_fake_temporarily():
            constants = {n: one.tensor() for n, one in kept.constants.items()}
    gpu, _ = find_target(options.target)
    for name in names:
        compiling.check(name, gpu)
    return GraphSource(kept.text, scope, constants, kept.device_index, kept.empty)
