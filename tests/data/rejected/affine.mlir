// apply: too few operands
func.func @f(%i: index) -> index {
  // error: expected 2 dimensions and 0 symbols, got 1 and 0
  %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i)
  return %0 : index
}

// -----
// apply: a symbol where a dimension is expected
func.func @f(%i: index) -> index {
  // error: expected 1 dimensions and 0 symbols, got 0 and 1
  %0 = affine.apply affine_map<(d0) -> (d0 * 2)>()[%i]
  return %0 : index
}

// -----
// apply: a map of two results
func.func @f(%i: index) -> index {
  // error: expected a map with one result
  %0 = affine.apply affine_map<(d0) -> (d0, d0 * 2)>(%i)
  return %0 : index
}

// -----
// apply: on an integer
func.func @f(%i: i32) -> index {
  // error: index
  %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
  return %0 : index
}

// -----
// min: operands in the generic form
func.func @f(%i: index) -> index {
  // error: expected 1 operands for 1 dimensions and 0 symbols, got 2
  %0 = "affine.min"(%i, %i) <{map = affine_map<(d0) -> (d0, 4)>}> : (index, index) -> index
  return %0 : index
}

// -----
// apply: no map
func.func @f(%i: index) -> index {
  // error: expected an affine map
  %0 = affine.apply 3(%i)
  return %0 : index
}

// -----
// for: yields another type
func.func @f(%z: f32, %n: index) -> f32 {
  %r = affine.for %i = 0 to 4 iter_args(%s = %z) -> (f32) {
    // error: yields other types than the results of its parent
    affine.yield %n : index
  }
  return %r : f32
}

// -----
// for: a map of several bounds without max or min
func.func @f(%n: index) {
  // error: a map of several results needs 'min'
  affine.for %i = 0 to affine_map<()[s0] -> (4, s0)>()[%n] {
  }
  return
}

// -----
// for: a negative step
func.func @f(%n: index) {
  // error: expected a step that is not negative
  affine.for %i = 0 to 4 step -1 {
  }
  return
}

// -----
// if: results without an else
func.func @f(%n: index, %a: f32) -> f32 {
  // error: expected an else region, since it has results
  %r = affine.if affine_set<()[s0] : (s0 - 4 >= 0)>()[%n] -> f32 {
    affine.yield %a : f32
  }
  return %r : f32
}

// -----
// load: fewer indices than dimensions
func.func @f(%m: memref<4x4xf32>) {
  // error: expected a map with 2 results, got 1
  %0 = affine.load %m[0] : memref<4x4xf32>
  return
}
