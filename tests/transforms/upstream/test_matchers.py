"""Predicates on structured ops: what each finds, and refuses, by real MLIR and by us.

Each case is one predicate in a matcher that marks what it finds.
"""

from __future__ import annotations

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.schedules import OP
from support.transforms.small_scripts import Small, differences, small

PARAM = "!transform.param<i64>"
VALUE = "!transform.any_value"
MAP = "!transform.affine_map"
MATCH = "transform.match.structured"
TENSOR = "tensor<8x4xf32>"

NAMED = """
func.func @named(%x: tensor<8x16xf32>, %y: tensor<16x4xf32>, %i: tensor<16x4xi8>,
    %j: tensor<8x16xi8>, %b: tensor<2x8x16xf32>, %d: tensor<2x16x4xf32>,
    %v: tensor<16xf32>, %z: tensor<8x4xf64>, %c: tensor<4xcomplex<f32>>, %s: f32)
    -> (tensor<8x4xf32>, tensor<8x4xi32>, tensor<2x8x4xf32>, tensor<8xf32>,
        tensor<8x4xf64>, tensor<4xcomplex<f32>>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %ei = tensor.empty() : tensor<8x4xi32>
  %eb = tensor.empty() : tensor<2x8x4xf32>
  %ev = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x4xf32>)
      outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %00 = linalg.add ins(%0, %0 : tensor<8x4xf32>, tensor<8x4xf32>)
      outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.matmul ins(%j, %i : tensor<8x16xi8>, tensor<16x4xi8>)
      outs(%ei : tensor<8x4xi32>) -> tensor<8x4xi32>
  %2 = linalg.batch_matmul ins(%b, %d : tensor<2x8x16xf32>, tensor<2x16x4xf32>)
      outs(%eb : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %3 = linalg.matvec ins(%x, %v : tensor<8x16xf32>, tensor<16xf32>)
      outs(%ev : tensor<8xf32>) -> tensor<8xf32>
  %4 = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x4xf32>)
      outs(%z : tensor<8x4xf64>) -> tensor<8x4xf64>
  %5 = linalg.copy ins(%c : tensor<4xcomplex<f32>>)
      outs(%c : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %00, %1, %2, %3, %4, %5 : tensor<8x4xf32>, tensor<8x4xi32>,
      tensor<2x8x4xf32>, tensor<8xf32>, tensor<8x4xf64>, tensor<4xcomplex<f32>>
}
"""


def generic(source: str, target: str, maps: str, kinds: str, body: str) -> str:
    """A `linalg.generic` of one input."""
    first, second = (f"affine_map<(d0, d1) -> ({m})>" for m in maps.split(" | "))
    iterators = ", ".join(f'"{kind}"' for kind in kinds.split())
    shape = target.split(" : ")[1]
    return (
        f"linalg.generic {{indexing_maps = [{first}, {second}], "
        f"iterator_types = [{iterators}]}} ins({source}) outs({target}) {{\n"
        f"  ^bb0(%a: f32, %b: f32):\n    {body}\n  }} -> {shape}"
    )


X, E, ROWS = f"%x : {TENSOR}", f"%e : {TENSOR}", "%v : tensor<8xf32>"
SAME, BOTH = "d0, d1 | d0, d1", "parallel parallel"
INDEX = (
    "%i = linalg.index 0 : index %j = arith.index_cast %i : index to i32 "
    "%k = arith.sitofp %j : i32 to f32 linalg.yield %k : f32"
)
READ = (
    "%i = linalg.index 0 : index %j = linalg.index 1 : index "
    f"%u = tensor.extract %y[%i, %j] : {TENSOR} linalg.yield %u : f32"
)
EXP = "%z = math.exp %a : f32 linalg.yield %z : f32"
MAXIMUM = "%z = arith.maximumf %b, %a : f32 linalg.yield %z : f32"
CHOICE = (
    "%q = arith.cmpf ogt, %a, %b : f32 %z = arith.select %q, %a, %b : f32 "
    "linalg.yield %z : f32"
)
GENERICS = [
    generic(X, E, SAME, BOTH, "linalg.yield %a : f32"),
    generic(X, E, SAME, BOTH, "linalg.yield %b : f32"),
    generic(X, E, SAME, BOTH, INDEX),
    generic(X, E, SAME, BOTH, READ),
    generic(ROWS, E, "d0 | d0, d1", BOTH, EXP),
    generic(X, E, "0, d1 | d0, d1", BOTH, EXP),
    generic(f"%t : {'tensor<4x8xf32>'}", E, "d1, d0 | d0, d1", BOTH, EXP),
    generic(X, ROWS, "d0, d1 | d0", "parallel reduction", MAXIMUM),
    generic(X, ROWS, "d0, d1 | d0", "parallel reduction", CHOICE),
]
UNNAMED = (
    f"func.func @unnamed(%x: {TENSOR}, %y: {TENSOR}, %v: tensor<8xf32>, "
    f"%t: tensor<4x8xf32>, %e: {TENSOR}) {{\n"
    + "\n".join(f"  %{at} = {text}" for at, text in enumerate(GENERICS))
    + "\n  return\n}\n"
)


