"""Rewrites the source of a launcher for `lean_launch.py`.

Before:
    out = torch.empty(8, 64, dtype=torch.float32, device=x.device)
    f_kernel[(8,)](x, out, N=64, num_warps=4, num_stages=1)
    return out

After:
    if (_at_x := x.data_ptr()) & 15 or _is_watched():
        return _checked(x)
    _stream = _stream_here(0)
    out = _empty((8, 64), (64, 1), torch.float32)
    if (_known := _site0.get(())) is None:
        _site0.launch((), (8,), (x, out), dict(N=64, num_warps=4, num_stages=1))
    else:
        _known[0](8, 1, 1, _stream, *_known[1], (_at_x, out.data_ptr(), 64))
    return out

Launches with tensor descriptors, on other streams or under a condition stay as they
are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_LOW_BITS = 15
"""The bits of an address that Triton's specialization wants to be zero."""
_INT32 = 2**31
_POINTER = "_ptr"
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
) -> LeanSource:
    """Rewrite a launcher; `kernels` have the names of their parameters.

    Triton 3.7 takes the arguments of a kernel as a tuple, 3.6 as further arguments.
    """
    arguments = [argument.arg for argument in function.args.args]
    writer = _Writer(arguments, kernels, packs_arguments)
    body = [one for one in function.body if not _is_docstring(one)]
    lines = [line for one in _with_drops(body) for line in writer.statement(one)]
    head = [f"def {function.name}({', '.join(arguments)}):"]
    read = [f"(_at_{name} := {name}.data_ptr())" for name in sorted(writer.addressed)]
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
        self, arguments: list[str], kernels: Mapping[str, Sequence[str]], packs: bool
    ):
        self._arguments = arguments
        self._kernels = kernels
        self._packs = packs
        self.sites: dict[str, str] = {}
        self.addressed: set[str] = set()
        """The arguments that kernels read, whose addresses have to be aligned."""

    def statement(self, node: ast.stmt) -> list[str]:
        """The lines of a statement."""
        made = self._allocation(node) or self._launch(node)
        if made is None and _launches(node):
            names = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
            self.addressed |= {name for name in names if name in self._arguments}
        return made or ast.unparse(node).splitlines()

    def _allocation(self, node: ast.stmt) -> list[str] | None:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id="torch"), attr="empty"),
                    args=sizes,
                    keywords=[ast.keyword(arg="dtype", value=dtype), _],
                ),
            ):
                texts = [] if _is_empty_tuple(sizes) else list(map(ast.unparse, sizes))
                strides = [_product(texts[at + 1 :]) for at in range(len(texts))]
                shape, steps = _tuple(texts), _tuple(strides)
                return [f"{name} = _empty({shape}, {steps}, {ast.unparse(dtype)})"]
            case _:
                return None

    def _launch(self, node: ast.stmt) -> list[str] | None:
        match node:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Subscript(
                        value=ast.Name(id=kernel), slice=ast.Tuple(elts=grid)
                    ),
                    args=given,
                    keywords=keywords,
                )
            ):
                return self._launched(kernel, grid, given, keywords)
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
        addressed: set[str] = set()
        for value, parameter in zip(given, self._kernels[kernel], strict=False):
            text = ast.unparse(value)
            if parameter.endswith(_POINTER):
                if not isinstance(value, ast.Name):
                    return None
                if text in self._arguments:
                    addressed.add(text)
                    passed.append(f"_at_{text}")
                else:
                    passed.append(f"{text}.data_ptr()")
                values.append(text)
                continue
            if "_descriptor(" in text:
                return None
            name = f"_number{len(lines)}"
            lines.append(f"{name} = {text}")
            key += [f"{name} == 1", f"{name} % 16 == 0", f"{name} < {_INT32}"]
            passed.append(name)
            values.append(name)
        self.addressed |= addressed
        site = f"_site{len(self.sites)}"
        self.sites[site] = kernel
        options = {one.arg or "": ast.unparse(one.value) for one in keywords}
        constants = [v for name, v in options.items() if name not in _OPTIONS]
        extents = [ast.unparse(extent) for extent in grid]
        named = ", ".join(f"{name}={value}" for name, value in options.items())
        passed += constants
        last = _tuple(passed) if self._packs else ", ".join(passed)
        three = ", ".join([*extents, "1", "1"][:3])
        return [
            *lines,
            f"if (_known := {site}.get({_tuple(key)})) is None:",
            f"    {site}.launch({_tuple(key)}, {_tuple(extents)}, {_tuple(values)}, "
            f"dict({named}))",
            "else:",
            f"    _known[0]({three}, _stream, *_known[1], {last})",
        ]


def _with_drops(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, each followed by a `del` of the names that it reads last."""
    made = {
        target.id
        for one in body
        if isinstance(one, ast.Assign)
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    last = {
        node.id: place
        for place, one in enumerate(body)
        for node in ast.walk(one)
        if isinstance(node, ast.Name) and node.id in made
    }
    for place, one in enumerate(body):
        yield one
        dead = [name for name, at in last.items() if at == place]
        if dead and place < len(body) - 1:
            yield ast.Delete([ast.Name(name, ast.Del()) for name in dead])


def _launches(node: ast.stmt) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Subscript)
        for one in ast.walk(node)
    )


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_empty_tuple(sizes: list[ast.expr]) -> bool:
    return len(sizes) == 1 and isinstance(sizes[0], ast.Tuple)


def _product(texts: list[str]) -> str:
    if all(text.isdigit() for text in texts):
        total = 1
        for text in texts:
            total *= int(text)
        return str(total)
    return " * ".join(f"({text})" for text in texts)


def _tuple(texts: list[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
