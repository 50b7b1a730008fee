"""The structured interface: bodies, loops, effects, clones, and stricter shapes."""

from __future__ import annotations

import subprocess
from functools import cache
from typing import TypeVar

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.traits import (
    MemoryEffectKind,
    get_effects,
    is_side_effect_free,
    is_speculatable,
)

from support.ir.linalg_ops import one_op
from support.ir.snippets import Snippet, snippets_in
from support.mlir_opt import MLIR_OPT, mlir_opt, mlir_opt_each, needs_mlir
from support.paths import DATA
from support.transforms.schedules import match, on, schedule_of, transform
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.linalg import (
    NOT_YET,
    GenericOp,
    Linalg,
    MatmulOp,
    SoftmaxOp,
    StructuredOp,
    loop_ranges,
)
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, place_of, to_text

CORPUS = [
    snippet for snippet in snippets_in(DATA / "corpus") if snippet.file == "linalg"
]
OpT = TypeVar("OpT", bound=Operation)


def parsed(text: str) -> ModuleOp:
    return parse_module(text, "payload.mlir", payload_context())


def the(kind: type[OpT], module: ModuleOp) -> OpT:
    (found,) = (op for op in module.walk() if isinstance(op, kind))
    return found


@cache
def by_real_mlir() -> dict[str, tuple[str | None, str | None]]:
    """Each snippet as we write it out, and as it is, in real MLIR's generic form."""
    ours = [to_text(parsed(snippet.text), generic=True) for snippet in CORPUS]
    texts = [*ours, *(snippet.text for snippet in CORPUS)]
    answers = mlir_opt_each(texts, "--mlir-print-op-generic")
    pairs = zip(answers[: len(ours)], answers[len(ours) :], strict=True)
    return dict(zip(map(str, CORPUS), pairs, strict=True))


@pytest.mark.parametrize("snippet", CORPUS, ids=str)
@needs_mlir
def test_hidden_bodies_are_upstreams(snippet: Snippet) -> None:
    ours, theirs = by_real_mlir()[str(snippet)]
    assert theirs is not None, mlir_opt(snippet.text)
    assert ours == theirs


@pytest.mark.sampled(8)
@pytest.mark.parametrize("snippet", CORPUS, ids=str)
def test_clones_keep_body_and_place(snippet: Snippet) -> None:
    module = parsed(snippet.text)
    for op in [op for op in module.walk() if isinstance(op, StructuredOp)]:
        copy = op.clone()
        assert copy.is_structurally_equivalent(op)
        assert [o.name for o in copy.body.walk()] == [o.name for o in op.body.walk()]
        assert place_of(copy) == place_of(op) is not None
        assert all(place_of(nested) is not None for nested in copy.walk())


def test_loops_of_a_matmul_with_dynamic_sizes() -> None:
    text = one_op(
        "linalg.matmul", ["tensor<?x5xf32>", "tensor<?x?xf32>"], "tensor<4x?xf32>"
    )
    op = the(MatmulOp, parsed(text))
    # m is known by the output alone, k by the first input, n by nobody.
    assert op.get_static_loop_ranges() == (4, DYNAMIC_INDEX, 5)
    assert [dim for _, dim in op.dims_of_loop(2)] == [1, 0]
    assert op.dims_of_loop(0) == [(op.inputs[0], 0), (op.outputs[0], 0)]


def test_loop_ranges_of_other_shapes() -> None:
    maps = [
        AffineMap.from_callable(lambda m, n: (m + n, n)),
        AffineMap.from_callable(lambda m, n: (m,)),
    ]
    assert loop_ranges(maps, [(9, 4), (6,)], 2) == (6, 4)
    assert loop_ranges(maps, [(9, DYNAMIC_INDEX), (0,)], 2) == (0, DYNAMIC_INDEX)


STRUCTURED = {
    "named": ("linalg.add", 2, "", ""),
    "matmul": ("linalg.matmul", 2, "", ""),
    "reduce": ("linalg.reduce { arith.addf }", 1, "", "dimensions = []"),
    "transpose": ("linalg.transpose", 1, "", "permutation = [0, 1]"),
    "softmax": ("linalg.softmax", 1, "dimension(1)", ""),
}


def op_on(kind: str, name: str) -> Operation:
    op, inputs, before, after = STRUCTURED[name]
    square = f"{kind}<4x4xf32>"
    module = parsed(one_op(op, [square] * inputs, square, before, after))
    return next(o for o in module.walk() if isinstance(o, StructuredOp | SoftmaxOp))


@pytest.mark.parametrize("name", STRUCTURED)
def test_pure_on_tensors(name: str) -> None:
    assert is_side_effect_free(op_on("tensor", name))


@pytest.mark.parametrize("name", STRUCTURED)
def test_not_pure_on_buffers(name: str) -> None:
    assert not is_side_effect_free(op_on("memref", name))
    assert not is_speculatable(op_on("memref", name))


def buffers(op: Operation, kind: MemoryEffectKind) -> set[SSAValue]:
    effects = get_effects(op) or set()
    return {
        e.value for e in effects if e.kind == kind and isinstance(e.value, SSAValue)
    }


