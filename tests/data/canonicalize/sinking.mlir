// sink_ops: a cast
// groups: vector.sink_ops
func.func @f(%x: vector<4xf16>) -> vector<2x4xf32> {
  %b = vector.broadcast %x : vector<4xf16> to vector<2x4xf16>
  %r = arith.extf %b : vector<2x4xf16> to vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: a cast of a scalar
// groups: vector.sink_ops
func.func @f(%x: f16) -> vector<2x4xf32> {
  %b = vector.broadcast %x : f16 to vector<2x4xf16>
  %r = arith.extf %b : vector<2x4xf16> to vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: one operand
// groups: vector.sink_ops
func.func @f(%x: vector<4xf32>) -> vector<2x4xf32> {
  %b = vector.broadcast %x : vector<4xf32> to vector<2x4xf32>
  %r = math.exp %b : vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: two operands
// groups: vector.sink_ops
func.func @f(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<2x4xf32> {
  %b = vector.broadcast %x : vector<4xf32> to vector<2x4xf32>
  %c = vector.broadcast %y : vector<4xf32> to vector<2x4xf32>
  %r = arith.addf %b, %c : vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: other shapes
// groups: vector.sink_ops
// stays: the operands do not agree
func.func @f(%x: vector<4xf32>, %y: vector<1xf32>) -> vector<2x4xf32> {
  %b = vector.broadcast %x : vector<4xf32> to vector<2x4xf32>
  %c = vector.broadcast %y : vector<1xf32> to vector<2x4xf32>
  %r = arith.addf %b, %c : vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: a scalar beside a vector
// groups: vector.sink_ops
// stays: the operands do not agree
func.func @f(%x: vector<4xf32>, %y: f32) -> vector<2x4xf32> {
  %b = vector.broadcast %x : vector<4xf32> to vector<2x4xf32>
  %c = vector.broadcast %y : f32 to vector<2x4xf32>
  %r = arith.addf %b, %c : vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: a constant
// groups: vector.sink_ops
func.func @f(%x: vector<4xf32>) -> vector<2x4xf32> {
  %b = vector.broadcast %x : vector<4xf32> to vector<2x4xf32>
  %c = arith.constant dense<2.0> : vector<2x4xf32>
  %r = arith.addf %c, %b : vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: transposed, and a constant
// groups: vector.sink_ops
func.func @f(%x: vector<4x2xf32>) -> vector<2x4xf32> {
  %b = vector.transpose %x, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %c = arith.constant dense<2.0> : vector<2x4xf32>
  %r = arith.addf %c, %b : vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: transposed beside broadcast
// groups: vector.sink_ops
// stays: the operands do not agree
func.func @f(%x: vector<4x2xf32>, %y: f32) -> vector<2x4xf32> {
  %b = vector.transpose %x, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %c = vector.broadcast %y : f32 to vector<2x4xf32>
  %r = arith.addf %c, %b : vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: both transposed
// groups: vector.sink_ops
func.func @f(%x: vector<4x2xf32>, %y: vector<4x2xf32>) -> vector<2x4xi1> {
  %b = vector.transpose %x, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %c = vector.transpose %y, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %r = arith.cmpf olt, %c, %b : vector<2x4xf32>
  return %r : vector<2x4xi1>
}
// -----
// sink_ops: a choice
// groups: vector.sink_ops
func.func @f(%x: vector<4xi1>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<2x4xf32> {
  %b = vector.broadcast %x : vector<4xi1> to vector<2x4xi1>
  %c = vector.broadcast %y : vector<4xf32> to vector<2x4xf32>
  %d = vector.broadcast %z : vector<4xf32> to vector<2x4xf32>
  %r = arith.select %b, %c, %d : vector<2x4xi1>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: a choice by a scalar
// groups: vector.sink_ops
// stays: the operands do not agree
func.func @f(%x: i1, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<2x4xf32> {
  %b = vector.broadcast %x : i1 to vector<2x4xi1>
  %c = vector.broadcast %y : vector<4xf32> to vector<2x4xf32>
  %d = vector.broadcast %z : vector<4xf32> to vector<2x4xf32>
  %r = arith.select %b, %c, %d : vector<2x4xi1>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// sink_ops: one lane of a sum
// groups: vector.sink_ops
func.func @f(%x: vector<4xf32>, %y: vector<4xf32>) -> f32 {
  %c = arith.addf %x, %y : vector<4xf32>
  %r = vector.extract %c[2] : f32 from vector<4xf32>
  return %r : f32
}
// -----
// sink_ops: one lane of a cast
// groups: vector.sink_ops
func.func @f(%x: vector<4xf16>) -> f32 {
  %c = arith.extf %x : vector<4xf16> to vector<4xf32>
  %r = vector.extract %c[2] : f32 from vector<4xf32>
  return %r : f32
}
// -----
// sink_ops: two lanes of a sum
// groups: vector.sink_ops
// stays: it is computed for both
func.func @f(%x: vector<4xf32>, %y: vector<4xf32>) -> f32 {
  %c = arith.addf %x, %y : vector<4xf32>
  %r = vector.extract %c[2] : f32 from vector<4xf32>
  %q = vector.extract %c[1] : f32 from vector<4xf32>
  %rr = arith.addf %r, %q : f32
  return %rr : f32
}
// -----
// sink_ops: a lane known only later
// groups: vector.sink_ops
// stays: the position is no number
// index: 0, 1
func.func @f(%x: vector<2x4xf32>, %i: index) -> vector<4xf32> {
  %c = arith.addf %x, %x : vector<2x4xf32>
  %r = vector.extract %c[%i] : vector<4xf32> from vector<2x4xf32>
  return %r : vector<4xf32>
}
// -----
// sink_ops: a chain
// groups: vector.sink_ops
func.func @f(%x: vector<4xf32>) -> vector<2x4xf32> {
  %b = vector.broadcast %x : vector<4xf32> to vector<2x4xf32>
  %u = arith.negf %b : vector<2x4xf32>
  %r = arith.addf %u, %b : vector<2x4xf32>
  return %r : vector<2x4xf32>
}
