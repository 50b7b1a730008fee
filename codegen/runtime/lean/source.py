"""Rewrites the source of a launcher for `launch.py`.

Before:
    out = torch.empty(8, 64, dtype=torch.float32, device=x.device)
    f_kernel[(8,)](x, out, N=64, num_warps=4, num_stages=1)
    return out

After:
    if (_at_x := x.data_ptr()) & 15 or _is_watched():
        return _checked(x)
    _stream = _stream_here(0)
    out = _empty((8, 64), (64, 1), torch.float32)
    _at_out = out.data_ptr()
    if (_known := _site0.get(())) is None:
        _site0.launch((), (8,), (x, out), dict(N=64, num_warps=4, num_stages=1))
    else:
        _known[0](8, 1, 1, _stream, *_known[1], (_at_x, _at_out, 64))
    return out

Kernels take addresses, so views that only they read are not made; other views are one
call each (`views.py`). A launch with tensor descriptors looks up its arguments by
the addresses, with the descriptors already encoded:

    if (_given := _site1.get((_at_x, _at_out))) is None:
        _site1.describe((_at_x, _at_out), (), (8,), (_descriptor(x, (8, 64)), out),
                        dict(N=64, num_warps=4, num_stages=1), _stream)
    else:
        _given[0](8, 1, 1, _stream, *_given[1])

Launches on other streams stay as they are.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.codegen.runtime.lean.lifetimes import (
    ADDRESS,
    ARENA,
    lifetimes,
    names_in,
    with_drops,
)
from tilewright.codegen.runtime.lean.memory import Memory, arranged
from tilewright.codegen.runtime.lean.views import (
    Place,
    Root,
    Sizes,
    View,
    Views,
    bytes_of,
    is_static,
    sizes_of,
)

_LOW_BITS = 15
"""The bits of an address that Triton's specialization wants to be zero."""
_INT32 = 2**31
_POINTER = "_ptr"
_BYTES = "torch.int8"
_OPTIONS = ("num_warps", "num_stages")


@dataclass
class LeanSource:
    """The rewritten function, and the kernel of each launch in it."""

    text: str
    sites: dict[str, str] = field(default_factory=dict[str, str])


def rewritten(
    function: ast.FunctionDef,
    kernels: Mapping[str, Sequence[str]],
    device: int,
    *,
    packs_arguments: bool,
    shapes: Sequence[Sequence[int] | None] | None = None,
) -> LeanSource:
    """Rewrite a launcher; `kernels` have the names of their parameters.

    Triton 3.7 takes the arguments of a kernel as a tuple, 3.6 as further arguments.
    `shapes` are those of the launcher's arguments, where they are known.
    """
    arguments = [argument.arg for argument in function.args.args]
    known = shapes if shapes is not None else [None] * len(arguments)
    body = [one for one in function.body if not _is_docstring(one)]

    def write(memory: Memory) -> tuple[_Writer, list[list[str]]]:
        views = Views(dict(zip(arguments, known, strict=True)))
        writer = _Writer(views, arguments, kernels, packs_arguments, memory)
        return writer, writer.statements(body)

    writer, statements = write(Memory())
    names = names_in(statements)
    if not _has_streams(body):
        memory = arranged(writer.made, lifetimes(names), writer.views.used)
        if memory.starts or memory.types:
            writer, statements = write(memory)
            names = names_in(statements)
    lines = list(with_drops(statements, names, writer.memory))
    head = [f"def {function.name}({', '.join(arguments)}):"]
    addressed = sorted(writer.addressed.intersection(arguments))
    read = [f"({ADDRESS}{name} := {name}.data_ptr())" for name in addressed]
    if read:
        # Reads every address, whatever the first of them is.
        misplaced = f"({' | '.join(read)}) & {_LOW_BITS}"
        head.append(f"    if {misplaced} or _is_watched():")
    else:
        head.append("    if _is_watched():")
    head.append(f"        return _checked({', '.join(arguments)})")
    if writer.sites:
        head.append(f"    _stream = _stream_here({device})")
    text = "\n".join([*head, *(f"    {line}" for line in lines)])
    return LeanSource(f"{text}\n", writer.sites)


