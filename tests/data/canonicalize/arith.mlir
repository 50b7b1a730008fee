// integers: constants are computed
func.func @f() -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %a = arith.constant 7 : i32
  %b = arith.constant -3 : i32
  %0 = arith.addi %a, %b : i32
  %1 = arith.subi %a, %b : i32
  %2 = arith.muli %a, %b : i32
  %3 = arith.divsi %a, %b : i32
  %4 = arith.remsi %a, %b : i32
  %5 = arith.floordivsi %a, %b : i32
  %6 = arith.ceildivsi %a, %b : i32
  %7 = arith.maxsi %a, %b : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}
// -----
// integers: unsigned constants are computed
func.func @f() -> (i8, i8, i8, i8, i8, i8) {
  %a = arith.constant -7 : i8
  %b = arith.constant 3 : i8
  %0 = arith.divui %a, %b : i8
  %1 = arith.remui %a, %b : i8
  %2 = arith.ceildivui %a, %b : i8
  %3 = arith.maxui %a, %b : i8
  %4 = arith.shrui %a, %b : i8
  %5 = arith.shrsi %a, %b : i8
  return %0, %1, %2, %3, %4, %5 : i8, i8, i8, i8, i8, i8
}
// -----
// integers: overflow wraps
func.func @f() -> (i8, i8, i1, index) {
  %a = arith.constant 127 : i8
  %b = arith.constant 2 : i8
  %t = arith.constant true
  %x = arith.constant 9223372036854775807 : index
  %y = arith.constant 1 : index
  %0 = arith.addi %a, %b : i8
  %1 = arith.shli %a, %b : i8
  %2 = arith.addi %t, %t : i1
  %3 = arith.addi %x, %y : index
  return %0, %1, %2, %3 : i8, i8, i1, index
}
// -----
// integers: division by zero stays
// stays: it is undefined
// no numbers: it is undefined
func.func @f() -> (i32, i32) {
  %a = arith.constant 7 : i32
  %b = arith.constant 0 : i32
  %0 = arith.divsi %a, %b : i32
  %1 = arith.remsi %a, %b : i32
  return %0, %1 : i32, i32
}
// -----
// integers: what changes nothing
func.func @f(%x: i32, %v: vector<4xi32>) -> (i32, i32, i32, i32, i32, i32, vector<4xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %v0 = arith.constant dense<0> : vector<4xi32>
  %0 = arith.addi %x, %c0 : i32
  %1 = arith.subi %x, %c0 : i32
  %2 = arith.muli %c1, %x : i32
  %3 = arith.andi %x, %m1 : i32
  %4 = arith.divsi %x, %c1 : i32
  %5 = arith.shli %x, %c0 : i32
  %6 = arith.addi %v0, %v : vector<4xi32>
  return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i32, vector<4xi32>
}
// -----
// integers: what is known whatever x is
func.func @f(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %0 = arith.subi %x, %x : i32
  %1 = arith.xori %x, %x : i32
  %2 = arith.muli %x, %c0 : i32
  %3 = arith.andi %x, %c0 : i32
  %4 = arith.ori %x, %m1 : i32
  %5 = arith.remsi %x, %c1 : i32
  %6 = arith.maxsi %x, %x : i32
  %7 = arith.andi %y, %y : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}
// -----
// integers: the least and the greatest number
func.func @f(%x: i8) -> (i8, i8, i8, i8, i8, i8) {
  %low = arith.constant -128 : i8
  %high = arith.constant 127 : i8
  %zero = arith.constant 0 : i8
  %ones = arith.constant -1 : i8
  %0 = arith.maxsi %x, %low : i8
  %1 = arith.maxsi %x, %high : i8
  %2 = arith.minsi %x, %low : i8
  %3 = arith.maxui %x, %zero : i8
  %4 = arith.minui %x, %zero : i8
  %5 = arith.minui %x, %ones : i8
  return %0, %1, %2, %3, %4, %5 : i8, i8, i8, i8, i8, i8
}
// -----
// integers: sums of constants
func.func @f(%x: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %p = arith.addi %c3, %x : i32
  %m = arith.subi %x, %c3 : i32
  %n = arith.subi %c3, %x : i32
  %0 = arith.addi %p, %c5 : i32
  %1 = arith.subi %p, %c5 : i32
  %2 = arith.subi %c5, %p : i32
  %3 = arith.addi %m, %c5 : i32
  %4 = arith.subi %m, %c5 : i32
  %5 = arith.subi %c5, %m : i32
  %6 = arith.addi %n, %c5 : i32
  %7 = arith.subi %c5, %n : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}
