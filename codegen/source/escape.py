r"""Escape untrusted text for comments, docstrings, strings and identifiers of source.

The authors of payloads, schedules and results files choose names of files, functions,
values and choices, which may contain line breaks and quotes. Each function here has a
rule that keeps such text from ending the comment, string or name that it is part of.
"""

from __future__ import annotations

import builtins
import keyword
import re

from tilewright.codegen.source.host_helpers import HOST_HELPERS
from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.ir.printable import escaped, printable

_LONGEST_NAME = 48
"""The greatest length of an untrusted name. The function's name is part of a file's
name, which most systems limit to 255 bytes."""
_LONGEST_SUFFIX = 16
"""The greatest length of a suffix of such a name: `_ptr`, `_tile`."""

_MODULES = ("torch", "triton", "tl", "functools", "base64", "argparse")

_TRITON = (
    *("options", "params", "specialization", "specialize_impl", "backend"),
    *("debug", "instrumentation_mode", "num_warps", "num_stages", "num_ctas"),
    *("maxnreg", "enable_fp_fusion"),
)
"""Names that Triton's own launch code uses beside a kernel's arguments."""


_HELPERS = [*HELPERS.values(), *(helper.text for helper in HOST_HELPERS.values())]

RESERVED = frozenset(
    {
        *keyword.kwlist,
        *dir(builtins),
        *_MODULES,
        *_TRITON,
        "TensorDescriptor",
        *("gl", "gluon", "GluonDescriptor", "mbarrier", "tma", "fence_async_shared"),
        *("warpgroup_mma", "warpgroup_mma_wait", "_sync", "_pin"),
        "rounded",
        "largest_number",
        "nearest_integer",
        "fits",
        *(f"_gluon{name}" for name in HELPERS),
        *(name for text in _HELPERS for name in re.findall(r"(?m)^def (\w+)", text)),
    }
)
"""Names with a meaning in an emitted file, which the payload's names must not take."""


def comment(text: str) -> str:
    """The text after a `#`, on a single line."""
    return printable(text)


def docstring(text: str) -> str:
    """The text between triple quotes; it keeps the line breaks of the layout."""
    shown = printable(text, keep="\n").replace("\\", "\\\\")
    shown = shown.replace('"""', '\\"\\"\\"')
    return f'{shown[:-1]}\\"' if shown.endswith('"') else shown


def string(text: str) -> str:
    """A string literal that evaluates to the text."""
    return f'"{string_body(text, braces=True)}"'


def string_body(text: str, *, braces: bool = False) -> str:
    r"""The text between the quotes of a string literal or an f-string.

    Braces, which begin expressions in an f-string, become escapes unless kept.
    """
    special = '"\\' if braces else '"\\{}'
    return "".join(
        char
        if char.isprintable() and char not in special
        else f"\\{char}"
        if char in '"\\'
        else f"\\x{ord(char):02x}"
        if char in "{}"
        else escaped(char)
        for char in text
    )


def plain_name(text: str, longest: int = _LONGEST_NAME) -> str:
    """The ASCII letters, digits and underscores of a text, up to a length.

    Python treats some other letters as equal to ASCII letters, and the name of a kernel
    becomes a symbol in PTX, which allows only ASCII.
    """
    cleaned = re.sub(r"\W", "_", text, flags=re.ASCII)[:longest]
    return f"_{cleaned}" if cleaned[:1].isdigit() or not cleaned else cleaned


def identifier(text: str) -> str:
    """A name that the emitted file can use: neither a keyword nor a reserved name."""
    name = plain_name(text, _LONGEST_NAME + _LONGEST_SUFFIX)
    if name.startswith("__"):
        # `__name__`, `__builtins__` and the like have a meaning in Python.
        name = f"_{name.lstrip('_')}"
    if name == "_":
        name = "unnamed"
    return f"{name}_" if name in RESERVED else name
