"""Loops and steps that several tests of loop nests share."""

from __future__ import annotations

from support.transforms.loops import FOR, LENGTH, Bound, constants
from support.transforms.schedules import OP

COALESCE = f"%r = transform.loop.coalesce %l : ({FOR}) -> {FOR}"

Range = tuple[Bound, Bound, Bound]


def nest(*ranges: Range, between: str = "") -> str:
    """Perfectly nested loops that carry two values; the indices are %i0, %i1, ..."""
    lines, names = constants(*(bound for range_ in ranges for bound in range_))
    body: list[str] = []
    x, y = "%z", "%half"
    for depth in range(len(ranges)):
        low, high, by = names[3 * depth : 3 * depth + 3]
        body.append(
            f"%r{depth}:2 = scf.for %i{depth} = {low} to {high} step {by} "
            f"iter_args(%x{depth} = {x}, %y{depth} = {y}) -> (f32, f32) {{"
        )
        x, y = f"%x{depth}", f"%y{depth}"
        if depth == 0 and between:
            body.append(between)
    last = len(ranges) - 1
    body += [
        f"%a = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 + 8)>(%i0, %i{last})",
        f"%v = tensor.extract %t[%a] : tensor<{LENGTH}xf32>",
        f"%p = arith.mulf {x}, %half : f32",
        "%q = arith.addf %p, %v : f32",
        f"%w = arith.subf %q, {y} : f32",
        "scf.yield %q, %w : f32, f32",
    ]
    for depth in reversed(range(1, len(ranges))):
        body += ["}", f"scf.yield %r{depth}#0, %r{depth}#1 : f32, f32"]
    inside = "\n".join(f"  {line}" for line in body)
    return f"""\
func.func @f(%n: index, %s: index, %t: tensor<{LENGTH}xf32>, %z: f32) -> (f32, f32) {{
{lines}
  %half = arith.constant 0.5 : f32
{inside}
  }} {{outer}}
  return %r0#0, %r0#1 : f32, f32
}}
"""


def siblings(
    first: Range = (0, 5, 1),
    second: Range = (0, 5, 1),
    between: str = "",
    init: str = "%z",
) -> str:
    """Two loops after each other, marked `first` and `second`."""
    lines, names = constants(*first, *second)
    return f"""\
func.func @f(%n: index, %s: index, %t: tensor<{LENGTH}xf32>, %z: f32) -> (f32, f32, f32) {{
{lines}
  %half = arith.constant 0.5 : f32
  %a = scf.for %i = {names[0]} to {names[1]} step {names[2]} iter_args(%x = %z) -> (f32) {{
    %v = tensor.extract %t[%i] : tensor<{LENGTH}xf32>
    %p = arith.mulf %x, %half : f32
    %q = arith.addf %p, %v : f32
    scf.yield %q : f32
  }} {{first}}
  {between}
  %b:2 = scf.for %i = {names[3]} to {names[4]} step {names[5]} iter_args(%x = {init}, %y = %half) -> (f32, f32) {{
    %v = tensor.extract %t[%i] : tensor<{LENGTH}xf32>
    %p = arith.subf %x, %v : f32
    scf.yield %p, %x : f32, f32
  }} {{second}}
  return %a, %b#0, %b#1 : f32, f32, f32
}}
"""  # noqa: E501


def marked(handle: str, mark: str, op: str = "scf.for") -> str:
    return (
        f'{handle} = transform.structured.match ops{{["{op}"]}} attributes {{{mark}}} '
        f"in %root : ({OP}) -> {OP}"
    )


BOTH = [marked("%a", "first"), marked("%b", "second")]
UP = f"%f = transform.loop.fuse_sibling %b into %a : ({OP}, {OP}) -> {OP}"

GRIDS = """\
func.func @f(%t: tensor<4x6xf32>, %u: tensor<4xf32>)
    -> (tensor<4x6xf32>, tensor<4xf32>) {
  %r = scf.forall (%i, %j) in (4, 6) shared_outs(%o = %t) -> (tensor<4x6xf32>) {
    %s = tensor.extract_slice %t[%i, %j] [1, 1] [1, 1] : tensor<4x6xf32> to tensor<1x1xf32>
    %d = linalg.add ins(%s, %s : tensor<1x1xf32>, tensor<1x1xf32>) outs(%s : tensor<1x1xf32>) -> tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x6xf32>
    }
  } {first, mapping = [#gpu.block<y>, #gpu.block<x>]}
  %q = scf.forall (%i, %j) in (4, 6) shared_outs(%o = %u) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %u[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {second, mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %r, %q : tensor<4x6xf32>, tensor<4xf32>
}
"""  # noqa: E501
BOTH_GRIDS = [marked("%a", "first", "scf.forall"), marked("%b", "second", "scf.forall")]

PROMOTE = f"transform.loop.promote_if_one_iteration %l : {FOR}"
