"""Asks torch's AOTAutograd cache to keep compiled graphs for later processes.

A hit saves tracing the graph that Dynamo captured, rewriting it, lowering it and
looking its kernels up. torch says what an entry is, and wraps the functions. The key is
our own: torch's depends on Inductor, which takes seconds to load. So are the files, in
the user's cache folder: torch's are pickles, and ours are data.

Graphs of inference with known sizes are kept, whose kernels are planned without a
trial. A tool that watches the compiler, and a log of its details, need it to run.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import logging
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import RLock, get_ident
from typing import Any

import torch
import torch._functorch._aot_autograd.autograd_cache as torch_cache
import torch._functorch.config as functorch_config
from torch._functorch._aot_autograd.aot_autograd_result import BundledAOTAutogradResult
from torch._subclasses.fake_tensor import extract_tensor_metadata
from torch.fx import GraphModule, Node

from tilewright.codegen.runtime.launch_ranges import is_active
from tilewright.codegen.runtime.source_cache import (
    hashed,
    private_directory,
    read_entry,
    unhashed,
    write_bytes,
)
from tilewright.program import find_target
from tilewright.torch_backend.compiling.keys import graph_key
from tilewright.torch_backend.compiling.plain_data import (
    DamagedData,
    from_json,
    to_json,
)
from tilewright.torch_backend.logs import logs_details
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.replaced_ops import (
    NAMESPACES,
    has_replaced_ops,
    is_found_by_name,
)
from tilewright.torch_backend.runtime.kept_graph import KeptGraph, KeptSource
from tilewright.torch_backend.runtime.runners import uses_kernels
from tilewright.torch_backend.runtime.torch_data import SPECIALS
from tilewright.torch_backend.watching import is_watched

_log = logging.getLogger("tilewright.torch")


_MODULES = ("torch", "_operator", "operator", "math", "builtins", "")
"""Where the functions are that do the same in the next process; builtin ones have no
module. A user's function or op may have changed."""


_lock = RLock()
"""Of the thread whose graph is kept: it replaces functions of torch meanwhile."""

_HOW = {
    "bundled_autograd_cache": True,  # instead of a key to a graph of Inductor's
    "strict_autograd_cache": False,  # a graph that is not kept is no error
    "enable_remote_autograd_cache": False,
}
"""Settings of AOTAutograd while a graph is looked up and kept."""


def is_kept(graph: GraphModule, inputs: Sequence[Any], options: Options) -> bool:
    """Whether a captured graph is looked up, and kept after it is compiled."""
    if options.tunes or options.mode == "reduce-overhead" or _folder() is None:
        return False
    if options.check_indices or is_watched() or is_active() or logs_details():
        return False
    if not all(map(_is_plain, inputs)) or _share_memory(inputs):
        return False
    if not any(uses_kernels(one.device, options) for one in inputs):
        return False
    return all(map(_says_all, graph.graph.nodes)) and not has_replaced_ops()


def _says_all(node: Node) -> bool:
    """Whether the text of a node says all that it does; constants have values too."""
    if node.op != "call_function":
        return node.op in ("placeholder", "call_method", "output")
    if isinstance(node.target, torch._ops.OpOverload | torch._ops.OpOverloadPacket):
        return str(node.target).split(".")[0] in NAMESPACES
    module = getattr(node.target, "__module__", None) or ""
    return module.split(".")[0] in _MODULES and is_found_by_name(node.target)


def _is_plain(given: Any) -> bool:
    """Whether an input is a tensor of known sizes that needs no gradient.

    Symbolic sizes are inputs of their own.
    """
    if type(given) not in (torch.Tensor, torch.nn.Parameter):
        return False
    if given.layout != torch.strided:
        return False
    return not (torch.is_grad_enabled() and given.requires_grad)


def _share_memory(tensors: Iterable[torch.Tensor]) -> bool:
    """Whether some tensors are parts of others, which torch compiles differently."""
    known = [one.untyped_storage().data_ptr() for one in tensors if one.numel()]
    return len(set(known)) < len(known)


