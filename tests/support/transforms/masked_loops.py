"""Loops over masked tiles, as text: streamed attention and triangular products.

A mask is written for `%ig`, the row, and `%jg`, the key, of an element; it defines the
i1 `%c`. Sizes may be numbers or `?`.
"""

# ruff: noqa: E501
from __future__ import annotations

import itertools
import random
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

CAUSAL = "%c = arith.cmpi sle, %jg, %ig : index"
KEYS = "%c = arith.cmpi slt, %jg, %length : index"
DOCUMENT = """%da = tensor.extract %doc[%ig] : tensor<@documents@xi32>
          %db = tensor.extract %doc[%jg] : tensor<@documents@xi32>
          %same = arith.cmpi eq, %da, %db : i32
          %before = arith.cmpi sle, %jg, %ig : index
          %c = arith.andi %same, %before : i1"""


def shifted(by: int) -> str:
    """Causal for queries that are the last ones, or that come before the keys."""
    return f"""%by = arith.constant {by} : index
          %last = arith.addi %ig, %by : index
          %c = arith.cmpi sle, %jg, %last : index"""


def window(width: int, before: str = "sle") -> str:
    """A row's own key and the `width - 1` before it."""
    return f"""%width = arith.constant {width} : index
          %low = arith.subi %ig, %width : index
          %early = arith.cmpi {before}, %jg, %ig : index
          %late = arith.cmpi sgt, %jg, %low : index
          %c = arith.andi %early, %late : i1"""


def band(width: int) -> str:
    """The keys at a distance below `width`."""
    return f"""%width = arith.constant {width} : index
          %difference = arith.subi %ig, %jg : index
          %distance = math.absi %difference : index
          %c = arith.cmpi slt, %distance, %width : index"""


def later(width: int) -> str:
    """The keys from `width` after the row on: the last rows have none."""
    return f"""%width = arith.constant {width} : index
          %first = arith.addi %ig, %width : index
          %c = arith.cmpi sge, %jg, %first : index"""


