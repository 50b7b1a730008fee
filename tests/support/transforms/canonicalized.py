"""Canonicalize small modules with our patterns and with real MLIR.

The first line of a snippet is its name. More lines of comments may follow:

    // groups: vector.lower_masked_transfers     pattern groups instead of all of it
    // further: why our result differs from upstream's
    // index: 3, 2      what arguments of type index are in the run (2, if not said)
    // dims: 5, 7       what dynamic dimensions of arguments are (6, if not said)
    // no numbers: why the interpreter is not run
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from support.ir.snippets import Snippet, snippets_in
from support.mlir_opt import mlir_opt
from support.paths import DATA
from support.transforms.same_program import normal_form
from tilewright.ir.context import payload_context
from tilewright.ir.dialects import func
from tilewright.ir.interpreter import Options, run
from tilewright.ir.interpreter.core.signature import DYNAMIC, ArraySpec, signature_of
from tilewright.ir.text import parse_module, to_text
from tilewright.transforms.cleanup.driver import apply_greedily
from tilewright.transforms.cleanup.groups import as_upstream, patterns_of
from tilewright.transforms.core.rewriter import Rewriter

FOLDER = DATA / "canonicalize"
SPLIT = "// -----\n"
ALL = ("canonicalization",)


@dataclass(frozen=True)
class Case:
    """One snippet, with the settings of its head."""

    snippet: Snippet

    def __str__(self) -> str:
        return str(self.snippet)

    def said(self, key: str) -> str | None:
        for line in self.snippet.text.splitlines()[1:]:
            if not line.startswith("// "):
                return None
            if line.startswith(f"// {key}: "):
                return line.removeprefix(f"// {key}: ")
        return None

    @property
    def groups(self) -> tuple[str, ...]:
        said = self.said("groups")
        return ALL if said is None else tuple(said.split(", "))

    def numbers(self, key: str, default: int) -> list[int]:
        said = self.said(key)
        return [default] if said is None else [int(n) for n in said.split(", ")]


def parse_payload(text: str) -> ModuleOp:
    """Parse a payload."""
    return parse_module(text, "payload.mlir", payload_context())


def cases() -> list[Case]:
    """Every snippet in the folder."""
    return [Case(snippet) for snippet in snippets_in(FOLDER)]


def canonicalized(
    module: ModuleOp, groups: tuple[str, ...] = ALL, *, further: bool = True
) -> ModuleOp:
    """A copy of a module after our patterns, which must be valid.

    Without `further`, canonicalization does what upstream's does and no more.
    """
    after = module.clone()
    patterns = patterns_of(groups) if further else as_upstream()
    apply_greedily(after, patterns, Rewriter())
    after.verify()
    return after


def ours(case: Case) -> str:
    """The snippet after our patterns."""
    return to_text(canonicalized(parse_payload(case.snippet.text), case.groups))


@cache
def both(file: str, groups: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """For each snippet of a file: our result and upstream's, as upstream prints them.

    Two processes for all of them: ours is only read and printed, theirs is run.
    """
    of_file = [c for c in cases() if c.snippet.file == file and c.groups == groups]
    texts = {case: text for case in of_file if (text := _try_ours(case)) is not None}
    chosen = list(texts)
    printed = mlir_opt(SPLIT.join(texts.values()), "--split-input-file")
    if groups == ALL:
        text = SPLIT.join(case.snippet.text for case in chosen)
        run_by_them = mlir_opt(text, "--split-input-file", "--canonicalize")
    else:
        text = SPLIT.join(_with_schedule(case) for case in chosen)
        run_by_them = mlir_opt(
            text,
            "--split-input-file",
            "--transform-interpreter",
            "--test-transform-dialect-erase-schedule",
        )
    left, right = printed.split(SPLIT), run_by_them.split(SPLIT)
    return {
        str(case): pair
        for case, *pair in zip(chosen, left, right, strict=True)  # pyright: ignore
    }


def _try_ours(case: Case) -> str | None:
    """Our result, or None if it fails, which another test reports."""
    try:
        return ours(case)
    except Exception:
        return None


def _with_schedule(case: Case) -> str:
    body = "\n".join(f"    transform.apply_patterns.{g}" for g in case.groups)
    return f"""\
module attributes {{transform.with_named_sequence}} {{
{case.snippet.text}
transform.named_sequence @__transform_main(%root: !transform.any_op) {{
  %f = transform.structured.match ops{{["func.func"]}} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {{
{body}
  }} : !transform.any_op
  transform.yield
}}
}}
"""  # noqa: E501


def whole_form(text: str) -> str:
    """The normal form, and how often each op occurs: dead code counts."""
    module = parse_payload(text)
    names = Counter(op.name for op in module.walk())
    counts = "\n".join(f"{names[name]} x {name}" for name in sorted(names))
    return f"{normal_form(text)}\n{counts}"


def functions(module: ModuleOp) -> list[func.FuncOp]:
    """The functions that return results."""
    return [
        op
        for op in module.ops
        if isinstance(op, func.FuncOp) and op.function_type.outputs
    ]


def inputs_for(case: Case, function: func.FuncOp, seed: int) -> list[Any]:
    """Random arguments; sizes and indices as the snippet says."""
    rng = np.random.default_rng(seed)
    indices, dims = case.numbers("index", 2), case.numbers("dims", 6)
    asked = {"index": 0, "dim": 0}

    def next_of(numbers: list[int], kind: str) -> int:
        at = asked[kind]
        asked[kind] += 1
        return numbers[min(at, len(numbers) - 1)]

    def value(spec: ArraySpec) -> Any:
        if spec.element_type == "index" and spec.kind == "scalar":
            return np.int64(next_of(indices, "index"))
        shape = [next_of(dims, "dim") if s == DYNAMIC else s for s in spec.shape]
        if spec.element_type.startswith(("f", "bf")):
            return rng.standard_normal(shape).astype(spec.dtype)
        if spec.element_type == "i1":
            return rng.integers(0, 2, shape).astype(spec.dtype)
        return rng.integers(-4, 5, shape).astype(spec.dtype)

    return [value(spec) for spec in signature_of(function).arguments]


def results_of(module: ModuleOp, name: str, inputs: list[Any]) -> list[Any]:
    """The results of a function, and its arguments afterwards."""
    given = [np.array(value) for value in inputs]
    options = Options(poison_uninitialized=True)
    return [*run(module, given, entry=name, options=options), *given]
