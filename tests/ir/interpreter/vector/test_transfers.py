"""vector.transfer_read and transfer_write against a loop over single lanes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import interpret
from tilewright.ir.errors import UserError

PAD = np.float32(-99)


@dataclass(frozen=True)
class Transfer:
    """A transfer of any map, at any place, under any mask."""

    shape: tuple[int, ...]
    dims: tuple[int | None, ...]
    """For each dimension of the vector: the source's, or None where it repeats."""
    lanes: tuple[int, ...]
    start: tuple[int, ...]
    in_bounds: tuple[bool, ...]
    mask: np.ndarray | None

    @property
    def attributes(self) -> str:
        names = [f"d{d}" for d in range(len(self.shape))]
        results = ["0" if dim is None else names[dim] for dim in self.dims]
        bounds = ", ".join(str(entry).lower() for entry in self.in_bounds)
        return (
            f"{{in_bounds = [{bounds}], permutation_map = "
            f"affine_map<({', '.join(names)}) -> ({', '.join(results)})>}}"
        )

    @property
    def mask_shape(self) -> tuple[int, ...]:
        sizes = dict(zip(self.dims, self.lanes, strict=True))
        kept = sorted(dim for dim in sizes if dim is not None)
        return tuple(sizes[dim] for dim in kept) or (1,)

    def place(self, lane: tuple[int, ...]) -> tuple[int, ...]:
        """Where a lane is in the source."""
        at = list(self.start)
        for dim, offset in zip(self.dims, lane, strict=True):
            if dim is not None:
                at[dim] += offset
        return tuple(at)

    def is_on(self, lane: tuple[int, ...]) -> bool:
        if self.mask is None:
            return True
        by_dim = dict(zip(self.dims, lane, strict=True))
        kept = sorted(dim for dim in by_dim if dim is not None)
        return bool(self.mask[tuple(by_dim[dim] for dim in kept) or (0,)])

    def is_inside(self, place: tuple[int, ...]) -> bool:
        return all(
            0 <= index < size for index, size in zip(place, self.shape, strict=True)
        )

    def breaks_a_promise(self) -> bool:
        """Whether a lane that is on lies outside where the op says it does not."""
        for lane in np.ndindex(self.lanes):
            if not self.is_on(lane):
                continue
            place = self.place(lane)
            for dim, promised in zip(self.dims, self.in_bounds, strict=True):
                if dim is not None and promised:
                    if not 0 <= place[dim] < self.shape[dim]:
                        return True
        others = set(range(len(self.shape))) - {d for d in self.dims if d is not None}
        return any(not 0 <= self.start[dim] < self.shape[dim] for dim in others)

    def text(self, body: str, extra: str, result: str) -> str:
        indices = ", ".join(f"%i{d}: index" for d in range(len(self.shape)))
        arguments = [f"%x: {self.source}", f"%pad: f32{extra}", indices]
        if self.mask is not None:
            sizes = "x".join(map(str, self.mask_shape))
            arguments.append(f"%m: vector<{sizes}xi1>")
        return f"""func.func @f({", ".join(filter(None, arguments))}) -> {result} {{
          {body}
          return %r : {result}
        }}"""

    @property
    def at(self) -> str:
        return ", ".join(f"%i{d}" for d in range(len(self.shape)))

    @property
    def under(self) -> str:
        return "" if self.mask is None else ", %m"

    @property
    def source(self) -> str:
        return f"tensor<{'x'.join([*map(str, self.shape), 'f32'])}>"

    @property
    def vector(self) -> str:
        return f"vector<{'x'.join([*map(str, self.lanes), 'f32'])}>"


@st.composite
def transfers(draw: st.DrawFn, *, repeats: bool) -> Transfer:
    shape = tuple(draw(st.lists(st.integers(1, 5), max_size=3)))
    order = draw(st.permutations(range(len(shape))))
    kept: list[int | None] = list(order[: draw(st.integers(0, len(shape)))])
    if repeats:
        for _ in range(draw(st.integers(0, 2))):
            kept.insert(draw(st.integers(0, len(kept))), None)
    lanes = tuple(draw(st.integers(1, 5)) for _ in kept)
    start = tuple(draw(st.integers(-2, size + 2)) for size in shape)
    in_bounds = tuple(draw(st.booleans()) for _ in kept)
    plain = Transfer(shape, tuple(kept), lanes, start, in_bounds, None)
    if not draw(st.booleans()):
        return plain
    seed = draw(st.integers(0, 2**16))
    mask = np.random.default_rng(seed).random(plain.mask_shape) < 0.6
    return Transfer(shape, tuple(kept), lanes, start, in_bounds, mask)


def inputs(case: Transfer, *more: Any) -> list[Any]:
    x = np.arange(np.prod(case.shape, dtype=int), dtype=np.float32)
    masks = [] if case.mask is None else [case.mask]
    return [x.reshape(case.shape), PAD, *more, *case.start, *masks]


@settings(deadline=None, max_examples=examples(150))
@given(case=transfers(repeats=True))
def test_read_is_lane_by_lane(case: Transfer) -> None:
    text = case.text(
        f"%r = vector.transfer_read %x[{case.at}], %pad{case.under} "
        f"{case.attributes} : {case.source}, {case.vector}",
        "",
        case.vector,
    )
    values = inputs(case)
    try:
        got = interpret(text, *values)
    except UserError as error:
        assert case.breaks_a_promise(), error
        return
    assert not case.breaks_a_promise()
    want = np.full(case.lanes, PAD)
    for lane in np.ndindex(case.lanes):
        place = case.place(lane)
        if case.is_on(lane) and case.is_inside(place):
            want[lane] = values[0][place]
    np.testing.assert_array_equal(got, want)
    assert np.shape(got) == case.lanes


