"""Planned kernels with matmuls: every sketch of every group computes the numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, elementwise, exp, linear, silu
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import Plan, plan

H200 = TARGETS["h200"]


def matmuls(
    m: int, n: int, k: int, count: int = 1, dtype: str = "f16", along_k: bool = False
) -> Payload:
    """Matmuls of one matrix with some others, each rounded and returned."""
    payload = Payload("f")
    x = payload.input("x", (m, k), dtype)
    shape = (n, k) if along_k else (k, n)
    for number in range(count):
        w = payload.input(f"w{number}", shape, dtype)
        payload.output((x @ (w.T if along_k else w)).cast(dtype))
    return payload


def gated(m: int, n: int, k: int) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (m, k), "f16")
    gate, up = (payload.input(name, (k, n), "f16") for name in ("gate", "up"))
    tail = elementwise(lambda a, b: silu(a) * b, x @ gate, x @ up, dtype="f16")
    payload.output(tail)
    return payload


def prologue(m: int, n: int, k: int) -> Payload:
    payload = Payload("f")
    x, w = payload.input("x", (m, k), "f16"), payload.input("w", (k, n), "f16")
    payload.output((exp(x) @ w).cast("f16"))
    return payload


def layer(m: int, n: int, k: int) -> Payload:
    payload = Payload("f")
    x, w = payload.input("x", (m, k), "f16"), payload.input("w", (k, n), "f16")
    bias, residual = payload.input("b", (n,), "f16"), payload.input("r", (m, n), "f16")
    payload.output(linear(x, w, bias=bias, activation="gelu", residual=residual))
    return payload


def summed(m: int, n: int, k: int) -> Payload:
    payload = Payload("f")
    x, w = payload.input("x", (m, k), "f16"), payload.input("w", (k, n), "f16")
    payload.output((x @ w).sum(-1))
    return payload


def batched(*shape: int) -> Payload:
    *batch, m, n, k = shape
    payload = Payload("f")
    a = payload.input("a", (*batch, m, k), "f16")
    b = payload.input("b", (*batch, k, n), "f16")
    payload.output((a @ b).cast("f16"))
    return payload


def heads(m: int, n: int, k: int) -> Payload:
    """Matmuls of f32 with a factor whose heads lie between its rows and columns."""
    payload = Payload("f")
    a = payload.input("a", (2, 2, m, k), "f32")
    b = payload.input("b", (2, k, 2, n), "f32")
    payload.output(a @ b.transpose(0, 2, 1, 3))
    return payload


def sequence_first(length: int, batch: int, n: int, k: int) -> Payload:
    """Rows of which the innermost are few: places of a sequence, then batches."""
    payload = Payload("f")
    x = payload.input("x", (batch, k, length), "f16")
    w = payload.input("w", (n, k), "f16")
    payload.output((x.transpose(2, 0, 1) @ w.T).cast("f16"))
    return payload


def planned(payload: Payload, without: set[tuple[int, str]] | None = None) -> Plan:
    return plan(parse_payload(payload.text()), H200, without=without or set())


def check_all(payload: Payload, wanted: set[str]) -> None:
    """Build the plan with each sketch in turn as the first kernel's default."""
    module = parse_payload(payload.text())
    case = make_case(module, seed=0)
    seen: set[str] = set()
    while True:
        found = planned(payload, {(1, label) for label in seen})
        if not found.kernels[0].candidates:
            break
        seen.add(found.kernels[0].candidates[0].sketch.label)
        result = check_kernel_ir(build(module, found.schedule), case)
        assert result.ok, result.message
    assert wanted <= seen