// -----
// integers: differences taken back
func.func @f(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32) {
  %m1 = arith.constant -1 : i32
  %d = arith.subi %x, %y : i32
  %s = arith.addi %x, %y : i32
  %e = arith.xori %x, %y : i32
  %n = arith.muli %y, %m1 : i32
  %0 = arith.addi %d, %y : i32
  %1 = arith.subi %s, %x : i32
  %2 = arith.subi %s, %y : i32
  %3 = arith.subi %d, %x : i32
  %4 = arith.xori %e, %y : i32
  %5 = arith.addi %x, %n : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}
// -----
// integers: factors are gathered
func.func @f(%x: index, %v: vector<4xi32>) -> (index, vector<4xi32>) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %v3 = arith.constant dense<3> : vector<4xi32>
  %0 = arith.muli %x, %c3 : index
  %1 = arith.muli %0, %c5 : index
  %2 = arith.muli %v, %v3 : vector<4xi32>
  %3 = arith.muli %2, %v3 : vector<4xi32>
  return %1, %3 : index, vector<4xi32>
}
// -----
// integers: arrays of constants
func.func @f() -> (vector<4xi32>, vector<4xi32>, tensor<2xi32>) {
  %a = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %b = arith.constant dense<3> : vector<4xi32>
  %c = arith.constant dense<[5, 6]> : tensor<2xi32>
  %0 = arith.addi %a, %b : vector<4xi32>
  %1 = arith.muli %b, %b : vector<4xi32>
  %2 = arith.muli %c, %c : tensor<2xi32>
  return %0, %1, %2 : vector<4xi32>, vector<4xi32>, tensor<2xi32>
}
// -----
// floats: what changes nothing
func.func @f(%x: f32, %v: vector<4xf32>) -> (f32, f32, f32, f32, f32, f32, f32, f32, vector<4xf32>) {
  %nz = arith.constant -0.0 : f32
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %vninf = arith.constant dense<0xFF800000> : vector<4xf32>
  %0 = arith.addf %nz, %x : f32
  %1 = arith.subf %x, %z : f32
  %2 = arith.mulf %one, %x : f32
  %3 = arith.divf %x, %one : f32
  %4 = arith.maximumf %x, %ninf : f32
  %5 = arith.minimumf %inf, %x : f32
  %6 = arith.maxnumf %x, %nan : f32
  %7 = arith.minimumf %x, %x : f32
  %8 = arith.maximumf %vninf, %v : vector<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : f32, f32, f32, f32, f32, f32, f32, f32, vector<4xf32>
}
// -----
// floats: what could change something stays
// stays: NaN, infinities and the sign of zero count
func.func @f(%x: f32) -> (f32, f32, f32, f32, f32, f32) {
  %z = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %0 = arith.addf %x, %z : f32
  %1 = arith.mulf %x, %z : f32
  %2 = arith.subf %x, %x : f32
  %3 = arith.divf %z, %x : f32
  %4 = arith.maxnumf %x, %ninf : f32
  %5 = arith.subf %z, %x : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}
