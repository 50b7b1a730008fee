"""Reshapes of whole tensors are views: no element moves, kernels take the pointer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from support.codegen.buffer_level import generated, inputs_for
from support.codegen.programs import assert_right, built
from tilewright.codegen.launches.size_checks import refused_sizes
from tilewright.codegen.runtime.interpret import interpret
from tilewright.codegen.runtime.launch import load
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.interpreter import run
from tilewright.payloads import Payload, attention, layernorm, linear, matmul, relu


def group_norm() -> Payload:
    """(batch, channels, pixels): statistics over the channels of a group."""
    p = Payload("group_norm")
    x = p.input("x", (4, 8, 32), "f32")
    weight = p.input("weight", (64,), "f32")
    bias = p.input("bias", (64,), "f32")
    groups = x.reshape(4, 4, 64)
    p.output(layernorm(groups, weight, bias).reshape(4, 8, 32))
    return p


def heads() -> Payload:
    """Attention, its heads merged, and the projection."""
    p = Payload("heads")
    q, k, v = (p.input(name, (2, 2, 16, 16), "f32") for name in "qkv")
    w = p.input("w", (32, 32), "f32")
    flat = [x.reshape(4, 16, 16) for x in (q, k, v)]
    mixed = attention(*flat).reshape(2, 2, 16, 16)
    merged = mixed.transpose(0, 2, 1, 3).reshape(32, 32)
    p.output(matmul(merged, w).reshape(2, 16, 32))
    return p


def mlp() -> Payload:
    """A layer on (batch, sequence, features), as a product of matrices."""
    p = Payload("mlp")
    x = p.input("x", (4, 16, 32), "f32")
    w1 = p.input("w1", (32, 64), "f32")
    w2 = p.input("w2", (64, 32), "f32")
    hidden = relu(matmul(x.reshape(64, 32), w1))
    p.output(linear(hidden, w2).reshape(4, 16, 32))
    return p


TILED = """schedule tiled(root) {
  products = match "linalg.matmul" in root
  for each mm in products {
    mm, grid = tile mm by [32, 32] onto [block.y, block.x]
    mm, loop = tile mm by [0, 0, 16]
  }
}"""


@pytest.mark.sampled(12)
@pytest.mark.parametrize("payload", [group_norm, heads, mlp])
@pytest.mark.parametrize("schedule", [None, TILED])
def test_layers(payload, schedule: str | None) -> None:
    if schedule is not None and payload is group_norm:
        pytest.skip("has no product")
    program = assert_right(payload().text(), schedule)
    assert ".view(" in program.program.text
    assert ".copy_(" not in program.program.text


GROUPED = """schedule grouped(root) {
  func     = match "func.func" in root
  products = match "linalg.contract" in root
  generics = match "linalg.generic" in root
  fills    = match "linalg.fill" in root
  scores, largest, power, total, weights, out = split_handle generics
  out, grid = tile out by [1, 1, 1, 16] onto [
    block.linear_dim_3, block.linear_dim_2, block.linear_dim_1, block.linear_dim_0]
  chain = merge(products, weights, total, power, largest, scores, fills)
  chain, grid = fuse chain into grid
  include clean(func)
}"""


def test_attention_with_grouped_heads_is_one_kernel() -> None:
    """The reshapes of query and result stand outside of the chain that is fused."""
    p = Payload("grouped")
    q = p.input("q", (2, 4, 32, 16), "bf16")
    k, v = (p.input(name, (2, 2, 32, 16), "bf16") for name in "kv")
    p.output(attention(q, k, v, causal=True, window=8))
    program = assert_right(p.text(), GROUPED).program
    assert len(program.kernels) == 1
    assert ".copy_(" not in program.text


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("payload", [group_norm, heads, mlp])
def test_layers_on_a_device(payload, tmp_path: Path) -> None:
    program = built(payload().text())
    inputs = inputs_for(program.program)
    (want,) = run(program.kernel, inputs)
    on_device = [torch.from_numpy(x).cuda() for x in inputs]
    got = load(program.program, tmp_path)(*on_device)
    np.testing.assert_allclose(got.cpu().numpy(), want, rtol=1e-4, atol=1e-4)


FLATTENED = """func.func @flat(%x: tensor<?x16x32xf32>, %w: tensor<32x16xf32>)
    -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x16x32xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]]
      : tensor<?x16x32xf32> into tensor<?x32xf32>
  %m = tensor.dim %flat, %c0 : tensor<?x32xf32>
  %e = tensor.empty(%m) : tensor<?x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = linalg.matmul ins(%flat, %w : tensor<?x32xf32>, tensor<32x16xf32>)
      outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  %out = tensor.expand_shape %r [[0, 1], [2]] output_shape [%b, 16, 16]
      : tensor<?x16xf32> into tensor<?x16x16xf32>
  return %out : tensor<?x16x16xf32>
}"""


def test_an_outer_dimension_known_at_run_time() -> None:
    program = built(FLATTENED)
    random = np.random.default_rng(0)
    w = random.standard_normal((32, 16)).astype(np.float32)
    for batch in (0, 1, 5):
        x = random.standard_normal((batch, 16, 32)).astype(np.float32)
        for out in (run(program.kernel, [x, w]), interpret(program.program, [x, w])):
            np.testing.assert_allclose(out[0], x @ w, rtol=1e-5, atol=1e-5)


TWO_OPEN = """func.func @flat(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %m = tensor.dim %flat, %c0 : tensor<?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %r = linalg.exp ins(%flat : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""


def test_two_open_dimensions_are_one_number() -> None:
    program = built(TWO_OPEN)
    assert "x.shape[0] * x.shape[1]" in program.program.text
    for shape in ((0, 3), (1, 1), (5, 7), (33, 65)):
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        for out in (run(program.kernel, [x]), interpret(program.program, [x])):
            np.testing.assert_allclose(out[0], np.exp(x).reshape(-1), rtol=1e-5)


def test_a_product_of_open_sizes_has_a_limit() -> None:
    plan = built(TWO_OPEN).program.launch_plan
    assert refused_sizes(plan, [(65536, 32000)]) is None
    assert "more than" in (refused_sizes(plan, [(65536, 65536)]) or "")


SPLIT_SLICE = """func.func @heads(%x: tensor<?x?x32xf32>) -> tensor<?x?x2x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?x32xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x32xf32>
  %part = tensor.extract_slice %x[0, 0, 16] [%m, %n, 16] [1, 1, 1]
    : tensor<?x?x32xf32> to tensor<?x?x16xf32>
  %heads = tensor.expand_shape %part [[0], [1], [2, 3]] output_shape [%m, %n, 2, 8]
    : tensor<?x?x16xf32> into tensor<?x?x2x8xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?x2x8xf32>
  %r = linalg.exp ins(%heads : tensor<?x?x2x8xf32>)
    outs(%e : tensor<?x?x2x8xf32>) -> tensor<?x?x2x8xf32>
  return %r : tensor<?x?x2x8xf32>
}"""
JOINED_SLICE = """func.func @rows(%x: tensor<?x?x32xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = tensor.dim %x, %c0 : tensor<?x?x32xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x32xf32>
  %part = tensor.extract_slice %x[0, 0, 16] [%m, %n, 16] [1, 1, 1]
    : tensor<?x?x32xf32> to tensor<?x?x16xf32>
  %rows = tensor.collapse_shape %part [[0], [1, 2]]
    : tensor<?x?x16xf32> into tensor<?x?xf32>
  %k = arith.muli %n, %c16 : index
  %e = tensor.empty(%m, %k) : tensor<?x?xf32>
  %r = linalg.exp ins(%rows : tensor<?x?xf32>)
    outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""


HEADS_APART = """schedule heads(root) {
  exp = match "linalg.exp" in root
  exp, grid = tile exp by [1, 4, 1, 0] onto [block.z, block.y, block.x]
}"""


@pytest.mark.parametrize(
    ("text", "schedule", "shape"),
    [(SPLIT_SLICE, HEADS_APART, (-1, 2, 8)), (JOINED_SLICE, None, (-1,))],
    ids=["read in its place", "copied by a kernel"],
)
def test_a_reshaped_slice_of_open_sizes(
    text: str, schedule: str | None, shape: tuple[int, ...]
) -> None:
    program = built(text, schedule)
    for m, n in ((1, 1), (3, 5), (2, 33)):
        x = np.random.default_rng(0).standard_normal((m, n, 32)).astype(np.float32)
        expected = np.exp(x[..., 16:]).reshape(m, *shape)
        for out in (run(program.kernel, [x]), interpret(program.program, [x])):
            np.testing.assert_allclose(out[0], expected, rtol=1e-5)


CHAIN = """func.func @chain(%x: tensor<8x16xf32>) -> tensor<128xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %a = linalg.exp ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>)
      -> tensor<8x16xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
  %e2 = tensor.empty() : tensor<128xf32>
  %b = linalg.exp ins(%flat : tensor<128xf32>) outs(%e2 : tensor<128xf32>)
      -> tensor<128xf32>
  %back = tensor.expand_shape %b [[0, 1]] output_shape [4, 32]
      : tensor<128xf32> into tensor<4x32xf32>
  %e3 = tensor.empty() : tensor<4x32xf32>
  %c = linalg.abs ins(%back : tensor<4x32xf32>) outs(%e3 : tensor<4x32xf32>)
      -> tensor<4x32xf32>
  %d = tensor.collapse_shape %c [[0, 1]] : tensor<4x32xf32> into tensor<128xf32>
  return %d : tensor<128xf32>
}"""


def test_shapes_one_after_another() -> None:
    """Temporaries that live on in another shape are not given away before."""
    assert_right(CHAIN)


IN_PLACE = """func.func @f(%x: memref<8x16xf32>) {
  %pad = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<8x16xf32> into memref<128xf32>
  scf.forall (%i) in (8) {
    %start = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %a = vector.transfer_read %flat[%start], %pad {in_bounds = [true]}
        : memref<128xf32>, vector<16xf32>
    vector.transfer_write %a, %x[%i, %c0] {in_bounds = [true]}
        : vector<16xf32>, memref<8x16xf32>
  } {mapping = [#gpu.block<x>]}
  return
}"""


def test_memory_in_two_shapes_is_one_hazard() -> None:
    with pytest.raises(SilenceableFailure, match="has read as another tile"):
        generated(IN_PLACE)


APART = """func.func @f(%x: memref<8x16x4xf32>, %out: memref<32xf32>) {
  %pad = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (4) {
    %first = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %part = memref.subview %x[%first, 0, 0] [2, 16, 4] [1, 1, 1]
        : memref<8x16x4xf32> to memref<2x16x4xf32, strided<[64, 4, 1], offset: ?>>
    %flat = memref.collapse_shape %part [[0, 1, 2]]
        : memref<2x16x4xf32, strided<[64, 4, 1], offset: ?>>
        into memref<128xf32, strided<[1], offset: ?>>
    %a = vector.transfer_read %flat[%c0], %pad {in_bounds = [true]}
        : memref<128xf32, strided<[1], offset: ?>>, vector<8xf32>
    %at = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    vector.transfer_write %a, %out[%at] {in_bounds = [true]}
        : vector<8xf32>, memref<32xf32>
  } {mapping = [#gpu.block<x>]}
  return
}"""


def test_parts_of_a_merged_part_are_refused() -> None:
    with pytest.raises(SilenceableFailure, match="merges dimensions of a part"):
        generated(APART)


DESCRIPTORS = """schedule descriptors(root) {
  mm = match "linalg.matmul" in root
  mm, grid = tile mm by [32, 32] onto [block.y, block.x]
  mm, loop = tile mm by [0, 0, 16]
  descriptors grid
}"""
LIBRARY = """schedule library(root) {
  mm = match "linalg.matmul" in root
  annotate mm "triton.library" = "cublas"
}"""


def product_of_parts() -> Payload:
    p = Payload("parts")
    x = p.input("x", (4, 16, 32), "f32")
    w = p.input("w", (2, 16, 32), "f32")
    p.output(matmul(x.reshape(64, 32), w.reshape(32, 32)).reshape(4, 16, 32))
    return p


@pytest.mark.parametrize("schedule", [DESCRIPTORS, LIBRARY])
def test_descriptors_and_libraries_take_the_shape(schedule: str) -> None:
    assert_right(product_of_parts().text(), schedule)


RESHAPE = """func.func @f(%x: tensor<8x16xf32>) -> tensor<4x32xf32> {
  %shape = arith.constant dense<[4, 32]> : tensor<2xindex>
  %y = tensor.reshape %x(%shape)
      : (tensor<8x16xf32>, tensor<2xindex>) -> tensor<4x32xf32>
  %e = tensor.empty() : tensor<4x32xf32>
  %r = linalg.exp ins(%y : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>)
      -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}"""


def test_reshape_by_a_constant_shape() -> None:
    assert_right(RESHAPE)


SLICED = """func.func @f(%x: tensor<8x16xf32>) -> tensor<64xf32> {
  %part = tensor.extract_slice %x[0, 4] [8, 8] [1, 1]
      : tensor<8x16xf32> to tensor<8x8xf32>
  %flat = tensor.collapse_shape %part [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%flat : tensor<64xf32>) outs(%e : tensor<64xf32>)
      -> tensor<64xf32>
  return %r : tensor<64xf32>
}"""


def test_a_part_that_lies_apart_is_copied() -> None:
    program = assert_right(SLICED)
    assert ".copy_(" in program.program.text