@dataclass(frozen=True)
class Masked:
    """A loop over tiles of keys in a grid over tiles of rows."""

    mask: str = CAUSAL
    rows: int | str = 32
    keys: int | str = 32
    tile: tuple[int, int] = (8, 4)

    def attention(self) -> str:
        """Streamed attention: a running maximum, corrected sum and product."""
        return self._func(_ATTENTION, "tensor<@m@x4xf32>, tensor<@m@xf32>")

    def product(self) -> str:
        """A product whose left operand is 0 where the mask is false."""
        return self._func(_PRODUCT, "tensor<@m@x4xf32>")

    @property
    def _longest(self) -> int:
        return max(int(self.rows), int(self.keys))

    def _func(self, body: str, results: str) -> str:
        height, width = self.tile
        names: dict[str, int | str] = {
            "mask": self.mask,
            "documents": "?" if "?" in (self.rows, self.keys) else self._longest,
            "m": self.rows,
            "n": self.keys,
            "bm": height,
            "bn": width,
            "tm": _tile(self.rows, height),
            "tn": _tile(self.keys, width),
            "rows": _extent("%q", self.rows),
            "keys": _extent("%k", self.keys),
            "rows_of_tile": _size("%i", self.rows, height, "%rows"),
            "keys_of_tile": _size("%j", self.keys, width, "%keys"),
            "tiles": "%tiles" if self.rows == "?" else -(-int(self.rows) // height),
        }
        text = _HEAD.replace("@results@", results) + body
        for name, value in names.items():
            text = text.replace(f"@{name}@", str(value))
        return text


def inputs(rows: int, keys: int) -> list[Any]:
    """Random arguments of such a payload; documents are runs of equal numbers."""
    rng = np.random.default_rng(1)
    shapes = [(rows, 4), (keys, 4), (keys, 4)]
    floats = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    documents = np.sort(rng.integers(0, 3, max(rows, keys))).astype(np.int32)
    return [*floats, documents, np.int64(keys // 2)]


def sampled(seed: str, count: int) -> list[tuple[int, int, tuple[int, int], bool]]:
    """Rows, keys, tiles, and whether the sizes are open: some of all combinations."""
    every = itertools.product(
        (3, 16, 29, 32, 40), (7, 16, 31, 32), ((8, 4), (4, 8)), (False, True)
    )
    return random.Random(seed).sample(list(every), count)


def bounds(text: str) -> list[tuple[str, str]]:
    """The bounds of the loops of a text: constants, or the maps that compute them.

    Maps are written without parentheses.
    """
    made = dict(re.findall(r"(%\w+) = arith.constant (-?\d+) : index", text))
    maps = r"(%\w+) = affine.(\w+) affine_map<.*? -> \((.*)\)>"
    for name, op, results in re.findall(maps, text):
        plain = re.sub(r"[()]", "", results)
        made[name] = plain if op == "apply" else f"{op} {plain}"
    loops = re.findall(r"scf.for %\w+ = (%\w+) to (%\w+)", text)
    return [(made.get(low, low), made.get(high, high)) for low, high in loops]


def _extent(tensor: str, size: int | str) -> str:
    if size == "?":
        return f"tensor.dim {tensor}, %c0 : tensor<?x4xf32>"
    return f"arith.constant {size} : index"


def _tile(size: int | str, tile: int) -> int | str:
    return "?" if size == "?" or int(size) % tile else tile


def _size(offset: str, size: int | str, tile: int, name: str) -> str:
    if _tile(size, tile) != "?":
        return f"arith.constant {tile} : index"
    return f"affine.min affine_map<(d0)[s0] -> (-d0 + s0, {tile})>({offset})[{name}]"


_HEAD = """\
#two = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
func.func @f(%q: tensor<@m@x4xf32>, %k: tensor<@n@x4xf32>, %v: tensor<@n@x4xf32>,
    %doc: tensor<@documents@xi32>, %length: index) -> (@results@) {
  %c0 = arith.constant 0 : index
  %step = arith.constant @bn@ : index
  %zero = arith.constant 0.0 : f32
  %minf = arith.constant 0xFF800000 : f32
  %rows = @rows@
  %keys = @keys@
  %tiles = affine.apply affine_map<()[s0] -> (s0 ceildiv @bm@)>()[%rows]
"""

_INDICES = """\
          %jj = linalg.index 1 : index
          %jg = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%jj]
          %ii = linalg.index 0 : index
          %ig = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%ii]
          @mask@
"""

_SCORES = """\
      %tn = @keys_of_tile@
      %kt = tensor.extract_slice %k[%j, 0] [%tn, 4] [1, 1] : tensor<@n@x4xf32> to tensor<?x4xf32>
      %vt = tensor.extract_slice %v[%j, 0] [%tn, 4] [1, 1] : tensor<@n@x4xf32> to tensor<?x4xf32>
      %e3 = tensor.empty(%tm, %tn) : tensor<?x?xf32>
      %s0 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x?xf32>) -> tensor<?x?xf32>
      %s = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%qt, %kt : tensor<?x4xf32>, tensor<?x4xf32>) outs(%s0 : tensor<?x?xf32>) -> tensor<?x?xf32>
"""

_ATTENTION = (
    """\
  %empty = tensor.empty(%rows) : tensor<?x4xf32>
  %empties = tensor.empty(%rows) : tensor<?xf32>
  %res:2 = scf.forall (%bi) in (@tiles@) shared_outs(%o = %empty, %t = %empties) -> (tensor<?x4xf32>, tensor<?xf32>) {
    %i = affine.apply affine_map<(d0) -> (d0 * @bm@)>(%bi)
    %tm = @rows_of_tile@
    %qt = tensor.extract_slice %q[%i, 0] [%tm, 4] [1, 1] : tensor<@m@x4xf32> to tensor<?x4xf32>
    %e0 = tensor.empty(%tm) : tensor<?xf32>
    %m0 = linalg.fill ins(%minf : f32) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
    %l0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
    %e2 = tensor.empty(%tm) : tensor<?x4xf32>
    %a0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %r:3 = scf.for %j = %c0 to %keys step %step iter_args(%m = %m0, %l = %l0, %acc = %a0) -> (tensor<?xf32>, tensor<?xf32>, tensor<?x4xf32>) {
"""
    + _SCORES
    + """\
      %e4 = tensor.empty(%tm, %tn) : tensor<?x?xf32>
      %sc = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x?xf32>) outs(%e4 : tensor<?x?xf32>) {
        ^bb0(%x: f32, %out: f32):
"""
    + _INDICES
    + """\
          %masked = arith.select %c, %x, %minf : f32
          linalg.yield %masked : f32
      } -> tensor<?x?xf32>
      %mn = linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]} ins(%sc : tensor<?x?xf32>) outs(%m : tensor<?xf32>) {
        ^bb0(%x: f32, %y: f32):
          %1 = arith.maximumf %x, %y : f32
          linalg.yield %1 : f32
      } -> tensor<?xf32>
      %e5 = tensor.empty(%tm) : tensor<?xf32>
      %ms = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%mn : tensor<?xf32>) outs(%e5 : tensor<?xf32>) {
        ^bb0(%x: f32, %out: f32):
          %1 = arith.cmpf oeq, %x, %minf : f32
          %2 = arith.select %1, %zero, %x : f32
          linalg.yield %2 : f32
      } -> tensor<?xf32>
      %f = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%m, %ms : tensor<?xf32>, tensor<?xf32>) outs(%e5 : tensor<?xf32>) {
        ^bb0(%x: f32, %y: f32, %out: f32):
          %1 = arith.subf %x, %y : f32
          %2 = math.exp %1 : f32
          linalg.yield %2 : f32
      } -> tensor<?xf32>
      %p = linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]} ins(%sc, %ms : tensor<?x?xf32>, tensor<?xf32>) outs(%e4 : tensor<?x?xf32>) {
        ^bb0(%x: f32, %y: f32, %out: f32):
          %1 = arith.subf %x, %y : f32
          %2 = math.exp %1 : f32
          linalg.yield %2 : f32
      } -> tensor<?x?xf32>
      %lc = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%f : tensor<?xf32>) outs(%l : tensor<?xf32>) {
        ^bb0(%y: f32, %out: f32):
          %1 = arith.mulf %out, %y : f32
          linalg.yield %1 : f32
      } -> tensor<?xf32>
      %ln = linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<?x?xf32>) outs(%lc : tensor<?xf32>) {
        ^bb0(%x: f32, %y: f32):
          %1 = arith.addf %x, %y : f32
          linalg.yield %1 : f32
      } -> tensor<?xf32>
      %ac = linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<?xf32>) outs(%acc : tensor<?x4xf32>) {
        ^bb0(%y: f32, %out: f32):
          %1 = arith.mulf %out, %y : f32
          linalg.yield %1 : f32
      } -> tensor<?x4xf32>
      %an = linalg.matmul ins(%p, %vt : tensor<?x?xf32>, tensor<?x4xf32>) outs(%ac : tensor<?x4xf32>) -> tensor<?x4xf32>
      scf.yield %mn, %ln, %an : tensor<?xf32>, tensor<?xf32>, tensor<?x4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r#2 into %o[%i, 0] [%tm, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
      tensor.parallel_insert_slice %r#1 into %t[%i] [%tm] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %whole = tensor.cast %res#0 : tensor<?x4xf32> to tensor<@m@x4xf32>
  %sums = tensor.cast %res#1 : tensor<?xf32> to tensor<@m@xf32>
  func.return %whole, %sums : tensor<@m@x4xf32>, tensor<@m@xf32>
}
"""
)

_PRODUCT = (
    """\
  %empty = tensor.empty(%rows) : tensor<?x4xf32>
  %res = scf.forall (%bi) in (@tiles@) shared_outs(%o = %empty) -> (tensor<?x4xf32>) {
    %i = affine.apply affine_map<(d0) -> (d0 * @bm@)>(%bi)
    %tm = @rows_of_tile@
    %qt = tensor.extract_slice %q[%i, 0] [%tm, 4] [1, 1] : tensor<@m@x4xf32> to tensor<?x4xf32>
    %e2 = tensor.empty(%tm) : tensor<?x4xf32>
    %a0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %r = scf.for %j = %c0 to %keys step %step iter_args(%acc = %a0) -> (tensor<?x4xf32>) {
"""
    + _SCORES
    + """\
      %e4 = tensor.empty(%tm, %tn) : tensor<?x?xf32>
      %sc = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x?xf32>) outs(%e4 : tensor<?x?xf32>) {
        ^bb0(%x: f32, %out: f32):
"""
    + _INDICES
    + """\
          %masked = arith.select %c, %x, %zero : f32
          linalg.yield %masked : f32
      } -> tensor<?x?xf32>
      %an = linalg.matmul ins(%sc, %vt : tensor<?x?xf32>, tensor<?x4xf32>) outs(%acc : tensor<?x4xf32>) -> tensor<?x4xf32>
      scf.yield %an : tensor<?x4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [%tm, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %whole = tensor.cast %res : tensor<?x4xf32> to tensor<@m@x4xf32>
  func.return %whole : tensor<@m@x4xf32>
}
"""
)