def predicate(text: str, payload: str = NAMED, mode: str = "propagate") -> Small:
    """A script that marks the ops of which a predicate on %s holds."""
    return small(
        text.replace("\n", "; "),
        f"{payload}"
        f"transform.named_sequence @matcher(%op: {OP} {{transform.readonly}}) -> {OP} "
        f"{{\n{MATCH} failures({mode}) %op : {OP} {{\n^bb0(%s: {OP}):\n{text}\n"
        f"{MATCH}.yield\n}}\ntransform.yield %op : {OP}\n}}\n"
        f"transform.named_sequence @action(%op: {OP} {{transform.readonly}}) {{\n"
        f'transform.annotate %op "t.hit" : {OP}\ntransform.yield\n}}\n'
        f"transform.named_sequence @__transform_main(%root: {OP} "
        "{transform.consumed}) {\n%r = transform.foreach_match restrict_root in %root "
        f"@matcher -> @action : ({OP}) -> {OP}\ntransform.yield\n}}\n",
    )


def compared(what: str, value: int) -> str:
    """A predicate that a parameter has a value."""
    return (
        f"{what}\n%n = transform.param.constant {value} : i64 -> {PARAM}\n"
        f"transform.match.param.cmpi eq %p, %n : {PARAM}"
    )


LISTS = (
    "0, -2 | 0, 0 | 0, -3 | all | except(0, 0) | except(0, -2) | 1, 0 | except(0, 1) | "
    "-1, -2 | except(0) | 5 | 0, 1"
).split(" | ")
DIMS = f"%b, %m, %n0, %k = {MATCH}.classify_contraction_dims %s : ({OP}) -> "
CASES = {
    "results": [
        predicate(f"%u = {MATCH}.result %s[{at}] {form} : ({OP}) -> {kind}")
        for form in ("any", "single", "{any}", "{single}", "{any, single}", "any {any}")
        for at in ("0",)
        for kind in (OP, VALUE)
    ]
    + [
        predicate(f"%u = {MATCH}.result %s[{at}] {form}: ({OP}) -> {kind}")
        for at in ("0", "-1", "1", "-2")
        for form, kind in (("any ", OP), ("", VALUE), ("", OP))
    ],
    "dims": [
        predicate(f"{MATCH}.dim %s[{listed}] {kind}: {OP}")
        for listed in LISTS
        for kind in ("", "{parallel} ", "{reduction} ")
    ]
    + [predicate(f"{MATCH}.dim %s[all] {{parallel, reduction}} : {OP}")],
    "operands": [
        predicate(f"{MATCH}.{which} %s[{listed}] {kind}: {OP}", UNNAMED)
        for which in ("input", "init")
        for listed in ("0", "all", "1", "-1", "0, -2", "0, 0")
        for kind in ("", "{permutation} ", "{projected_permutation} ")
    ]
    + [
        predicate(f"%q = {MATCH}.{which} %s[{listed}] : ({OP}) -> {kind}")
        for which in ("input", "init")
        for listed in ("0", "all", "0, 1", "except(0)")
        for kind in (OP, VALUE, MAP, PARAM)
    ]
    + [
        predicate(
            f"{MATCH}.{which} %s[0] {{permutation, projected_permutation}} : {OP}"
        )
        for which in ("input", "init")
    ],
    "bodies": [
        predicate(f"{MATCH}.body %s {body}: {OP}", NAMED + UNNAMED)
        for body in (
            "{elementwise} ",
            "{passthrough} ",
            "{reduction_position = 0} ",
            '{contraction = ["arith.mulf", "arith.addf"]} ',
            '{contraction = ["arith.muli", "arith.addi"]} ',
            '{contraction = ["arith.addf", "arith.mulf"]} ',
            '{contraction = ["arith.mulf"]} ',
            "{elementwise, passthrough} ",
            "",
        )
    ],
    "numbers": [
        *(
            predicate(compared(f"%p = {MATCH}.{what} %s : ({OP}) -> {PARAM}", number))
            for what in ("rank", "num_inputs", "num_inits")
            for number in (1, 2)
        ),
        *(
            predicate(
                compared(
                    f"%v = {MATCH}.init %s[0] : ({OP}) -> {VALUE}\n"
                    f"%p = {MATCH}.elemental_bitwidth %v : ({VALUE}) -> {PARAM}",
                    width,
                )
            )
            for width in (32, 64)
        ),
        *(
            predicate(
                compared(f"{DIMS}({', '.join([PARAM] * 4)})", loop).replace("%p", name)
            )
            for name, loop in (("%b", 0), ("%m", 0), ("%n0", 1), ("%k", 2), ("%k", 1))
        ),
        predicate(compared(f"%p = {MATCH}.dim %s[0] : ({OP}) -> {PARAM}", 8)),
        predicate(compared(f"%p = {MATCH}.dim %s[-1] : ({OP}) -> {PARAM}", 16)),
    ],
    "suppressed": [
        predicate(f"{MATCH}.body %s {{elementwise}} : {OP}", mode="suppress"),
        predicate(f"{MATCH}.dim %s[5] : {OP}", mode="suppress"),
    ],
}


