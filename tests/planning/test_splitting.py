"""Into how many chunks the keys of a few queries are cut."""

from __future__ import annotations

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.payloads import Payload, attention
from tilewright.pipeline import parse_payload
from tilewright.planning.analysis.dataflow import analyse
from tilewright.planning.grouping.streams import find_streams
from tilewright.planning.splitting import chunks_of


def chunks(heads: int, queries: int, keys: int) -> int | None:
    """The chunks of attention with 32 features in bf16 on the 132 SMs of an H200."""
    p = Payload("f")
    q = p.input("q", (1, heads, queries, 32), "bf16")
    k, v = (p.input(name, (1, heads, keys, 32), "bf16") for name in "kv")
    p.output(attention(q, k, v))
    (stream,) = find_streams(analyse(parse_payload(p.text()))).chains
    return chunks_of(stream, TARGETS["h200"])


@pytest.mark.parametrize(
    ("heads", "queries", "keys", "expected"),
    [
        pytest.param(4, 1, 65536, 64, id="three programs for each multiprocessor"),
        pytest.param(1, 1, 1024, 16, id="chunks have 64 keys at least"),
        pytest.param(1, 1, 512, None, id="512 keys are one loop"),
        pytest.param(32, 128, 4096, 4, id="a program computes 64 rows"),
        pytest.param(
            96, 64, 1024, 2, id="parts are a quarter of the bytes that are read"
        ),
        pytest.param(
            48, 100, 1024, None, id="parts are more, and the GPU is half busy"
        ),
        pytest.param(32, 100, 1024, 4, id="parts are more, and the GPU is not"),
    ],
)
def test_chunks_fill_the_gpu(
    heads: int, queries: int, keys: int, expected: int | None
) -> None:
    assert chunks(heads, queries, keys) == expected
