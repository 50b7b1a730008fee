"""Every op that we define instead of xDSL's differs from xDSL's, in what we need.

With xDSL's op in the context a snippet of the corpus is read or printed differently, a
snippet that real MLIR rejects gets another error, or the op lacks effects or fields.
Where nothing differs, xDSL's op is to be used, unless that costs too much.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

import pytest
from xdsl.ir import Dialect, Operation

from support.ir.snippets import Snippet, snippets_in
from support.paths import DATA
from tilewright.ir.context import DIALECTS, payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text

SNIPPETS = [*snippets_in(DATA / "corpus"), *snippets_in(DATA / "rejected")]
XDSL = {
    name: f"xdsl.dialects.{name}.{variable}"
    for name, variable in {
        "affine": "Affine",
        "arith": "Arith",
        "bufferization": "Bufferization",
        "func": "Func",
        "gpu": "GPU",
        "linalg": "Linalg",
        "math": "Math",
        "memref": "MemRef",
        "scf": "Scf",
        "tensor": "Tensor",
        "ub": "UB",
        "vector": "Vector",
    }.items()
}


EQUAL = {"memref.dealloc": "importing xDSL's memref takes 11 ms of start-up"}


def _ops(home: str) -> dict[str, type[Operation]]:
    file, _, name = home.rpartition(".")
    dialect: Dialect = getattr(import_module(file), name)
    return {op.name: op for op in dialect.operations}


def _replaced() -> Iterator[tuple[type[Operation], type[Operation]]]:
    for dialect, home in XDSL.items():
        theirs = _ops(home)
        for name, op in _ops(DIALECTS[dialect]).items():
            if name not in EQUAL and theirs.get(name, op) is not op:
                yield op, theirs[name]


def _read(snippet: Snippet, instead: type[Operation] | None = None) -> str:
    """The printed module, or the error; with one op taken from xDSL."""
    context = payload_context()
    if instead is not None:
        context.add_ops(
            lambda name: instead if name == instead.name else None,
            lambda: [instead.name],
        )
    try:
        return to_text(parse_module(snippet.text, "snippet.mlir", context))
    except UserError as error:
        return str(error)
    except Exception as error:  # xDSL's verifiers raise what they like
        return f"{type(error).__name__}: {error}"


@cache
def _read_by_ours(snippet: Snippet) -> str:
    return _read(snippet)


def _traits(op: type[Operation]) -> set[str]:
    return {type(trait).__name__ for trait in op.traits.traits}


def _fields(op: type[Operation]) -> object:
    definition = op.get_irdl_definition()  # type: ignore[attr-defined]
    return (
        set(definition.properties),
        [name for name, _ in definition.operands],
        [name for name, _ in definition.results],
    )


@pytest.mark.sampled(8)
@pytest.mark.parametrize("pair", list(_replaced()), ids=lambda pair: pair[0].name)
def test_xdsl_differs(pair: tuple[type[Operation], type[Operation]]) -> None:
    ours, theirs = pair
    if _traits(ours) != _traits(theirs) or _fields(ours) != _fields(theirs):
        return
    word = ours.name.partition(".")[2]
    about = [snippet for snippet in SNIPPETS if word in snippet.text]
    about.sort(key=lambda snippet: snippet.file != ours.dialect_name())
    assert any(_read(s, theirs) != _read_by_ours(s) for s in about), (
        "xDSL's op does the same: use it"
    )
