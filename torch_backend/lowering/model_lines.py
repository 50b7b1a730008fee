"""The line of the user's model that a node of a graph comes from."""

from __future__ import annotations

import linecache
import re
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.fx import Node

from tilewright.ir.errors import Place

_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_ROOT = re.compile(r"^\w+\[(['\"]).*?\1\]")
"""What Dynamo calls the model itself: `L['self']`."""
_TORCH = str(Path(torch.__file__).parent)
_HERE = str(Path(__file__).parents[1])


def model_place(node: Node) -> Place | None:
    """The innermost line outside of torch in the trace that torch kept."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    return place_in_model([(file, int(line)) for file, line in frames])


def model_module(node: Node) -> str | None:
    """The path of the module that a node belongs to: `layers.0.norm`.

    A node of a backward graph belongs to the module that it computes gradients of.
    """
    stack = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack")
    if not stack:
        return None
    path = str(list(stack.values())[-1][0])
    return _ROOT.sub("", path).strip(".") or None


def place_in_model(stack: Sequence[tuple[str, int]]) -> Place | None:
    """The innermost line outside of torch in a stack of files and lines.

    A line of torch stands in for a model that is made of torch's modules alone.
    """
    frames = [frame for frame in stack if not frame[0].startswith(_HERE)]
    own = [frame for frame in frames if not frame[0].startswith(_TORCH)]
    if not frames:
        return None
    file, line = (own or frames)[-1]
    text = linecache.getline(file, line).rstrip("\n")
    column = len(text) - len(text.lstrip()) + 1
    return Place(file, line, column, text or None)
