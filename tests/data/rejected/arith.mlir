// addf: on integers
func.func @f(%a: i32) -> i32 {
  // error: i32
  %0 = arith.addf %a, %a : i32
  return %0 : i32
}

// -----
// addi: on signed integers
func.func @f(%a: si32) -> si32 {
  // error: expected signless integers or index, got 'si32'
  %0 = arith.addi %a, %a : si32
  return %0 : si32
}

// -----
// divsi: on floats
func.func @f(%a: f32) -> f32 {
  // error: expected signless integers or index, got 'f32'
  %0 = arith.divsi %a, %a : f32
  return %0 : f32
}

// -----
// muli: operands of two types
func.func @f(%a: i32, %b: i64) -> i32 {
  // error: 'arith.muli' op
  %0 = "arith.muli"(%a, %b) <{overflowFlags = #arith.overflow<none>}> : (i32, i64) -> i32
  return %0 : i32
}

// -----
// addf: vectors of two shapes
func.func @f(%a: vector<4xf32>, %b: vector<8xf32>) -> vector<4xf32> {
  // error: 'arith.addf' op
  %0 = "arith.addf"(%a, %b) <{fastmath = #arith.fastmath<none>}> : (vector<4xf32>, vector<8xf32>) -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----
// constant: of another type than its value
func.func @f() -> i64 {
  // error: 'arith.constant' op
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> i64
  return %0 : i64
}

// -----
// constant: an integer as a float
func.func @f() -> f32 {
  // error: f32
  %0 = arith.constant 1 : f32
  return %0 : f32
}

// -----
// constant: too large for its type
func.func @f() -> i8 {
  // error: i8
  %0 = arith.constant 256 : i8
  return %0 : i8
}

// -----
// constant: a dense literal of the wrong shape
func.func @f() -> tensor<2xi32> {
  // error: dense
  %0 = arith.constant dense<[1, 2, 3]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----
// cmpi: no such predicate
func.func @f(%a: i32) -> i1 {
  // error: expected one of eq, ne, slt
  %0 = arith.cmpi lt, %a, %a : i32
  return %0 : i1
}

// -----
// cmpi: on floats
func.func @f(%a: f32) -> i1 {
  // error: expected signless integers or index, got 'f32'
  %0 = arith.cmpi slt, %a, %a : f32
  return %0 : i1
}

// -----
// cmpf: on integers
func.func @f(%a: vector<4xi32>) -> vector<4xi1> {
  // error: expected floats, got 'vector<4xi32>'
  %0 = arith.cmpf olt, %a, %a : vector<4xi32>
  return %0 : vector<4xi1>
}

// -----
// cmpi: one i1 for a vector
func.func @f(%a: vector<4xi32>) -> i1 {
  // error: must be 'vector<4xi1>', got 'i1'
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> i1
  return %0 : i1
}

// -----
// select: lanes of another shape
func.func @f(%c: vector<8xi1>, %a: vector<4xf32>) -> vector<4xf32> {
  // error: expected the condition to be 'i1' or 'vector<4xi1>', got 'vector<8xi1>'
  %0 = arith.select %c, %a, %a : vector<8xi1>, vector<4xf32>
  return %0 : vector<4xf32>
}

// -----
// select: a condition that is no i1
func.func @f(%c: i32, %a: f32) -> f32 {
  // error: 'arith.select' op expected the condition to be 'i1', got 'i32'
  %0 = "arith.select"(%c, %a, %a) : (i32, f32, f32) -> f32
  return %0 : f32
}

// -----
// extsi: to a narrower type
func.func @f(%a: i32) -> i8 {
  // error: cannot cast 'i32' to 'i8'
  %0 = arith.extsi %a : i32 to i8
  return %0 : i8
}

// -----
// trunci: to the same width
func.func @f(%a: i32) -> i32 {
  // error: cannot cast 'i32' to 'i32'
  %0 = arith.trunci %a : i32 to i32
  return %0 : i32
}

// -----
// extf: between types of one width
func.func @f(%a: f16) -> bf16 {
  // error: cannot cast 'f16' to 'bf16'
  %0 = arith.extf %a : f16 to bf16
  return %0 : bf16
}

// -----
// truncf: of a vector to another shape
func.func @f(%a: vector<4xf32>) -> vector<8xf16> {
  // error: cannot cast 'vector<4xf32>' to 'vector<8xf16>'
  %0 = arith.truncf %a : vector<4xf32> to vector<8xf16>
  return %0 : vector<8xf16>
}

// -----
// sitofp: of a vector to a tensor
func.func @f(%a: vector<4xi32>) -> tensor<4xf32> {
  // error: cannot cast 'vector<4xi32>' to 'tensor<4xf32>'
  %0 = arith.sitofp %a : vector<4xi32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// fptosi: to index
func.func @f(%a: f32) -> index {
  // error: cannot cast 'f32' to 'index'
  %0 = arith.fptosi %a : f32 to index
  return %0 : index
}

// -----
// index_cast: between integers
func.func @f(%a: i32) -> i64 {
  // error: cannot cast 'i32' to 'i64': expected index on exactly one side
  %0 = arith.index_cast %a : i32 to i64
  return %0 : i64
}

// -----
// bitcast: of another width
func.func @f(%a: f32) -> i64 {
  // error: cannot cast 'f32' to 'i64'
  %0 = arith.bitcast %a : f32 to i64
  return %0 : i64
}

// -----
// addui_extended: an overflow flag of another shape
func.func @f(%a: vector<4xi32>) -> i1 {
  // error: overflow
  %0:2 = arith.addui_extended %a, %a : vector<4xi32>, i1
  return %0#1 : i1
}

// -----
// fastmath: no such flag
func.func @f(%a: f32) -> f32 {
  // error: nnan
  %0 = arith.addf %a, %a fastmath<nonan> : f32
  return %0 : f32
}