@settings(deadline=None, max_examples=examples(150))
@given(case=transfers(repeats=False))
def test_write_is_lane_by_lane(case: Transfer) -> None:
    text = case.text(
        f"%r = vector.transfer_write %v, %x[{case.at}]{case.under} "
        f"{case.attributes} : {case.vector}, {case.source}",
        f", %v: {case.vector}",
        case.source,
    )
    vector = 1000 + np.arange(np.prod(case.lanes, dtype=int), dtype=np.float32)
    vector = vector.reshape(case.lanes)
    values = inputs(case, vector)
    before = values[0].copy()
    try:
        got = interpret(text, *values)
    except UserError as error:
        assert case.breaks_a_promise(), error
        return
    assert not case.breaks_a_promise()
    want = before.copy()
    for lane in np.ndindex(case.lanes):
        place = case.place(lane)
        if case.is_on(lane) and case.is_inside(place):
            want[place] = vector[lane]
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(values[0], before)


@settings(deadline=None, max_examples=examples(60))
@given(case=transfers(repeats=True))
def test_a_mask_around_a_read_is_a_mask_of_the_read(case: Transfer) -> None:
    if case.mask is None:
        return
    sizes = "x".join(map(str, case.mask_shape))
    inside = (
        f"vector.transfer_read %x[{case.at}], %pad {case.attributes} "
        f": {case.source}, {case.vector}"
    )
    around = f"%r = vector.mask %m {{ {inside} }} : vector<{sizes}xi1> -> {case.vector}"
    direct = f"%r = {inside.replace('%pad', '%pad, %m', 1)}"
    outcomes: list[Any] = []
    for body in (around, direct):
        try:
            text = case.text(body, "", case.vector)
            outcomes.append(interpret(text, *inputs(case)))
        except UserError:
            outcomes.append(None)
    np.testing.assert_array_equal(outcomes[0], outcomes[1])


def test_a_pass_through_value_fills_what_is_off() -> None:
    text = """
    func.func @f(%x: tensor<3x4xf32>, %m: vector<3x4xi1>, %p: vector<4x2x3xf32>)
        -> vector<4x2x3xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %pad = arith.constant -1.0 : f32
      %r = vector.mask %m, %p {
        vector.transfer_read %x[%c1, %c0], %pad {in_bounds = [true, true, false],
          permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>}
          : tensor<3x4xf32>, vector<4x2x3xf32>
      } : vector<3x4xi1> -> vector<4x2x3xf32>
      return %r : vector<4x2x3xf32>
    }"""
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    mask = np.random.default_rng(0).random((3, 4)) < 0.5
    passthru = 100 + np.arange(24, dtype=np.float32).reshape(4, 2, 3)
    got = interpret(text, x, mask, passthru)
    for j, b, i in itertools.product(range(4), range(2), range(3)):
        read = x[i + 1, j] if i + 1 < 3 else -1
        assert got[j, b, i] == (read if mask[i, j] else passthru[j, b, i])


def test_both_masks_count() -> None:
    text = """
    func.func @f(%x: memref<4xf32>, %v: vector<4xf32>, %m: vector<4xi1>,
                 %n: vector<4xi1>) -> vector<4xf32> {
      %c0 = arith.constant 0 : index
      %pad = arith.constant -1.0 : f32
      %r = vector.mask %m { vector.transfer_read %x[%c0], %pad, %n
        : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
      vector.mask %m { vector.transfer_write %v, %x[%c0], %n
        : vector<4xf32>, memref<4xf32> } : vector<4xi1>
      return %r : vector<4xf32>
    }"""
    x = np.float32([1, 2, 3, 4])
    masks = np.bool_([1, 1, 0, 0]), np.bool_([1, 0, 1, 0])
    got = interpret(text, x, np.float32([5, 6, 7, 8]), *masks)
    np.testing.assert_array_equal(got, [1, -1, -1, -1])
    np.testing.assert_array_equal(x, [5, 2, 3, 4])


def test_rank_zero() -> None:
    text = """
    func.func @f(%x: tensor<f32>, %y: memref<f32>, %m: vector<1xi1>, %pad: f32)
        -> (vector<f32>, vector<f32>, vector<2x3xf32>, tensor<f32>) {
      %a = vector.transfer_read %x[], %pad : tensor<f32>, vector<f32>
      %b = vector.transfer_read %x[], %pad, %m : tensor<f32>, vector<f32>
      %c = vector.transfer_read %y[], %pad {permutation_map = affine_map<() -> (0, 0)>}
        : memref<f32>, vector<2x3xf32>
      vector.transfer_write %b, %y[] : vector<f32>, memref<f32>
      %d = vector.transfer_write %b, %x[], %m : vector<f32>, tensor<f32>
      return %a, %b, %c, %d : vector<f32>, vector<f32>, vector<2x3xf32>, tensor<f32>
    }"""
    y = np.array(5, np.float32)
    a, b, c, d = interpret(text, np.array(3, np.float32), y, np.bool_([False]), PAD)
    assert (a, b, d) == (3, PAD, 3)
    np.testing.assert_array_equal(c, np.full((2, 3), 5))
    assert y == PAD
