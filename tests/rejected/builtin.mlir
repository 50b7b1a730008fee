// an undefined name is reported where it is used
func.func @f(%a: f32) -> f32 {
  // error: %missing
  %0 = arith.addf %a, %missing : f32
  return %0 : f32
}
