"""Helper functions of launchers; a file contains those that its launcher calls."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.ir.element_types import ELEMENT_TYPES


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

_DEVICE_HERE = '''def _device_here():
    """The GPU; a CPU in Triton's interpreter, and where kernels are only compiled."""
    on_gpu = torch.cuda.is_available() and not triton.knobs.runtime.interpret
    return torch.device("cuda" if on_gpu else "cpu")
'''

_COUNTERS = '''def _counters(count, device):
    """Zeros that each launch leaves zero; of their own for each stream."""
    stream = torch.cuda.current_stream(device) if device.type == "cuda" else None
    return _zeros(count, device, stream)


@functools.cache
def _zeros(count, device, stream):
    return torch.zeros(count, dtype=torch.int32, device=device)
'''

_WIDE = '''def _wide(function, *operands, out, **numbers):
    """A product summed into a wider type; on a CPU the operands are widened first."""
    if out.is_cuda:
        function(*operands, out_dtype=out.dtype, out=out, **numbers)
    else:
        function(*(operand.to(out.dtype) for operand in operands), out=out, **numbers)
'''

_PADDED_MM = '''def _padded_mm(left, right, out=None):
    """A product of copies whose rows are whole 16 bytes: cuBLAS is slow on others."""
    pad = torch.nn.functional.pad
    unit = 16 // left.element_size()
    k, n = -left.shape[1] % unit, -right.shape[1] % unit
    if k or left.stride(1) % unit not in (0, 1):
        left = pad(left, (0, k))
    if k or n or right.stride(1) % unit not in (0, 1):
        right = pad(right, (0, n, 0, k))
    made = torch.mm(left, right)[:, : right.shape[1] - n]
    return made.contiguous() if out is None else out.copy_(made)
'''

_ADDMM_GELU = '''def _addmm_gelu(row, left, right, out=None):
    """A product plus a row, then gelu by tanh; torch's call on a CPU has another."""
    if left.is_cuda:
        return torch._addmm_activation(row, left, right, use_gelu=True, out=out)
    made = torch.addmm(row, left, right)
    made = torch.nn.functional.gelu(made, approximate="tanh")
    return made if out is None else out.copy_(made)
'''

_SCALED_MM = '''def _scaled_mm(left, right, rows, columns, out):
    """A product of bytes, scaled; on a CPU in f32. Fast sums are those of `tl.dot`."""
    rows = _one(out.device) if rows is None else rows
    columns = _one(out.device) if columns is None else columns
    if out.is_cuda:
        torch._scaled_mm(
            left,
            right,
            scale_a=rows,
            scale_b=columns,
            out_dtype=out.dtype,
            use_fast_accum=True,
            out=out,
        )
    else:
        out.copy_(left.float() @ right.float() * rows * columns)


@functools.cache
def _one(device):
    return torch.ones((), device=device)
'''

_CONVOLVE = '''def _convolve(image, weight, stride, dilation, out=None):
    """A convolution by cuDNN, f32 without tf32; a CPU's own is widened to f32 first."""
    if not image.is_cuda:
        wide = torch.promote_types(image.dtype, torch.float32)
        image, weight = image.to(wide), weight.to(wide)
        made = torch.conv2d(image, weight, stride=stride, dilation=dilation)
        return made if out is None else out.copy_(made)
    return torch.cudnn_convolution(
        image,
        weight,
        padding=(0, 0),
        stride=stride,
        dilation=dilation,
        groups=1,
        benchmark=torch.backends.cudnn.benchmark,
        deterministic=torch.backends.cudnn.deterministic,
        allow_tf32=False,
        out=out,
    )
'''

_DESCRIPTOR = '''def _descriptor(tensor, block, extents=None):
    """A descriptor of a row-major tensor, or of its first rows and columns.

    Triton checks a shape only once.
    """
    if tensor.data_ptr() % 16:
        raise ValueError("a tensor descriptor needs an address of whole 16 bytes")
    made = TensorDescriptor.__new__(TensorDescriptor)
    fields = _fields(tensor.shape, tensor.dtype, block, extents)
    made.__dict__ = {**fields, "base": tensor}
    return made


@functools.cache
def _fields(shape, dtype, block, extents):
    like = torch.empty(shape, dtype=dtype, device="meta")
    if extents is not None:
        like = like.as_strided(extents, like.stride())
    return vars(TensorDescriptor.from_tensor(like, list(block)))
'''

_GLUON_DESCRIPTOR = '''def _gluon_descriptor(tensor, block, extents=None):
    """A descriptor for Gluon: blocks lie in shared memory as wgmma reads them."""
    if tensor.data_ptr() % 16:
        raise ValueError("a tensor descriptor needs an address of whole 16 bytes")
    made = GluonDescriptor.__new__(GluonDescriptor)
    fields = _gluon_fields(tensor.shape, tensor.dtype, block, extents)
    made.__dict__ = {**fields, "base": tensor}
    return made


@functools.cache
def _gluon_fields(shape, dtype, block, extents):
    like = torch.empty(shape, dtype=dtype, device="meta")
    if extents is not None:
        like = like.as_strided(extents, like.stride())
    name = str(dtype).removeprefix("torch.")
    names = {FP8_NAMES}
    kind = getattr(gl, names.get(name, name))
    layout = gl.NVMMASharedLayout.get_default_for(list(block), kind)
    return vars(GluonDescriptor.from_tensor(like, list(block), layout))
'''.replace(
    "{FP8_NAMES}",
    str({row.torch: row.triton for row in ELEMENT_TYPES if row.is_fp8}).replace(
        "'", '"'
    ),
)

_STREAM = '''def _stream(device, number):
    """The caller's stream, or one beside it; on a CPU there is none."""
    if device.type != "cuda":
        return None
    return _side_stream(device, number) if number else torch.cuda.current_stream(device)


@functools.cache
def _side_stream(device, number):
    return torch.cuda.Stream(device)
'''

_EVENTS = '''def _record(stream):
    """An event after all that a stream has to do."""
    return None if stream is None else stream.record_event()


def _wait(stream, event):
    """Let a stream go on only after an event."""
    if stream is not None:
        stream.wait_event(event)
'''

HOST_HELPERS: dict[str, HostHelper] = {
    "_multiprocessors": HostHelper(_MULTIPROCESSORS, ("functools",)),
    "_device_here": HostHelper(_DEVICE_HERE),
    "_counters": HostHelper(_COUNTERS, ("functools",)),
    "_wide": HostHelper(_WIDE),
    "_padded_mm": HostHelper(_PADDED_MM),
    "_addmm_gelu": HostHelper(_ADDMM_GELU),
    "_scaled_mm": HostHelper(_SCALED_MM, ("functools",)),
    "_convolve": HostHelper(_CONVOLVE),
    "_descriptor": HostHelper(_DESCRIPTOR, ("functools",)),
    "_gluon_descriptor": HostHelper(_GLUON_DESCRIPTOR, ("functools",)),
    "_stream": HostHelper(_STREAM, ("functools",)),
    "_record": HostHelper(_EVENTS),
}
