"""Functions for each group of patterns, and whether real MLIR gives the same result."""

from __future__ import annotations

CANONICAL = "canonicalization"
MASKS = "vector.lower_masked_transfers"
CONTRACT = "vector.reduction_to_contract"
PERMUTE = "vector.transfer_permutation_patterns"
EXTEND = "vector.fold_arith_extension"
T, V = "tensor<8x8xf32>", "vector<8x8xf32>"
READ = f"%c0, %c0], %pad {{in_bounds = [true, true]}} : {T}, {V}"
WRITE = f"%c0, %c0] {{in_bounds = [true, true]}} : {V}, {T}"


def function(arguments: str, result: str, *lines: str) -> str:
    """A function that returns %r; constants and a padding are there."""
    body = "\n".join(f"  {line}" for line in lines)
    return f"""\
func.func @f({arguments}) -> {result} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 7.0 : f32
{body}
  return %r : {result}
}}
"""


def for_loop(inits: str, types: str, *lines: str, upper: str = "%c3") -> list[str]:
    """A loop with results %l..."""
    many = f":{len(types.split(', '))}" if ", " in types else ""
    return [
        f"%l{many} = scf.for %i = %c0 to {upper} step %c1 iter_args({inits}) "
        f"-> ({types}) {{",
        *lines,
        "}",
    ]


def _accumulated(of: str, place: str) -> str:
    """A loop over 21 columns, 8 at a time, summed up lane by lane."""
    part = "tensor<?x?xf32>" if "?" in of else "tensor<8x?xf32>"
    rows = "%rows" if "?" in of else "%c8"
    return f"""\
func.func @f(%x: tensor<8x21xf32>, %start: tensor<8x16xf32>) -> {of} {{
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c21 = arith.constant 21 : index
  %poison = ub.poison : f32
  %rows = affine.min affine_map<(d0) -> (d0, 8)>(%c5)
  %first = tensor.extract_slice %start[0, 0] {_sizes(of)} [1, 1]
      : tensor<8x16xf32> to {of}
  %r = scf.for %k = %c0 to %c21 step %c8 iter_args(%acc = %first) -> ({of}) {{
    %s = affine.min affine_map<(d0) -> (21 - d0, 8)>(%k)
    %m = vector.create_mask {rows}, %s : vector<8x8xi1>
    %slice = tensor.extract_slice {place} : {of} to {part}
    %v = vector.transfer_read %x[%c0, %k], %poison, %m
        {{in_bounds = [true, true]}} : tensor<8x21xf32>, {V}
    %old = vector.transfer_read %slice[%c0, %c0], %poison, %m
        {{in_bounds = [true, true]}} : {part}, {V}
    %new = arith.addf %v, %old : {V}
    %w = vector.transfer_write %new, %slice[%c0, %c0], %m
        {{in_bounds = [true, true]}} : {V}, {part}
    %i = tensor.insert_slice %w into {place} : {part} into {of}
    scf.yield %i : {of}
  }}
  return %r : {of}
}}
"""


def _sizes(of: str) -> str:
    rows, columns, _ = of.removeprefix("tensor<").split("x")
    return f"[{rows.replace('?', '%rows')}, {columns}]"


