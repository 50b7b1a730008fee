// exp: on integers
func.func @f(%a: i32) -> i32 {
  // error: i32
  %0 = math.exp %a : i32
  return %0 : i32
}

// -----
// absi: on floats
func.func @f(%a: f32) -> f32 {
  // error: f32
  %0 = math.absi %a : f32
  return %0 : f32
}

// -----
// ctpop: on signed integers
func.func @f(%a: si32) -> si32 {
  // error: si32
  %0 = math.ctpop %a : si32
  return %0 : si32
}

// -----
// fma: operands of two types
func.func @f(%a: f32, %b: f16) -> f32 {
  // error: 'math.fma' op
  %0 = "math.fma"(%a, %a, %b) <{fastmath = #arith.fastmath<none>}> : (f32, f32, f16) -> f32
  return %0 : f32
}

// -----
// isnan: a result of another shape
func.func @f(%a: vector<4xf32>) -> i1 {
  // error: must be 'vector<4xi1>', got 'i1'
  %0 = "math.isnan"(%a) <{fastmath = #arith.fastmath<none>}> : (vector<4xf32>) -> i1
  return %0 : i1
}
