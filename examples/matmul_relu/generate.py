"""Write the payload of this example: relu(A B), or relu(A B + bias).

    python examples/matmul_relu/generate.py --m 512 --n 512 --k 512 --dtype f16

The accumulator and the element-wise tail are f32; the result has the operands' type.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

DTYPES = ("f16", "bf16", "f32")


def payload_text(m: int, n: int, k: int, dtype: str, bias: bool = False) -> str:
    """The payload as MLIR: fill, matmul, then one generic for the element-wise tail."""
    if dtype not in DTYPES:
        raise ValueError(f"dtype must be one of {', '.join(DTYPES)}, not {dtype}")
    if min(m, n, k) < 1:
        raise ValueError(f"sizes must be positive, not {m}, {n}, {k}")
    name = "linear_relu" if bias else "matmul_relu"
    a, b, v, c, out = (
        f"tensor<{m}x{k}x{dtype}>",
        f"tensor<{k}x{n}x{dtype}>",
        f"tensor<{n}x{dtype}>",
        f"tensor<{m}x{n}xf32>",
        f"tensor<{m}x{n}x{dtype}>",
    )
    arguments = f"%a: {a}, %b: {b}" + (f", %bias: {v}" if bias else "")
    identity = "affine_map<(d0, d1) -> (d0, d1)>"
    row = "affine_map<(d0, d1) -> (d1)>"
    maps = [identity, row, identity] if bias else [identity, identity]
    inputs = f"%product, %bias : {c}, {v}" if bias else f"%product : {c}"
    return "\n".join(
        [
            f"func.func @{name}({arguments}) -> {out} {{",
            "  %zero = arith.constant 0.0 : f32",
            f"  %empty = tensor.empty() : {c}",
            f"  %init = linalg.fill ins(%zero : f32) outs(%empty : {c}) -> {c}",
            f"  %product = linalg.matmul ins(%a, %b : {a}, {b})",
            f"    outs(%init : {c}) -> {c}",
            f"  %out = tensor.empty() : {out}",
            "  %result = linalg.generic {",
            f"    indexing_maps = [{', '.join(maps)}],",
            '    iterator_types = ["parallel", "parallel"]',
            f"  }} ins({inputs}) outs(%out : {out}) {{",
            *_body(dtype, bias),
            f"  }} -> {out}",
            f"  return %result : {out}",
            "}",
            "",
        ]
    )


def _body(dtype: str, bias: bool) -> list[str]:
    """The tail of one element: bias, relu, back to the operands' type."""
    narrow = dtype != "f32"
    arguments = "%x: f32" + (f", %v: {dtype}" if bias else "")
    lines = [f"  ^bb0({arguments}, %o: {dtype}):"]
    value = "%x"
    if bias:
        addend = "%v"
        if narrow:
            lines.append(f"    %wide = arith.extf %v : {dtype} to f32")
            addend = "%wide"
        lines.append(f"    %sum = arith.addf %x, {addend} : f32")
        value = "%sum"
    lines.append(f"    %relu = arith.maximumf {value}, %zero : f32")
    value = "%relu"
    if narrow:
        lines.append(f"    %narrow = arith.truncf %relu : f32 to {dtype}")
        value = "%narrow"
    return [*lines, f"    linalg.yield {value} : {dtype}"]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for size in ("m", "n", "k"):
        parser.add_argument(f"--{size}", type=int, default=512)
    parser.add_argument("--dtype", choices=DTYPES, default="f16")
    parser.add_argument("--bias", action="store_true", help="add a bias to each row")
    parser.add_argument("-o", "--output", type=Path, help="a file; default: print it")
    given = parser.parse_args()
    if min(given.m, given.n, given.k) < 1:
        parser.error("sizes must be at least 1")
    text = payload_text(given.m, given.n, given.k, given.dtype, given.bias)
    if given.output is None:
        sys.stdout.write(text)
    else:
        try:
            given.output.write_text(text, encoding="utf-8")
        except OSError as error:
            parser.error(f"cannot write {given.output}: {error.strerror}")


if __name__ == "__main__":
    main()
