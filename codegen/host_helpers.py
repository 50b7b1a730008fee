"""Functions that launchers call, written into the file where one does."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HostHelper:
    """A function of the file, and the modules of the standard library it needs."""

    text: str
    imports: tuple[str, ...] = ()


_MULTIPROCESSORS = '''@functools.cache
def _multiprocessors(device):
    """How many a card has; in Triton's interpreter, a few."""
    if device.type != "cuda":
        return 3
    return torch.cuda.get_device_properties(device).multi_processor_count
'''

_COUNTERS = '''def _counters(count, device):
    """Zeros that each launch leaves zero; of their own for each stream."""
    stream = torch.cuda.current_stream(device) if device.type == "cuda" else None
    return _zeros(count, device, stream)


@functools.cache
def _zeros(count, device, stream):
    return torch.zeros(count, dtype=torch.int32, device=device)
'''

_WIDE = '''def _wide(function, *operands, out):
    """A product summed into a wider type; on a CPU the operands are widened first."""
    if out.is_cuda:
        function(*operands, out_dtype=out.dtype, out=out)
    else:
        function(*(operand.to(out.dtype) for operand in operands), out=out)
'''

HOST_HELPERS: dict[str, HostHelper] = {
    "_multiprocessors": HostHelper(_MULTIPROCESSORS, ("functools",)),
    "_counters": HostHelper(_COUNTERS, ("functools",)),
    "_wide": HostHelper(_WIDE),
}
