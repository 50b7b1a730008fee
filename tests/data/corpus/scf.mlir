// for: nothing carried
func.func @f(%lb: index, %ub: index, %step: index) {
  scf.for %i = %lb to %ub step %step {
  }
  return
}

// -----
// for: one value carried, more than one
func.func @f(%lb: index, %ub: index, %step: index, %a: f32, %b: tensor<?xf32>) -> (f32, tensor<?xf32>) {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%x = %a) -> (f32) {
    %s = arith.addf %x, %x : f32
    scf.yield %s : f32
  }
  %1:2 = scf.for %i = %lb to %ub step %step iter_args(%x = %0, %t = %b) -> (f32, tensor<?xf32>) {
    scf.yield %x, %t : f32, tensor<?xf32>
  }
  return %1#0, %1#1 : f32, tensor<?xf32>
}

// -----
// for: a result without parentheses
func.func @f(%lb: index, %ub: index, %step: index, %a: f32) -> f32 {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%x = %a) -> f32 {
    scf.yield %x : f32
  }
  return %0 : f32
}

// -----
// for: bounds of another integer type, attributes
func.func @f(%lb: i32, %ub: i32, %step: i32, %a: i32) -> i32 {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%x = %a) -> (i32) : i32 {
    %s = arith.addi %x, %i : i32
    scf.yield %s : i32
  } {some.stages = 3 : i64}
  return %0 : i32
}

// -----
// for: unsigned comparison
func.func @f(%lb: i32, %ub: i32, %step: i32, %n: index, %a: i32) -> i32 {
  scf.for unsigned %i = %n to %n step %n {
  }
  %0 = scf.for unsigned %i = %lb to %ub step %step iter_args(%x = %a) -> (i32) : i32 {
    scf.yield %x : i32
  }
  return %0 : i32
}

// -----
// for: nested, the inner one carries what the outer one does
func.func @f(%lb: index, %ub: index, %step: index, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%x = %a) -> (tensor<4xf32>) {
    %1 = scf.for %j = %i to %ub step %step iter_args(%y = %x) -> (tensor<4xf32>) {
      %v = arith.addf %y, %y : tensor<4xf32>
      scf.yield %v : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----
// forall: static bounds and an output
func.func @f(%t: tensor<64x32xf32>, %s: tensor<8x8xf32>) -> tensor<64x32xf32> {
  %0 = scf.forall (%i, %j) in (8, 4) shared_outs(%o = %t) -> (tensor<64x32xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x32xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %0 : tensor<64x32xf32>
}

// -----
// forall: lower bounds and steps, mixed
func.func @f(%t: tensor<?xf32>, %s: tensor<1xf32>, %n: index, %k: index) -> tensor<?xf32> {
  %0 = scf.forall (%i, %j) = (0, %n) to (%k, 64) step (8, %k) shared_outs(%o = %t) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}

// -----
// forall: dynamic bounds, no results, on buffers
func.func @f(%m: memref<?xf32>, %n: index, %v: f32) {
  scf.forall (%i) in (%n) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}

// -----
// forall: an empty in_parallel written out, no loops at all
func.func @f(%n: index) {
  scf.forall (%i) in (%n) {
    scf.forall.in_parallel {
    }
  }
  scf.forall () in () {
  }
  return
}

// -----
// if: alone, with else
func.func @f(%c: i1, %m: memref<f32>, %v: f32) {
  scf.if %c {
    memref.store %v, %m[] : memref<f32>
  }
  scf.if %c {
  } else {
    memref.store %v, %m[] : memref<f32>
  }
  return
}

// -----
// if: results, nested, attributes
func.func @f(%c: i1, %a: f32, %b: tensor<?xi8>) -> (f32, tensor<?xi8>) {
  %0:2 = scf.if %c -> (f32, tensor<?xi8>) {
    %1 = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      %2 = arith.negf %a : f32
      scf.yield %2 : f32
    }
    scf.yield %1, %b : f32, tensor<?xi8>
  } else {
    scf.yield %a, %b : f32, tensor<?xi8>
  } {note}
  return %0#0, %0#1 : f32, tensor<?xi8>
}

// -----
// if: one result without parentheses
func.func @f(%c: i1, %a: f32) -> f32 {
  %0 = scf.if %c -> f32 {
    scf.yield %a : f32
  } else {
    scf.yield %a : f32
  }
  return %0 : f32
}

// -----
// execute_region: results and none
func.func @f(%a: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    %1 = arith.addf %a, %a : f32
    scf.yield %1 : f32
  }
  scf.execute_region {
    scf.yield
  }
  %2:2 = scf.execute_region -> (f32, f32) no_inline {
    scf.yield %0, %a : f32, f32
  } {note}
  return %2#1 : f32
}

// -----
// index_switch: results and none
func.func @f(%i: index, %a: f32, %b: f32) -> (f32, i32) {
  scf.index_switch %i
  default {
  }
  %0:2 = scf.index_switch %i -> f32, i32
  case 2 {
    %1 = arith.constant 1 : i32
    scf.yield %a, %1 : f32, i32
  }
  case -5 {
    %1 = arith.constant 2 : i32
    scf.yield %b, %1 : f32, i32
  }
  default {
    %1 = arith.constant 3 : i32
    scf.yield %a, %1 : f32, i32
  }
  return %0#0, %0#1 : f32, i32
}

// -----
// parallel: no reduction
func.func @f(%m: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.reduce
  }
  return
}

// -----
// parallel: reductions
func.func @f(%n: index, %a: f32, %b: i32) -> (f32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a, %b) -> (f32, i32) {
    scf.reduce(%a, %b : f32, i32) {
    ^bb0(%x: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      scf.reduce.return %1 : f32
    }, {
    ^bb0(%x: i32, %y: i32):
      %1 = arith.maxsi %x, %y : i32
      scf.reduce.return %1 : i32
    }
  }
  %1 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> f32 {
    scf.reduce(%a : f32) {
    ^bb0(%x: f32, %y: f32):
      %2 = arith.mulf %x, %y : f32
      scf.reduce.return %2 : f32
    }
  } {note}
  return %1, %0#1 : f32, i32
}
