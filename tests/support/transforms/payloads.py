"""Small payloads for the tests of transformations."""

from __future__ import annotations

import importlib.util

from support.paths import EXAMPLES

_GENERATE = EXAMPLES / "matmul_relu" / "generate.py"


def linear(m: int, n: int, k: int, dtype: str = "f32", bias: bool = False) -> str:
    """relu(A B), or relu(A B + bias), of the example."""
    spec = importlib.util.spec_from_file_location("generate", _GENERATE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.payload_text(m, n, k, dtype, bias)


def matmul(m: int, n: int, k: int, dtype: str = "f32") -> str:
    """A product that is added to an argument, which is the destination."""
    a, b, c = (
        f"tensor<{m}x{k}x{dtype}>",
        f"tensor<{k}x{n}x{dtype}>",
        f"tensor<{m}x{n}xf32>",
    )
    return f"""\
func.func @matmul(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
  return %r : {c}
}}
"""


def elementwise(body: str, n: int = 30, given: str = "f32", made: str = "f32") -> str:
    """One generic over a vector; the body computes from %x and yields."""
    identity = "affine_map<(d0) -> (d0)>"
    a, r = f"tensor<{n}x{given}>", f"tensor<{n}x{made}>"
    return f"""\
func.func @elementwise(%a: {a}) -> {r} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {r}
  %r = linalg.generic {{
    indexing_maps = [{identity}, {identity}], iterator_types = ["parallel"]
  }} ins(%a : {a}) outs(%e : {r}) {{
  ^bb0(%x: {given}, %o: {made}):
    {body}
  }} -> {r}
  return %r : {r}
}}
"""


def reduction(combiner: str, start: str, kind: str = "f32", n: int = 30) -> str:
    """Reduce the rows of a 6 x n tensor."""
    a, r = f"tensor<6x{n}x{kind}>", f"tensor<6x{kind}>"
    return f"""\
func.func @reduce(%a: {a}) -> {r} {{
  %start = arith.constant {start} : {kind}
  %e = tensor.empty() : {r}
  %i = linalg.fill ins(%start : {kind}) outs(%e : {r}) -> {r}
  %r = linalg.generic {{
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  }} ins(%a : {a}) outs(%i : {r}) {{
  ^bb0(%x: {kind}, %o: {kind}):
    %s = {combiner} %x, %o : {kind}
    linalg.yield %s : {kind}
  }} -> {r}
  return %r : {r}
}}
"""


def generic(
    maps: list[str],
    iterators: list[str],
    operands: list[tuple[str, str]],
    body: str,
) -> str:
    """One generic; the last operand is the output, all are arguments."""
    names = [f"%a{i}" for i in range(len(operands))]
    arguments = ", ".join(
        f"{name}: {type_}" for name, (type_, _) in zip(names, operands, strict=True)
    )
    scalars = ", ".join(f"%x{i}: {kind}" for i, (_, kind) in enumerate(operands))
    quoted = ", ".join(f'"{kind}"' for kind in iterators)
    mapped = ", ".join(f"affine_map<{map_}>" for map_ in maps)
    inputs = ", ".join(names[:-1]), ", ".join(type_ for type_, _ in operands[:-1])
    result = operands[-1][0]
    return f"""\
func.func @generic({arguments}) -> {result} {{
  %r = linalg.generic {{
    indexing_maps = [{mapped}], iterator_types = [{quoted}]
  }} ins({inputs[0]} : {inputs[1]}) outs({names[-1]} : {result}) {{
  ^bb0({scalars}):
    {body}
  }} -> {result}
  return %r : {result}
}}
"""
