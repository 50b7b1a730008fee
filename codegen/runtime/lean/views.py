"""Views in a launcher: what a name is a view of, and each view as one call of torch.

A launcher reshapes buffers between kernels, cuts temporaries out of shared memory and
hands transposed or sliced tensors to libraries. A kernel needs an address alone, which
is that of the memory's first tensor; a library needs a tensor, which torch makes in one
call from its sizes, strides and offset.

Before:
    tmp = memory[:8192].view(torch.bfloat16).view(8, 8, 64)
    torch.mm(x.flatten(0, 1), w.mT, out=out)

After, `tmp` being read by kernels only:
    torch.mm(_view(x, (16, 64), (64, 1), 0), _view(w, (64, 8), (1, 64), 0), out=out)
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_METHODS = ("view", "flatten", "permute")
_PROPERTIES = ("mT",)

Sizes = tuple[str, ...]
"""The texts of a tensor's sizes: numbers, or expressions of open sizes."""


@dataclass(frozen=True)
class View:
    """A contiguous tensor at the start of another one's memory."""

    root: str
    """The name of the tensor that has the memory."""
    sizes: Sizes | None
    """None if the launcher's text does not tell them."""
    cut: str | None = None
    """The bytes of the memory that it has; None for all of them."""
    dtype: str | None = None

    @property
    def text(self) -> str:
        """The view as an expression of its root."""
        if self.sizes is None:
            return self.root
        start = self.root
        if self.cut is not None:
            start = f"{start}[:{self.cut}].view({self.dtype})"
        return f"{start}.view({', '.join(self.sizes) or '()'})"


@dataclass(frozen=True)
class Place:
    """A root that is a part of another tensor's bytes."""

    inside: str
    """The name of that tensor, of type int8."""
    start: int
    """Its first byte."""


@dataclass(frozen=True)
class Root:
    """A tensor with memory of its own, or with a place in an arena."""

    made: Sizes | None
    """The sizes that it is made with."""
    dtype: str | None
    place: Place | None = None


class Views:
    """The tensors of a launcher by name."""

    def __init__(self, arguments: Mapping[str, Sequence[int] | None]):
        self._known: dict[str, View] = {}
        self._roots: dict[str, Root] = {}
        self.used: dict[str, set[str | None]] = {}
        """The roots that library calls and results read, with the types of views."""
        for name, sizes in arguments.items():
            known = None if sizes is None else tuple(map(str, sizes))
            self.add_root(name, known, Root(known, None))

    def add_root(self, name: str, sizes: Sizes | None, root: Root) -> None:
        """Note a tensor that is no view, and its sizes by its own name."""
        self._known[name] = View(name, sizes)
        self._roots[name] = root

    def __contains__(self, name: str) -> bool:
        """Whether a name is a tensor."""
        return name in self._known

    def __getitem__(self, name: str) -> View:
        """What a name is a view of; its own root if it has memory."""
        return self._known[name]

    def take(self, node: ast.stmt) -> bool:
        """Note the view that a statement makes; false if it makes none."""
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(
                    func=ast.Attribute(value=source, attr="view"), args=sizes
                ),
            ):
                view = self._view_of(source, sizes_of(sizes))
                if view is not None:
                    self._known[name] = view
                return view is not None
            case _:
                return False

    def _view_of(self, source: ast.expr, sizes: Sizes) -> View | None:
        match source:
            case ast.Name(id=name) if name in self._known:
                known = self._known[name]
                return View(known.root, sizes, known.cut, known.dtype)
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Subscript(
                        value=ast.Name(id=name), slice=ast.Slice(None, upper, None)
                    ),
                    attr="view",
                ),
                args=[dtype],
            ) if name in self._roots and upper is not None:
                return View(name, sizes, ast.unparse(upper), ast.unparse(dtype))
            case _:
                return None

    def folded(self, node: ast.AST) -> str:
        """A statement with each view in it as one call of torch."""
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and one.id in self._known:
                view = self._known[one.id]
                self.used.setdefault(view.root, set()).add(view.dtype)
        return self.described(node)

    def described(self, node: ast.AST) -> str:
        """The same, in a part of the launcher that runs once."""
        made: Any = _Folding(self).visit(copy.deepcopy(node))
        return ast.unparse(ast.fix_missing_locations(made))

    def one_call(self, node: ast.expr, name: str) -> ast.expr | None:
        """A view of a tensor by its sizes, strides and offset, if they are known."""
        view = self._known[name]
        if not is_static(view.sizes):
            return None
        import torch
        from torch._subclasses.fake_tensor import unset_fake_temporarily

        sizes = [int(size) for size in view.sizes or ()]
        text = ast.fix_missing_locations(ast.Expression(node))
        with unset_fake_temporarily():
            scope = {name: torch.empty(sizes, device="meta")}
            like = eval(compile(text, "<view>", "eval"), scope)
        base, root = view.root, self._roots[view.root]
        dtype, start = view.dtype or root.dtype, like.storage_offset()
        if root.place is not None:
            base = f"{root.place.inside}.view({dtype})"
            start += root.place.start // bytes_of(dtype)
        elif dtype != root.dtype:
            base = f"{base}.view({dtype})"
        elif view.cut is None and like.is_contiguous() and start == 0:
            if root.made == tuple(map(str, like.shape)):
                return ast.Name(base, ast.Load())
        return _expression(
            f"_view({base}, {tuple(like.shape)}, {like.stride()}, {start})"
        )


class _Folding(ast.NodeTransformer):
    def __init__(self, views: Views):
        self._views = views

    def visit(self, node: ast.AST) -> Any:
        name = _viewed_name(node)
        if name is None or name not in self._views:
            return self.generic_visit(node)
        assert isinstance(node, ast.expr)
        made = self._views.one_call(node, name)
        if made is not None:
            return made
        if isinstance(node, ast.Name):
            view = self._views[name]
            return node if view.root == name else _expression(view.text)
        return self.generic_visit(node)


def _viewed_name(node: ast.AST) -> str | None:
    """The tensor that an expression is a view of, by constant numbers."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return name
        case ast.Attribute(value=value, attr=attr) if attr in _PROPERTIES:
            return _viewed_name(value)
        case ast.Call(
            func=ast.Attribute(value=value, attr=attr), args=given, keywords=[]
        ) if attr in _METHODS and all(map(_is_constant, given)):
            return _viewed_name(value)
        case ast.Subscript(value=value, slice=index) if _is_constant(index):
            return _viewed_name(value)
        case _:
            return None


def _is_constant(node: ast.expr) -> bool:
    return not any(isinstance(one, ast.Name | ast.Call) for one in ast.walk(node))


def bytes_of(dtype: str | None) -> int:
    """The bytes of an element of `torch.float32`."""
    import torch

    assert dtype is not None
    return getattr(torch, dtype.removeprefix("torch.")).itemsize


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def sizes_of(nodes: Sequence[ast.expr]) -> Sizes:
    """The texts of sizes in a call; a single empty tuple means none."""
    if len(nodes) == 1 and isinstance(nodes[0], ast.Tuple):
        return ()
    return tuple(map(ast.unparse, nodes))


def is_static(sizes: Sizes | None) -> bool:
    """Whether sizes are known numbers."""
    return sizes is not None and all(size.isdigit() for size in sizes)
