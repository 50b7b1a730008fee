// for: carried values that never change
// index: 3
func.func @f(%n: index, %x: f32, %y: f32) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %y) -> (f32, f32, f32) {
    %s = arith.addf %a, %b : f32
    scf.yield %s, %b, %y : f32, f32, f32
  }
  return %r#0, %r#1, %r#2 : f32, f32, f32
}
// -----
// for: carried values that nobody reads
// index: 3
func.func @f(%n: index, %x: f32, %y: f32) -> (f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %y) -> (f32, f32, f32) {
    %s = arith.addf %a, %x : f32
    %t = arith.addf %b, %y : f32
    %u = arith.mulf %y, %y : f32
    scf.yield %s, %t, %u : f32, f32, f32
  }
  return %r#0 : f32
}
// -----
// for: the same value carried twice
// index: 3
func.func @f(%n: index, %x: f32, %y: f32) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %y, %d = %y) -> (f32, f32, f32, f32) {
    %s = arith.addf %a, %c : f32
    %t = arith.addf %d, %c : f32
    %u = arith.mulf %b, %s : f32
    scf.yield %u, %u, %x, %t : f32, f32, f32, f32
  }
  return %r#0, %r#1, %r#2 : f32, f32, f32
}
// -----
// for: two that change places stay
// stays: the number of trips decides
// index: 3
func.func @f(%n: index, %x: f32, %y: f32) -> (f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (f32, f32) {
    scf.yield %b, %a : f32, f32
  }
  %s = arith.subf %r#0, %r#1 : f32
  return %s : f32
}
// -----
// for: one trip, no trip, the same bounds
// index: 3
func.func @f(%n: index, %x: f32) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %0 = scf.for %i = %c4 to %c7 step %c4 iter_args(%a = %x) -> (f32) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.addf %a, %f : f32
    scf.yield %s : f32
  }
  %1 = scf.for %i = %c4 to %c0 step %c1 iter_args(%a = %x) -> (f32) {
    %s = arith.addf %a, %a : f32
    scf.yield %s : f32
  }
  %2 = scf.for %i = %n to %n step %c1 iter_args(%a = %x) -> (f32) {
    %s = arith.addf %a, %a : f32
    scf.yield %s : f32
  }
  return %0, %1, %2 : f32, f32, f32
}
// -----
// for: nothing in it
func.func @f(%x: f32, %y: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %b = %x) -> (f32, f32) {
    scf.yield %y, %b : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}