def slow(payload: Payload, labels: set[str]) -> Any:
    """A case that a quick run leaves out: it is like another one."""
    return pytest.param(payload, labels, marks=pytest.mark.slow)


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    ("payload", "labels"),
    [
        (matmuls(65, 96, 77), {"tiles", "library"}),
        (matmuls(40, 43, 64), {"tiles", "library", "transposed"}),
        slow(matmuls(5, 40, 512), {"tiles", "split_4", "library"}),
        (matmuls(1, 40, 512, along_k=True), {"tiles", "lanes", "split_4", "library"}),
        (matmuls(7, 24, 300, dtype="f32", along_k=True), {"lanes", "library"}),
        slow(matmuls(4, 40, 256, dtype="f32", along_k=True), {"lanes", "library"}),
        slow(matmuls(33, 40, 64, dtype="f32"), {"tiles", "library"}),
        (matmuls(40, 48, 64, count=3), {"tiles"}),
        (gated(40, 50, 70), {"tiles"}),
        (layer(40, 50, 70), {"tiles", "library_and_kernel"}),
        (summed(20, 48, 70), {"row_tiles"}),
        (batched(3, 40, 50, 70), {"tiles", "library"}),
        (heads(20, 24, 32), {"tiles", "transposed"}),
        (sequence_first(40, 2, 24, 32), {"tiles"}),
        slow(batched(2, 3, 20, 50, 30), {"tiles", "library"}),
    ],
)
def test_every_sketch_is_right(payload: Payload, labels: set[str]) -> None:
    check_all(payload, labels)


def test_few_rows_of_f32_are_summed_by_lanes() -> None:
    # Memory streams the weights; a library reaches a third of its rate.
    found = planned(matmuls(2, 14336, 4096, dtype="f32", along_k=True))
    assert found.kernels[0].candidates[0].sketch.label == "lanes"
    found = planned(matmuls(8, 14336, 4096, dtype="bf16", along_k=True))
    assert "lanes" not in {c.sketch.label for c in found.kernels[0].candidates}


def test_projections_of_one_tensor_are_one_kernel() -> None:
    found = planned(matmuls(512, 1024, 1024, count=3, dtype="bf16"))
    assert len(found.kernels) == 1
    assert len(found.kernels[0].group.also_sinks) == 2


SHARED_FILL = """
func.func @f(%x: tensor<20x32xf16>, %a: tensor<32x24xf16>, %b: tensor<32x24xf16>)
    -> (tensor<20x24xf32>, tensor<20x24xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x24xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<20x24xf32>) -> tensor<20x24xf32>
  %r = linalg.matmul ins(%x, %a : tensor<20x32xf16>, tensor<32x24xf16>)
    outs(%i : tensor<20x24xf32>) -> tensor<20x24xf32>
  %s = linalg.matmul ins(%x, %b : tensor<20x32xf16>, tensor<32x24xf16>)
    outs(%i : tensor<20x24xf32>) -> tensor<20x24xf32>
  return %r, %s : tensor<20x24xf32>, tensor<20x24xf32>
}
"""


def test_products_that_start_from_one_fill_get_their_own() -> None:
    module = parse_payload(SHARED_FILL)
    found = plan(module, H200)
    assert "patterns root [tilewright.own_fills]" in found.text
    made = build(module, found.schedule)
    assert len(made.program.kernels) == 1
    assert check_kernel_ir(made, make_case(module, seed=0)).ok


def test_a_sibling_that_is_read_in_between_stays_apart() -> None:
    payload = Payload("f")
    x, w = payload.input("x", (64, 64), "f16"), payload.input("w", (64, 64), "f16")
    first = (x @ w).cast("f16")
    second = (first @ w).cast("f16")
    payload.output(second, (x @ second).cast("f16"))
    assert not any(kernel.group.also_sinks for kernel in planned(payload).kernels)


@pytest.mark.parametrize(
    ("payload", "described"),
    [
        (matmuls(512, 512, 512, dtype="bf16"), True),
        (matmuls(512, 515, 512, dtype="bf16"), False),  # odd rows of the right factor
        (matmuls(512, 512, 515, dtype="bf16"), False),
        (matmuls(512, 512, 512, dtype="f32"), False),  # no tensor cores
    ],
)
def test_descriptors_need_aligned_rows(payload: Payload, described: bool) -> None:
    assert ("descriptors grid" in planned(payload).text) is described


