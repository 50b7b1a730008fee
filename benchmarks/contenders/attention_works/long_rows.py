"""Rows too long for the registers of a program: losses and norms over a vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
import torch.nn.functional as F

from contenders.attention_works import schedules
from contenders.attention_works.work import Function, StreamWork, Tensors
from contenders.planned_works import row_works
from contenders.planned_works.work import PlannedWork, Spec

EPSILON = row_works.EPSILON


def logsumexp(r: int, c: int, dtype: str) -> PlannedWork:
    """The logarithm of the sum of exponentials of each row."""

    def ours(x: Any) -> Any:
        from tilewright import payloads as tw

        largest = x.max(-1, keepdims=True)
        total = tw.reduce(
            "sum", x, largest, axis=-1, of=lambda x, m: tw.exp(x - m), keepdims=True
        )
        found = tw.elementwise(lambda m, t: m + tw.log(t), largest, total, dtype=dtype)
        return found.reshape(r)

    return PlannedWork(
        f"logsumexp {r}x{c} {dtype}",
        {"x": Spec((r, c), dtype)},
        ours,
        lambda x: torch.logsumexp(x, -1),
    )


KINDS: dict[str, Callable[[int, int, str], PlannedWork]] = {
    "cross-entropy": row_works.cross_entropy,
    "log-softmax": row_works.log_softmax,
    "logsumexp": logsumexp,
    "softmax": row_works.softmax,
    "layernorm": row_works.layernorm,
}


def long_rows(kind: str, r: int, c: int, dtype: str = "bf16") -> StreamWork:
    """A kind of work on r rows of c columns."""
    planned = KINDS[kind](r, c, dtype)
    one_a_row = kind in ("cross-entropy", "logsumexp")
    result = Spec((r,) if one_a_row else (r, c), dtype)

    def torch_function(tensors: Tensors) -> Mapping[str, Function]:
        return {"eager": planned.torch}

    def compiled(tensors: Tensors) -> Mapping[str, Function]:
        return {"compile": planned.torch}

    def hand(tensors: Tensors, programs: int) -> Iterable[Any]:
        from rivals import long_rows as rivals
        from rivals import rows

        out = work.output(tensors)
        yield from rivals.candidates(kind, *tensors, out)
        if kind in ("softmax", "layernorm"):
            x, *norm = tensors
            yield from rows.candidates(rows.RowWork(x, out, *norm), programs)

    def exact(*tensors: torch.Tensor) -> torch.Tensor:
        if kind == "cross-entropy":  # torch's has no float32 copy of the logits
            return F.cross_entropy(tensors[0].float(), tensors[1], reduction="none")
        return planned.reference(*tensors)[0]

    work = StreamWork(
        planned.name,
        "rows",
        planned.specs,
        result,
        exact,
        torch_function,
        compiled,
        ("compile",),
        hand,
        planned.ours,
        ours=schedules.long_rows(one_a_row),
    )
    return work


def table() -> Iterable[StreamWork]:
    """A vocabulary of 128,256 or 50,257 words, or features of a wide layer."""
    for kind in ("cross-entropy", "log-softmax", "logsumexp"):
        yield long_rows(kind, 8192, 128256)
    yield long_rows("softmax", 8192, 50257)
    yield long_rows("layernorm", 4096, 65536)


def tiny() -> Iterable[StreamWork]:
    """Small ones, in a type of Triton's interpreter."""
    for kind in KINDS:
        yield long_rows(kind, 4, 2048, "f16")
