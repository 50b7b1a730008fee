func.func private @none()

// -----
// sibling same place
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %m[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.mulf %a, %v : f32
    memref.store %b, %m2[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x = transform.loop.fuse_sibling %a into %b : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// sibling same place rev
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %m[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.mulf %a, %v : f32
    memref.store %b, %m2[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x = transform.loop.fuse_sibling %b into %a : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// sibling shifted
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %m[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%c0] : memref<?xf32>
    %b = arith.mulf %a, %v : f32
    memref.store %b, %m2[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x = transform.loop.fuse_sibling %a into %b : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// sibling transfers
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c4 {
    %a = vector.transfer_read %m[%i], %z : memref<?xf32>, vector<4xf32>
    %b = arith.addf %a, %a : vector<4xf32>
    vector.transfer_write %b, %m2[%i] : vector<4xf32>, memref<?xf32>
  }
  scf.for %i = %c0 to %c16 step %c4 {
    %a = vector.transfer_read %m[%i], %z : memref<?xf32>, vector<4xf32>
    %b = arith.mulf %a, %a : vector<4xf32>
    vector.transfer_write %b, %m2[%i] : vector<4xf32>, memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x = transform.loop.fuse_sibling %a into %b : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// sibling unknown
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    "w"(%b, %m) : (f32, memref<?xf32>) -> ()
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.mulf %a, %v : f32
    memref.store %b, %m2[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x = transform.loop.fuse_sibling %a into %b : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// jam acc
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.load %m[%j] : memref<?xf32>
      %b = memref.load %m3[%i, %j] : memref<?x?xf32>
      %d = arith.addf %a, %b : f32
      memref.store %d, %m[%j] : memref<?xf32>
    }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %b {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// jam ok
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.load %m3[%i, %j] : memref<?x?xf32>
      %d = arith.addf %b, %b : f32
      memref.store %d, %m3[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %b {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// jam store idx
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.load %m3[%j, %i] : memref<?x?xf32>
      %d = arith.addf %b, %b : f32
      memref.store %d, %m2[%i] : memref<?xf32>
    }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %b {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// jam unk
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      "u"(%i, %j) : (index, index) -> ()
    }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %b {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// jam dyn outer
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      "u"(%i, %j) : (index, index) -> ()
    }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %b {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// jam nondiv
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      "u"(%i, %j) : (index, index) -> ()
    }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %b {factor = 5} : !transform.any_op
    transform.yield
  }

// -----
// jam iter
func.func @f(%m: memref<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %v) -> f32 {
    %a = memref.load %m[%i] : memref<?xf32>
    %t = arith.addf %a, %s : f32
    scf.yield %t : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %l {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// pipe diff
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %m2[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %x = transform.loop.pipeline %l : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }

// -----
// pipe same
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %m[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %x = transform.loop.pipeline %l : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }

// -----
// pipe opts
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %m[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %x = transform.loop.pipeline %l {iteration_interval = 2, read_latency = 5} : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }

// -----
// pipe dyn
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %m2[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %x = transform.loop.pipeline %l : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }

// -----
// pipe transfer
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c4 {
    %a = vector.transfer_read %m[%i], %z {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
    %b = arith.addf %a, %a : vector<4xf32>
    vector.transfer_write %b, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %x = transform.loop.pipeline %l : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }

// -----
// outline
func.func @f(%m: memref<?xf32>, %m2: memref<?xf32>, %m3: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %m2[%i] : memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.outline %l {func_name = "foo"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// pad value
func.func @f(%a: tensor<30x20xf32>, %b: tensor<20x10xf32>, %c: tensor<30x10xf32>) -> tensor<30x10xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x20xf32>, tensor<20x10xf32>) outs(%c : tensor<30x10xf32>) -> tensor<30x10xf32>
  return %r : tensor<30x10xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %op tile_sizes [4, 5, 6] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %q, %c = transform.structured.pad %t {padding_values = [1.0 : f32, 2.0 : f32, 3.0 : f32], padding_dimensions = [0, 1, 2]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// pad value ti
func.func @f(%a: tensor<30x20xf32>, %b: tensor<20x10xf32>, %c: tensor<30x10xf32>) -> tensor<30x10xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x20xf32>, tensor<20x10xf32>) outs(%c : tensor<30x10xf32>) -> tensor<30x10xf32>
  return %r : tensor<30x10xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %op tile_sizes [4, 5, 6] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %q = transform.structured.pad_tiling_interface %t to padding_sizes [4, 5, 6] {padding_values = [1.0 : f32, 2.0 : f32, 3.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// pad max
func.func @f(%a: tensor<30x20xf32>, %c: tensor<30xf32>) -> tensor<30xf32> {
  %r = linalg.reduce { arith.maximumf } ins(%a : tensor<30x20xf32>) outs(%c : tensor<30xf32>) dimensions = [1]
  return %r : tensor<30xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [4, 6] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %p, %q, %c = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// pack max
func.func @f(%a: tensor<30x20xf32>, %c: tensor<30xf32>) -> tensor<30xf32> {
  %r = linalg.reduce { arith.maximumf } ins(%a : tensor<30x20xf32>) outs(%c : tensor<30xf32>) dimensions = [1]
  return %r : tensor<30xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.pack %op packed_sizes = [4, 6] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// fuse par
func.func @f(%a: tensor<30x20xf32>, %b: tensor<20x10xf32>, %c: tensor<30x10xf32>) -> tensor<30x10xf32> {
  %z = arith.constant 0.0 : f32
  %e = linalg.fill ins(%z : f32) outs(%c : tensor<30x10xf32>) -> tensor<30x10xf32>
  %r = linalg.matmul ins(%a, %b : tensor<30x20xf32>, tensor<20x10xf32>) outs(%e : tensor<30x10xf32>) -> tensor<30x10xf32>
  return %r : tensor<30x10xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [4, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// fuse red
func.func @f(%a: tensor<30x20xf32>, %b: tensor<20x10xf32>, %c: tensor<30x10xf32>) -> tensor<30x10xf32> {
  %z = arith.constant 0.0 : f32
  %e = linalg.fill ins(%z : f32) outs(%c : tensor<30x10xf32>) -> tensor<30x10xf32>
  %r = linalg.matmul ins(%a, %b : tensor<30x20xf32>, tensor<20x10xf32>) outs(%e : tensor<30x10xf32>) -> tensor<30x10xf32>
  return %r : tensor<30x10xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.fuse %op tile_sizes [4, 5, 6] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// fuse red ic
func.func @f(%a: tensor<30x20xf32>, %b: tensor<20x10xf32>, %c: tensor<30x10xf32>) -> tensor<30x10xf32> {
  %z = arith.constant 0.0 : f32
  %e = linalg.fill ins(%z : f32) outs(%c : tensor<30x10xf32>) -> tensor<30x10xf32>
  %r = linalg.matmul ins(%a, %b : tensor<30x20xf32>, tensor<20x10xf32>) outs(%e : tensor<30x10xf32>) -> tensor<30x10xf32>
  return %r : tensor<30x10xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.fuse %op tile_sizes [4, 5, 6] interchange [1, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// softmax rows
func.func @f(%a: tensor<30x20xf32>, %c: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %r = linalg.softmax dimension(1) ins(%a : tensor<30x20xf32>) outs(%c : tensor<30x20xf32>) -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// softmax rows in parallel
func.func @f(%a: tensor<30x20xf32>, %c: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %r = linalg.softmax dimension(1) ins(%a : tensor<30x20xf32>) outs(%c : tensor<30x20xf32>) -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
