"""Programs at the buffer level for the tests of code generation.

MLIR does not wrap its lines, so neither do the texts here.
"""

# ruff: noqa: E501

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from support.paths import DATA
from tilewright.codegen.generate import Generated, generate
from tilewright.codegen.program import GeneratedProgram
from tilewright.ir.context import payload_context
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.text import parse_module

FOLDER = DATA / "buffer"
CASES = sorted(path.stem for path in FOLDER.glob("*.mlir"))


def text_of(name: str) -> str:
    """The text of a buffer-level module in tests/data/buffer."""
    return (FOLDER / f"{name}.mlir").read_text()


def with_descriptors(name: str) -> str:
    """A module in tests/data/buffer whose grid has the attribute for descriptors."""
    return text_of(name).replace("{mapping = ", "{triton.descriptors, mapping = ")


def parse(text: str, name: str = "test.mlir") -> ModuleOp:
    """A module at the buffer level."""
    return parse_module(text, name, payload_context())


def generated(text: str, name: str = "test.mlir") -> Generated:
    """The program that code generation makes from a text."""
    return generate(parse(text, name))


def inputs_for(program: GeneratedProgram, seed: int = 0) -> list[NDArray]:
    """Random arguments of the right shapes and dtypes."""
    random = np.random.default_rng(seed)
    return [
        random.standard_normal(spec.shape).astype(numpy_dtype(spec.dtype))
        for spec in program.arguments
    ]


def matmul_relu(
    m: int,
    n: int,
    k: int,
    tile: tuple[int, int, int] = (128, 128, 64),
    *,
    dtype: str = "f16",
    attributes: str = "",
    stages: int = 3,
) -> str:
    """relu(a @ b) in tiles after bufferization, with masks on partial tiles."""
    bm, bn, bk = tile
    return f"""
func.func @matmul_relu(%a: memref<{m}x{k}x{dtype}>, %b: memref<{k}x{n}x{dtype}>) -> memref<{m}x{n}x{dtype}> {{
  %zero = arith.constant 0.000000e+00 : {dtype}
  %step = arith.constant {bk} : index
  %cst = arith.constant dense<0.000000e+00> : vector<{bm}x{bn}xf32>
  %c0 = arith.constant 0 : index
  %end = arith.constant {k} : index
  %alloc = memref.alloc() {{alignment = 64 : i64}} : memref<{m}x{n}x{dtype}>
  scf.forall (%i, %j) in ({-(-m // bm)}, {-(-n // bn)}) {{
    %2 = affine.apply affine_map<(d0) -> (d0 * {bm})>(%i)
    %3 = affine.apply affine_map<(d0) -> (d0 * {bn})>(%j)
    %4 = affine.min affine_map<(d0) -> (d0 * -{bm} + {m}, {bm})>(%i)
    %5 = affine.min affine_map<(d0) -> (d0 * -{bn} + {n}, {bn})>(%j)
    %6 = vector.create_mask %4, %5 : vector<{bm}x{bn}xi1>
    %8 = scf.for %k = %c0 to %end step %step iter_args(%acc = %cst) -> (vector<{bm}x{bn}xf32>) {{
      %11 = affine.min affine_map<(d0) -> (-d0 + {k}, {bk})>(%k)
      %sa = memref.subview %a[%2, %k] [%4, %11] [1, 1] : memref<{m}x{k}x{dtype}> to memref<?x?x{dtype}, strided<[{k}, 1], offset: ?>>
      %sb = memref.subview %b[%k, %3] [%11, %5] [1, 1] : memref<{k}x{n}x{dtype}> to memref<?x?x{dtype}, strided<[{n}, 1], offset: ?>>
      %12 = vector.create_mask %4, %11 : vector<{bm}x{bk}xi1>
      %13 = vector.transfer_read %sa[%c0, %c0], %zero, %12 {{in_bounds = [true, true]}} : memref<?x?x{dtype}, strided<[{k}, 1], offset: ?>>, vector<{bm}x{bk}x{dtype}>
      %14 = vector.create_mask %11, %5 : vector<{bk}x{bn}xi1>
      %15 = vector.transfer_read %sb[%c0, %c0], %zero, %14 {{in_bounds = [true, true]}} : memref<?x?x{dtype}, strided<[{n}, 1], offset: ?>>, vector<{bk}x{bn}x{dtype}>
      %17 = vector.contract {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} %13, %15, %acc : vector<{bm}x{bk}x{dtype}>, vector<{bk}x{bn}x{dtype}> into vector<{bm}x{bn}xf32>
      scf.yield %17 : vector<{bm}x{bn}xf32>
    }} {{triton.num_stages = {stages} : i64}}
    %so = memref.subview %alloc[%2, %3] [%4, %5] [1, 1] : memref<{m}x{n}x{dtype}> to memref<?x?x{dtype}, strided<[{n}, 1], offset: ?>>
    %10 = arith.maximumf %8, %cst : vector<{bm}x{bn}xf32>
    {f"%h = arith.truncf %10 : vector<{bm}x{bn}xf32> to vector<{bm}x{bn}x{dtype}>" if dtype != "f32" else ""}
    vector.transfer_write %{"h" if dtype != "f32" else "10"}, %so[%c0, %c0], %6 {{in_bounds = [true, true]}} : vector<{bm}x{bn}x{dtype}>, memref<?x?x{dtype}, strided<[{n}, 1], offset: ?>>
  }} {{mapping = [#gpu.block<y>, #gpu.block<x>]{attributes and ", " + attributes}}}
  return %alloc : memref<{m}x{n}x{dtype}>
}}
"""


def in_a_grid(
    body: str, *, arguments: str = "%a: memref<64xf32>", extra: str = ""
) -> str:
    """A function with one grid of four programs, tiles of 16, around `body`."""
    return f"""
func.func @f({arguments}) -> memref<64xf32> {{
  %pad = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.000000e+00> : vector<16xf32>
  %alloc = memref.alloc() : memref<64xf32>
  scf.forall (%i) in (4) {{
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %v = vector.transfer_read %a[%o], %pad {{in_bounds = [true]}} : memref<64xf32>, vector<16xf32>
    {body}
  }} {{mapping = [#gpu.block<x>]{extra}}}
  return %alloc : memref<64xf32>
}}
"""


def elementwise(*lines: str, result: str = "%r") -> str:
    """A grid that applies ops to the tile %v and stores `result`."""
    body = "\n    ".join(
        [
            *lines,
            f"vector.transfer_write {result}, %alloc[%o] {{in_bounds = [true]}} "
            ": vector<16xf32>, memref<64xf32>",
        ]
    )
    return in_a_grid(body)
