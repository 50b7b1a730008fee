"""What is done to a graph of ATen ops before it is cut into payloads, in order."""

from __future__ import annotations

from torch.fx import Graph

from tilewright.torch_backend.capture.graph_edits import (
    drop_copies,
    merge_equal,
    mutates,
    separate_counts,
)
from tilewright.torch_backend.capture.input_writes import (
    without_writes,
    write_in_place,
)
from tilewright.torch_backend.capture.loops.equal_matmuls import merge_matmuls
from tilewright.torch_backend.capture.parts.runs import simplify_parts
from tilewright.torch_backend.capture.patterns.attention_masks import separate_masks
from tilewright.torch_backend.capture.patterns.bytes import widen_bytes
from tilewright.torch_backend.capture.patterns.chained_matmuls import mark_chained
from tilewright.torch_backend.capture.patterns.complex_numbers import split_complex
from tilewright.torch_backend.capture.patterns.embedding_bags import reduce_embeddings


def rewrite(graph: Graph) -> None:
    """Give a graph the form that is planned best; its results keep their numbers."""
    with without_writes(graph):
        _rewrite(graph)
    write_in_place(graph)


def _rewrite(graph: Graph) -> None:
    reduce_embeddings(graph)
    if any(mutates(node) for node in graph.nodes):
        return
    split_complex(graph)
    widen_bytes(graph)
    drop_copies(graph)
    merge_equal(graph)
    simplify_parts(graph)
    merge_matmuls(graph)
    simplify_parts(graph)
    merge_equal(graph)
    separate_masks(graph)
    separate_counts(graph)
    mark_chained(graph)
