// constant: integers of every width, and index
func.func @f() -> (i1, i1, i8, i16, i32, i64, index) {
  %t = arith.constant true
  %f = arith.constant false
  %a = arith.constant -128 : i8
  %b = arith.constant 32767 : i16
  %c = arith.constant -1 : i32
  %d = arith.constant 9223372036854775807 : i64
  %e = arith.constant 7 : index
  return %t, %f, %a, %b, %c, %d, %e : i1, i1, i8, i16, i32, i64, index
}

// -----
// constant: an integer written unsigned or in hexadecimal
func.func @f() -> (i8, i32, i64) {
  %a = arith.constant 255 : i8
  %b = arith.constant 0xFF : i32
  %c = arith.constant 42
  return %a, %b, %c : i8, i32, i64
}

// -----
// constant: floats of every type
func.func @f() -> (f64, f32, f16, bf16, f8E4M3FN, f8E5M2) {
  %a = arith.constant 1.0e-300 : f64
  %b = arith.constant 3.14159274 : f32
  %c = arith.constant 5.000000e-01 : f16
  %d = arith.constant -1.0 : bf16
  %e = arith.constant 4.48e+2 : f8E4M3FN
  %g = arith.constant 1.5 : f8E5M2
  return %a, %b, %c, %d, %e, %g : f64, f32, f16, bf16, f8E4M3FN, f8E5M2
}

// -----
// constant: infinities, NaN and minus zero by their bits
func.func @f() -> (f32, f32, f32, f16, bf16, f64, f8E4M3FN, f8E5M2) {
  %a = arith.constant 0x7F800000 : f32
  %b = arith.constant 0xFFC00000 : f32
  %c = arith.constant -0.0 : f32
  %d = arith.constant 0xFC00 : f16
  %e = arith.constant 0x7FC0 : bf16
  %g = arith.constant 0xFFF0000000000000 : f64
  %h = arith.constant 0x7F : f8E4M3FN
  %i = arith.constant 0x7C : f8E5M2
  return %a, %b, %c, %d, %e, %g, %h, %i : f32, f32, f32, f16, bf16, f64, f8E4M3FN, f8E5M2
}

// -----
// constant: vectors and tensors, splat and full
func.func @f() -> (vector<4xf32>, vector<2x2xi8>, tensor<3xi1>, tensor<2x1xf16>, tensor<f32>, vector<2xindex>) {
  %a = arith.constant dense<1.5> : vector<4xf32>
  %b = arith.constant dense<[[1, -2], [3, 127]]> : vector<2x2xi8>
  %c = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %d = arith.constant dense<[[1.0], [-0.0]]> : tensor<2x1xf16>
  %e = arith.constant dense<2.0> : tensor<f32>
  %g = arith.constant dense<[4, 5]> : vector<2xindex>
  return %a, %b, %c, %d, %e, %g : vector<4xf32>, vector<2x2xi8>, tensor<3xi1>, tensor<2x1xf16>, tensor<f32>, vector<2xindex>
}

// -----
// constant: with a discardable attribute
func.func @f() -> i32 {
  %a = arith.constant {tag = "seed"} 3 : i32
  return %a : i32
}

// -----
// addi, subi, muli: scalars, vectors, tensors, index
func.func @f(%a: i32, %b: vector<4xi8>, %c: tensor<?x3xi64>, %d: index) -> (i32, vector<4xi8>, tensor<?x3xi64>, index) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.subi %b, %b : vector<4xi8>
  %2 = arith.muli %c, %c : tensor<?x3xi64>
  %3 = arith.addi %d, %d : index
  return %0, %1, %2, %3 : i32, vector<4xi8>, tensor<?x3xi64>, index
}

// -----
// addi, subi, muli, shli: overflow flags
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a overflow<nsw> : i32
  %1 = arith.subi %0, %a overflow<nuw> : i32
  %2 = arith.muli %1, %a overflow<nsw, nuw> : i32
  %3 = arith.shli %2, %a overflow<nsw> : i32
  %4 = arith.shli %3, %a : i32
  return %4 : i32
}

