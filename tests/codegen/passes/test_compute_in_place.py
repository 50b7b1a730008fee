"""Parts of a concatenation are computed where they belong: no copies."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.codegen.analysis.windows import Placed, Window, are_disjoint, placed
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.frontend.builder import Payload, concatenate
from tilewright.frontend.builder.gathers import gather
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule


def checked(payload: Payload, schedule: str = "schedule s(root) { }") -> Built:
    """The program, whose numbers are those of the payload."""
    module = parse_payload(payload.text())
    built = build(module, Schedule.from_text(schedule, "s.tw"))
    question = make_case(module, 0)
    assert check_kernel_ir(built, question).ok
    (found,) = interpret_all([Job(built.program, question.inputs)])
    for one, expected in zip(found, question.expected, strict=True):
        np.testing.assert_allclose(one, expected, rtol=1e-5, atol=1e-5)
    return built


SIBLINGS = """
schedule siblings(root) {
  ops = match implementing [LinalgOp] in root
  one = pick ops at [0]
  two = pick ops at [1]
  one, grid = tile one by [4, 8] onto [block.y, block.x]
  two, other = tile two by [4, 8] onto [block.y, block.x]
  grid = fuse_sibling other into grid
}
"""


def test_one_grid_computes_two_parts() -> None:
    payload = Payload("two")
    x = payload.input("x", [8, 24], "f32")
    payload.output(concatenate([x * 2.0, x + 1.0], 1))
    assert "copy_" not in checked(payload, SIBLINGS).program.text


@pytest.mark.parametrize("rows, width, copies", [(8, 16, 0), (8, 15, 0), (1100, 61, 1)])
def test_a_part_that_others_read(rows: int, width: int, copies: int) -> None:
    """Rows of 61 elements in rows of 77 begin at addresses that vectors cannot."""
    payload = Payload("read")
    x = payload.input("x", [rows, width], "f32")
    y = payload.input("y", [rows, 16], "f32")
    part = (x * 2.0).materialized()
    payload.output(concatenate([part, y + 1.0], 1))
    payload.output(part * part)
    assert checked(payload).program.text.count("copy_") == copies


def test_columns_of_a_stack() -> None:
    """The columns lie in steps. A kernel reads the second and writes the third."""
    payload = Payload("stack")
    x = payload.input("x", [24, 3], "f32")
    first = (x[:, 0:1].reshape(24) * 0.5).materialized()
    second = (first + x[:, 1:2].reshape(24)).materialized()
    third = (second * x[:, 2:3].reshape(24)).materialized()
    columns = [each.reshape(24, 1) for each in (first, second, third)]
    payload.output(concatenate(columns, 1))
    assert checked(payload).program.text.count("copy_") == 1  # that of the second


def test_a_column_in_two_joins_is_copied_into_both() -> None:
    payload = Payload("columns")
    x = payload.input("x", [24, 8], "f32")
    column = (x[:, 0:1].reshape(24) * 2.0).materialized().reshape(24, 1)
    payload.output(concatenate([x + 1.0, column], 1))
    payload.output(concatenate([column, x - 1.0], 1))
    assert checked(payload).program.text.count("copy_") == 2


def test_parts_of_parts_in_other_shapes() -> None:
    payload = Payload("nested")
    x = payload.input("x", [4, 8, 16], "f32")
    cache = payload.input("cache", [4, 2, 8, 16], "f32")
    halves = concatenate([x[:, :, 0:8] * 2.0, x[:, :, 8:16] + 1.0], 2)
    payload.output(concatenate([cache, halves.reshape(4, 1, 8, 16)], 1))
    assert checked(payload).program.text.count("copy_") == 1  # that of the cache


@pytest.mark.parametrize("gathers_part, copies", [(False, 0), (True, 1)])
def test_a_kernel_gathers(gathers_part: bool, copies: int) -> None:
    """A gather counts the elements of a whole buffer: the join is one, a part not."""
    payload = Payload("gathered")
    x = payload.input("x", [8, 16], "f32")
    part = (x * 2.0).materialized()
    joined = concatenate([part, x + 1.0], 1)
    payload.output(joined)
    table = part if gathers_part else joined
    rows, columns = table.shape
    payload.output(
        payload.generate(
            lambda i, j: gather(table, 7 - i, int(columns) - 1 - j), (8, columns), "f32"
        )
    )
    assert checked(payload, SIBLINGS).program.text.count("copy_") == copies


def test_a_part_twice_is_copied_once() -> None:
    payload = Payload("twice")
    x = payload.input("x", [8, 16], "f32")
    part = (x * 2.0).materialized()
    payload.output(concatenate([part, part], 1))
    assert checked(payload).program.text.count("copy_") == 1


def test_a_result_stays_a_buffer_of_its_own() -> None:
    payload = Payload("returned")
    x = payload.input("x", [8, 16], "f32")
    part = (x * 2.0).materialized()
    payload.output(part)
    payload.output(concatenate([part, x + 1.0], 1))
    checked(payload)


def test_windows() -> None:
    left, right = Window((8, 16), (64, 1), 0), Window((8, 48), (64, 1), 16)
    assert are_disjoint(left, right) and not are_disjoint(left, left)
    assert not are_disjoint(Window((8, 17), (64, 1), 0), right)
    whole = Window((512,), (1,), 0)
    assert not are_disjoint(whole, right)
    assert are_disjoint(Window((4, 64), (64, 1), 0), Window((4, 64), (64, 1), 256))
    place = placed(right, 512)
    assert place is not None and (place.shape, place.starts) == ((8, 64), (0, 16))
    in_steps = placed(Window((8, 8), (64, 2), 1), 512)
    assert in_steps == Placed((8, 64), (0, 1), (1, 2))
    assert in_steps is not None and in_steps.has_gaps
    assert placed(Window((8, 33), (64, 2), 0), 512) is None