# name: payload, groups, whether real MLIR makes the same of it
CASES = {
    "constants_one_of_each_on_top": (
        function(
            "%a: tensor<4xf32>",
            "tensor<4xf32>",
            "%x = arith.constant 7.0 : f32",
            "%y = arith.constant -0.0 : f32",
            "%z = arith.constant 0.0 : f32",
            "%e = tensor.insert %x into %a[%c0] : tensor<4xf32>",
            "%f = tensor.insert %y into %e[%c1] : tensor<4xf32>",
            "%r = tensor.insert %z into %f[%c3] : tensor<4xf32>",
        ),
        [CANONICAL],
        True,
    ),
    "broadcast_constant": (
        function(
            "%a: vector<4xf32>",
            "vector<4xf32>",
            "%b = vector.broadcast %pad : f32 to vector<4xf32>",
            "%r = arith.addf %a, %b : vector<4xf32>",
        ),
        [CANONICAL],
        True,
    ),
    # The same map with the operands the other way round, and without the 64.
    "affine_compose": (
        function(
            "%i: index, %j: index",
            "index",
            "%a = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)",
            "%b = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 2 + 1)>(%a, %j)",
            "%r = affine.min affine_map<(d0) -> (-d0 + 100, 32, 64)>(%b)",
        ),
        [CANONICAL],
        False,
    ),
    "affine_constants": (
        function(
            "%i: index",
            "index",
            "%a = affine.apply affine_map<(d0) -> (d0 * 4 + 2)>(%c3)",
            "%b = affine.min affine_map<(d0) -> (-d0 + 100, 32)>(%a)",
            "%r = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%b, %i)",
        ),
        [CANONICAL],
        True,
    ),
    "slice_of_everything": (
        function(
            f"%a: {T}, %b: {T}",
            T,
            f"%s = tensor.extract_slice %a[0, 0] [8, 8] [1, 1] : {T} to {T}",
            f"%r = tensor.insert_slice %s into %b[0, 0] [8, 8] [1, 1] : {T} into {T}",
        ),
        [CANONICAL],
        True,
    ),
    "dim_of_a_slice": (
        function(
            f"%a: {T}, %n: index",
            "index",
            f"%s = tensor.extract_slice %a[0, 0] [%n, 8] [1, 1]"
            f" : {T} to tensor<?x8xf32>",
            "%r = tensor.dim %s, %c0 : tensor<?x8xf32>",
        ),
        [CANONICAL],
        True,
    ),
    "loop_carries_what_changes": (
        function(
            "%a: f32, %b: f32",
            "f32",
            *for_loop(
                "%x = %a, %y = %b, %z = %a",
                "f32, f32, f32",
                "%s = arith.addf %x, %y : f32",
                "scf.yield %s, %y, %z : f32, f32, f32",
            ),
            "%r = arith.addf %l#0, %l#1 : f32",
        ),
        [CANONICAL],
        True,
    ),
    "loop_with_one_trip": (
        function(
            "%a: f32",
            "f32",
            *for_loop(
                "%x = %a",
                "f32",
                "%s = arith.addf %x, %x : f32",
                "scf.yield %s : f32",
                upper="%c1",
            ),
            "%r = arith.addf %l, %a : f32",
        ),
        [CANONICAL],
        True,
    ),
    "loop_with_no_trip": (
        function(
            "%a: f32",
            "f32",
            *for_loop(
                "%x = %a",
                "f32",
                "%s = arith.addf %x, %x : f32",
                "scf.yield %s : f32",
                upper="%c0",
            ),
            "%r = arith.addf %l, %a : f32",
        ),
        [CANONICAL],
        True,
    ),
    "read_of_what_was_written": (
        function(
            f"%a: {T}, %v: {V}",
            V,
            f"%w = vector.transfer_write %v, %a[{WRITE}",
            f"%r = vector.transfer_read %w[{READ}",
        ),
        [CANONICAL],
        True,
    ),
    "read_elsewhere_stays": (
        function(
            "%a: tensor<9x8xf32>, %v: vector<8x8xf32>",
            V,
            "%w = vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [true, true]}"
            " : vector<8x8xf32>, tensor<9x8xf32>",
            "%r = vector.transfer_read %w[%c1, %c0], %pad {in_bounds = [true, true]}"
            " : tensor<9x8xf32>, vector<8x8xf32>",
        ),
        [CANONICAL],
        True,
    ),
    "written_twice": (
        function(
            f"%a: {T}, %v: {V}, %u: {V}",
            T,
            f"%w = vector.transfer_write %v, %a[{WRITE}",
            f"%r = vector.transfer_write %u, %w[{WRITE}",
        ),
        [CANONICAL],
        True,
    ),
    "mask_that_is_full": (
        function(
            f"%a: {T}",
            V,
            "%m = vector.create_mask %c8, %c8 : vector<8x8xi1>",
            f"%r = vector.transfer_read %a[%c0, %c0], %pad, %m "
            f"{{in_bounds = [true, true]}} : {T}, {V}",
        ),
        [CANONICAL],
        True,
    ),
    "masked_read_and_write": (
        function(
            f"%a: {T}, %b: {T}",
            T,
            "%m = vector.create_mask %c3, %c5 : vector<8x8xi1>",
            f"%v = vector.mask %m {{ vector.transfer_read %a[{READ} }}"
            f" : vector<8x8xi1> -> {V}",
            f"%r = vector.mask %m {{ vector.transfer_write %v, %b[{WRITE} }}"
            f" : vector<8x8xi1> -> {T}",
        ),
        [MASKS],
        True,
    ),
    "passthru_stays_masked": (
        function(
            f"%a: {T}, %p: {V}",
            V,
            "%m = vector.create_mask %c3, %c5 : vector<8x8xi1>",
            f"%r = vector.mask %m, %p {{ vector.transfer_read %a[{READ} }}"
            f" : vector<8x8xi1> -> {V}",
        ),
        [MASKS],
        True,
    ),
    "permuted_read": (
        function(
            "%a: tensor<4x8xf32>",
            "vector<8x2x4xf32>",
            "%r = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = "
            "[true, true, true], permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>}"
            " : tensor<4x8xf32>, vector<8x2x4xf32>",
        ),
        [PERMUTE],
        True,
    ),
    "permuted_masked_read": (
        function(
            "%a: tensor<4x8xf32>",
            "vector<8x4xf32>",
            "%m = vector.create_mask %c3, %c5 : vector<4x8xi1>",
            "%r = vector.transfer_read %a[%c0, %c0], %pad, %m {in_bounds = "
            "[true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}"
            " : tensor<4x8xf32>, vector<8x4xf32>",
        ),
        [PERMUTE],
        True,
    ),
    "permuted_write": (
        function(
            "%a: tensor<4x8xf32>, %v: vector<8x4xf32>",
            "tensor<4x8xf32>",
            "%r = vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [true, true], "
            "permutation_map = affine_map<(d0, d1) -> (d1, d0)>}"
            " : vector<8x4xf32>, tensor<4x8xf32>",
        ),
        [PERMUTE],
        True,
    ),
    "sum_of_products": (
        function(
            "%a: vector<4x2x8xf32>, %b: vector<4x2x8xf32>, %c: vector<4x2xf32>",
            "vector<4x2xf32>",
            "%p = arith.mulf %a, %b : vector<4x2x8xf32>",
            "%r = vector.multi_reduction <add>, %p, %c [2]"
            " : vector<4x2x8xf32> to vector<4x2xf32>",
        ),
        [CONTRACT],
        True,
    ),
    "matrix_product": (
        function(
            "%a: vector<4x8xf32>, %b: vector<8x2xf32>, %c: vector<4x2xf32>",
            "vector<4x2xf32>",
            "%a1 = vector.broadcast %a : vector<4x8xf32> to vector<2x4x8xf32>",
            "%a2 = vector.transpose %a1, [1, 0, 2]"
            " : vector<2x4x8xf32> to vector<4x2x8xf32>",
            "%b1 = vector.broadcast %b : vector<8x2xf32> to vector<4x8x2xf32>",
            "%b2 = vector.transpose %b1, [0, 2, 1]"
            " : vector<4x8x2xf32> to vector<4x2x8xf32>",
            "%p = arith.mulf %a2, %b2 : vector<4x2x8xf32>",
            "%r = vector.multi_reduction <add>, %p, %c [2]"
            " : vector<4x2x8xf32> to vector<4x2xf32>",
        ),
        [CONTRACT],
        True,
    ),
    "spread_over_the_reduction_stays": (
        function(
            "%a: vector<8x4xf32>, %b: vector<4xf32>, %c: vector<4xf32>",
            "vector<4xf32>",
            "%b1 = vector.broadcast %b : vector<4xf32> to vector<8x4xf32>",
            "%p = arith.mulf %a, %b1 : vector<8x4xf32>",
            "%r = vector.multi_reduction <add>, %p, %c [0]"
            " : vector<8x4xf32> to vector<4xf32>",
        ),
        [CONTRACT],
        True,
    ),
    "maximum_of_products_stays": (
        function(
            "%a: vector<4x8xf32>, %c: vector<4xf32>",
            "vector<4xf32>",
            "%p = arith.mulf %a, %a : vector<4x8xf32>",
            "%r = vector.multi_reduction <maximumf>, %p, %c [1]"
            " : vector<4x8xf32> to vector<4xf32>",
        ),
        [CONTRACT],
        True,
    ),
    "extension": (
        function(
            "%a: vector<4x8xf16>, %b: vector<4x8xf16>, %c: vector<4xf32>",
            "vector<4xf32>",
            "%a1 = arith.extf %a : vector<4x8xf16> to vector<4x8xf32>",
            "%b1 = arith.extf %b : vector<4x8xf16> to vector<4x8xf32>",
            "%p = arith.mulf %a1, %b1 : vector<4x8xf32>",
            "%r = vector.multi_reduction <add>, %p, %c [1]"
            " : vector<4x8xf32> to vector<4xf32>",
        ),
        [CONTRACT, EXTEND],
        True,
    ),
    "extension_of_one_side_stays": (
        function(
            "%a: vector<4x8xf16>, %b: vector<4x8xf32>, %c: vector<4xf32>",
            "vector<4xf32>",
            "%a1 = arith.extf %a : vector<4x8xf16> to vector<4x8xf32>",
            "%p = arith.mulf %a1, %b : vector<4x8xf32>",
            "%r = vector.multi_reduction <add>, %p, %c [1]"
            " : vector<4x8xf32> to vector<4xf32>",
        ),
        [CONTRACT, EXTEND],
        True,
    ),
    # -- where ours goes further than upstream
    "further_masked_read_of_masked_write": (
        function(
            f"%a: {T}, %v: {V}",
            V,
            "%m = vector.create_mask %c3, %c5 : vector<8x8xi1>",
            f"%w = vector.transfer_write %v, %a[%c0, %c0], %m "
            f"{{in_bounds = [true, true]}} : {V}, {T}",
            f"%r = vector.transfer_read %w[%c0, %c0], %pad, %m "
            f"{{in_bounds = [true, true]}} : {T}, {V}",
        ),
        [CANONICAL],
        False,
    ),
    "further_identity_slice_of_dynamic_size": (
        function(
            f"%a: {T}, %n: index",
            "tensor<?x8xf32>",
            f"%s = tensor.extract_slice %a[0, 0] [%n, 8] [1, 1]"
            f" : {T} to tensor<?x8xf32>",
            "%r = tensor.extract_slice %s[0, 0] [%n, 8] [1, 1]"
            " : tensor<?x8xf32> to tensor<?x8xf32>",
        ),
        [CANONICAL],
        False,
    ),
    "further_partial_accumulator": (
        _accumulated("tensor<8x8xf32>", "%acc[0, 0] [8, %s] [1, 1]"),
        [CANONICAL],
        False,
    ),
    "further_partial_accumulator_of_part_of_the_rows": (
        _accumulated("tensor<?x8xf32>", "%acc[0, 0] [%rows, %s] [1, 1]"),
        [CANONICAL],
        False,
    ),
    "further_accumulator_elsewhere_is_left_alone": (
        _accumulated("tensor<8x16xf32>", "%acc[0, 8] [8, %s] [1, 1]"),
        [CANONICAL],
        False,
    ),
    "further_masked_contraction": (
        function(
            "%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %acc: vector<4x4xf32>",
            "vector<4x4xf32>",
            "%z = ub.poison : f32",
            "%ma = vector.create_mask %c3, %c5 : vector<4x8xi1>",
            "%mb = vector.create_mask %c5, %c3 : vector<8x4xi1>",
            "%m = vector.create_mask %c3, %c3, %c5 : vector<4x4x8xi1>",
            "%va = vector.transfer_read %a[%c0, %c0], %z, %ma "
            "{in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>",
            "%vb = vector.transfer_read %b[%c0, %c0], %z, %mb "
            "{in_bounds = [true, true]} : tensor<8x4xf32>, vector<8x4xf32>",
            "%s = vector.mask %m { vector.contract {indexing_maps = ["
            "affine_map<(d0, d1, d2) -> (d0, d2)>, "
            "affine_map<(d0, d1, d2) -> (d2, d1)>, "
            "affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = "
            '["parallel", "parallel", "reduction"], kind = #vector.kind<add>} '
            "%va, %vb, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32> }"
            " : vector<4x4x8xi1> -> vector<4x4xf32>",
            "%o = vector.create_mask %c3, %c3 : vector<4x4xi1>",
            "%zeros = arith.constant dense<0.0> : vector<4x4xf32>",
            "%r = arith.select %o, %s, %zeros : vector<4x4xi1>, vector<4x4xf32>",
        ),
        [CANONICAL],
        False,
    ),
    "further_masked_contraction_of_values": (
        function(
            "%a: vector<4x8xf32>, %b: vector<8x4xf32>, %acc: vector<4x4xf32>",
            "vector<4x4xf32>",
            "%m = vector.create_mask %c3, %c3, %c5 : vector<4x4x8xi1>",
            "%s = vector.mask %m { vector.contract {indexing_maps = ["
            "affine_map<(d0, d1, d2) -> (d0, d2)>, "
            "affine_map<(d0, d1, d2) -> (d2, d1)>, "
            "affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = "
            '["parallel", "parallel", "reduction"], kind = #vector.kind<add>} '
            "%a, %b, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32> }"
            " : vector<4x4x8xi1> -> vector<4x4xf32>",
            "%o = vector.create_mask %c3, %c3 : vector<4x4xi1>",
            "%zeros = arith.constant dense<0.0> : vector<4x4xf32>",
            "%r = arith.select %o, %s, %zeros : vector<4x4xi1>, vector<4x4xf32>",
        ),
        [CANONICAL],
        False,
    ),
    "further_constant_mask": (
        function(
            f"%a: {T}",
            V,
            "%m = vector.constant_mask [3, 8] : vector<8x8xi1>",
            f"%r = vector.transfer_read %a[%c0, %c0], %pad, %m "
            f"{{in_bounds = [true, true]}} : {T}, {V}",
        ),
        [CANONICAL],
        True,
    ),
}