// -----
// floats: two signs
func.func @f(%x: f32, %y: f32) -> (f32, f32, f32) {
  %n = arith.negf %x : f32
  %m = arith.negf %y : f32
  %0 = arith.mulf %n, %m : f32
  %1 = arith.divf %n, %m : f32
  %2 = arith.negf %n : f32
  return %0, %1, %2 : f32, f32, f32
}
// -----
// casts: of constants
func.func @f() -> (i64, i64, i8, index, f32, f32, i32, f16, f64) {
  %a = arith.constant -7 : i32
  %b = arith.constant 300 : i32
  %c = arith.constant 2.5 : f32
  %0 = arith.extsi %a : i32 to i64
  %1 = arith.extui %a : i32 to i64
  %2 = arith.trunci %b : i32 to i8
  %3 = arith.index_cast %a : i32 to index
  %4 = arith.sitofp %a : i32 to f32
  %5 = arith.uitofp %b : i32 to f32
  %6 = arith.fptosi %c : f32 to i32
  %7 = arith.truncf %c : f32 to f16
  %8 = arith.extf %c : f32 to f64
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i64, i64, i8, index, f32, f32, i32, f16, f64
}
// -----
// casts: a truncation that would round stays
// stays: 1.1 is not an f16
func.func @f() -> f16 {
  %a = arith.constant 1.1 : f32
  %0 = arith.truncf %a : f32 to f16
  return %0 : f16
}
// -----
// casts: there and back
func.func @f(%h: f16, %i: i32, %x: index, %s: i8) -> (f16, i32, index, i8, i8, i32) {
  %e = arith.extf %h : f16 to f32
  %0 = arith.truncf %e : f32 to f16
  %j = arith.index_cast %i : i32 to index
  %1 = arith.index_cast %j : index to i32
  %k = arith.index_cast %x : index to i64
  %2 = arith.index_cast %k : i64 to index
  %t = arith.extsi %s : i8 to i32
  %3 = arith.trunci %t : i32 to i8
  %u = arith.extui %s : i8 to i32
  %4 = arith.trunci %u : i32 to i8
  %b = arith.bitcast %i : i32 to f32
  %5 = arith.bitcast %b : f32 to i32
  return %0, %1, %2, %3, %4, %5 : f16, i32, index, i8, i8, i32
}
// -----
// casts: a narrow value and back again stays
// stays: it rounds
func.func @f(%x: f32) -> f32 {
  %h = arith.truncf %x : f32 to f16
  %0 = arith.extf %h : f16 to f32
  return %0 : f32
}
// -----
// comparisons: of constants
func.func @f() -> (i1, i1, i1, i1, vector<2xi1>) {
  %a = arith.constant -7 : i32
  %b = arith.constant 3 : i32
  %c = arith.constant 1.0 : f32
  %d = arith.constant 0x7FC00000 : f32
  %v = arith.constant dense<[1, 5]> : vector<2xi32>
  %w = arith.constant dense<3> : vector<2xi32>
  %0 = arith.cmpi slt, %a, %b : i32
  %1 = arith.cmpi ult, %a, %b : i32
  %2 = arith.cmpf olt, %c, %d : f32
  %3 = arith.cmpf une, %c, %d : f32
  %4 = arith.cmpi sgt, %v, %w : vector<2xi32>
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, vector<2xi1>
}
// -----
// comparisons: of a value with itself
func.func @f(%x: i32, %v: vector<4xi32>) -> (i1, i1, i1, vector<4xi1>) {
  %0 = arith.cmpi eq, %x, %x : i32
  %1 = arith.cmpi slt, %x, %x : i32
  %2 = arith.cmpi uge, %x, %x : i32
  %3 = arith.cmpi ne, %v, %v : vector<4xi32>
  return %0, %1, %2, %3 : i1, i1, i1, vector<4xi1>
}
// -----
// comparisons: of truths
func.func @f(%b: i1) -> (i1, i1, i1, i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = arith.extui %b : i1 to i32
  %0 = arith.cmpi ne, %b, %false : i1
  %1 = arith.cmpi eq, %b, %true : i1
  %2 = arith.cmpi ne, %e, %c0 : i32
  %3 = arith.cmpi eq, %e, %c1 : i32
  %4 = arith.cmpi eq, %b, %false : i1
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}
// -----
// comparisons: the constant on the right, the opposite, what was extended
func.func @f(%x: i32, %s: i8, %t: i8) -> (i1, i1, i1, i1) {
  %c3 = arith.constant 3 : i32
  %true = arith.constant true
  %0 = arith.cmpi slt, %c3, %x : i32
  %n = arith.cmpi ule, %x, %c3 : i32
  %1 = arith.xori %n, %true : i1
  %a = arith.extsi %s : i8 to i32
  %b = arith.extsi %t : i8 to i32
  %2 = arith.cmpi slt, %a, %b : i32
  %c = arith.extui %s : i8 to i32
  %d = arith.extui %t : i8 to i32
  %3 = arith.cmpi eq, %c, %d : i32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
// -----
// select: decided
func.func @f(%c: i1, %x: i32, %v: vector<4xi32>, %w: vector<4xi32>) -> (i32, i32, vector<4xi32>, i1, vector<4xi32>) {
  %true = arith.constant true
  %false = arith.constant false
  %all = arith.constant dense<true> : vector<4xi1>
  %some = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %one = arith.constant dense<1> : vector<4xi32>
  %two = arith.constant dense<2> : vector<4xi32>
  %c7 = arith.constant 7 : i32
  %0 = arith.select %c, %x, %x : i32
  %1 = arith.select %false, %x, %c7 : i32
  %2 = arith.select %all, %v, %w : vector<4xi1>, vector<4xi32>
  %3 = arith.select %c, %true, %false : i1
  %4 = arith.select %some, %one, %two : vector<4xi1>, vector<4xi32>
  return %0, %1, %2, %3, %4 : i32, i32, vector<4xi32>, i1, vector<4xi32>
}
// -----
// select: by another condition
func.func @f(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32, i1, i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = arith.cmpi eq, %x, %y : i32
  %ne = arith.cmpi ne, %x, %y : i32
  %n = arith.xori %c, %true : i1
  %0 = arith.select %e, %x, %y : i32
  %1 = arith.select %ne, %x, %y : i32
  %2 = arith.select %n, %x, %y : i32
  %3 = arith.select %c, %false, %true : i1
  %4 = arith.select %c, %c1, %c0 : i32
  %5 = arith.select %c, %c0, %c1 : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i1, i32, i32
}
// -----
// select: twice by one condition
func.func @f(%c: i1, %x: i32, %y: i32, %z: i32) -> (i32, i32) {
  %s = arith.select %c, %x, %y : i32
  %0 = arith.select %c, %s, %z : i32
  %1 = arith.select %c, %z, %s : i32
  return %0, %1 : i32, i32
}
// -----
// constants: one of each, at the head of the function, also out of loops
func.func @f(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    %c5 = arith.constant 5 : i32
    %also = arith.constant 5 : i32
    %s = arith.muli %a, %c5 : i32
    %t = arith.addi %s, %also : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// -----
// constants: two zeros are two constants
func.func @f(%x: f32) -> (f32, f32) {
  %p = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %q = arith.constant 0.0 : f32
  %0 = arith.mulf %x, %p : f32
  %1 = arith.mulf %x, %n : f32
  %2 = arith.addf %1, %q : f32
  return %0, %2 : f32, f32
}
// -----
// dead code: what nobody reads, and what only that read
func.func @f(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  %1 = arith.mulf %0, %x : f32
  %2 = arith.subf %x, %x : f32
  return %2 : f32
}
// -----
// floats: constants are computed in their type
// no numbers: the interpreter has no remf
func.func @f() -> (f32, f32, f32, f16, bf16, f32, f32, f16) {
  %a = arith.constant 1.0 : f32
  %b = arith.constant 3.0 : f32
  %c = arith.constant 60000.0 : f16
  %d = arith.constant 1.0 : bf16
  %e = arith.constant 0.00390625 : bf16
  %0 = arith.divf %a, %b : f32
  %1 = arith.subf %a, %b : f32
  %2 = arith.remf %b, %a : f32
  %3 = arith.addf %c, %c : f16
  %4 = arith.addf %d, %e : bf16
  %5 = arith.maximumf %a, %b : f32
  %6 = arith.negf %b : f32
  %7 = arith.minnumf %c, %c : f16
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f16, bf16, f32, f32, f16
}
// -----
// casts: one of two
// no numbers: the interpreter has no index_castui
func.func @f(%s: i8, %k: i64, %i: i32) -> (i64, i64, i64, i8, i16, i8, index, index) {
  %e = arith.extsi %s : i8 to i32
  %u = arith.extui %s : i8 to i32
  %t = arith.trunci %k : i64 to i32
  %w = arith.extsi %i : i32 to i64
  %0 = arith.extsi %e : i32 to i64
  %1 = arith.extui %u : i32 to i64
  %2 = arith.extsi %u : i32 to i64
  %3 = arith.trunci %t : i32 to i8
  %4 = arith.trunci %e : i32 to i16
  %5 = arith.trunci %w : i64 to i8
  %6 = arith.index_cast %e : i32 to index
  %7 = arith.index_castui %u : i32 to index
  return %0, %1, %2, %3, %4, %5, %6, %7 : i64, i64, i64, i8, i16, i8, index, index
}
