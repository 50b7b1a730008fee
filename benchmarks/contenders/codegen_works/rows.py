"""Work on rows and elements: softmax, norms, sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F

from contenders.codegen_works.work import (
    TOLERANCES,
    Tensors,
    Work,
    bytes_of,
    random_tensors,
    widened,
)
from contenders.points import points_for


def softmax(rows: int, columns: int, dtype: str) -> Work:
    """softmax along the rows."""
    from rivals import rows as rivals

    def payload() -> str:
        from contenders import payloads

        return payloads.softmax_of_rows(rows, columns, dtype)

    return _row_work(
        "softmax",
        (rows, columns, dtype),
        lambda device: random_tensors(device, (rows, columns), dtype=dtype),
        lambda x: torch.softmax(widened(x)[0], -1),
        lambda x: torch.softmax(x, -1),
        lambda tensors: rivals.RowWork(tensors[0], torch.empty_like(tensors[0])),
        payload,
        passes=2,
    )


def layernorm(rows: int, columns: int, dtype: str, residual: bool = False) -> Work:
    """layernorm of the rows, or of the rows of a sum."""
    from rivals import rows as rivals

    def inputs(device: str) -> Tensors:
        matrix, vector = (rows, columns), (columns,)
        shapes = (
            (matrix, matrix, vector, vector) if residual else (matrix, *[vector] * 2)
        )
        return random_tensors(device, *shapes, dtype=dtype)

    def of_sum(x: Any, added: Any, weight: Any, bias: Any) -> torch.Tensor:
        return F.layer_norm(x + added, (columns,), weight, bias, rivals.EPSILON)

    def of_rows(x: Any, weight: Any, bias: Any) -> torch.Tensor:
        return F.layer_norm(x, (columns,), weight, bias, rivals.EPSILON)

    def bind(tensors: Tensors) -> rivals.RowWork:
        x, *added, weight, bias = tensors
        return rivals.RowWork(x, torch.empty_like(x), weight, bias, *added)

    def payload() -> str:
        from contenders import payloads

        return payloads.layernorm_of_rows(rows, columns, dtype, residual)

    function = of_sum if residual else of_rows
    return _row_work(
        "layernorm+residual" if residual else "layernorm",
        (rows, columns, dtype),
        inputs,
        lambda *tensors: function(*widened(*tensors)),
        function,
        bind,
        payload,
        passes=2 + residual,
    )


def rmsnorm(rows: int, columns: int, dtype: str) -> Work:
    """rmsnorm of the rows."""
    from rivals import rows as rivals

    def function(x: Any, weight: Any) -> torch.Tensor:
        return F.rms_norm(x, (columns,), weight, rivals.EPSILON)

    def payload() -> str:
        from contenders import payloads

        return payloads.rmsnorm_of_rows(rows, columns, dtype)

    return _row_work(
        "rmsnorm",
        (rows, columns, dtype),
        lambda device: random_tensors(device, (rows, columns), (columns,), dtype=dtype),
        lambda *tensors: function(*widened(*tensors)),
        function,
        lambda t: rivals.RowWork(t[0], torch.empty_like(t[0]), t[1]),
        payload,
        passes=2,
    )


def _row_work(
    what: str,
    size: tuple[int, int, str],
    inputs: Callable[[str], Tensors],
    reference: Callable[..., torch.Tensor],
    function: Callable[..., torch.Tensor],
    bind: Callable[[Tensors], Any],
    payload: Callable[[], str],
    passes: int,
) -> Work:
    from rivals import rows as rivals

    rows, columns, dtype = size
    return Work(
        f"{what} {rows}x{columns} {dtype}",
        what,
        inputs,
        reference,
        function,
        lambda tensors, programs: rivals.candidates(bind(tensors), programs),
        payload,
        8.0 * rows * columns,
        bytes_of(dtype, passes * rows * columns),
        TOLERANCES[dtype],
        points_for(what, dtype, rows, columns, 0),
        graph=columns <= 1024,
    )


def summed(count: int, dtype: str, gelu: bool) -> Work:
    """x + y, or its gelu."""
    from rivals import elementwise as rivals

    def add(x: Any, y: Any) -> torch.Tensor:
        return x + y

    def add_gelu(x: Any, y: Any) -> torch.Tensor:
        return F.gelu(x + y)

    function = add_gelu if gelu else add

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        x, y = tensors
        return rivals.candidates(x, y, torch.empty_like(x), gelu)

    def payload() -> str:
        from contenders import payloads

        return (payloads.add_gelu if gelu else payloads.vector_add)(count, dtype)

    what = "add+gelu" if gelu else "vector add"
    size = f"{count >> 20}M" if count >= 1 << 22 else f"2^{count.bit_length() - 1}"
    return Work(
        f"{what} {size} {dtype}",
        what,
        lambda device: random_tensors(device, (count,), (count,), dtype=dtype),
        lambda x, y: function(*widened(x, y)),
        function,
        hand,
        payload,
        float(count),
        bytes_of(dtype, 3 * count),
        TOLERANCES[dtype],
        points_for("elementwise", dtype, count, 0, 0),
        graph=not gelu,
    )
