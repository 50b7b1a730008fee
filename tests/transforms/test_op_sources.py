"""Ops are found by their files, as they are when imported."""

from __future__ import annotations

import pytest

from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.op_sources import PREFIX, OpSource, op_sources


@pytest.mark.parametrize("source", op_sources().values(), ids=lambda one: one.name)
def test_the_text_of_a_file_says_what_its_class_says(source: OpSource) -> None:
    op = source.load()
    assert op.name == PREFIX + source.name
    if issubclass(op, TransformOp):
        assert (op.FORM, op.SUMMARY) == (source.form, source.summary)


def test_every_transform_op_is_found() -> None:
    found = {source.load() for source in op_sources().values()}
    assert {op for op in _below(TransformOp) if "name" in vars(op)} <= found


def _below(kind: type) -> set[type]:
    children = kind.__subclasses__()
    return {*children, *(op for child in children for op in _below(child))}
