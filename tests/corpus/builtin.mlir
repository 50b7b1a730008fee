// module: empty
module {
}

// -----
// module: named, with an attribute
module @payload attributes {some.flag} {
}

// -----
// dense: hexadecimal floats are bits
func.func @f() -> vector<2xf32> {
  %0 = arith.constant dense<0xFF800000> : vector<2xf32>
  return %0 : vector<2xf32>
}