@contextmanager
def keeping(options: Options) -> Generator[None]:
    """Let torch look a graph up, and keep it, while it compiles."""
    _, gpu = find_target(options.target)
    chosen = graph_key(gpu, options)
    folder, thread = _folder(), get_ident()
    assert folder is not None
    cache, torchs = torch_cache.AOTAutogradCache, torch_cache.autograd_cache_key
    torchs_lookup, torchs_save = cache._lookup, cache.save

    def is_ours() -> bool:
        return get_ident() == thread  # else it is a graph of another compiler

    def key(graph: Any, inputs: Sequence[Any], config: Any, *rest: Any) -> Any:
        if not is_ours():
            return torchs(graph, inputs, config, *rest)
        torch_cache.check_cacheable(graph)  # raises where a text does not say all
        return _key(graph, inputs, config, chosen), []

    def lookup(key: str, *rest: Any) -> Any:
        if not is_ours():
            return torchs_lookup(key, *rest)
        found = _load(folder / key)
        # torch unpickles the second, if it is asked to write the function again.
        return None if found is None else (found, b"")

    def save(key: str, entry: Any, remote: bool) -> None:
        if is_ours():
            _save(folder / key, entry)
        else:
            torchs_save(key, entry, remote)

    with _lock, ExitStack() as stack:
        stack.enter_context(functorch_config.patch(_HOW))
        _replace(stack, torch_cache, "autograd_cache_key", key)
        _replace(stack, cache, "_lookup", staticmethod(lookup))
        _replace(stack, cache, "save", staticmethod(save))
        yield


def _replace(stack: ExitStack, owner: Any, name: str, by: Any) -> None:
    """Replace a function of torch, or a static method, until the stack is left."""
    stack.callback(setattr, owner, name, vars(owner)[name])
    setattr(owner, name, by)


def _load(path: Path) -> Any | None:
    """The entry of a file, with its function; None if there is none that works."""
    content = read_entry(path)
    if content is None:
        return None
    try:
        entry = from_json(unhashed(content), SPECIALS)
        kept = _kept_graph(entry)
        if entry.guards_expr or not isinstance(kept.source, KeptSource):
            raise DamagedData("it is another graph")
    except (ValueError, AttributeError) as error:
        _log.warning("%s is damaged (%s); its graph is compiled again", path, error)
        return None
    try:
        kept.restore()
    except Exception as error:  # a program is missing, or has a kernel that is refused
        _log.info("%s: compiled again: %r", path, error)
        return None
    return entry


def _save(path: Path, entry: Any) -> None:
    """Keep an entry; where that fails, the next process compiles its graph again."""
    try:
        entry.pre_save()
        written = copy.copy(entry)
        written.sanitized_aot_config = None  # torch gives its own to the function
        if _kept_graph(written).source is None or entry.guards_expr:
            return
        write_bytes(path, hashed(to_json(written, SPECIALS).encode()))
    except Exception as error:
        _log.info("a graph is not kept: %s", error)


def _kept_graph(entry: Any) -> KeptGraph:
    """The compiled graph in an entry of torch's."""
    if not isinstance(entry, BundledAOTAutogradResult):
        raise DamagedData(f"it holds a {type(entry).__name__}")
    kept = entry.compiled_fw.result
    if not isinstance(kept, KeptGraph):
        raise DamagedData(f"it holds a graph of {type(kept).__name__}")
    return kept


def _key(graph: GraphModule, inputs: Sequence[Any], config: Any, chosen: str) -> str:
    """A hash of all that the compiled function of a graph depends on."""
    parts = (
        graph.graph.python_code("self").src,
        [extract_tensor_metadata(one) for one in inputs],
        config.num_params_buffers,
        config.aot_autograd_arg_pos_to_source,
        config.static_input_indices,
        _settings(),
        chosen,
    )
    return hashlib.sha256("\0".join(map(repr, parts)).encode()).hexdigest()


def _settings() -> tuple[Any, ...]:
    """What a user can set in torch that changes how a graph is traced."""
    backends, cuda = torch.backends, torch.backends.cuda
    autocast = [
        (device, torch.is_autocast_enabled(device), torch.get_autocast_dtype(device))
        for device in ("cpu", "cuda")
    ]
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        autocast,
        torch.is_autocast_cache_enabled(),
        torch.get_deterministic_debug_mode(),
        torch.get_default_dtype(),
        torch.get_default_device(),
        cuda.flash_sdp_enabled(),
        cuda.mem_efficient_sdp_enabled(),
        cuda.math_sdp_enabled(),
        cuda.cudnn_sdp_enabled(),
        cuda.fp16_bf16_reduction_math_sdp_allowed(),
        torch._C._get_sdp_priority_order(),
        backends.cudnn.enabled,
        backends.mkldnn.enabled,
        (backends.opt_einsum.enabled, backends.opt_einsum.strategy),
        torch.cuda.current_device() if torch.cuda.is_initialized() else None,
        functorch_config.save_config(),
    )


@functools.cache
def _folder() -> Path | None:
    return private_directory("graphs", 64 * 2**20)
