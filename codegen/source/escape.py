r"""Text from outside in generated source: what is written there goes through here.

Names of files, functions, values and choices are whatever the author of a payload, a
schedule or a results file chose, line breaks and quotes included. A comment, a
docstring, a string and an identifier each have their own rule that keeps such text from
ending what it stands in.
"""

from __future__ import annotations

import builtins
import keyword
import re

from tilewright.codegen.source.host_helpers import HOST_HELPERS
from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.ir.printable import escaped, printable

_LONGEST_NAME = 48
"""Characters of a name from outside. The function's name is part of a file's name,
which most systems limit to 255 bytes."""
_LONGEST_SUFFIX = 16
"""Characters of what is put behind such a name: `_ptr`, `_tile`."""

_MODULES = ("torch", "triton", "tl", "functools", "base64", "argparse")

_TRITON = (
    *("options", "params", "specialization", "specialize_impl", "backend"),
    *("debug", "instrumentation_mode", "num_warps", "num_stages", "num_ctas"),
    *("maxnreg", "enable_fp_fusion"),
)
"""Names that Triton uses itself where it passes a kernel's arguments on."""


_HELPERS = [*HELPERS.values(), *(helper.text for helper in HOST_HELPERS.values())]

RESERVED = frozenset(
    {
        *keyword.kwlist,
        *dir(builtins),
        *_MODULES,
        *_TRITON,
        "TensorDescriptor",
        "rounded",
        "largest_number",
        "fits",
        *(name for text in _HELPERS for name in re.findall(r"(?m)^def (\w+)", text)),
    }
)
"""Names that mean something in an emitted file, whatever the payload calls its own."""


def comment(text: str) -> str:
    """The text behind a `#`: it stays on its line."""
    return printable(text)


def docstring(text: str) -> str:
    """The text between triple quotes; its line breaks are those of the layout."""
    shown = printable(text, keep="\n").replace("\\", "\\\\")
    shown = shown.replace('"""', '\\"\\"\\"')
    return f'{shown[:-1]}\\"' if shown.endswith('"') else shown


def string(text: str) -> str:
    """A string literal that evaluates to the text."""
    return f'"{string_body(text, braces=True)}"'


def string_body(text: str, *, braces: bool = False) -> str:
    r"""What stands between the quotes of a string literal, with an f or without.

    Braces, which an f-string takes for expressions, become escapes unless kept.
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
    """Letters, digits and underscores alone, and not too many of them.

    ASCII only: Python reads some other letters as ASCII ones, and a kernel's name
    becomes a symbol in PTX, which knows no others.
    """
    cleaned = re.sub(r"\W", "_", text, flags=re.ASCII)[:longest]
    return f"_{cleaned}" if cleaned[:1].isdigit() or not cleaned else cleaned


def identifier(text: str) -> str:
    """A name that the emitted file can use: never a word that is taken."""
    name = plain_name(text, _LONGEST_NAME + _LONGEST_SUFFIX)
    if name.startswith("__"):
        # `__name__`, `__builtins__` and their like mean something to Python.
        name = f"_{name.lstrip('_')}"
    if name == "_":
        name = "unnamed"
    return f"{name}_" if name in RESERVED else name
