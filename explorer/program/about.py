"""One sentence about what a step does, taken from the docs of the code that does it."""

from __future__ import annotations

import inspect
import re
import sys

from tilewright.transforms.core.base import TransformOp


def about_op(op: TransformOp) -> str:
    """What a transform op does: `Cut a structured op into tiles that run in parallel.`

    The first line of its module, if it is about this op alone, else of its class.
    """
    name = op.name.rsplit(".", 1)[-1]
    first = _first_line(sys.modules[type(op).__module__].__doc__)
    found = re.fullmatch(r"`(?:\w+\.)*(\w+)`: (.*)", first)
    text = found[2] if found is not None and found[1] == name else ""
    text = text or _first_line(inspect.getdoc(type(op)))
    return text[:1].upper() + text[1:]


def about_pass(name: str) -> str:
    """What a pass of code generation does: the first line of its module."""
    from tilewright.codegen.generate import BUFFER_PASSES, KERNEL_PASSES
    from tilewright.codegen.lower import function

    modules = {one.name: one.run.__module__ for one in (*BUFFER_PASSES, *KERNEL_PASSES)}
    modules["lower"] = function.__name__
    module = sys.modules.get(modules.get(name.removeprefix("codegen."), ""))
    return "" if module is None else _first_line(module.__doc__)


def _first_line(doc: str | None) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join((doc or "").strip().split("\n\n")[0].split())