def test_effects_by_operand() -> None:
    add, matmul = op_on("memref", "named"), op_on("memref", "matmul")
    # The body of an addition does not look at what was in the output.
    assert buffers(add, MemoryEffectKind.READ) == set(add.operands[:2])
    assert buffers(matmul, MemoryEffectKind.READ) == set(matmul.operands)
    for op in (add, matmul):
        assert buffers(op, MemoryEffectKind.WRITE) == {op.operands[2]}


def test_a_body_with_effects_is_not_pure() -> None:
    module = parsed("""
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%x: tensor<4xf32>, %m: memref<f32>) -> tensor<4xf32> {
      %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
          outs(%x : tensor<4xf32>) {
      ^bb0(%a: f32):
        memref.store %a, %m[] : memref<f32>
        linalg.yield %a : f32
      } -> tensor<4xf32>
      return %r : tensor<4xf32>
    }""")
    assert not is_side_effect_free(the(GenericOp, module))


def after_schedule(text: str, *steps: str) -> str:
    return transform(text, schedule_of(*steps)).text


def test_equal_ops_on_tensors_become_one() -> None:
    exp = "linalg.exp ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>"
    text = f"""
    func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>)
        -> (tensor<4xf32>, tensor<4xf32>) {{
      %0 = {exp}
      %1 = {exp}
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }}"""
    assert after_schedule(text, on("apply_cse")).count("linalg.exp") == 1


def test_ops_with_different_bodies_stay_two() -> None:
    reduce = "linalg.reduce {{ {} }} ins(%x : tensor<4xf32>) outs(%o : tensor<f32>)"
    text = f"""
    func.func @f(%x: tensor<4xf32>, %o: tensor<f32>) -> (tensor<f32>, tensor<f32>) {{
      %0 = {reduce.format("arith.addf")} dimensions = [0]
      %1 = {reduce.format("arith.mulf")} dimensions = [0]
      return %0, %1 : tensor<f32>, tensor<f32>
    }}"""
    assert after_schedule(text, on("apply_cse")).count("linalg.reduce") == 2


def test_equal_ops_on_buffers_stay_two_and_are_never_dead() -> None:
    exp = "linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)"
    text = f"func.func @f(%x: memref<4xf32>) {{\n {exp}\n {exp}\n return\n}}"
    after = after_schedule(text, on("apply_cse"), on("apply_dce"))
    assert after.count("linalg.exp") == 2


def test_unused_ops_on_tensors_are_dead() -> None:
    text = """
    func.func @f(%x: tensor<4xf32>) {
      %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
      %1 = linalg.softmax dimension(0) ins(%0 : tensor<4xf32>)
        outs(%x : tensor<4xf32>) -> tensor<4xf32>
      return
    }"""
    assert "linalg" not in after_schedule(text, on("apply_dce"))


@pytest.mark.parametrize(("kind", "moves"), [("tensor", True), ("memref", False)])
def test_leaves_a_loop_on_tensors_only(kind: str, moves: bool) -> None:
    arrow = "-> tensor<4xf32>" if moves else ""
    text = f"""
    func.func @f(%x: {kind}<4xf32>, %o: {kind}<4xf32>, %s: f32) -> f32 {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %s) -> (f32) {{
        {"%e = " if moves else ""}linalg.exp ins(%x : {kind}<4xf32>)
          outs(%o : {kind}<4xf32>) {arrow}
        %v = {"tensor.extract %e" if moves else "memref.load %o"}[%c0] : {kind}<4xf32>
        %b = arith.addf %a, %v : f32
        scf.yield %b : f32
      }}
      return %r : f32
    }}"""
    after = after_schedule(text, match("%l", "scf.for"), on("apply_licm", "%l"))
    assert (after.index("linalg.exp") < after.index("scf.for")) == moves


@pytest.mark.parametrize(
    ("first", "second", "output"),
    [
        ("tensor<?x4xf32>", "tensor<?x5xf32>", "tensor<?x4xf32>"),
        ("tensor<?x?xf32>", "tensor<?x5xf32>", "tensor<?x4xf32>"),
        ("tensor<3x4xf32>", "tensor<0x4xf32>", "tensor<?x4xf32>"),
    ],
)
@needs_mlir
def test_partly_dynamic_shapes_are_checked_where_upstream_gives_up(
    first: str, second: str, output: str
) -> None:
    text = one_op("linalg.add", [first, second], output)
    mlir_opt(text)
    with pytest.raises(UserError, match="inferred input/output operand"):
        parsed(text)


def test_what_is_not_there_yet_is_not_there() -> None:
    here = {op.name for op in Linalg.operations}
    assert not here & NOT_YET
    assert "linalg.winograd_input_transform" in NOT_YET


@needs_mlir
def test_what_is_not_there_yet_is_upstreams() -> None:
    text = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in sorted(NOT_YET))
    done = subprocess.run(
        [MLIR_OPT, "--split-input-file"], input=text, capture_output=True, text=True
    )
    assert "unregistered" not in done.stderr
    assert done.stderr.count("error:") >= len(NOT_YET)