class _Writer:
    def __init__(
        self,
        views: Views,
        arguments: list[str],
        kernels: Mapping[str, Sequence[str]],
        packs: bool,
        memory: Memory,
    ):
        self.views = views
        self.memory = memory
        self.made: dict[str, tuple[Sizes, str]] = {}
        """The allocations, with their sizes and types."""
        self._arguments = arguments
        self._kernels = kernels
        self._packs = packs
        self._grids: dict[str, list[ast.expr]] = {}
        self._made_as: dict[str, Sizes] = {}
        self.sites: dict[str, str] = {}
        self.addressed: set[str] = set()
        """The tensors whose addresses are read; those of arguments are checked."""

    def statements(self, body: list[ast.stmt]) -> list[list[str]]:
        """The lines of each statement that remains."""
        self._made_as = _returned_sizes(body)
        made: list[tuple[str | None, list[str]]] = []
        for one in body:
            lines = self._statement(one)
            made.append((_assigned(one), lines))
        found: list[list[str]] = []
        if self.memory.starts:
            found.append([f"{ARENA} = _empty(({self.memory.total},), (1,), {_BYTES})"])
            found.append([f"{ADDRESS}{ARENA} = {ARENA}.data_ptr()"])
        for name, lines in made:
            if lines:
                found.append(lines)
            if name not in self.addressed or name in self._arguments:
                continue
            if name in self.memory.starts:
                start = self.memory.starts[name]
                found.append([f"{ADDRESS}{name} = {ADDRESS}{ARENA} + {start}"])
            else:
                found.append([f"{ADDRESS}{name} = {name}.data_ptr()"])
        return found

    def _statement(self, node: ast.stmt) -> list[str]:
        if self.views.take(node):
            return []
        match node:
            case ast.If(test=test, body=[*inner], orelse=[]) if _launches(node):
                lines = [line for one in inner for line in self._statement(one)]
                return [f"if {ast.unparse(test)}:", *(f"    {line}" for line in lines)]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=extents)):
                self._grids[name] = extents
            case _:
                pass
        for write in (self._allocation, self._launch):
            if (made := write(node)) is not None:
                return made
        if _launches(node):
            names = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
            roots = {self.views[name].root for name in names if name in self.views}
            self.addressed |= roots.intersection(self._arguments)
        if (name := _assigned(node)) is not None:
            self.views.add_root(name, None, Root(None, None))
        return self.views.folded(node).splitlines()

    def _allocation(self, node: ast.stmt) -> list[str] | None:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id="torch"), attr="empty"),
                    args=given,
                    keywords=[ast.keyword(arg="dtype", value=dtype), _],
                ),
            ):
                sizes, written = sizes_of(given), ast.unparse(dtype)
                self.made[name] = sizes, written
                if (start := self.memory.starts.get(name)) is not None:
                    root = Root(None, written, Place(ARENA, start))
                    self.views.add_root(name, sizes, root)
                    return []
                made = self._made_as.get(name, sizes)
                if (other := self.memory.types.get(name)) is not None:
                    count = math.prod(map(int, sizes)) * bytes_of(written)
                    made, written = (str(count // bytes_of(other)),), other
                self.views.add_root(name, sizes, Root(made, written))
                strides = [_product(made[at + 1 :]) for at in range(len(made))]
                shape, steps = _tuple(made), _tuple(strides)
                return [f"{name} = _empty({shape}, {steps}, {written})"]
            case _:
                return None

    def _launch(self, node: ast.stmt) -> list[str] | None:
        match node:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Subscript(value=ast.Name(id=kernel), slice=grid),
                    args=given,
                    keywords=keywords,
                )
            ):
                match grid:
                    case ast.Tuple(elts=extents):
                        return self._launched(kernel, extents, given, keywords)
                    case ast.Name(id=name) if name in self._grids:
                        return self._launched(
                            kernel, self._grids[name], given, keywords
                        )
                    case _:
                        return None
            case _:
                return None

    def _launched(
        self,
        kernel: str,
        grid: list[ast.expr],
        given: list[ast.expr],
        keywords: list[ast.keyword],
    ) -> list[str] | None:
        lines: list[str] = []
        passed: list[str] = []
        values: list[str] = []
        key: list[str] = []
        further: dict[str, None] = {}
        tensors: list[str] = []
        is_described = False
        for value, parameter in zip(given, self._kernels[kernel], strict=False):
            described = _described(value)
            if described is not None or parameter.endswith(_POINTER):
                tensor = value if described is None else described
                if not isinstance(tensor, ast.Name) or tensor.id not in self.views:
                    return None
                view = self.views[tensor.id]
                tensors.append(view.root)
                passed.append(f"{ADDRESS}{view.root}")
                if described is not None:
                    is_described = True
                    further |= dict.fromkeys(_open_sizes(view))
                values.append(self.views.described(value))
                continue
            name = f"_number{len(lines)}"
            lines.append(f"{name} = {ast.unparse(value)}")
            key += [f"{name} == 1", f"{name} % 16 == 0", f"{name} < {_INT32}"]
            passed.append(name)
            values.append(name)
        self.addressed.update(tensors)
        site = f"_site{len(self.sites)}"
        self.sites[site] = kernel
        options = {one.arg or "": ast.unparse(one.value) for one in keywords}
        constants = [v for name, v in options.items() if name not in _OPTIONS]
        extents = [ast.unparse(extent) for extent in grid]
        named = ", ".join(f"{name}={value}" for name, value in options.items())
        three = ", ".join([*extents, "1", "1"][:3])
        classes, shape = _tuple(key), _tuple(extents)
        call = f"{shape}, {_tuple(values)}, dict({named})"
        if is_described:
            all_of_it = _tuple([*dict.fromkeys(passed), *further])
            return [
                *lines,
                f"if (_given := {site}.get({all_of_it})) is None:",
                f"    {site}.describe({all_of_it}, {classes}, {call}, _stream)",
                "else:",
                f"    _given[0]({three}, _stream, *_given[1])",
            ]
        passed += constants
        last = _tuple(passed) if self._packs else ", ".join(passed)
        return [
            *lines,
            f"if (_known := {site}.get({classes})) is None:",
            f"    {site}.launch({classes}, {call})",
            "else:",
            f"    _known[0]({three}, _stream, *_known[1], {last})",
        ]


