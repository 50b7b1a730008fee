"""The payload, the schedule and the script that `opt` and `check` are run on."""

from __future__ import annotations

PAYLOAD = """\
func.func @f(%a: tensor<24x16xf32>, %b: tensor<16x20xf32>) -> tensor<24x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x20xf32>) -> tensor<24x20xf32>
  %r = linalg.matmul ins(%a, %b : tensor<24x16xf32>, tensor<16x20xf32>)
    outs(%i : tensor<24x20xf32>) -> tensor<24x20xf32>
  return %r : tensor<24x20xf32>
}
"""

TW = """\
schedule s(root) {
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  mm, grid = tile mm by [8] onto [block.x]
  fill, grid = fuse fill into grid
  cse root
}
sequence only_cse(root) {
  cse root
}
"""

OP = "!transform.any_op"
SCRIPT = f"""\
transform.named_sequence @__transform_main(%root: {OP} {{transform.readonly}}) {{
  %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({OP}) -> {OP}
  %t, %l = transform.structured.tile_using_for %mm tile_sizes [8]
    : ({OP}) -> ({OP}, {OP})
  transform.yield
}}
transform.named_sequence @by_four(%root: {OP} {{transform.readonly}}) {{
  %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({OP}) -> {OP}
  %t, %l = transform.structured.tile_using_for %mm tile_sizes [4]
    : ({OP}) -> ({OP}, {OP})
  transform.yield
}}
"""

REFUSED = """\
schedule s(root) {
  mm = match "linalg.matmul" in root
  mm, loop = tile mm by [8]
  vectorize mm to [2, 2, 2]
}
"""
