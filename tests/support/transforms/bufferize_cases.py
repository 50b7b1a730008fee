"""Functions on tensors to bufferize, with their numbers of buffers and copies."""

from __future__ import annotations

import re

V, M, K = "tensor<8xf32>", "tensor<4x8xf32>", "tensor<4xf32>"


N, D = "tensor<4x2xf32>", "tensor<?xf32>"


def function(arguments: str, result: str, *lines: str) -> str:
    """A function that returns %r."""
    body = "\n  ".join(lines)
    return (
        f"func.func @f({arguments}) -> {result} {{\n"
        "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n"
        "  %one = arith.constant 1.0 : f32\n"
        f"  {body}\n  return %r : {result}\n}}\n"
    )


def fill(name: str, out: str, kind: str) -> str:
    return f"{name} = linalg.fill ins(%one : f32) outs({out} : {kind}) -> {kind}"


def exp(name: str, given: str, kind: str) -> str:
    new = f"%new{name[1:]}"
    return (
        f"{new} = tensor.empty() : {kind}\n  {name} = linalg.exp ins({given} : {kind}) "
        f"outs({new} : {kind}) -> {kind}"
    )


ELSE = f"}} else {{\n  scf.yield %b : {V}\n}}"


# name: payload, allocations, copies
CASES = {
    "slice_drops_a_row": (
        function(
            f"%a: {M}",
            V,
            f"%s = tensor.extract_slice %a[%c2, 0] [1, 8] [1, 1] : {M} to {V}",
            exp("%r", "%s", V),
        ),
        (1, 0),
    ),
    "slice_drops_a_column": (
        function(
            f"%a: {M}",
            K,
            f"%s = tensor.extract_slice %a[0, 3] [4, 1] [1, 1] : {M} to {K}",
            exp("%r", "%s", K),
        ),
        (1, 0),
    ),
    "insert_a_row": (
        function(
            f"%a: {V}, %b: {M}",
            M,
            f"%r = tensor.insert_slice %a into %b[1, 0] [1, 8] [1, 1] : {V} into {M}",
        ),
        (1, 2),
    ),
    "row_in_place": (
        function(
            f"%a: {V}",
            M,
            f"%e = tensor.empty() : {M}",
            fill("%f", "%e", M),
            f"%s = tensor.extract_slice %f[%c2, 0] [1, 8] [1, 1] : {M} to {V}",
            f"%x = linalg.exp ins(%a : {V}) outs(%s : {V}) -> {V}",
            f"%r = tensor.insert_slice %x into %f[%c2, 0] [1, 8] [1, 1] : {V} into {M}",
        ),
        (1, 0),
    ),
    "grid_hands_back_rows": (
        function(
            f"%a: {M}",
            M,
            f"%e = tensor.empty() : {M}",
            f"%r = scf.forall (%i) in (4) shared_outs(%o = %e) -> ({M}) {{",
            f"%s = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : {M} to {V}",
            f"%d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : {M} to {V}",
            f"%x = linalg.exp ins(%s : {V}) outs(%d : {V}) -> {V}",
            "scf.forall.in_parallel {",
            "tensor.parallel_insert_slice %x into %o[%i, 0] [1, 8] [1, 1] : "
            f"{V} into {M}",
            "}",
            "}",
        ),
        (1, 0),
    ),
    "pad": (
        function(
            f"%a: {K}",
            V,
            "%r = tensor.pad %a low[1] high[3] {",
            "^bb0(%i: index):",
            "tensor.yield %one : f32",
            f"}} : {K} to {V}",
        ),
        (1, 1),
    ),
    "pad_with_what_depends_on_the_place": (
        function(
            f"%a: {K}",
            V,
            "%r = tensor.pad %a low[1] high[3] {",
            "^bb0(%i: index):",
            "%n = arith.index_cast %i : index to i32",
            "%x = arith.sitofp %n : i32 to f32",
            "tensor.yield %x : f32",
            f"}} : {K} to {V}",
        ),
        (1, 1),
    ),
    "expand_and_write": (
        function(
            f"%a: {V}",
            "tensor<2x4xf32>",
            exp("%x", "%a", V),
            f"%w = tensor.expand_shape %x [[0, 1]] output_shape [2, 4] : {V} into "
            "tensor<2x4xf32>",
            "%r = tensor.insert %one into %w[%c0, %c2] : tensor<2x4xf32>",
        ),
        (1, 0),
    ),
    "collapse": (
        function(
            f"%a: {M}",
            "tensor<32xf32>",
            f"%r = tensor.collapse_shape %a [[0, 1]] : {M} into tensor<32xf32>",
        ),
        (0, 0),
    ),
    "collapse_what_lies_apart": (
        function(
            f"%a: {M}",
            V,
            f"%s = tensor.extract_slice %a[0, 2] [4, 2] [1, 1] : {M} to {N}",
            f"%r = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into {V}",
        ),
        (1, 1),
    ),
    "reshape": (
        function(
            f"%a: {V}",
            "tensor<4x2xf32>",
            "%s = arith.constant dense<[4, 2]> : tensor<2xi32>",
            f"%r = tensor.reshape %a(%s) : ({V}, tensor<2xi32>) -> tensor<4x2xf32>",
        ),
        (0, 0),
    ),
    "cast": (
        function(
            f"%a: {V}",
            V,
            f"%x = tensor.cast %a : {V} to tensor<?xf32>",
            "%n = tensor.dim %x, %c0 : tensor<?xf32>",
            "%e = tensor.empty(%n) : tensor<?xf32>",
            "%y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> "
            "tensor<?xf32>",
            f"%r = tensor.cast %y : tensor<?xf32> to {V}",
        ),
        (1, 0),
    ),
    "concat": (
        function(
            f"%a: {K}, %b: {V}",
            "tensor<12xf32>",
            f"%r = tensor.concat dim(0) %a, %b : ({K}, {V}) -> tensor<12xf32>",
        ),
        (1, 2),
    ),
    "elements": (
        function(
            f"%a: {V}",
            V,
            f"%x = tensor.extract %a[%c2] : {V}",
            f"%r = tensor.insert %x into %a[%c0] : {V}",
        ),
        (1, 1),
    ),
    "splat": (function(f"%a: {V}", V, f"%r = tensor.splat %one : {V}"), (1, 0)),
    "from_elements": (
        function(
            "%x: f32",
            "tensor<2x2xf32>",
            "%r = tensor.from_elements %x, %one, %one, %x : tensor<2x2xf32>",
        ),
        (1, 0),
    ),
    "generate": (
        function(
            f"%a: {V}",
            V,
            "%r = tensor.generate {",
            "^bb0(%i: index):",
            f"%x = tensor.extract %a[%i] : {V}",
            "%y = arith.addf %x, %x : f32",
            "tensor.yield %y : f32",
            f"}} : {V}",
        ),
        (1, 0),
    ),
    "if_of_arguments": (
        function(
            f"%c: i1, %a: {V}, %b: {V}",
            V,
            f"%r = scf.if %c -> ({V}) {{",
            f"  scf.yield %a : {V}",
            ELSE,
        ),
        (0, 0),
    ),
    "if_then_written": (
        function(
            f"%c: i1, %a: {V}, %b: {V}",
            V,
            f"%x = scf.if %c -> ({V}) {{",
            f"  scf.yield %a : {V}",
            ELSE,
            f"%r = tensor.insert %one into %x[%c2] : {V}",
        ),
        (1, 1),
    ),
    "if_in_place_in_both": (
        function(
            f"%c: i1, %a: {V}",
            V,
            exp("%x", "%a", V),
            f"%r = scf.if %c -> ({V}) {{",
            f"  %y = tensor.insert %one into %x[%c0] : {V}",
            f"  scf.yield %y : {V}",
            "} else {",
            f"  %z = tensor.insert %one into %x[%c2] : {V}",
            f"  scf.yield %z : {V}",
            "}",
        ),
        (1, 0),
    ),
    "if_of_parts": (
        function(
            f"%c: i1, %a: {V}",
            K,
            f"%x = scf.if %c -> ({K}) {{",
            f"  %y = tensor.extract_slice %a[0] [4] [1] : {V} to {K}",
            f"  scf.yield %y : {K}",
            "} else {",
            f"  %z = tensor.extract_slice %a[3] [4] [1] : {V} to {K}",
            f"  scf.yield %z : {K}",
            "}",
            exp("%r", "%x", K),
        ),
        (1, 0),
    ),
    "execute_region": (
        function(
            f"%a: {V}",
            V,
            f"%r = scf.execute_region -> {V} {{",
            exp("%x", "%a", V),
            f"  scf.yield %x : {V}",
            "}",
        ),
        (1, 0),
    ),
    "select_then_written": (
        function(
            f"%c: i1, %a: {V}, %b: {V}",
            V,
            f"%x = arith.select %c, %a, %b : {V}",
            f"%r = tensor.insert %one into %x[%c2] : {V}",
        ),
        (2, 2),
    ),
    "constant_then_written": (
        function(
            "%x: f32",
            K,
            f"%a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {K}",
            f"%r = tensor.insert %x into %a[%c2] : {K}",
        ),
        (1, 1),
    ),
    "alloc_tensor_with_a_copy": (
        function(
            f"%a: {V}",
            V,
            f"%x = bufferization.alloc_tensor() copy(%a) : {V}",
            f"%r = tensor.insert %one into %x[%c2] : {V}",
        ),
        (1, 1),
    ),
    "materialize": (
        function(
            f"%a: {V}",
            V,
            f"%e = bufferization.alloc_tensor() : {V}",
            f"%r = bufferization.materialize_in_destination %a in %e : ({V}, {V}) -> "
            f"{V}",
        ),
        (1, 1),
    ),
    "softmax": (
        function(
            f"%a: {M}",
            M,
            f"%e = tensor.empty() : {M}",
            f"%r = linalg.softmax dimension(1) ins(%a : {M}) outs(%e : {M}) -> {M}",
        ),
        (1, 0),
    ),
    "elements_in_a_body": (
        function(
            f"%a: {V}, %t: {V}",
            V,
            f"%e = tensor.empty() : {V}",
            "%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], "
            f'iterator_types = ["parallel"]}} outs(%e : {V}) {{',
            "^bb0(%o: f32):",
            "%i = linalg.index 0 : index",
            f"%x = tensor.extract %t[%i] : {V}",
            "linalg.yield %x : f32",
            f"}} -> {V}",
        ),
        (1, 0),
    ),
    "dynamic_pad_concat_and_generate": (
        function(
            f"%a: {V}",
            D,
            f"%x = tensor.cast %a : {V} to {D}",
            f"%s = tensor.extract_slice %x[%c2] [4] [1] : {D} to {K}",
            f"%k = tensor.cast %s : {K} to {D}",
            "%p = tensor.pad %x low[%c2] high[1] {",
            "^bb0(%i: index):",
            "tensor.yield %one : f32",
            f"}} : {D} to {D}",
            f"%w = tensor.concat dim(0) %p, %k, %x : ({D}, {D}, {D}) -> {D}",
            f"%m = tensor.dim %w, %c0 : {D}",
            "%g = tensor.generate %m {",
            "^bb0(%i: index):",
            f"%y = tensor.extract %w[%i] : {D}",
            "tensor.yield %y : f32",
            f"}} : {D}",
            f"%r = tensor.insert %one into %g[%c2] : {D}",
        ),
        (3, 4),
    ),
    "dynamic_expand_and_collapse": (
        function(
            f"%a: {M}",
            "tensor<?x4xf32>",
            f"%x = tensor.cast %a : {M} to tensor<?x8xf32>",
            "%d = tensor.dim %x, %c0 : tensor<?x8xf32>",
            "%e = tensor.expand_shape %x [[0], [1, 2]] output_shape [%d, 2, 4] : "
            "tensor<?x8xf32> into tensor<?x2x4xf32>",
            "%r = tensor.collapse_shape %e [[0, 1], [2]] : tensor<?x2x4xf32> into "
            "tensor<?x4xf32>",
        ),
        (0, 0),
    ),
    "reshape_without_dimensions": (
        function(
            "%a: tensor<f32>",
            "tensor<1x1xf32>",
            "%s = arith.constant dense<[1, 1]> : tensor<2xindex>",
            "%x = tensor.reshape %a(%s) : (tensor<f32>, tensor<2xindex>) -> "
            "tensor<?x?xf32>",
            "%r = tensor.cast %x : tensor<?x?xf32> to tensor<1x1xf32>",
        ),
        (0, 0),
    ),
    "call_of_a_function_that_returns_its_argument": (
        function(
            f"%a: {V}",
            V,
            exp("%x", "%a", V),
            f"%y = func.call @g(%x) : ({V}) -> {V}",
            f"%z = tensor.insert %one into %y[%c2] : {V}",
            f"%r = linalg.add ins(%x, %z : {V}, {V}) outs(%z : {V}) -> {V}",
        )
        + f"func.func private @g(%a: {V}) -> {V} {{\n  return %a : {V}\n}}\n",
        (2, 1),
    ),
    "call_with_a_part": (
        function(
            f"%a: {M}",
            V,
            f"%s = tensor.extract_slice %a[0, 2] [4, 2] [1, 1] : {M} to {N}",
            f"%r = func.call @g(%s) : (tensor<4x2xf32>) -> {V}",
        )
        + "func.func private @g(%a: tensor<4x2xf32>) -> tensor<8xf32> {\n"
        "  %r = tensor.collapse_shape %a [[0, 1]] : tensor<4x2xf32> into "
        "tensor<8xf32>\n  return %r : tensor<8xf32>\n}\n",
        (1, 1),
    ),
}


def counts(text: str) -> tuple[int, int]:
    return text.count("memref.alloc("), text.count("memref.copy")


def not_written(payload: str) -> str:
    """Declare for real MLIR that no argument may be written."""

    def mark(found: re.Match[str]) -> str:
        marked = re.sub(
            r"(%\w+: tensor<[^>]*>)",
            r"\1 {bufferization.writable = false}",
            found.group(2),
        )
        return f"{found.group(1)}({marked})"

    return re.sub(r"(func\.func (?:private )?@\w+)\(([^)]*)\)", mark, payload)
