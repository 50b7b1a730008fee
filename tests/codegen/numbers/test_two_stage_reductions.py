"""Reductions by many programs: partial results, which the last program adds up."""

from __future__ import annotations

from support.codegen.programs import assert_right
from tilewright.payloads import Payload, elementwise, reduce


def summed(shape: tuple[int, ...], axis: int | tuple[int, ...]) -> str:
    payload = Payload("f")
    x = payload.input("x", shape, "f32")
    payload.output(reduce("sum", x, axis=axis, of=lambda element: element * element))
    return payload.text()


def test_all_programs_work_on_one_tile() -> None:
    """A grid of a single tile joins a grid of any extents."""
    schedule = """schedule scalar(root) {
  op = match "linalg.generic" in root
  fill = match "linalg.fill" in root
  op = collapse op
  e, zero, part, total = split_reduction op by 6 at 0
  total, last = tilewright.in_one_block total
  fill, last = fuse fill into last
  part, grid = tile part by [1] onto [block.x]
  zero, grid = fuse zero into grid
  zeros, part, sum, loop = tile_reduction part by [0, 64]
  launch grid warps = 4
  last_arriver last
}"""
    program = assert_right(summed((30, 40), (0, 1)), schedule).program
    assert len(program.kernels) == 1 and program.kernels[0].grid == (6,)


def test_rows_that_do_not_divide_into_parts() -> None:
    """The last program adds up the parts, then the rows that are left."""
    schedule = """schedule columns(root) {
  op = match "linalg.generic" in root
  fill = match "linalg.fill" in root
  parts = split op after 300 along 0
  main, rest = split_handle parts
  e, zero, part, total = split_reduction main by 4 at 0
  func = match "func.func" in root
  canonicalize func
  rest, last = tile rest by [0, 64] onto [block.x]
  total, last = fuse total into last
  fill, last = fuse fill into last
  part, grid = tile part by [1, 0, 64] onto [block.y, block.x]
  zero, grid = fuse zero into grid
  zeros, part, sum, loop = tile_reduction part by [0, 32, 0]
  last_arriver last
}"""
    program = assert_right(summed((301, 100), 0), schedule).program
    assert len(program.kernels) == 1 and program.kernels[0].grid == (4, 2)


def test_a_grid_between_the_parts_and_what_combines_them() -> None:
    """The parts move to the grid that joins them: nothing between reads them."""
    payload = Payload("f")
    x = payload.input("x", (64, 40), "f32")
    total = reduce("sum", x, axis=0)
    payload.output(elementwise(lambda one: one + 1.0, x))
    payload.output(elementwise(lambda one: one * 2.0, total))
    schedule = """schedule columns(root) {
  ops = match "linalg.generic" in root
  sum, plus, twice = split_handle ops
  fill = match "linalg.fill" in root
  plus, other = tile plus by [8, 0] onto [block.x]
  e, zero, part, sum = split_reduction sum by 4 at 0
  twice, last = tile twice by [32] onto [block.x]
  sum, last = fuse sum into last
  fill, last = fuse fill into last
  part, grid = tile part by [1, 0, 32] onto [block.y, block.x]
  zero, grid = fuse zero into grid
  last_arriver last
}"""
    program = assert_right(payload.text(), schedule).program
    assert sorted(kernel.grid for kernel in program.kernels) == [(4, 2), (8,)]


def test_what_combines_the_parts_reads_another_kernel_too() -> None:
    """As the gradient of a norm does, which multiplies a sum by a stored scale."""
    payload = Payload("f")
    x = payload.input("x", (64, 40), "f32")
    y = payload.input("y", (40,), "f32")
    scale = elementwise(lambda one: one + 1.0, y)
    total = reduce("sum", x, axis=0)
    payload.output(elementwise(lambda one: one + 1.0, x))
    payload.output(scale)
    payload.output(elementwise(lambda one, two: one * two, total, scale))
    schedule = """schedule columns(root) {
  ops = match "linalg.generic" in root
  scale, sum, plus, product = split_handle ops
  fill = match "linalg.fill" in root
  scale, first = tile scale by [32] onto [block.x]
  plus, other = tile plus by [8, 0] onto [block.x]
  e, zero, part, sum = split_reduction sum by 4 at 0
  product, last = tile product by [32] onto [block.x]
  sum, last = fuse sum into last
  fill, last = fuse fill into last
  part, grid = tile part by [1, 0, 32] onto [block.y, block.x]
  zero, grid = fuse zero into grid
  last_arriver last
}"""
    program = assert_right(payload.text(), schedule).program
    grids = sorted(kernel.grid for kernel in program.kernels)
    assert grids == [(2,), (4, 2), (8,)]
