// an undefined name is reported where it is used
func.func @f(%a: f32) -> f32 {
  // error: %missing
  %0 = arith.addf %a, %missing : f32
  return %0 : f32
}

// -----
// symbols: two functions of one name
func.func @f() {
  return
}
// error: f
func.func @f() {
  return
}

// -----
// types: a vector of no elements
// error: vector
func.func private @f(vector<0xf32>)

// -----
// types: a layout of another rank
// error: strided
func.func private @f(memref<4x4xf32, strided<[1]>>)

// -----
// types: a map of another rank as a layout
// error: layout
func.func private @f(memref<4x4xf32, affine_map<(d0) -> (d0)>>)

// -----
// types: a tensor of tensors
// error: invalid tensor element type 'tensor<4xf32>'
func.func private @f(tensor<4xtensor<4xf32>>)

// -----
// dense: floats for integers
func.func @f() -> tensor<2xi32> {
  // error: integer
  %0 = arith.constant dense<[1.5, 2.5]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----
// dense: rows of two lengths
func.func @f() -> tensor<2x2xi32> {
  // error: the rows of the literal differ
  %0 = arith.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----
// dense: of a dynamic shape
func.func @f() -> tensor<?xi32> {
  // error: static
  %0 = arith.constant dense<1> : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----
// dense: a number that its type cannot hold
func.func @f() -> tensor<2xi8> {
  // error: i8
  %0 = arith.constant dense<[1, 300]> : tensor<2xi8>
  return %0 : tensor<2xi8>
}

// -----
// array: a float among integers
// error: integer
func.func private @f() attributes {some.a = array<i64: 1, 2.5>}

// -----
// attributes: a name twice
// error: some.a
func.func private @f() attributes {some.a = 1 : i64, some.a = 2 : i64}

// -----
// alias: of nothing
// error: #nothing
func.func private @f() attributes {some.a = #nothing}
