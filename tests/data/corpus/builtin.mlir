// module: empty
module {
}

// -----
// module: named, with an attribute
module @payload attributes {some.flag} {
}

// -----
// module: nested
module @outer {
  module @inner {
    func.func @f() {
      return
    }
  }
}

// -----
// dense: hexadecimal floats are bits
func.func @f() -> (vector<2xf32>, tensor<2x2xf16>, vector<2xf64>, vector<1xbf16>) {
  %0 = arith.constant dense<0xFF800000> : vector<2xf32>
  %1 = arith.constant dense<[[0x7C00, 1.0], [0xFC00, -2.5]]> : tensor<2x2xf16>
  %2 = arith.constant dense<[0x7FF8000000000000, 1.0e+200]> : vector<2xf64>
  %3 = arith.constant dense<0x7F80> : vector<1xbf16>
  return %0, %1, %2, %3 : vector<2xf32>, tensor<2x2xf16>, vector<2xf64>, vector<1xbf16>
}

// -----
// dense: splats, full, empty, rank 0, in a dictionary
func.func @f() attributes {
  some.a = dense<0> : tensor<4xi64>,
  some.b = dense<[1, 2, 3]> : vector<3xi32>,
  some.c = dense<> : tensor<0xf32>,
  some.d = dense<5> : tensor<i8>,
  some.e = dense<[[true, false]]> : tensor<1x2xi1>,
  some.g = dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf64>
} {
  return
}

// -----
// dense: a splat of -1 and of the largest values
func.func @f() -> (tensor<3xi1>, tensor<2xi8>, tensor<2xi64>, tensor<2xindex>) {
  %0 = arith.constant dense<true> : tensor<3xi1>
  %1 = arith.constant dense<-128> : tensor<2xi8>
  %2 = arith.constant dense<9223372036854775807> : tensor<2xi64>
  %3 = arith.constant dense<-1> : tensor<2xindex>
  return %0, %1, %2, %3 : tensor<3xi1>, tensor<2xi8>, tensor<2xi64>, tensor<2xindex>
}

// -----
// dense: as hexadecimal bytes
func.func @f() -> tensor<2xf32> {
  %0 = arith.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----
// array: integers, floats, booleans, none
func.func @f() attributes {
  some.a = array<i64: 1, -2, 3>,
  some.b = array<i32>,
  some.c = array<f32: 1.0, -2.5>,
  some.d = array<i1: true, false>,
  some.e = array<i8: 127>
} {
  return
}

// -----
// attributes: unit, string, symbol, type, array, dictionary
func.func @f() attributes {
  some.array = [1 : i64, "two", 3.0 : f32, [unit]],
  some.bool = true,
  some.dictionary = {a = 1 : i32, b = {c}},
  some.empty = {},
  some.float = 1.0 : f64,
  some.index = 5 : index,
  some.integer = -7 : i8,
  some.nested = @outer::@inner,
  some.string = "quoted \22text\22 and a \5C",
  some.symbol = @f,
  some.type = tensor<?x4xf32>,
  some.unit
} {
  return
}

// -----
// attributes: names that need quotes
func.func @f() attributes {"not an identifier" = 1 : i64, some.plain} {
  return
}

// -----
// affine_map: by alias, and written out
#rows = affine_map<(d0, d1) -> (d0)>
#shifted = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 * 2)>
func.func @f() attributes {some.inline = affine_map<() -> ()>, some.rows = #rows, some.shifted = #shifted} {
  return
}

// -----
// alias: a type and an attribute
!tile = tensor<16x16xf16>
#count = 3 : i64
func.func @f(%a: !tile) -> !tile attributes {some.count = #count} {
  return %a : !tile
}

// -----
// types: floats of every width
func.func private @f(f16, bf16, f32, f64, tf32, f8E4M3FN, f8E5M2, f80, f128)

// -----
// types: integers of every width, index, signed and unsigned
func.func private @f(i1, i8, i16, i32, i64, i128, i4, si8, ui32, index)

// -----
// types: tensors, ranked and not, of rank 0, with an encoding
func.func private @f(tensor<f32>, tensor<4x?xi1>, tensor<*xf32>, tensor<0xf32>, tensor<2xf32, "layout">, tensor<2x?xindex, {some.key = 1 : i64}>)

// -----
// types: vectors of rank 0, scalable too
func.func private @f(vector<4xf32>, vector<2x3xi1>, vector<f32>, vector<[4]xf32>, vector<2x[8]xi8>)

// -----
// types: memrefs with layouts and memory spaces
func.func private @f(memref<4x?xf32>, memref<f32>, memref<4x8xf32, strided<[8, 1]>>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<4xf32, strided<[2], offset: 3>>, memref<4xf32, 1>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<4x8xf16, strided<[?, ?]>, 3>, memref<*xf32>)

// -----
// types: tuples, functions, none, complex
func.func private @f(tuple<f32, i32>, () -> (), (f32, i32) -> (f32, f32), none, complex<f32>)

// -----
// locations: read and left out of the text
func.func @f(%a: f32 loc("in")) -> f32 {
  %0 = arith.addf %a, %a : f32 loc("file.py":3:4)
  %1 = arith.addf %0, %a : f32 loc(unknown)
  %2 = arith.addf %1, %a : f32 loc("named"("file.py":1:2))
  %3 = arith.addf %2, %a : f32 loc(callsite("f" at "g"))
  %4 = arith.addf %3, %a : f32 loc(fused["a", "file.py":1:2])
  return %4 : f32 loc(#place)
} loc("here")
#place = loc("file.py":9:9)
