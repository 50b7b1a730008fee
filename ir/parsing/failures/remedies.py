"""Remedies for facts that parsers and verifiers state in upstream's words.

The fact stays as it is known from MLIR; the remedy says what to write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from tilewright.ir.element_types import ELEMENT_TYPES, USUAL_NAMES
from tilewright.ir.parsing.failures.scalar_functions import function_instead

_TYPES = {
    **USUAL_NAMES,
    "bfloat": "bf16",
    "fp8": next(row.name for row in ELEMENT_TYPES if row.is_fp8),
    "uint32": "i32",
    "uint8": "i8",
}
"""Names of element types in other languages."""


def _type(found: re.Match[str]) -> str:
    word = found["word"]
    return f"write {_TYPES.get(word, 'f32, bf16, i32 or another of MLIR')}"


def _float_op(found: re.Match[str]) -> str | None:
    """`arith.addi` on floats is `arith.addf`."""
    stem, suffix = found["stem"], found["suffix"]
    floats = found["type"].startswith(("f", "bf"))
    if floats and suffix in ("i", "si", "ui"):
        return f"on floats it is arith.{_FLOATS.get(stem, stem + 'f')}"
    if not floats and suffix in ("f", "imumf", "numf"):
        return f"on integers it is arith.{stem}{'i' if stem in _PLAIN else 'si'}"
    return None


_PLAIN = frozenset({"add", "sub", "mul", "cmp"})
_FLOATS = {"max": "maximumf", "min": "minimumf"}

_Remedy: TypeAlias = str | Callable[[re.Match[str]], str | None]

_TABLE: tuple[tuple[str, _Remedy], ...] = (
    (r"expected the element type, found '(?P<word>\w+)'", _type),
    (
        r"expected ':', found",
        "end the op with the types of its operands: `: tensor<16xf32>`, or for a "
        "transform op `: (!transform.any_op) -> !transform.any_op`",
    ),
    (
        r"expected ('in'|'\['), found \"",
        'write: transform.structured.match ops{["linalg.matmul"]} in %root',
    ),
    (r"'!pdl\.\w+'", "it is !transform.any_op today"),
    (r"parameters? of a type .*missing", 'such as !transform.op<"linalg.matmul">'),
    (r"expected 'x' in the shape", "put x between sizes and type: tensor<16x16xf32>"),
    (r"expected type, found '\w+'", "an argument has a '%': %a: tensor<16xf32>"),
    (r"expected type", "such as tensor<16x16xf32>"),
    (r"expects different type than prior uses", "write the type that the value has"),
    (r"use of undeclared SSA value", "define it before its use, or correct the name"),
    (r"redefinition of SSA value", "give the new value a name of its own"),
    (r"expected an attribute's name after '#'", "a comment begins with //"),
    (r"expected a symbol's name", "write '@' before the name: func.func @f(...)"),
    (r"got \d+ and 0$", "name what it writes to: outs(%init : TYPE) -> TYPE"),
    (r"op returns \(.*\), ", "return values of the types that the function declares"),
    (r"has shape's dimension", "make the sizes agree: one loop runs over both"),
    (r"expected the number of indexing_map", "give a map for each of ins and outs"),
    (r"non-induction variable region arg", "give ^bb0 an argument for each operand"),
    (
        r"type of yield operand",
        "yield the output's element type; arith.truncf and arith.extf convert",
    ),
    (
        r"'arith\.(?P<stem>\w+?)(?P<suffix>si|ui|i|imumf|numf|f)' op '(?P<type>\w+)' "
        r"is not allowed here",
        _float_op,
    ),
    (
        r"expected 'dimension'",
        "write: linalg.softmax dimension(1) ins(...) outs(...) -> TYPE",
    ),
    (
        r"expected one of exp, log, .*, found '(?P<word>\w+)'",
        lambda found: function_instead(found["word"]),
    ),
    (r"expected iterator_types", 'such as iterator_types = ["parallel", "reduction"]'),
    (r"the op '(schedule|sequence)' has no", "a schedule is a .tw file, given with -s"),
    (
        r"the op '(import|from|def|class)' has no",
        "a payload is MLIR; tilewright.payloads builds one from Python",
    ),
    (r"has no dialect before its name", "such as linalg.matmul, arith.addf, func.func"),
)


def remedy_for(fact: str) -> str | None:
    """The remedy for a fact, if it is one that newcomers often meet."""
    for pattern, remedy in _TABLE:
        if (found := re.search(pattern, fact)) is not None:
            return remedy if isinstance(remedy, str) else remedy(found)
    return None
