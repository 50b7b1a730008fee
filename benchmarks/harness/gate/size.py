"""The size of the product: lines of Python, and numeric constants of modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

FOLDERS = (
    "ir", "frontend", "transforms", "schedules", "planning", "codegen", "tuning",
    "explorer", "torch_backend", "tilewright",
)  # fmt: skip


def product_size(root: Path) -> dict[str, dict[str, int]]:
    """Lines and constants by folder, and their sums as `all`."""
    found = {"lines": dict[str, int](), "constants": dict[str, int]()}
    for folder in FOLDERS:
        texts = [path.read_text() for path in _files(root / folder)]
        found["lines"][folder] = sum(text.count("\n") for text in texts)
        found["constants"][folder] = sum(len(list(_constants(t))) for t in texts)
    for counts in found.values():
        counts["all"] = sum(counts.values())
    return found


def _files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder; links to other folders are not followed."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path.name == "__pycache__":
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.suffix == ".py":
            yield path


def _constants(text: str) -> Iterator[str]:
    """The names that a module gives plain numbers, also several in one statement."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        pairs = [(target, value) for target in targets]
        if isinstance(targets[0], ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(targets[0].elts, value.elts, strict=False))
        for target, given in pairs:
            if isinstance(target, ast.Name) and _is_number(given):
                yield target.id


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is made of numbers alone."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    return False