// -----
// for: a nest of loops that run once
func.func @f(%x: f32) -> (f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c4 iter_args(%a = %x) -> (f32) {
    %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (f32) {
      %t = scf.for %k = %c0 to %c1 step %c1 iter_args(%c = %b) -> (f32) {
        %u = arith.addf %c, %x : f32
        scf.yield %u : f32
      }
      scf.yield %t : f32
    }
    scf.yield %s : f32
  }
  return %r : f32
}
// -----
// for: a tensor carried under a vaguer type
// index: 3
func.func @f(%n: index, %x: tensor<8xf32>, %z: f32) -> (tensor<?xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xc = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %xc) -> (tensor<?xf32>) {
    %s = tensor.insert %z into %a[%i] : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %xc) -> (tensor<?xf32>) {
    %s = linalg.fill ins(%z : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<8xf32>
  return %0, %2 : tensor<?xf32>, tensor<8xf32>
}
// -----
// if: a known condition
func.func @f(%x: f32, %y: f32) -> (f32, f32) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = scf.if %true -> (f32) {
    %s = arith.addf %x, %y : f32
    scf.yield %s : f32
  } else {
    scf.yield %y : f32
  }
  %1 = scf.if %false -> (f32) {
    %s = arith.addf %x, %y : f32
    scf.yield %s : f32
  } else {
    scf.yield %y : f32
  }
  return %0, %1 : f32, f32
}
// -----
// if: a select
func.func @f(%c: i1, %x: f32, %y: f32) -> (f32, f32, i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0:4 = scf.if %c -> (f32, f32, i1, i1) {
    %s = arith.addf %x, %y : f32
    scf.yield %x, %s, %true, %false : f32, f32, i1, i1
  } else {
    scf.yield %y, %y, %false, %true : f32, f32, i1, i1
  }
  return %0#0, %0#1, %0#2, %0#3 : f32, f32, i1, i1
}
// -----
// if: results that nobody reads, branches that do nothing
func.func @f(%c: i1, %x: f32, %y: f32, %m: memref<4xf32>) -> (f32) {
  %c0 = arith.constant 0 : index
  %0:2 = scf.if %c -> (f32, f32) {
    %s = arith.addf %x, %y : f32
    %t = arith.mulf %x, %y : f32
    scf.yield %s, %t : f32, f32
  } else {
    scf.yield %y, %x : f32, f32
  }
  memref.store %x, %m[%c0] : memref<4xf32>
  scf.if %c {
  }
  scf.if %c {
    memref.store %0#0, %m[%c0] : memref<4xf32>
  } else {
  }
  return %0#0 : f32
}
// -----
// if: the condition is known inside
func.func @f(%c: i1, %x: f32, %y: f32) -> (f32) {
  %0 = scf.if %c -> (f32) {
    %1 = scf.if %c -> (f32) {
      %s = arith.subf %x, %y : f32
      scf.yield %s : f32
    } else {
      %s = arith.divf %x, %y : f32
      scf.yield %s : f32
    }
    scf.yield %1 : f32
  } else {
    %s = arith.select %c, %x, %y : f32
    scf.yield %s : f32
  }
  return %0 : f32
}
// -----
// if: two in a row
func.func @f(%c: i1, %x: f32, %y: f32, %m: memref<4xf32>) -> (f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    memref.store %x, %m[%c0] : memref<4xf32>
  }
  %0 = scf.if %c -> (f32) {
    memref.store %y, %m[%c0] : memref<4xf32>
    %s = arith.addf %x, %y : f32
    scf.yield %s : f32
  } else {
    memref.store %x, %m[%c1] : memref<4xf32>
    scf.yield %y : f32
  }
  return %0 : f32
}
// -----
// if: one in the other
func.func @f(%c: i1, %d: i1, %x: f32, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    scf.if %d {
      memref.store %x, %m[%c0] : memref<4xf32>
    }
  }
  return
}
// -----
// forall: constant bounds
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i, %j) = (%c0, 0) to (%c4, 8) step (%c2, 4) shared_outs(%o = %x) -> (tensor<8x8xf32>) {
    %s = tensor.extract_slice %x[%j, %i] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}
// -----
// forall: loops that run once
func.func @f(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = scf.forall (%i, %j) in (1, 8) shared_outs(%o = %x) -> (tensor<8x8xf32>) {
    %s = tensor.extract_slice %x[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  }
  %1 = scf.forall (%i, %j) in (1, 1) shared_outs(%o = %x) -> (tensor<8x8xf32>) {
    %s = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, 3] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  }
  %2 = scf.forall (%i, %j) in (0, 4) shared_outs(%o = %x) -> (tensor<8x8xf32>) {
    %s = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, 3] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  }
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// forall: a mapped loop that runs once stays, its index does not
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = scf.forall (%i, %j) in (1, 8) shared_outs(%o = %x) -> (tensor<8x8xf32>) {
    %s = tensor.extract_slice %x[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %0 : tensor<8x8xf32>
}
// -----
// forall: outputs that nobody writes or reads
func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %r:3 = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %x, %p = %x, %q = %y) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %s = tensor.extract_slice %p[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
      tensor.parallel_insert_slice %s into %p[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  }
  return %r#0, %r#2 : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// forall: an output under a vaguer type, and its extent
func.func @f(%x: tensor<8x8xf32>) -> (tensor<?x8xf32>, index) {
  %c0 = arith.constant 0 : index
  %xc = tensor.cast %x : tensor<8x8xf32> to tensor<?x8xf32>
  %r = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %xc) -> (tensor<?x8xf32>) {
    %s = tensor.extract_slice %x[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x8xf32>
    }
  }
  %d = tensor.dim %r, %c0 : tensor<?x8xf32>
  return %r, %d : tensor<?x8xf32>, index
}
// -----
// forall: on buffers
func.func @f(%m: memref<8xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  scf.forall (%i, %j) in (1, %c1) {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  scf.forall (%i, %j) in (1, 4) {
    memref.store %v, %m[%i] : memref<8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%i, %j) in (4, 4) {
  }
  return
}
