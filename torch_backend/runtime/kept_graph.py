"""A compiled graph that is kept for later processes, and how it is read again.

What is kept is the text of the graph's function and the names of what it calls: parts
of torch, and the programs of segments by their keys. The programs themselves are in
`compiling/stored_programs.py`.
"""

from __future__ import annotations

import importlib
import io
import logging
import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch
from torch._functorch._aot_autograd.autograd_cache import BypassAOTAutogradCache
from torch._inductor.output_code import OutputCode
from torch._subclasses.fake_tensor import unset_fake_temporarily

from tilewright.program import find_target
from tilewright.torch_backend.compiling.cached import kept_program, key_of
from tilewright.torch_backend.compiling.parallel import kernels_in_parallel
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.report import RECENT, Report
from tilewright.torch_backend.runtime.graph_function import GraphFunction, GraphSource
from tilewright.torch_backend.runtime.program import CompiledGraph
from tilewright.torch_backend.runtime.runners import call_of, uses_kernels
from tilewright.torch_backend.runtime.segment_call import SegmentCall

_log = logging.getLogger("tilewright.torch")

_MOST_BYTES = 2**20
"""The size of a graph's constants that are kept with it."""


@dataclass(frozen=True)
class _KeptSegment:
    """What is kept of a segment: where its program is."""

    key: str
    name: str
    device: torch.device


class _NotKept(Exception):
    """Why a graph is not kept."""


@dataclass
class KeptGraph(OutputCode):
    """The function of a graph, in the form that torch's cache takes.

    torch pickles a copy after `prepare_for_serialization`, and calls `post_compile`
    when it has read one. An error in either leaves the graph to the compiler.
    """

    report: Report
    options: Options
    function: GraphFunction | None
    """None in a file."""
    content: bytes = b""
    """The source of the function; empty if it is not kept."""
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
            made.content = _written(compiled, options)
        except _NotKept as reason:
            made.why_not = f"{compiled.report.name}: {reason}"
        return made

    def __call__(self, inputs: Any) -> Any:
        """Run the graph; empties the list of inputs. Without a check, for time."""
        return self.function(inputs)  # pyright: ignore[reportOptionalCall]

    def prepare_for_serialization(self) -> None:
        """Drop the function."""
        if not self.content:
            raise BypassAOTAutogradCache(self.why_not)
        self.function = None

    def post_compile(
        self, example_inputs: Any, constants: Any, graph_kwargs: Any
    ) -> None:
        """Make the function of the content."""
        start = time.perf_counter()
        self.function = _read(self.content, self.options).function()
        RECENT.append(self.report)
        _log.info(
            "%s: from the cache in %.2f s",
            self.report.name,
            time.perf_counter() - start,
        )
        _log.info("%s", self.report.text())

    def set_triton_bundle(self, triton_bundle: Any) -> None:
        """Triton keeps its kernels itself."""


def _written(compiled: CompiledGraph, options: Options) -> bytes:
    """The source of a function as bytes."""
    source = compiled.source
    size = 0
    for name, value in source.constants.items():
        if not isinstance(value, torch.Tensor):
            raise _NotKept(f"'{name}' is a graph of its own")
        size += value.nbytes
    if size > _MOST_BYTES:
        raise _NotKept(f"it has {size} bytes of constants")
    file = io.BytesIO()
    pickler = _Pickler(file, compiled.calls, options)
    try:
        with unset_fake_temporarily():
            pickler.dump(source)
    except Exception as error:  # each class has its own way to refuse
        raise _NotKept(f"it cannot be written: {error}") from error
    return file.getvalue()


class _Pickler(pickle.Pickler):
    """Writes names in the place of modules and of the calls of segments."""

    def __init__(
        self, file: io.BytesIO, calls: Sequence[SegmentCall], options: Options
    ):
        super().__init__(file)
        self._segments = {id(call.call): _kept(call, options) for call in calls}

    def persistent_id(self, obj: Any) -> Any:
        """The name of an object that is not written."""
        if isinstance(obj, ModuleType):
            return obj.__name__
        return self._segments.get(id(obj))


def _kept(call: SegmentCall, options: Options) -> _KeptSegment:
    if call.lowered is None or not uses_kernels(call.device, options):
        raise _NotKept(f"{call.name} has no program")
    return _KeptSegment(key_of(call.lowered, options), call.name, call.device)


def _read(content: bytes, options: Options) -> GraphSource:
    """The source of a function, with its kernels; raises if one of them is missing."""
    with kernels_in_parallel() as compiling:
        reader = _Unpickler(io.BytesIO(content))
        source = reader.load()
    card, _ = find_target(options.target)
    for name in reader.segments:
        compiling.check(name, card)
    return source


class _Unpickler(pickle.Unpickler):
    """Finds modules and the programs of segments by their names."""

    def __init__(self, file: io.BytesIO):
        super().__init__(file)
        self.segments: list[str] = []

    def persistent_load(self, pid: Any) -> Any:
        """The object of a name."""
        if not isinstance(pid, _KeptSegment):
            return importlib.import_module(pid)
        program = kept_program(pid.key, pid.name)
        if program is None:
            raise LookupError(f"the program of {pid.name} is not in the cache any more")
        self.segments.append(pid.name)
        return call_of(program, pid.device)