@pytest.mark.slow
@needs_mlir
@pytest.mark.parametrize("kind", CASES)
def test_predicates_find_the_same(kind: str) -> None:
    assert not (found := differences(CASES[kind])), "\n".join(found)


RESULTS = f"""
transform.named_sequence @matcher(%op: {OP} {{transform.readonly}})
    -> ({OP}, {PARAM}, {PARAM}) {{
  %a, %p, %q = {MATCH} failures(suppress) %op : ({OP}) -> ({OP}, {PARAM}, {PARAM}) {{
  ^bb0(%s: {OP}):
    %r = {MATCH}.rank %s : ({OP}) -> {PARAM}
    {MATCH}.body %s {{elementwise}} : {OP}
    %u = {MATCH}.num_inputs %s : ({OP}) -> {PARAM}
    {MATCH}.yield %s, %r, %u : {OP}, {PARAM}, {PARAM}
  }}
  transform.yield %a, %p, %q : {OP}, {PARAM}, {PARAM}
}}
transform.named_sequence @__transform_main(%root: {OP} {{transform.consumed}}) {{
  %r = transform.foreach_match restrict_root in %root @matcher -> @action
      : ({OP}) -> {OP}
  transform.yield
}}
transform.named_sequence @action(%a: {OP} {{transform.readonly}},
    %p: {PARAM} {{transform.readonly}}, %q: {PARAM} {{transform.readonly}}) {{
  transform.debug.emit_remark_at %a, "structured" : {OP}
  transform.debug.emit_param_as_remark %p, "rank" at %a : {PARAM}, {OP}
  transform.debug.emit_param_as_remark %q, "inputs" at %a : {PARAM}, {OP}
  transform.yield
}}
"""


@needs_mlir
def test_a_suppressed_failure_keeps_what_was_known() -> None:
    collect = (
        "%a, %p, %q = transform.collect_matching @matcher in %root "
        f": ({OP}) -> ({OP}, {PARAM}, {PARAM})"
    )
    act = RESULTS[RESULTS.index("%r = transform.foreach") :].partition("  transform")[0]
    scripts = [
        small("what was computed before stays", NAMED + RESULTS),
        small("one item for each result", NAMED + RESULTS.replace(act, collect + "\n")),
    ]
    assert not (found := differences(scripts)), "\n".join(found)
