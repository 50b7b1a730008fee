"""The Python text of a library call: a function of torch, views, keywords."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from tilewright.codegen.analysis.libraries.call import CallOperand, LibraryCall

_ADDING = {"mm": "addmm", "bmm": "baddbmm", "mv": "addmv"}
"""The calls that add a tensor to the product."""

Text = tuple[str, list[str], list[tuple[str, str]]]
"""The function, its operands, and its keywords."""


def library_text(
    call: LibraryCall, names: Mapping[SSAValue, str], *, adds_to_output: bool
) -> Text:
    """A call of torch; `names` are the launcher's names of its buffers."""
    out = view_text(call.output, names)
    operands = [view_text(view, names) for view in call.operands]
    keywords = [("out", out)]
    if call.dimension is not None:
        return f"torch.{call.function}", [*operands, str(call.dimension)], keywords
    if call.function == "scaled_mm":
        scales = ["None" if s is None else view_text(s, names) for s in call.scales]
        return "_scaled_mm", [*operands, *scales], keywords
    function = f"torch.{call.function}"
    numbers = [("beta", call.beta), ("alpha", call.alpha)]
    if call.added is not None:
        added = view_text(call.added, names)
    elif adds_to_output:
        added = out
    elif call.alpha != 1.0:
        # torch.mm takes no number. With beta = 0 torch does not read what it adds.
        added, numbers[0] = out, ("beta", 0.0)
    else:
        added = None
    if added is not None:
        function = f"torch.{_ADDING[call.function]}"
        operands = [added, *operands]
    if call.activation is not None:
        function = "torch._addmm_activation"
    keywords = [
        *((name, repr(number)) for name, number in numbers if number != 1.0),
        *keywords,
    ]
    if call.wide:
        return "_wide", [function, *operands], keywords
    return function, operands, keywords


def view_text(view: CallOperand, names: Mapping[SSAValue, str]) -> str:
    """`a`, `a.mT`, `a.flatten(0, 1)`, `a[:, None]`."""
    text = names[view.value]
    in_memory = sorted(group for group in view.dims if group)
    for position in reversed(range(len(in_memory))):
        group = in_memory[position]
        if len(group) > 1:
            text += f".flatten({group[0]}, {group[-1]})"
    if view.swapped:
        text += ".mT"
    if () in view.dims:
        entries = ", ".join(":" if group else "None" for group in view.dims)
        text += f"[{entries}]"
    return text
