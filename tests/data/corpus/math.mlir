// exp, exp2, expm1, log, log2, log10, log1p
func.func @f(%a: f32, %b: vector<4xf16>, %c: tensor<?x2xbf16>) -> (f32, vector<4xf16>, tensor<?x2xbf16>) {
  %0 = math.exp %a : f32
  %1 = math.exp2 %b : vector<4xf16>
  %2 = math.expm1 %c : tensor<?x2xbf16>
  %3 = math.log %0 : f32
  %4 = math.log2 %1 : vector<4xf16>
  %5 = math.log10 %2 : tensor<?x2xbf16>
  %6 = math.log1p %3 : f32
  return %6, %4, %5 : f32, vector<4xf16>, tensor<?x2xbf16>
}

// -----
// sqrt, rsqrt, cbrt
func.func @f(%a: f64, %b: vector<2x2xf32>, %c: tensor<4xf32>) -> (f64, vector<2x2xf32>, tensor<4xf32>) {
  %0 = math.sqrt %a : f64
  %1 = math.rsqrt %b : vector<2x2xf32>
  %2 = math.cbrt %c : tensor<4xf32>
  return %0, %1, %2 : f64, vector<2x2xf32>, tensor<4xf32>
}

// -----
// trigonometric functions and their inverses
func.func @f(%a: f32, %b: vector<4xf32>) -> (f32, vector<4xf32>) {
  %0 = math.sin %a : f32
  %1 = math.cos %0 : f32
  %2 = math.tan %1 : f32
  %3 = math.asin %b : vector<4xf32>
  %4 = math.acos %3 : vector<4xf32>
  %5 = math.atan %4 : vector<4xf32>
  %6 = math.atan2 %5, %b : vector<4xf32>
  return %2, %6 : f32, vector<4xf32>
}

// -----
// hyperbolic functions and their inverses
func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = math.sinh %a : tensor<3xf32>
  %1 = math.cosh %0 : tensor<3xf32>
  %2 = math.tanh %1 : tensor<3xf32>
  %3 = math.asinh %2 : tensor<3xf32>
  %4 = math.acosh %3 : tensor<3xf32>
  %5 = math.atanh %4 : tensor<3xf32>
  return %5 : tensor<3xf32>
}

// -----
// sincos: two results
func.func @f(%a: f32, %b: vector<4xf16>) -> (f32, f32, vector<4xf16>) {
  %s, %c = math.sincos %a : f32
  %0:2 = math.sincos %b fastmath<fast> : vector<4xf16>
  return %s, %c, %0#1 : f32, f32, vector<4xf16>
}

// -----
// erf, erfc
func.func @f(%a: f32, %b: vector<4xf16>) -> (f32, vector<4xf16>) {
  %0 = math.erf %a : f32
  %1 = math.erfc %b : vector<4xf16>
  return %0, %1 : f32, vector<4xf16>
}

// -----
// absf, absi, copysign
func.func @f(%a: f32, %b: vector<4xi8>, %c: index) -> (f32, vector<4xi8>, index) {
  %0 = math.absf %a : f32
  %1 = math.absi %b : vector<4xi8>
  %2 = math.copysign %0, %a : f32
  %3 = math.absi %c : index
  return %2, %1, %3 : f32, vector<4xi8>, index
}

// -----
// powf, fpowi, ipowi
func.func @f(%a: f32, %b: vector<4xf64>, %c: vector<4xi32>, %d: i64) -> (f32, vector<4xf64>, i64) {
  %0 = math.powf %a, %a : f32
  %1 = math.fpowi %b, %c : vector<4xf64>, vector<4xi32>
  %2 = math.ipowi %d, %d : i64
  return %0, %1, %2 : f32, vector<4xf64>, i64
}

// -----
// fma
func.func @f(%a: f64, %b: vector<4xf16>, %c: tensor<?xbf16>) -> (f64, vector<4xf16>, tensor<?xbf16>) {
  %0 = math.fma %a, %a, %a : f64
  %1 = math.fma %b, %b, %b fastmath<contract> : vector<4xf16>
  %2 = math.fma %c, %c, %c : tensor<?xbf16>
  return %0, %1, %2 : f64, vector<4xf16>, tensor<?xbf16>
}

// -----
// floor, ceil, round, roundeven, trunc
func.func @f(%a: f32) -> f32 {
  %0 = math.floor %a : f32
  %1 = math.ceil %0 : f32
  %2 = math.round %1 : f32
  %3 = math.roundeven %2 : f32
  %4 = math.trunc %3 : f32
  return %4 : f32
}

// -----
// ctlz, cttz, ctpop
func.func @f(%a: i32, %b: vector<4xi8>, %c: tensor<?xindex>) -> (i32, vector<4xi8>, tensor<?xindex>) {
  %0 = math.ctlz %a : i32
  %1 = math.cttz %b : vector<4xi8>
  %2 = math.ctpop %c : tensor<?xindex>
  return %0, %1, %2 : i32, vector<4xi8>, tensor<?xindex>
}

// -----
// isnan, isinf, isfinite, isnormal
func.func @f(%a: f32, %b: vector<4xf16>, %c: tensor<?xbf16>) -> (i1, vector<4xi1>, tensor<?xi1>, i1) {
  %0 = math.isnan %a : f32
  %1 = math.isinf %b : vector<4xf16>
  %2 = math.isfinite %c : tensor<?xbf16>
  %3 = math.isnormal %a {fastmath = #arith.fastmath<nnan>} : f32
  return %0, %1, %2, %3 : i1, vector<4xi1>, tensor<?xi1>, i1
}

// -----
// clampf
func.func @f(%a: f32, %b: vector<4xf16>) -> (f32, vector<4xf16>) {
  %0 = math.clampf %a to [%a, %a] : f32
  %1 = math.clampf %b to [%b, %b] fastmath<nnan> : vector<4xf16>
  return %0, %1 : f32, vector<4xf16>
}

// -----
// fast math on unary, binary and power functions
func.func @f(%a: f32, %i: i32) -> f32 {
  %0 = math.exp %a fastmath<fast> : f32
  %1 = math.powf %0, %a fastmath<nnan, ninf> : f32
  %2 = math.fpowi %1, %i fastmath<reassoc> : f32, i32
  %3 = math.tanh %2 fastmath<afn> {note = 1 : i64} : f32
  return %3 : f32
}
