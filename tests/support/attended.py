"""Attention of given sizes, as payloads for tests of planned streams."""

from __future__ import annotations

from tilewright.payloads import Payload, attention
from tilewright.planning.kernels import Candidate
from tilewright.planning.plan import Plan

Size = tuple[int | str, ...]
Given = dict[str, tuple[Size, str]]
HEADS: Size = (2, 2, 72, 32)


def attended(
    query: Size = HEADS,
    key: Size | None = None,
    dtype: str = "f16",
    given: Given | None = None,
    **options: object,
) -> Payload:
    p = Payload("attention")
    q = p.input("q", query, dtype)
    k, v = (p.input(name, key or query, dtype) for name in "kv")
    more = {name: p.input(name, *of) for name, of in (given or {}).items()}
    found = attention(q, k, v, **more, **options)  # type: ignore[call-overload]
    for result in found if isinstance(found, tuple) else (found,):
        p.output(result)
    return p


def candidates(found: Plan) -> dict[str, Candidate]:
    (kernel,) = found.kernels
    return {c.sketch.label: c for c in kernel.considered}