// -----
// divisions: signed, unsigned, floor and ceiling
func.func @f(%a: i32, %b: vector<2xi16>, %c: index) -> (i32, vector<2xi16>, index) {
  %0 = arith.divsi %a, %a : i32
  %1 = arith.divui %0, %a : i32
  %2 = arith.ceildivsi %b, %b : vector<2xi16>
  %3 = arith.ceildivui %2, %b : vector<2xi16>
  %4 = arith.floordivsi %c, %c : index
  return %1, %3, %4 : i32, vector<2xi16>, index
}

// -----
// divisions and shifts: exact
func.func @f(%a: i32, %b: tensor<4xi32>) -> (i32, tensor<4xi32>) {
  %0 = arith.divsi %a, %a exact : i32
  %1 = arith.divui %0, %a exact : i32
  %2 = arith.shrsi %b, %b exact : tensor<4xi32>
  %3 = arith.shrui %2, %b exact : tensor<4xi32>
  return %1, %3 : i32, tensor<4xi32>
}

// -----
// remsi, remui, remf
func.func @f(%a: i64, %b: tensor<4xf32>) -> (i64, tensor<4xf32>) {
  %0 = arith.remsi %a, %a : i64
  %1 = arith.remui %0, %a : i64
  %2 = arith.remf %b, %b : tensor<4xf32>
  %3 = arith.remf %2, %b fastmath<nnan> : tensor<4xf32>
  return %1, %3 : i64, tensor<4xf32>
}

// -----
// andi, ori, xori, shifts
func.func @f(%a: i1, %b: vector<4xi32>) -> (i1, vector<4xi32>) {
  %0 = arith.andi %a, %a : i1
  %1 = arith.ori %0, %a : i1
  %2 = arith.xori %1, %a : i1
  %3 = arith.shrsi %b, %b : vector<4xi32>
  %4 = arith.shrui %3, %b : vector<4xi32>
  return %2, %4 : i1, vector<4xi32>
}

// -----
// maxsi, maxui, minsi, minui
func.func @f(%a: i8, %b: index) -> (i8, index) {
  %0 = arith.maxsi %a, %a : i8
  %1 = arith.maxui %0, %a : i8
  %2 = arith.minsi %b, %b : index
  %3 = arith.minui %2, %b : index
  return %1, %3 : i8, index
}

// -----
// addui_extended: scalar, vector, dynamic tensor
func.func @f(%a: i8, %b: vector<4xi32>, %c: tensor<?xi16>) -> (i1, vector<4xi1>, tensor<?xi1>) {
  %0, %1 = arith.addui_extended %a, %a : i8, i1
  %2:2 = arith.addui_extended %b, %b : vector<4xi32>, vector<4xi1>
  %3:2 = arith.addui_extended %c, %c : tensor<?xi16>, tensor<?xi1>
  return %1, %2#1, %3#1 : i1, vector<4xi1>, tensor<?xi1>
}

// -----
// mulsi_extended, mului_extended
func.func @f(%a: i8, %b: vector<4xi32>) -> (i8, i8, vector<4xi32>) {
  %low, %high = arith.mulsi_extended %a, %a : i8
  %0:2 = arith.mului_extended %b, %b : vector<4xi32>
  return %low, %high, %0#1 : i8, i8, vector<4xi32>
}

// -----
// float arithmetic: every type
func.func @f(%a: f64, %b: vector<2x3xf16>, %c: tensor<?xbf16>, %d: f8E4M3FN) -> (f64, vector<2x3xf16>, tensor<?xbf16>, f8E4M3FN) {
  %0 = arith.addf %a, %a : f64
  %1 = arith.subf %b, %b : vector<2x3xf16>
  %2 = arith.mulf %c, %c : tensor<?xbf16>
  %3 = arith.divf %d, %d : f8E4M3FN
  %4 = arith.negf %0 : f64
  return %4, %1, %2, %3 : f64, vector<2x3xf16>, tensor<?xbf16>, f8E4M3FN
}

// -----
// float arithmetic: fast math, some flags and all
func.func @f(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<fast> : f32
  %1 = arith.subf %0, %a fastmath<reassoc> : f32
  %2 = arith.mulf %1, %a fastmath<nnan, ninf> : f32
  %3 = arith.divf %2, %a fastmath<arcp, nsz, contract> : f32
  %4 = arith.negf %3 fastmath<afn> : f32
  %5 = arith.maximumf %4, %a fastmath<nsz> : f32
  return %5 : f32
}