@pytest.mark.parametrize(
    ("activation", "wanted"), [("silu", {"parts": 2}), ("gelu", {"warps": 8})]
)
def test_registers_have_room_for_the_tail(
    activation: str, wanted: dict[str, int]
) -> None:
    payload = Payload("f")
    x = payload.input("x", (2048, 768), "bf16")
    w = payload.input("w", (768, 3072), "bf16")
    b = payload.input("b", (3072,), "bf16")
    payload.output(linear(x, w, bias=b, activation=activation))
    point = planned(payload).kernels[0].candidates[0].point
    assert point["BM"] * point["BN"] == 128 * 128 and wanted.items() <= point.items()


@pytest.mark.slow
def test_a_prologue_is_computed_in_the_loop_over_k() -> None:
    payload = prologue(16, 20, 200)
    assert "exp, k = fuse exp into k" in planned(payload).text
    apart = {"apart_tiles", "apart_library", "apart_transposed"}
    check_all(payload, {"tiles", *apart})


SIBLING_VECTORS = """
func.func @f(%x: tensor<32xf32>, %a: tensor<32x24xf32>, %b: tensor<32x24xf32>)
    -> (tensor<24xf32>, tensor<24xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %r = linalg.vecmat ins(%x, %a : tensor<32xf32>, tensor<32x24xf32>)
    outs(%i : tensor<24xf32>) -> tensor<24xf32>
  %j = linalg.fill ins(%z : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %s = linalg.vecmat ins(%x, %b : tensor<32xf32>, tensor<32x24xf32>)
    outs(%j : tensor<24xf32>) -> tensor<24xf32>
  return %r, %s : tensor<24xf32>, tensor<24xf32>
}
"""


def test_siblings_that_no_kernel_computes_together_stay_apart() -> None:
    found = plan(parse_payload(SIBLING_VECTORS), TARGETS["h200"])
    assert all(kernel.candidates for kernel in found.kernels)
    assert len(found.grouping.groups) == 2


ALONG_A_SHORT_LOOP = """
func.func @f(%a: tensor<2x3x8xf16>, %b: tensor<8x2x64xf16>, %o: tensor<3x64xf32>)
    -> tensor<3x64xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, k, l) -> (l, i, k)>,
      affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]
  } ins(%a, %b : tensor<2x3x8xf16>, tensor<8x2x64xf16>) outs(%o : tensor<3x64xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x64xf32>
  return %r : tensor<3x64xf32>
}
"""


def test_tiles_of_one_element_need_pointers() -> None:
    payload = parse_payload(ALONG_A_SHORT_LOOP)
    found = plan(payload, TARGETS["h200"])
    assert found.kernels[0].candidates
    assert "descriptors grid" not in found.text


def test_rows_are_the_longest_where_the_innermost_are_few() -> None:
    found = planned(sequence_first(1024, 2, 128, 128)).kernels[0].candidates[0]
    assert found.point["BM"] >= 64


def test_shared_memory_holds_all_results_of_a_tile() -> None:
    """A result that the tail reads too is stored beside the tail's."""
    p = Payload("logits")
    x = p.input("x", (4096, 1024), "bf16")
    short = (x @ p.input("w", (1024, 8192), "bf16")).cast("bf16")
    p.output(short)
    p.output(short.cast("f32"))
    (kernel,) = plan(parse_payload(p.text()), H200).kernels
    sketches = (candidate.sketch for candidate in kernel.candidates)
    sketch = next(one for one in sketches if one.label == "tiles")
    point = {"BM": 128, "BN": 256, "BK": 64, "warps": 8, "stages": 3, "group": 8}
    assert sketch.is_valid({**point, "persistent": 1, "parts": 4})
    # Three stages take 144 KiB, and half a tile of six bytes an element 96 KiB.
    assert not sketch.is_valid({**point, "persistent": 1, "parts": 2})
