"""Calls with room on Python's stack."""

from __future__ import annotations

import resource

from tilewright.torch_backend.compiling.frame_room import with_frame_room

DEPTH = 300
CALLS = 200


def _leaf() -> None:
    pass


def _descend(depth: int) -> None:
    """Call a function many times at each depth: some are at the end of a chunk."""
    for _ in range(CALLS):
        _leaf()
    if depth:
        _descend(depth - 1)


def _faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def test_calls_inside_map_no_memory_again_and_again() -> None:
    _descend(DEPTH)
    before = _faults()
    with_frame_room(_descend, DEPTH)
    assert _faults() - before < CALLS


def test_arguments_and_results_pass_through() -> None:
    assert with_frame_room(divmod, 17, 5) == (3, 2)
    assert with_frame_room(sorted, [1, 3, 2], reverse=True) == [3, 2, 1]
