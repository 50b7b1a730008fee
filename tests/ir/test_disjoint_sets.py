"""Disjoint sets: representatives, copies, and the order of the values."""

from __future__ import annotations

from tilewright.ir.disjoint_sets import DisjointSets


def test_the_left_set_represents_both():
    sets = DisjointSets[str]()
    assert sets.union_left("a", "b") and sets.union_left("c", "d")
    assert sets.union_left("d", "b")
    assert not sets.union_left("a", "c")
    assert {sets.find(value) for value in "abcd"} == {"c"}
    assert sets.find("e") == "e"
    assert list(sets) == ["a", "b", "c", "d", "e"]


def test_a_copy_is_joined_alone():
    sets = DisjointSets[int]()
    sets.union_left(1, 2)
    copied = sets.copy()
    copied.union_left(3, 1)
    assert copied.find(2) == 3
    assert sets.find(2) == 1 and list(sets) == [1, 2]
