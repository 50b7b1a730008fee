// poison: scalars, vectors, tensors, index
func.func @f() -> (f32, i8, index, vector<4xf16>, tensor<2x3xi1>) {
  %0 = ub.poison : f32
  %1 = ub.poison : i8
  %2 = ub.poison : index
  %3 = ub.poison : vector<4xf16>
  %4 = ub.poison : tensor<2x3xi1>
  return %0, %1, %2, %3, %4 : f32, i8, index, vector<4xf16>, tensor<2x3xi1>
}

// -----
// poison: with its value written out
func.func @f() -> f32 {
  %0 = ub.poison <#ub.poison> : f32
  return %0 : f32
}
