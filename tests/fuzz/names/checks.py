"""Checks of emitted source: no name may add anything to its syntax tree."""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import tokenize
from collections.abc import Iterator

_IMPORTS = {"argparse", "base64", "functools", "torch", "triton", "triton.language"}
_IMPORTS |= {"triton.tools.tensor_descriptor"}
_MODULES = {
    "argparse",
    "base64",
    "functools",
    "torch",
    "triton",
    "tl",
    "TensorDescriptor",
}
_BUILTINS = {"all", "bytearray", "float", "int", "len", "list", "max", "min", "print"}
_BUILTINS |= {"range", "tuple", "vars", "zip", "ValueError", "SystemExit"}
_DUNDERS = {"__new__", "__dict__"}
"""What the helper for descriptors needs."""


def complaints(text: str) -> list[str]:
    """The faults of a file, each as a sentence."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        return [f"it does not parse: {error}"]
    found = list(dict.fromkeys([*_statements(tree), *_names(tree), *_calls(tree)]))
    for line in text.split("\n"):
        if not line.isprintable():
            found.append(f"a line holds control characters: {ascii(line)}")
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    found += [
        f"a name is not ASCII: {ascii(token.string)}"
        for token in tokens
        if token.type == tokenize.NAME and not token.string.isascii()
    ]
    return found


def skeleton(text: str) -> str:
    """The syntax tree without names and strings: equal for tame and hostile names."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for field in ("id", "arg", "name"):
            if isinstance(getattr(node, field, None), str):
                setattr(node, field, "")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def _statements(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Import(names=[ast.alias(name=name)]) if name in _IMPORTS:
                pass
            case ast.ImportFrom(module=name) if name in _IMPORTS:
                pass
            case ast.FunctionDef(decorator_list=decorators):
                for entry in decorators:
                    if ast.unparse(entry) not in ("triton.jit", "functools.cache"):
                        yield f"a decorator: {ast.unparse(entry)}"
            case ast.If() if ast.unparse(node.test) == "__name__ == '__main__'":
                pass
            case _:
                yield f"a statement of the file: {ast.unparse(node)[:80]}"


def _names(tree: ast.Module) -> Iterator[str]:
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    known = functions | _MODULES | _BUILTINS | {"__name__"}
    for scope in tree.body:
        stored = {
            node.id
            for node in ast.walk(scope)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        stored |= {node.arg for node in ast.walk(scope) if isinstance(node, ast.arg)}
        for name in sorted(stored | functions):
            # The helper for log1p has a variable of its own called sum.
            if hasattr(builtins, name) and name != "sum":
                yield f"a builtin is hidden: {name}"
            if keyword.iskeyword(name) or name in _MODULES or name.startswith("__"):
                yield f"a name that is taken: {name}"
        for node in ast.walk(scope):
            if isinstance(node, ast.Name) and node.id not in known | stored:
                yield f"an unknown name: {node.id}"
            if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
                if node.attr not in _DUNDERS:
                    yield f"an attribute: {node.attr}"


def _calls(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        is_launch = isinstance(called, ast.Subscript) and isinstance(
            called.value, ast.Name
        )
        if not is_launch and not isinstance(called, ast.Name | ast.Attribute):
            yield f"a call: {ast.unparse(node)[:80]}"