// -----
// maximumf, minimumf, maxnumf, minnumf
func.func @f(%a: f32, %b: vector<4xf16>) -> (f32, vector<4xf16>) {
  %0 = arith.maximumf %a, %a : f32
  %1 = arith.minimumf %0, %a : f32
  %2 = arith.maxnumf %b, %b : vector<4xf16>
  %3 = arith.minnumf %2, %b : vector<4xf16>
  return %1, %3 : f32, vector<4xf16>
}

// -----
// cmpi: every predicate, scalars, vectors, tensors
func.func @f(%a: i32, %b: vector<4xi8>, %c: tensor<?x2xindex>) -> (i1, vector<4xi1>, tensor<?x2xi1>) {
  %0 = arith.cmpi eq, %a, %a : i32
  %1 = arith.cmpi ne, %a, %a : i32
  %2 = arith.cmpi slt, %a, %a : i32
  %3 = arith.cmpi sle, %b, %b : vector<4xi8>
  %4 = arith.cmpi sgt, %b, %b : vector<4xi8>
  %5 = arith.cmpi sge, %b, %b : vector<4xi8>
  %6 = arith.cmpi ult, %c, %c : tensor<?x2xindex>
  %7 = arith.cmpi ule, %c, %c : tensor<?x2xindex>
  %8 = arith.cmpi ugt, %c, %c : tensor<?x2xindex>
  %9 = arith.cmpi uge, %c, %c {note} : tensor<?x2xindex>
  return %0, %3, %9 : i1, vector<4xi1>, tensor<?x2xi1>
}

// -----
// cmpf: every predicate
func.func @f(%a: f32) -> i1 {
  %0 = arith.cmpf false, %a, %a : f32
  %1 = arith.cmpf oeq, %a, %a : f32
  %2 = arith.cmpf ogt, %a, %a : f32
  %3 = arith.cmpf oge, %a, %a : f32
  %4 = arith.cmpf olt, %a, %a : f32
  %5 = arith.cmpf ole, %a, %a : f32
  %6 = arith.cmpf one, %a, %a : f32
  %7 = arith.cmpf ord, %a, %a : f32
  %8 = arith.cmpf ueq, %a, %a : f32
  %9 = arith.cmpf ugt, %a, %a : f32
  %10 = arith.cmpf uge, %a, %a : f32
  %11 = arith.cmpf ult, %a, %a : f32
  %12 = arith.cmpf ule, %a, %a : f32
  %13 = arith.cmpf une, %a, %a : f32
  %14 = arith.cmpf uno, %a, %a : f32
  %15 = arith.cmpf true, %a, %a : f32
  return %15 : i1
}

// -----
// cmpf: vectors, tensors, fast math
func.func @f(%a: vector<4xbf16>, %b: tensor<2x?xf64>) -> (vector<4xi1>, tensor<2x?xi1>) {
  %0 = arith.cmpf olt, %a, %a fastmath<nnan, ninf> : vector<4xbf16>
  %1 = arith.cmpf une, %b, %b : tensor<2x?xf64>
  return %0, %1 : vector<4xi1>, tensor<2x?xi1>
}

// -----
// select: scalar condition, lanes, tensors, buffers
func.func @f(%c: i1, %l: vector<4xi1>, %t: tensor<?xi1>, %v: vector<4xf32>, %w: tensor<?xi32>, %m: memref<2xf32>) -> (i1, vector<4xf32>, tensor<?xi32>, memref<2xf32>) {
  %0 = arith.select %c, %c, %c : i1
  %1 = arith.select %c, %v, %v : vector<4xf32>
  %2 = arith.select %l, %1, %v : vector<4xi1>, vector<4xf32>
  %3 = arith.select %t, %w, %w : tensor<?xi1>, tensor<?xi32>
  %4 = arith.select %c, %m, %m : memref<2xf32>
  return %0, %2, %3, %4 : i1, vector<4xf32>, tensor<?xi32>, memref<2xf32>
}

// -----
// integer casts: extsi, extui, trunci
func.func @f(%a: i1, %b: vector<4xi8>, %c: tensor<?xi64>) -> (i32, vector<4xi16>, tensor<?xi1>) {
  %0 = arith.extsi %a : i1 to i32
  %1 = arith.extui %b : vector<4xi8> to vector<4xi16>
  %2 = arith.trunci %c : tensor<?xi64> to tensor<?xi1>
  return %0, %1, %2 : i32, vector<4xi16>, tensor<?xi1>
}

