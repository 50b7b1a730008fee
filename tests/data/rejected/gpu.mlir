// block: no such dimension
func.func @f() {
  scf.forall (%i) in (4) {
  // error: or `linear_dim_9`
  } {mapping = [#gpu.block<w>]}
  return
}

// -----
// block: a row too far
func.func @f() {
  scf.forall (%i) in (4) {
  // error: or `linear_dim_9`
  } {mapping = [#gpu.block<linear_dim_10>]}
  return
}

// -----
// address_space: no such memory
// error: expected `global`, `workgroup`, or `private`
func.func @f(%m: memref<4xf32, #gpu.address_space<constant>>) {
  return
}
