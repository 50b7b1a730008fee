// comments: before, between and after
// A comment with "quotes" and { braces.
func.func @f(%a: f32) -> f32 { // after a brace
  // between
  %0 = arith.negf %a : f32 // after an op
  return %0 : f32
} // after the end

// -----
// modules: nested, named, with attributes
module @outer attributes {some.flag, some.number = 3 : i8} {
  module @inner {
    func.func private @f() {
      return
    }
  }
  module {
  }
}

// -----
// modules: none around the functions
func.func @f() {
  return
}
func.func private @g()

// -----
// modules: a constant between functions
module {
  %c = arith.constant 1 : index
  func.func @f() {
    return
  }
}

// -----
// aliases: maps, types and other attributes
#map = affine_map<(d0, d1) -> (d1, d0)>
#set = affine_set<(d0) : (d0 >= 0)>
#text = "a string"
!tile = tensor<4x8xf32>
!elements = f16
func.func @f(%a: !tile, %b: tensor<2x!elements>) -> !tile attributes {
  some.map = #map, some.set = #set, some.text = #text, some.type = !tile
} {
  return %a : !tile
}

// -----
// aliases: of aliases
#one = affine_map<(d0) -> (d0)>
#both = [#one, #one]
module attributes {some.maps = #both} {
}

// -----
// attributes: every builtin kind
module attributes {
  a.array = [1, 2.0, "three", [4 : i8], []],
  a.bool = true,
  a.dense = array<i64: 1, -2, 3>,
  a.dense_bool = array<i1: true, false>,
  a.dense_empty = array<i32>,
  a.dense_float = array<f32: 1.0, 0x7F800000>,
  a.dict = {first = 1 : i32, second = {}},
  a.float = 2.5e-3 : f64,
  a.index = 7 : index,
  a.int = -12 : i16,
  a.map = affine_map<(d0)[s0] -> (d0 floordiv 2 + s0, d0 mod 4)>,
  a.string = "text",
  a.strided = strided<[?, 1], offset: ?>,
  a.symbol = @f,
  a.symbols = @outer::@inner,
  a.type = tensor<?x4xf32>,
  a.type_function = (i32, f32) -> (i1, index),
  a.unit,
  a.zero_rank = dense<1> : tensor<i32>
} {
}

// -----
// attributes: names in quotes
func.func @f() attributes {"needs quotes!" = 1 : i32, plain = 2 : i32} {
  return
}

// -----
// attributes: on ops, arguments and results
func.func @f(%a: f32 {some.note = "in"}, %b: f32) -> (f32 {some.note = "out"}) {
  %0 = arith.addf %a, %b {some.note = 1 : i64} : f32
  return {some.note} %0 : f32
}

// -----
// strings: escapes and unicode
module attributes {
  a.bytes = "\00\FF\7F",
  a.empty = "",
  a.escapes = "tab\t newline\n quote\" backslash\\ hex\41",
  a.unicode = "größer ∑ 行列 🧮"
} {
}

// -----
// symbols: names in quotes
func.func @"a name, with spaces"() {
  return
}
func.func @caller() {
  call @"a name, with spaces"() : () -> ()
  return
}

// -----
// names: numbers, letters and signs
func.func @f(%0: f32, %long_name.with-signs$1: f32, %_: f32) -> f32 {
  %1 = arith.addf %0, %long_name.with-signs$1 : f32
  %a_2 = arith.addf %1, %_ : f32
  %a = arith.addf %a_2, %0 : f32
  return %a : f32
}

// -----
// names: several results under one, and one each
func.func @f(%a: i32) -> (i32, i1, i32, i1) {
  %0:2 = arith.addui_extended %a, %a : i32, i1
  %sum, %carry = arith.addui_extended %0#0, %0#0 : i32, i1
  return %0#0, %0#1, %sum, %carry : i32, i1, i32, i1
}

