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
