// func: nothing in, nothing out
func.func @f() {
  return
}

// -----
// func: many results, one result with an attribute
func.func @f(%a: f32, %b: i32) -> (f32, i32 {some.tag = 1 : i64}) {
  return %a, %b : f32, i32
}

// -----
// func: argument attributes, names kept
func.func @f(%lhs: tensor<4xf32> {some.readonly}, %rhs: f32 {some.name = "scale"}) -> tensor<4xf32> {
  return %lhs : tensor<4xf32>
}

// -----
// func: a declaration
func.func private @g(f32, tensor<?xi8>) -> i32
func.func @f(%a: f32, %b: tensor<?xi8>) -> i32 {
  %0 = call @g(%a, %b) : (f32, tensor<?xi8>) -> i32
  return %0 : i32
}

// -----
// func: a declaration with attributes on arguments and results
func.func private @g(f32 {some.a}, i32) -> (i32 {some.b}, f32) attributes {some.c = "x"}

// -----
// func: private and nested visibility, attributes
func.func private @g(%a: f32) -> f32 attributes {some.count = 3 : i32, some.flag} {
  return %a : f32
}
func.func nested @h() {
  return
}

// -----
// func: a function type as a result
func.func private @g() -> (() -> f32)

// -----
// call: no results, many results
func.func private @g()
func.func private @h(i32) -> (i32, f32)
func.func @f(%a: i32) -> (i32, f32) {
  func.call @g() : () -> ()
  %0:2 = func.call @h(%a) : (i32) -> (i32, f32)
  return %0#0, %0#1 : i32, f32
}

// -----
// call: a function that is defined later, with attributes on the call
func.func @f(%a: f32) -> f32 {
  %0 = call @later(%a) {some.hint} : (f32) -> f32
  return %0 : f32
}
func.func private @later(%a: f32) -> f32 {
  return %a : f32
}

// -----
// func: buffers and vectors as arguments
func.func @f(%a: memref<4x?xf32>, %b: vector<8xi1>, %c: index) -> (memref<4x?xf32>, vector<8xi1>) {
  return %a, %b : memref<4x?xf32>, vector<8xi1>
}
