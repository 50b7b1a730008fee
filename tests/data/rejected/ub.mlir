// poison: without a type
func.func @f() {
  %0 = ub.poison
  // error: expected ':'
  return
}