// -----
// names: the same ones in two functions and in two regions
func.func @f(%x: f32, %c: i1) -> f32 {
  %r = scf.if %c -> (f32) {
    %y = arith.negf %x : f32
    scf.yield %y : f32
  } else {
    %y = arith.addf %x, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
func.func @g(%x: f32) -> f32 {
  %r = arith.negf %x : f32
  return %r : f32
}

// -----
// names: a result that nobody names
func.func @f(%a: f32) {
  arith.negf %a : f32
  return
}

// -----
// generic: mixed with pretty
"builtin.module"() ({
  func.func @f(%a: f32) -> f32 {
    %0 = "arith.addf"(%a, %a) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %1 = arith.negf %0 : f32
    "func.return"(%1) : (f32) -> ()
  }
}) : () -> ()

// -----
// generic: regions with labels, properties among the attributes
"func.func"() ({
^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %0 = "linalg.generic"(%a, %b) ({
  ^body(%in: f32, %out: f32):
    "linalg.yield"(%in) : (f32) -> ()
  }) {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = [#linalg.iterator_type<parallel>],
    operandSegmentSizes = array<i32: 1, 1>
  } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}) {
  function_type = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, sym_name = "f"
} : () -> ()

// -----
// locations: every kind, on ops and arguments
#here = loc("defined.py":4:2)
module {
  func.func @f(%a: f32 loc("arg")) -> f32 {
    %0 = arith.negf %a : f32 loc("file.py":10:4)
    %1 = arith.negf %0 : f32 loc(unknown)
    %2 = arith.negf %1 : f32 loc("name")
    %3 = arith.negf %2 : f32 loc("name"("file.py":1:1))
    %4 = arith.negf %3 : f32 loc(callsite("callee.py":1:2 at "caller.py":3:4))
    %5 = arith.negf %4 : f32 loc(fused["a.py":1:1, "b.py":2:2])
    %6 = arith.negf %5 : f32 loc(fused<"a pass">[#here, "x"])
    %7 = arith.negf %6 : f32 loc("file.py":1:2 to :9)
    %8 = "arith.negf"(%7) : (f32) -> f32 loc("file.py":1:2 to 3:9)
    return %8 : f32 loc(#here)
  } loc(#later)
} loc(#here)
#later = loc("defined_below.py":7:7)

// -----
// locations: of block arguments
func.func @f(%x: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32 loc("in"), %out: f32 loc("file.py":1:2)):
    linalg.yield %in : f32 loc(unknown)
  } -> tensor<4xf32> loc("the op")
  return %0 : tensor<4xf32>
}

// -----
// spaces: as few and as many as may be
func.func@f(%a:f32,%b:tensor<4x4xf32>)->(f32,tensor<4x4xf32>){%0=arith.negf%a:f32 return%0,%b:f32,tensor<4x4xf32>}
func.func    @g (  %a  :
   tensor  <  4x4xf32  >  )
   ->
   ( tensor<4x4xf32> )
{
  return
    %a
    :
    tensor<4x4xf32>
}

// -----
// numbers: floats in every spelling
func.func @f() -> (f32, f32, f32, f64, f16, bf16, f32, f32) {
  %0 = arith.constant 1.0 : f32
  %1 = arith.constant -1.5e+10 : f32
  %2 = arith.constant 0x7FC00000 : f32
  %3 = arith.constant 0xFFF0000000000000 : f64
  %4 = arith.constant 0xFC00 : f16
  %5 = arith.constant 0x7F80 : bf16
  %6 = arith.constant 3.40282347E+38 : f32
  %7 = arith.constant 1.e-45 : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f64, f16, bf16, f32, f32
}

// -----
// numbers: integers in every spelling
func.func @f() -> (i32, i32, i8, i1, i1, index, i64) {
  %0 = arith.constant 0x10 : i32
  %1 = arith.constant -5 : i32
  %2 = arith.constant 255 : i8
  %3 = arith.constant true
  %4 = arith.constant 0 : i1
  %5 = arith.constant 42 : index
  %6 = arith.constant 0xFFFFFFFFFFFFFFFF : i64
  return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i8, i1, i1, index, i64
}

// -----
// dense: bits of every float type
func.func @f() {
  %0 = arith.constant dense<0xFF800000> : tensor<4xf32>
  %1 = arith.constant dense<[0xFF800000, 1.0, 0x7FC00000]> : vector<3xf32>
  %2 = arith.constant dense<[[0xFC00, 0x7C00], [0x7E00, 0x3C00]]> : vector<2x2xf16>
  %3 = arith.constant dense<0xFF80> : tensor<2xbf16>
  %4 = arith.constant dense<[0x7FF0000000000000, 0xBFF0000000000000]> : tensor<2xf64>
  %5 = arith.constant dense<[0x7F, 0x38]> : tensor<2xf8E4M3FN>
  %6 = arith.constant dense<[0xFC, 0x3C]> : tensor<2xf8E5M2>
  %7 = arith.constant dense<0x7FC00001> : tensor<2xf32>
  return
}

// -----
// dense: bytes in a string
func.func @f() {
  %0 = arith.constant dense<"0x0000803F000000C0"> : tensor<2xf32>
  %1 = arith.constant dense<"0x0000803F"> : tensor<4xf32>
  %2 = arith.constant dense<"0x003C00C0"> : tensor<2xf16>
  %3 = arith.constant dense<"0x01000000FFFFFFFF"> : tensor<2xi32>
  %4 = arith.constant dense<"0x0501"> : tensor<9xi1>
  %5 = arith.constant dense<"0xFF"> : tensor<3xi1>
  %6 = arith.constant dense<"0x01000000000000000200000000000000"> : tensor<2xindex>
  return
}

// -----
// dense: nothing, nested lists, booleans, complex numbers
func.func @f() {
  %0 = arith.constant dense<> : tensor<0xf32>
  %1 = arith.constant dense<[[], []]> : tensor<2x0xf32>
  %2 = arith.constant dense<[[[1], [2]], [[3], [-4]]]> : tensor<2x2x1xi16>
  %3 = arith.constant dense<[true, false]> : vector<2xi1>
  %4 = arith.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>
  %5 = arith.constant dense<-0.0> : tensor<2xf32>
  %6 = arith.constant dense<2.5> : tensor<f32>
  return
}

// -----
// types: every builtin kind
func.func private @f(
  i1, i8, si16, ui32, index, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, tf32, none,
  complex<f32>, tuple<i32, f32>, (i32) -> f32,
  tensor<f32>, tensor<?x4xf32>, tensor<*xf32>, tensor<4xf32, "encoding">,
  vector<4xf32>, vector<f32>, vector<[4]x2xf32>,
  memref<f32>, memref<4x?xf32>, memref<4x4xf32, strided<[?, 1], offset: 3>>,
  memref<4xf32, 3>, memref<4xf32, strided<[2]>, 1 : i32>, memref<*xf32>,
  memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>
)

// -----
// maps and sets: every form
#a = affine_map<() -> ()>
#b = affine_map<(d0, d1)[s0, s1] -> (d0 * 2 + s0, (d1 - s1) floordiv 3, d0 ceildiv 4)>
#c = affine_map<(i, j) -> (j, i, 0, -1)>
#d = affine_set<(d0)[s0] : (d0 - 1 >= 0, -d0 + s0 == 0)>
module attributes {some.maps = [#a, #b, #c], some.set = #d} {
}

// -----
// blocks: a label on the only one
func.func @f(%x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
  ^here:
    %1 = arith.negf %x : f32
    scf.yield %1 : f32
  }
  return %0 : f32
}
