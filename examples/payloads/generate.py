"""Write the example payloads, each built in Python: tilewright.payloads.

    python examples/payloads/generate.py                  # all files of this folder
    python examples/payloads/generate.py softmax --rows 4096 --columns 1000 -o -
    python examples/payloads/generate.py attention --help # its sizes and defaults

An example is a function from sizes and an element type to a payload. To add one, write
the function, list it in EXAMPLES, and name its files in FILES.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable
from pathlib import Path

from tilewright import UserError
from tilewright.payloads import (
    Payload,
    attention,
    cross_entropy,
    gated_mlp,
    layernorm,
    linear,
    matmul,
    mlp,
    relu,
    rmsnorm,
    rope,
    scaled_matmul,
    softmax,
)

HERE = Path(__file__).parent


def vector_add(n: int = 2**20, dtype: str = "f32") -> Payload:
    """The sum of two vectors."""
    p = Payload("vector_add")
    x = p.input("x", (n,), dtype)
    y = p.input("y", (n,), dtype)
    p.output(x + y)
    return p


def matmul_relu(
    m: int = 512, n: int = 512, k: int = 512, dtype: str = "f16"
) -> Payload:
    """relu(a b)."""
    p = Payload("matmul_relu")
    a = p.input("a", (m, k), dtype)
    b = p.input("b", (k, n), dtype)
    p.output(relu(a @ b, dtype=dtype))
    return p


def batch_matmul(
    batch: int = 16, m: int = 256, n: int = 256, k: int = 128, dtype: str = "f16"
) -> Payload:
    """A batch of matrix products."""
    p = Payload("batch_matmul")
    a = p.input("a", (batch, m, k), dtype)
    b = p.input("b", (batch, k, n), dtype)
    p.output(matmul(a, b, dtype=dtype))
    return p


def linear_gelu_residual(
    rows: int = 512,
    inputs: int = 512,
    outputs: int = 512,
    dtype: str = "f16",
    activation: str = "gelu",
) -> Payload:
    """activation(x w + b) + r: a linear layer with all that may follow it."""
    p = Payload("linear_gelu_residual")
    x = p.input("x", (rows, inputs), dtype)
    w = p.input("w", (inputs, outputs), dtype)
    b = p.input("b", (outputs,), dtype)
    r = p.input("r", (rows, outputs), dtype)
    p.output(linear(x, w, bias=b, activation=activation, residual=r))
    return p


def mlp_relu(
    batch: int = 256,
    inputs: int = 1024,
    hidden: int = 1024,
    outputs: int = 1024,
    dtype: str = "f32",
) -> Payload:
    """Two linear layers with a relu between them."""
    p = Payload("mlp_relu")
    x = p.input("x", (batch, inputs), dtype)
    w1 = p.input("w1", (inputs, hidden), dtype)
    b1 = p.input("b1", (hidden,), dtype)
    w2 = p.input("w2", (hidden, outputs), dtype)
    b2 = p.input("b2", (outputs,), dtype)
    p.output(mlp(x, [(w1, b1), (w2, b2)], activation="relu"))
    return p


def gated(
    rows: int = 512, features: int = 512, hidden: int = 1024, dtype: str = "bf16"
) -> Payload:
    """The gated feed-forward layer of llama: (silu(x gate) * (x up)) down."""
    p = Payload("gated_mlp")
    x = p.input("x", (rows, features), dtype)
    gate = p.input("gate", (features, hidden), dtype)
    up = p.input("up", (features, hidden), dtype)
    down = p.input("down", (hidden, features), dtype)
    p.output(gated_mlp(x, gate, up, down))
    return p


def fp8_matmul(
    m: int = 512,
    n: int = 512,
    k: int = 512,
    dtype: str = "f8E4M3FN",
    out: str = "bf16",
    per_row: bool = True,
) -> Payload:
    """A product of fp8 matrices with scales for rows and columns, or one for each."""
    p = Payload("fp8_matmul")
    a = p.input("a", (m, k), dtype)
    b = p.input("b", (n, k), dtype)
    a_scale = p.input("a_scale", (m,) if per_row else (), "f32")
    b_scale = p.input("b_scale", (n,) if per_row else (), "f32")
    p.output(scaled_matmul(a, b.T, a_scale, b_scale, dtype=out))
    return p


def softmax_rows(rows: int = 4096, columns: int = 1024, dtype: str = "f32") -> Payload:
    """softmax along the rows."""
    p = Payload("softmax")
    x = p.input("x", (rows, columns), dtype)
    p.output(softmax(x))
    return p


def cross_entropy_rows(
    rows: int = 512, classes: int = 4096, dtype: str = "bf16"
) -> Payload:
    """The cross-entropy of each row with its target."""
    p = Payload("cross_entropy")
    logits = p.input("logits", (rows, classes), dtype)
    targets = p.input("targets", (rows,), "i64")
    p.output(cross_entropy(logits, targets))
    return p


def layernorm_rows(
    rows: int = 4096, columns: int = 1024, dtype: str = "f16", residual: bool = False
) -> Payload:
    """layernorm of the rows with weight and bias; of x + residual, if asked."""
    p = Payload("layernorm_residual" if residual else "layernorm")
    x = p.input("x", (rows, columns), dtype)
    if residual:
        x = x + p.input("residual", (rows, columns), dtype)
    weight = p.input("weight", (columns,), dtype)
    bias = p.input("bias", (columns,), dtype)
    p.output(layernorm(x, weight, bias))
    return p


def rmsnorm_rows(rows: int = 4096, columns: int = 1024, dtype: str = "bf16") -> Payload:
    """rmsnorm of the rows with a weight."""
    p = Payload("rmsnorm")
    x = p.input("x", (rows, columns), dtype)
    weight = p.input("weight", (columns,), dtype)
    p.output(rmsnorm(x, weight))
    return p


def linear_rmsnorm(
    rows: int = 4096, inputs: int = 1024, outputs: int = 128, dtype: str = "bf16"
) -> Payload:
    """rmsnorm of the rows of x w, with a weight: a head of queries, say."""
    p = Payload("linear_rmsnorm")
    x = p.input("x", (rows, inputs), dtype)
    w = p.input("w", (inputs, outputs), dtype)
    weight = p.input("weight", (outputs,), dtype)
    p.output(rmsnorm(x @ w, weight))
    return p


def rmsnorm_rope(
    tokens: int = 1024, heads: int = 8, features: int = 128, dtype: str = "bf16"
) -> Payload:
    """rmsnorm of each head, then its rotary embedding."""
    p = Payload("rmsnorm_rope")
    x = p.input("x", (tokens, heads, features), dtype)
    weight = p.input("weight", (features,), dtype)
    cosine = p.input("cosine", (tokens, features // 2), "f32")
    sine = p.input("sine", (tokens, features // 2), "f32")
    p.output(rope(rmsnorm(x, weight), cosine[:, None], sine[:, None]))
    return p


def attention_layer(
    batch: int = 32,
    heads: int = 0,
    sequence: int = 512,
    features: int = 64,
    dtype: str = "f16",
    causal: bool = False,
    key_heads: int = 0,
    window: int = 0,
    lse: bool = False,
) -> Payload:
    """softmax(q k^T / sqrt(features)) v; with heads = 0 there is no axis for them.

    key_heads = 0 stands for as many as there are heads, window = 0 for no window.
    """
    p = Payload("attention")
    front = (batch, heads) if heads else (batch,)
    shared = (batch, key_heads or heads) if heads else (batch,)
    q = p.input("q", (*front, sequence, features), dtype)
    k, v = (p.input(n, (*shared, sequence, features), dtype) for n in "kv")
    if lse:
        p.output(*attention(q, k, v, causal=causal, window=window or None, lse=True))
    else:
        p.output(attention(q, k, v, causal=causal, window=window or None))
    return p


def attention_decoding(
    batch: int = 4,
    heads: int = 32,
    key_heads: int = 8,
    keys: int = 4096,
    features: int = 128,
    dtype: str = "bf16",
) -> Payload:
    """One new query for each sequence."""
    p = Payload("attention_decoding")
    q = p.input("q", (batch, heads, 1, features), dtype)
    k, v = (p.input(n, (batch, key_heads, keys, features), dtype) for n in "kv")
    p.output(attention(q, k, v))
    return p


def attention_documents(
    batch: int = 2,
    heads: int = 4,
    sequence: int = 512,
    features: int = 64,
    dtype: str = "bf16",
    soft_cap: float = 30.0,
) -> Payload:
    """Causal attention inside each of the documents of a sequence, with a soft cap."""
    p = Payload("attention_documents")
    q, k, v = (p.input(n, (batch, heads, sequence, features), dtype) for n in "qkv")
    documents = p.input("documents", (batch, sequence), "i32")
    capped = attention(q, k, v, causal=True, soft_cap=soft_cap, documents=documents)
    p.output(capped)
    return p


EXAMPLES: dict[str, Callable[..., Payload]] = {
    "vector_add": vector_add,
    "matmul_relu": matmul_relu,
    "batch_matmul": batch_matmul,
    "linear_gelu_residual": linear_gelu_residual,
    "mlp": mlp_relu,
    "gated_mlp": gated,
    "fp8_matmul": fp8_matmul,
    "softmax": softmax_rows,
    "cross_entropy": cross_entropy_rows,
    "layernorm": layernorm_rows,
    "rmsnorm": rmsnorm_rows,
    "linear_rmsnorm": linear_rmsnorm,
    "rmsnorm_rope": rmsnorm_rope,
    "attention": attention_layer,
    "attention_decoding": attention_decoding,
    "attention_documents": attention_documents,
}
"""The examples by name; each can be written at any size."""

FILES: dict[str, tuple[str, dict[str, object]]] = {
    **{name: (name, {}) for name in EXAMPLES if name != "mlp"},
    "mlp_f32": ("mlp", {"dtype": "f32"}),
    "mlp_f16": ("mlp", {"dtype": "f16"}),
    "layernorm_residual": ("layernorm", {"residual": True}),
    "attention_causal": ("attention", {"causal": True}),
    "attention_heads": ("attention", {"batch": 4, "heads": 8}),
    "attention_window": (
        "attention",
        {
            "batch": 2,
            "heads": 8,
            "key_heads": 2,
            "features": 128,
            "dtype": "bf16",
            "causal": True,
            "window": 128,
        },
    ),
    "attention_odd": ("attention", {"batch": 2, "heads": 3, "sequence": 127}),
}
"""The files of this folder: the example, and the settings that are not its defaults."""


def file_text(name: str) -> str:
    """The text of a file of this folder."""
    example, settings = FILES[name]
    return EXAMPLES[example](**settings).text()


def main() -> None:
    """The command line."""
    given = vars(_parser().parse_args())
    example, output = given.pop("example"), given.pop("output", None)
    if example is None:
        for name in FILES:
            _write(HERE / f"{name}.mlir", file_text(name))
        print(f"wrote {len(FILES)} files to {HERE}")
        return
    try:
        text = EXAMPLES[example](**given).text()
    except UserError as error:
        sys.exit(str(error))
    if output == Path("-"):
        sys.stdout.write(text)
    else:
        _write(output or Path(f"{example}.mlir"), text)


def _parser() -> argparse.ArgumentParser:
    """A command for each example, an option for each of its parameters."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="example", metavar="EXAMPLE")
    for name, example in EXAMPLES.items():
        words = inspect.getdoc(example) or ""
        command = commands.add_parser(name, help=words, description=words)
        for parameter in inspect.signature(example).parameters.values():
            option = "--" + parameter.name.replace("_", "-")
            default = parameter.default
            help_text = f"default: {default}"
            if isinstance(default, bool):
                action = argparse.BooleanOptionalAction
                command.add_argument(option, action=action, default=default)
            else:
                kind = type(default)
                command.add_argument(option, type=kind, default=default, help=help_text)
        command.add_argument(
            "-o",
            "--output",
            type=Path,
            help=f"a file, or - for the screen; default: {name}.mlir",
        )
    return parser


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        sys.exit(f"cannot write {path}: {error.strerror}")


if __name__ == "__main__":
    main()
