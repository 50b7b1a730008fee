"""insert_slice_to_copy."""

from __future__ import annotations

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    forall,
    match,
    schedule_of,
    transform,
)


def one_result(verb: str, target: str = "%h", result: str = "%r") -> str:
    return f"{result} = transform.structured.{verb} {target} : ({OP}) -> {OP}"


def on_op(verb: str, op: str, mark: bool = True) -> str:
    marks = [f'transform.annotate %r "made" : {OP}'] if mark else []
    return schedule_of(match("%h", op), one_result(verb), *marks)


def same_by_real_mlir(payload: str, schedule: str, reduction: int = 1) -> str:
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=reduction)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    return ran.text


def insertion(source: str, offsets: str, sizes: str, into: str) -> str:
    ones = ", ".join("1" for _ in offsets.split(","))
    return (
        f"func.func @f(%a: {source}, %b: {into}) -> {into} {{\n"
        f"  %r = tensor.insert_slice %a into %b[{offsets}] [{sizes}] [{ones}] "
        f": {source} into {into}\n  return %r : {into}\n}}\n"
    )


INSERT = insertion("tensor<3x4xf32>", "0, 2", "3, 4", "tensor<3x8xf32>")


@needs_mlir
def test_a_copy_into_the_slice(golden) -> None:
    schedule = on_op("insert_slice_to_copy", "tensor.insert_slice")
    text = same_by_real_mlir(INSERT, schedule)
    golden("transforms/insert_slice_to_copy.mlir", text)


def test_a_slice_of_lower_rank() -> None:
    """Upstream leaves invalid IR: a copy of one rank into another."""
    for source, sizes in (("tensor<4xf32>", "1, 4"), ("tensor<f32>", "1, 1")):
        payload = insertion(source, "1, 2", sizes, "tensor<3x8xf32>")
        ran = transform(payload, on_op("insert_slice_to_copy", "tensor.insert_slice"))
        assert "linalg.copy" in ran.text
        assert_same_numbers(ran)
        mlir_opt(ran.text)


@needs_mlir
def test_insertions_in_parallel() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        forall("%t, %l", "%mm", "4, 4"),
        match("%h", "tensor.parallel_insert_slice"),
        one_result("insert_slice_to_copy"),
        f'transform.annotate %r "made" : {OP}',
    )
    text = same_by_real_mlir(matmul(10, 8, 3), schedule, reduction=3)
    assert "linalg.copy" in text


def test_a_second_copy_is_not_made() -> None:
    schedule = schedule_of(
        match("%h", "tensor.insert_slice"),
        one_result("insert_slice_to_copy"),
        match("%again", "tensor.insert_slice"),
        one_result("insert_slice_to_copy", "%again", "%s"),
    )
    assert transform(INSERT, schedule).text.count("linalg.copy") == 1
