"""From a lowered payload to a program: collections, equal payloads, the cache."""

from __future__ import annotations

import gc

from tilewright.torch_backend.compiling.collector import fewer_collections


def test_collections_are_rare_while_a_graph_is_compiled() -> None:
    before = gc.get_threshold()
    with fewer_collections():
        assert gc.get_threshold()[0] > before[0]
        with fewer_collections():
            assert gc.get_threshold()[0] > before[0]
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_threshold() == before