// -----
// integer casts: overflow flags
func.func @f(%a: i32) -> i8 {
  %0 = arith.trunci %a overflow<nsw> : i32 to i8
  %1 = arith.trunci %a overflow<nsw, nuw> : i32 to i8
  return %1 : i8
}

// -----
// index_cast, index_castui
func.func @f(%a: i32, %b: index, %c: vector<4xindex>, %d: tensor<?xi1>) -> (index, i64, vector<4xi32>, tensor<?xindex>) {
  %0 = arith.index_cast %a : i32 to index
  %1 = arith.index_castui %b : index to i64
  %2 = arith.index_cast %c : vector<4xindex> to vector<4xi32>
  %3 = arith.index_castui %d : tensor<?xi1> to tensor<?xindex>
  return %0, %1, %2, %3 : index, i64, vector<4xi32>, tensor<?xindex>
}

// -----
// index_cast, bitcast: buffers
func.func @f(%a: memref<4xi32>, %b: memref<?xf32>) -> (memref<4xindex>, memref<?xi32>) {
  %0 = arith.index_cast %a : memref<4xi32> to memref<4xindex>
  %1 = arith.bitcast %b : memref<?xf32> to memref<?xi32>
  return %0, %1 : memref<4xindex>, memref<?xi32>
}

// -----
// sitofp, uitofp, fptosi, fptoui
func.func @f(%a: i32, %b: vector<4xf16>, %c: tensor<?xi1>) -> (f32, vector<4xi8>, tensor<?xbf16>, i32) {
  %0 = arith.sitofp %a : i32 to f32
  %1 = arith.fptosi %b : vector<4xf16> to vector<4xi8>
  %2 = arith.uitofp %c : tensor<?xi1> to tensor<?xbf16>
  %3 = arith.fptoui %0 : f32 to i32
  %4 = arith.fptoui %b : vector<4xf16> to vector<4xi8>
  return %0, %1, %2, %3 : f32, vector<4xi8>, tensor<?xbf16>, i32
}

// -----
// extf, truncf: every pair of types
func.func @f(%a: f16, %b: vector<4xf32>, %c: tensor<?xf64>, %d: f8E4M3FN) -> (f32, vector<4xbf16>, tensor<?xf8E5M2>, f16) {
  %0 = arith.extf %a : f16 to f32
  %1 = arith.truncf %b : vector<4xf32> to vector<4xbf16>
  %2 = arith.truncf %c : tensor<?xf64> to tensor<?xf8E5M2>
  %3 = arith.extf %d : f8E4M3FN to f16
  return %0, %1, %2, %3 : f32, vector<4xbf16>, tensor<?xf8E5M2>, f16
}

// -----
// extf, truncf: rounding modes and fast math
func.func @f(%a: f32) -> f32 {
  %0 = arith.truncf %a to_nearest_even : f32 to f16
  %1 = arith.extf %0 fastmath<fast> : f16 to f32
  %2 = arith.truncf %1 downward : f32 to bf16
  %3 = arith.extf %2 fastmath<nnan> : bf16 to f32
  %4 = arith.truncf %3 upward fastmath<contract> : f32 to f16
  %5 = arith.extf %4 : f16 to f32
  %6 = arith.truncf %5 toward_zero : f32 to f16
  %7 = arith.truncf %5 to_nearest_away : f32 to f16
  %8 = arith.truncf %5 fastmath<ninf> : f32 to f16
  return %5 : f32
}

// -----
// bitcast: scalars, vectors, tensors
func.func @f(%a: f32, %b: vector<4xi16>, %c: tensor<2x?xf64>) -> (i32, vector<4xbf16>, tensor<2x?xi64>) {
  %0 = arith.bitcast %a : f32 to i32
  %1 = arith.bitcast %b : vector<4xi16> to vector<4xbf16>
  %2 = arith.bitcast %c : tensor<2x?xf64> to tensor<2x?xi64>
  return %0, %1, %2 : i32, vector<4xbf16>, tensor<2x?xi64>
}
