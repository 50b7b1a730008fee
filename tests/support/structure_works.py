"""Works of several ops whose kernels can be cut in more than one way, all small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.payloads import (
    Payload,
    attention,
    cross_entropy,
    gated_mlp,
    layernorm,
    linear,
    mlp,
    reduce,
    relu,
    rmsnorm,
    sigmoid,
    softmax,
)
from tilewright.transforms.cleanup.patterns.linalg.sums_order import WIDEST_HELD

ROWS, FEATURES = 32, 64


def norm_around_matmul() -> Payload:
    """layernorm(x) w, then a layernorm of the result."""
    p = Payload("norm_around_matmul")
    x = p.input("x", (ROWS, FEATURES), "f16")
    w = p.input("w", (FEATURES, FEATURES), "f16")
    one, other = (p.input(name, (FEATURES,), "f16") for name in ("g", "h"))
    inner = layernorm(x, one, other)
    p.output(layernorm(linear(inner, w), one, other))
    return p


def two_layers() -> Payload:
    """Two linear layers with a relu between them, too wide for one loop."""
    p = Payload("two_layers")
    x = p.input("x", (ROWS, FEATURES), "f16")
    w1 = p.input("w1", (FEATURES, FEATURES), "f16")
    b1 = p.input("b1", (FEATURES,), "f16")
    w2 = p.input("w2", (FEATURES, WIDEST_HELD + 16), "f16")
    b2 = p.input("b2", (WIDEST_HELD + 16,), "f16")
    p.output(mlp(x, [(w1, b1), (w2, b2)], activation="relu"))
    return p


def gated_layer() -> Payload:
    """(silu(x gate) * (x up)) down, too wide for one loop."""
    p = Payload("gated_layer")
    x = p.input("x", (ROWS, FEATURES), "f16")
    gate = p.input("gate", (FEATURES, FEATURES), "f16")
    up = p.input("up", (FEATURES, FEATURES), "f16")
    down = p.input("down", (FEATURES, WIDEST_HELD + 16), "f16")
    p.output(gated_mlp(x, gate, up, down))
    return p


def attention_and_projection() -> Payload:
    """Attention of two heads, and a linear layer behind each."""
    p = Payload("attention_and_projection")
    q, k, v = (p.input(name, (2, ROWS, 32), "f16") for name in "qkv")
    w = p.input("w", (2, 32, 32), "f16")
    p.output(attention(q, k, v) @ w)
    return p


def loss() -> Payload:
    """The cross-entropy of logits."""
    p = Payload("loss")
    x = p.input("x", (ROWS, FEATURES), "f32")
    labels = p.input("labels", (ROWS,), "i64")
    p.output(cross_entropy(x, labels))
    return p


def residual_and_norm() -> Payload:
    """x + y and its rmsnorm; both are stored."""
    p = Payload("residual_and_norm")
    x = p.input("x", (ROWS, FEATURES), "f16")
    y = p.input("y", (ROWS, FEATURES), "f16")
    g = p.input("g", (FEATURES,), "f16")
    added = x + y
    p.output(added, rmsnorm(added, g))
    return p


def softmax_of_a_matmul() -> Payload:
    """softmax(x w)."""
    p = Payload("softmax_of_a_matmul")
    x = p.input("x", (ROWS, FEATURES), "f16")
    w = p.input("w", (FEATURES, FEATURES), "f16")
    p.output(softmax(x @ w))
    return p


def gate_of_two_readers() -> Payload:
    """sigmoid(x), which scales two tensors of other sizes."""
    p = Payload("gate_of_two_readers")
    x = p.input("x", (ROWS, FEATURES), "f32")
    y = p.input("y", (ROWS, FEATURES), "f32")
    gate = sigmoid(x)
    p.output(gate * y, reduce("sum", gate, axis=0), reduce("max", gate * y, axis=1))
    return p


def equal_layers() -> Payload:
    """Three equal layers: a rmsnorm, a linear layer, a relu, a residual."""
    p = Payload("equal_layers")
    x = p.input("x", (ROWS, FEATURES), "f16")
    for number in range(3):
        g = p.input(f"g{number}", (FEATURES,), "f16")
        w = p.input(f"w{number}", (FEATURES, FEATURES), "f16")
        x = x + relu(linear(rmsnorm(x, g), w))
    p.output(x)
    return p


def siblings() -> Payload:
    """Two element-wise works of equal size, and a norm of one of them."""
    p = Payload("siblings")
    x = p.input("x", (ROWS, FEATURES), "f32")
    y = p.input("y", (ROWS, FEATURES), "f32")
    g = p.input("g", (FEATURES,), "f32")
    p.output(relu(x), rmsnorm(relu(y), g))
    return p


@dataclass(frozen=True)
class Written:
    """A payload that is written in MLIR."""

    mlir: str

    def text(self) -> str:
        """The payload as MLIR."""
        return self.mlir


def convolution_chain() -> Written:
    """Two convolutions; the first one's result is scaled and cut at 0."""
    image, wide = "tensor<2x8x8x16xf32>", "tensor<2x6x6x16xf32>"
    last, window = "tensor<2x4x4x16xf32>", "tensor<3x3x16x16xf32>"
    steps = "{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}"
    return Written(f"""
#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
func.func @convolutions(%x: {image}, %v: {window}, %s: tensor<16xf32>,
                        %w: {window}) -> {last} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {wide}
  %start = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> {wide}
  %first = linalg.conv_2d_nhwc_hwcf {steps}
    ins(%x, %v : {image}, {window}) outs(%start : {wide}) -> {wide}
  %scaled = linalg.generic {{indexing_maps = [#all, #channel, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%first, %s : {wide}, tensor<16xf32>) outs(%e : {wide}) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  }} -> {wide}
  %relu = linalg.generic {{indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%scaled : {wide}) outs(%e : {wide}) {{
  ^bb0(%a: f32, %c: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  }} -> {wide}
  %f = tensor.empty() : {last}
  %again = linalg.fill ins(%zero : f32) outs(%f : {last}) -> {last}
  %second = linalg.conv_2d_nhwc_hwcf {steps}
    ins(%relu, %w : {wide}, {window}) outs(%again : {last}) -> {last}
  return %second : {last}
}}
""")


Work = Callable[[], Payload | Written]

WORKS: dict[str, Work] = {
    work.__name__: work
    for work in (
        norm_around_matmul,
        two_layers,
        gated_layer,
        attention_and_projection,
        loss,
        residual_and_norm,
        softmax_of_a_matmul,
        gate_of_two_readers,
        equal_layers,
        siblings,
        convolution_chain,
    )
}
