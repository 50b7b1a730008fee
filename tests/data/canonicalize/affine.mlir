// apply: constants
func.func @f() -> index {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0 floordiv 2)>(%c3)[%c5]
  return %0 : index
}
// -----
// apply: an operand handed through
func.func @f(%i: index, %j: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = affine.apply affine_map<(d0, d1) -> (d1)>(%i, %j)
  %1 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %c0)
  return %0, %1 : index, index
}
// -----
// apply: into another, and what may be a symbol is one
func.func @f(%i: index, %j: index) -> index {
  %a = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
  %b = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 2 + 1)>(%a, %j)
  %c = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%b, %i)
  return %c : index
}
// -----
// apply: in a loop
// index: 3, 9
func.func @f(%m: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%x = %c0) -> (index) {
    %s = arith.addi %n, %m : index
    %a = affine.apply affine_map<(d0, d1, d2) -> (d1 * 4 + d0 + d2 * 0)>(%i, %s, %m)
    %b = affine.apply affine_map<(d0, d1) -> (d0 + d1 + 3)>(%i, %a)
    %y = arith.addi %x, %b : index
    scf.yield %y : index
  }
  return %r : index
}
// -----
// apply: repeated and unneeded operands
func.func @f(%i: index, %j: index, %k: index) -> index {
  %0 = affine.apply affine_map<(d0, d1, d2)[s0] -> (d0 + d2 + s0 * 2)>(%i, %j, %i)[%k]
  return %0 : index
}
// -----
// apply: quotients and remainders
// index: 37, 11
func.func @f(%i: index, %j: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %k = %c0 to %i step %c1 iter_args(%x = %c0, %y = %c0, %z = %c0, %w = %c0) -> (index, index, index, index) {
    %0 = affine.apply affine_map<(d0)[s0] -> ((d0 * 8 + s0) floordiv 8)>(%k)[%j]
    %1 = affine.apply affine_map<(d0)[s0] -> ((d0 * 8 + s0 * 4) mod 4 + d0 mod 4 + s0)>(%k)[%j]
    %2 = affine.apply affine_map<(d0)[s0] -> (d0 - (d0 floordiv 4) * 4 + (d0 * 6) ceildiv 3)>(%k)[%j]
    %3 = affine.apply affine_map<(d0)[s0] -> ((d0 mod 16) mod 4 + (d0 * 6 + 4) floordiv 8)>(%k)[%j]
    %a = arith.addi %x, %0 : index
    %b = arith.addi %y, %1 : index
    %c = arith.addi %z, %2 : index
    %d = arith.addi %w, %3 : index
    scf.yield %a, %b, %c, %d : index, index, index, index
  }
  return %r#0, %r#1, %r#2, %r#3 : index, index, index, index
}
// -----
// apply: the remainder of a sum, of quotients
// index: 37, 11
func.func @f(%i: index, %j: index) -> index {
  %0 = affine.apply affine_map<(d0, d1) -> ((d0 + d1 * 8) floordiv 8 + d1 mod 4 - d0 mod 16)>(%i, %j)
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 mod 5 + s0 floordiv 3 + s0 mod 3)>(%0)[%j]
  return %1 : index
}
// -----
// min: of constants
func.func @f() -> (index, index) {
  %c3 = arith.constant 3 : index
  %0 = affine.min affine_map<(d0) -> (d0 * 4, 5, d0)>(%c3)
  %1 = affine.max affine_map<(d0) -> (d0 * 4, 5, d0)>(%c3)
  return %0, %1 : index, index
}
// -----
// min: composed, sorted, each candidate once
// index: 5, 40
func.func @f(%i: index, %n: index) -> (index, index) {
  %a = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
  %0 = affine.min affine_map<(d0, d1) -> (d1 - d0, 32, d0 + 7, 32)>(%a, %n)
  %1 = affine.max affine_map<(d0, d1) -> (d1, d0, d1)>(%a, %n)
  return %0, %1 : index, index
}
// -----
// min: one candidate is an apply, or nothing
func.func @f(%i: index) -> (index, index) {
  %0 = affine.min affine_map<(d0) -> (d0 * 2)>(%i)
  %1 = affine.max affine_map<(d0) -> (d0, d0)>(%i)
  return %0, %1 : index, index
}
// -----
// min: of a min
// index: 5, 40
func.func @f(%i: index, %n: index) -> (index, index) {
  %0 = affine.min affine_map<(d0) -> (d0 + 16, d0 * 8)>(%i)
  %1 = affine.min affine_map<(d0, d1) -> (d0 + 4, d1)>(%n, %0)
  %2 = affine.max affine_map<(d0, d1) -> (d0 + 4, d1)>(%n, %0)
  return %1, %2 : index, index
}
// -----
// min: constants inside the map
// index: 5
func.func @f(%i: index) -> index {
  %c3 = arith.constant 3 : index
  %0 = affine.min affine_map<(d0)[s0] -> (d0 + s0, s0 * 8, d0 - s0)>(%c3)[%i]
  return %0 : index
}
// -----
// min: quotients keep their order
// index: 5, 40
func.func @f(%i: index, %n: index) -> index {
  %0 = affine.min affine_map<(d0, d1) -> (d1, d0 floordiv 4 + 9, 7)>(%i, %n)
  return %0 : index
}
// -----
// tiles: what a loop over partial tiles computes
// index: 300
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %i = %c0 to %n step %c128 iter_args(%x = %c0) -> (index) {
    %size = affine.min affine_map<(d0)[s0] -> (128, -d0 + s0)>(%i)[%n]
    %less = affine.apply affine_map<(d0) -> (d0 - 1)>(%size)
    %last = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %less)
    %y = arith.addi %x, %last : index
    scf.yield %y : index
  }
  return %r : index
}
