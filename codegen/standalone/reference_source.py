"""The torch reference of a payload as a source text by itself."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.standalone.reference.function import torch_reference
from tilewright.codegen.standalone.templates import REFERENCE_HELPERS


def reference_source(payload: ModuleOp, name: str) -> str:
    """The text of the function `name` and its helpers; it needs `torch`.

    Raises `NoReference` where an op has no torch form.
    """
    text = "\n".join(torch_reference(payload, name, {name, *REFERENCE_HELPERS})) + "\n"
    helpers = [lines for name, lines in REFERENCE_HELPERS.items() if f"{name}(" in text]
    return "\n\n".join([*helpers, text])
