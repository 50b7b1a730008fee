// for: bounds of two types
func.func @f(%a: index, %b: i32) {
  // error: 'scf.for' op
  "scf.for"(%a, %b, %a) ({
  ^bb0(%i: index):
    "scf.yield"() : () -> ()
  }) : (index, i32, index) -> ()
  return
}

// -----
// for: bounds that are floats
func.func @f(%a: f32) {
  // error: must be index or integer, but got 'f32'
  scf.for %i = %a to %a step %a : f32 {
  }
  return
}

// -----
// for: yields another type than it carries
func.func @f(%n: index, %a: f32, %b: f16) -> f32 {
  // error: the region yields (f16), expected (f32)
  %0 = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (f32) {
    scf.yield %b : f16
  }
  return %0 : f32
}

// -----
// for: yields nothing
func.func @f(%n: index, %a: f32) -> f32 {
  // error: the region yields (), expected (f32)
  %0 = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (f32) {
  }
  return %0 : f32
}

// -----
// for: too few types
func.func @f(%n: index, %a: f32) {
  // error: expected 2 types for 2 carried values
  %0:2 = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %a) -> (f32) {
    scf.yield %x, %y : f32, f32
  }
  return
}

// -----
// for: an index of another type
func.func @f(%n: index) {
  // error: the region takes (i32), expected (index)
  "scf.for"(%n, %n, %n) ({
  ^bb0(%i: i32):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----
// if: results without an else
func.func @f(%c: i1, %a: f32) -> f32 {
  // error: expected an else region, since it has results
  %0 = scf.if %c -> (f32) {
    scf.yield %a : f32
  }
  return %0 : f32
}

// -----
// if: branches that yield different types
func.func @f(%c: i1, %a: f32) -> f32 {
  // error: the else region yields (i1), expected (f32)
  %0 = scf.if %c -> (f32) {
    scf.yield %a : f32
  } else {
    scf.yield %c : i1
  }
  return %0 : f32
}

// -----
// if: a condition that is no i1
func.func @f(%c: i32) {
  // error: i1
  scf.if %c {
  }
  return
}

// -----
// forall: a mapping of the wrong length
func.func @f() {
  // error: mapping attribute size must match op rank
  scf.forall (%i, %j) in (4, 4) {
  } {mapping = [#gpu.block<x>]}
  return
}

// -----
// forall: more indices than bounds
func.func @f() {
  // error: expected as many bounds as loop indices
  scf.forall (%i, %j) in (4) {
  }
  return
}

// -----
// forall: something else in in_parallel
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    // error: expected only tensor.parallel_insert_slice, got 'tensor.empty'
    scf.forall.in_parallel {
      %x = tensor.empty() : tensor<4xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----
// forall: an insertion into what is not shared
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %s: tensor<1xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      // error: may only insert into a shared output of its forall
      tensor.parallel_insert_slice %s into %u[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----
// forall: ends in something else
func.func @f(%n: index) {
  // error: scf.forall.in_parallel
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index):
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----
// index_switch: a case twice
func.func @f(%i: index, %a: f32) -> f32 {
  // error: has case 1 twice
  %0 = scf.index_switch %i -> f32
  case 1 {
    scf.yield %a : f32
  }
  case 1 {
    scf.yield %a : f32
  }
  default {
    scf.yield %a : f32
  }
  return %0 : f32
}

// -----
// index_switch: a case that yields another type
func.func @f(%i: index, %a: f32) -> f32 {
  // error: the region of case 3 yields (index), expected (f32)
  %0 = scf.index_switch %i -> f32
  case 3 {
    scf.yield %i : index
  }
  default {
    scf.yield %a : f32
  }
  return %0 : f32
}

// -----
// index_switch: without a default
func.func @f(%i: index) {
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  // error: default
  return
}

// -----
// execute_region: without a block
func.func @f() {
  // error: expected a region with a block
  scf.execute_region {
  }
  return
}

// -----
// execute_region: yields another type
func.func @f(%i: index) -> f32 {
  // error: the region yields (index), expected (f32)
  %0 = scf.execute_region -> f32 {
    scf.yield %i : index
  }
  return %0 : f32
}

// -----
// parallel: a result without a reduction
func.func @f(%n: index, %a: f32) -> f32 {
  // error: the reductions are (), expected (f32)
  %0 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%a) -> f32 {
  }
  return %0 : f32
}

// -----
// parallel: too few bounds
func.func @f(%n: index) {
  // error: expected 2 operands, got 1
  scf.parallel (%i, %j) = (%n) to (%n, %n) step (%n, %n) {
  }
  return
}

// -----
// reduce: a region that returns another type
func.func @f(%n: index, %a: f32) -> f32 {
  %0 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%a) -> f32 {
    // error: a region returns 'index', expected 'f32'
    scf.reduce(%a : f32) {
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %n : index
    }
  }
  return %0 : f32
}