def _described(value: ast.expr) -> ast.expr | None:
    """The tensor of `_descriptor(tensor, block)`."""
    match value:
        case ast.Call(func=ast.Name(id="_descriptor"), args=[tensor, *_]):
            return tensor
        case _:
            return None


def _open_sizes(view: View) -> Sizes:
    """What a tensor's sizes depend on besides its address."""
    if view.sizes is None:
        return (f"{view.root}.shape",)
    if is_static(view.sizes):
        return ()
    if "-1" in view.sizes:
        return (f"{view.root}.shape",)
    return tuple(size for size in view.sizes if not size.isdigit())


def _returned_sizes(body: list[ast.stmt]) -> dict[str, Sizes]:
    """The sizes to make buffers in: those of the view that is returned, if it is one.

    The buffer's own sizes are then a view of it.
    """
    views = Views({})
    returned: set[str] = set()
    for one in body:
        if (name := _assigned(one)) is not None and not views.take(one):
            views.add_root(name, None, Root(None, None))
        if isinstance(one, ast.Return) and one.value is not None:
            nodes = ast.walk(one.value)
            returned |= {node.id for node in nodes if isinstance(node, ast.Name)}
    found: dict[str, list[View]] = {}
    for name in returned:
        if name in views:
            view = views[name]
            found.setdefault(view.root, []).append(view)
    return {
        root: one.sizes
        for root, (one, *others) in found.items()
        if not others and one.cut is None and one.sizes is not None
        if is_static(one.sizes)
    }


def _assigned(node: ast.stmt) -> str | None:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return None


def _has_streams(body: list[ast.stmt]) -> bool:
    """Whether statements run beside each other, so that their order tells nothing."""
    names = {
        one.attr if isinstance(one, ast.Attribute) else one.id
        for statement in body
        for one in ast.walk(statement)
        if isinstance(one, ast.Attribute | ast.Name)
    }
    return bool(names.intersection(("stream", "_stream", "_record", "_wait")))


def _launches(node: ast.stmt) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Subscript)
        for one in ast.walk(node)
    )


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _product(texts: Sequence[str]) -> str:
    if all(text.isdigit() for text in texts):
        total = 1
        for text in texts:
            total *= int(text)
        return str(total)
    return " * ".join(f"({text})" for text in texts)


def _tuple(texts: Sequence[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
