"""Gluon's names: the only place that knows how versions differ.

Gluon is experimental, and its names change. Files import what `GLUON_IMPORTS` lists
and call `_sync`, which two versions name differently, and `_pin`. Arithmetic on tiles
is written as for Triton; `in_gluon` turns `tl.exp2` into `gl.exp2`, and refuses what
Gluon lacks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import metadata

from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Name,
    Suffix,
    Unary,
)
from tilewright.ir.element_types import TENSOR_TYPES

VERSIONS = ("3.6", "3.7")
"""The versions of Triton that these names were compiled with."""

GLUON_IMPORTS = (
    "from triton.experimental import gluon",
    "from triton.experimental.gluon import language as gl",
    "from triton.experimental.gluon.language.nvidia.hopper import (",
    "    fence_async_shared,",
    "    mbarrier,",
    "    tma,",
    "    warpgroup_mma,",
    "    warpgroup_mma_wait,",
    ")",
    "from triton.experimental.gluon.nvidia.hopper import (",
    "    TensorDescriptor as GluonDescriptor,",
    ")",
)

SYNC = """# Triton 3.6 calls the barrier of a partition's warps `thread_barrier`.
_sync = gl.barrier if hasattr(gl, "barrier") else gl.thread_barrier
"""

PIN = '''
@gluon.jit
def _pin(x):
    """x. What it depends on is computed here: no program has the number -1."""
    return gl.inline_asm_elementwise(
        "{ .reg .pred p; .reg .b32 n; mov.u32 n, %ctaid.x; setp.eq.b32 p, n, -1; "
        "@p st.shared.b32 [n], $1; mov.b32 $0, $1; }",
        "=r,r",
        [x],
        dtype=gl.float32,
        is_pure=False,
        pack=1,
    )
'''

_FUNCTIONS = frozenset(
    {
        *("program_id", "num_programs", "arange", "full", "zeros", "where", "cast"),
        *("load", "store", "sum", "max", "min", "maximum", "minimum"),
        *("exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "erf", "abs"),
        *("fma", "floor", "ceil", "cdiv", "range", "reduce"),
    }
)
"""Functions of `tl` that `gl` has with the same arguments."""

_OF_TRITON = "tl.PropagateNan"
"""An argument that Gluon takes from Triton's module: it has none of its own."""

_TYPES = frozenset(row.triton for row in TENSOR_TYPES)


_PREFIX = "_gluon"
"""Before the name of a helper function that is written in Gluon."""


class NotInGluonError(Exception):
    """A function of Triton that Gluon lacks."""


def why_not_here() -> str | None:
    """Why Gluon is not written here: another version of Triton is installed."""
    try:
        version = metadata.version("triton")
    except metadata.PackageNotFoundError:
        return None  # The file runs elsewhere.
    if version.startswith(VERSIONS):
        return None
    return f"Triton {version} is installed, Gluon of {' and '.join(VERSIONS)} is known"


def helper_in_gluon(name: str) -> str | None:
    """The text of a helper function, as `_gluon_tanh`; None if Gluon lacks a part."""
    text = HELPERS[name.removeprefix(_PREFIX)]
    used = set(re.findall(r"tl\.(\w+)", text.replace(_OF_TRITON, "")))
    if not used <= _FUNCTIONS | _TYPES:
        return None
    text = text.replace("@triton.jit", "@gluon.jit").replace("tl.", "gl.")
    text = text.replace(_OF_TRITON.replace("tl.", "gl."), _OF_TRITON)
    for called in HELPERS:
        text = re.sub(rf"(?<![\w.]){called}\(", f"{_PREFIX}{called}(", text)
    return text


def in_gluon(value: Expression) -> Expression:
    """An expression of Triton's language in Gluon's."""
    match value:
        case Name() | Literal():
            return replace(value, text=_word(value.text))
        case Call():
            return Call(
                "range" if value.function == "tl.range" else _word(value.function),
                tuple(map(in_gluon, value.arguments)),
                tuple((name, in_gluon(one)) for name, one in value.keywords),
            )
        case Suffix():
            text = value.text.replace("tl.", "gl.")
            return Suffix(in_gluon(value.value), text)
        case Binary():
            return replace(
                value, left=in_gluon(value.left), right=in_gluon(value.right)
            )
        case Unary():
            return replace(value, value=in_gluon(value.value))
        case Group():
            return replace(value, values=tuple(map(in_gluon, value.values)))
        case _:
            return value


def _word(text: str) -> str:
    module, _, name = text.partition(".")
    if text in HELPERS:
        return f"{_PREFIX}{text}"
    if module != "tl" or text.startswith(_OF_TRITON):
        return text
    if name not in _FUNCTIONS | _TYPES:
        raise NotInGluonError(name)
    return f"gl.{name}"
