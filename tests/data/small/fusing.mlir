// The payloads are with the scripts.
// -----
// fuse_into_containing_op: static producer used after the loop
func.func @f(%x: tensor<64x32xf32>, %e: tensor<64x32xf32>, %d: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<64x32xf32>) outs(%d : tensor<64x32xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
return %p, %c : tensor<64x32xf32>, tensor<64x32xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.generic"]} attributes{producer} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [7, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.annotate %f_l "loop" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: dynamic producer used after the loop
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %p, %c : tensor<?x?xf32>, tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.generic"]} attributes{producer} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [7, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.annotate %f_l "loop" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: dynamic producer used after the loop, num_threads
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %p, %c : tensor<?x?xf32>, tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.generic"]} attributes{producer} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c num_threads [7, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.annotate %f_l "loop" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: static named producer used after
func.func @f(%x: tensor<64x32xf32>, %e: tensor<64x32xf32>, %d: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
%p = linalg.exp ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<64x32xf32>) outs(%d : tensor<64x32xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
return %p, %c : tensor<64x32xf32>, tensor<64x32xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.annotate %f_l "loop" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: dynamic same init for
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.generic"]} attributes{producer} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.tile_using_for %c tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %x1 = transform.merge_handles %t_l#0 : !transform.any_op
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %x1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse_into_containing_op: static same init for inner
func.func @f(%x: tensor<64x32xf32>, %e: tensor<64x32xf32>) -> tensor<64x32xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
return %c : tensor<64x32xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.generic"]} attributes{producer} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.tile_using_for %c tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %x1 = transform.merge_handles %t_l#1 : !transform.any_op
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %x1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse_into_containing_op: dynamic two results used after
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
%p:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e, %d : tensor<?x?xf32>, tensor<?x?xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32, %b2: f32):
%y = math.exp %b0 : f32
%z = math.sqrt %b0 : f32
linalg.yield %y, %z : f32, f32
} -> (tensor<?x?xf32>, tensor<?x?xf32>)
%c = linalg.add ins(%p#0, %p#1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
return %c, %p#0, %p#1 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.generic"]} attributes{producer} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.add"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: dynamic fill matmul exp
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
%cst = arith.constant 0.0 : f32
%fi = linalg.fill ins(%cst : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
%mm = linalg.matmul ins(%x, %d : tensor<?x?xf32>, tensor<?x?xf32>) outs(%fi : tensor<?x?xf32>) -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %fi = transform.structured.match ops{["linalg.fill"]} in %r : (!transform.any_op) -> !transform.any_op
  %mm = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %mm into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %g, %g_l = transform.structured.fuse_into_containing_op %fi into %f_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse_into_containing_op: dynamic fill through matmul
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
%cst = arith.constant 0.0 : f32
%fi = linalg.fill ins(%cst : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
%mm = linalg.matmul ins(%x, %d : tensor<?x?xf32>, tensor<?x?xf32>) outs(%fi : tensor<?x?xf32>) -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %fi = transform.structured.match ops{["linalg.fill"]} in %r : (!transform.any_op) -> !transform.any_op
  %mm = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %mm tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %g, %g_l = transform.structured.fuse_into_containing_op %fi into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %g "fused" : !transform.any_op
  transform.annotate %g_l "loop" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: dynamic permuted producer
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.generic"]} attributes{producer} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse_into_containing_op: pad producer
func.func @f(%x: tensor<30x20xf32>, %d: tensor<33x25xf32>) -> tensor<33x25xf32> {
%v = arith.constant 0.0 : f32
%p = tensor.pad %x low[1, 2] high[2, 3] {
^bb0(%a: index, %b: index):
tensor.yield %v : f32
} : tensor<30x20xf32> to tensor<33x25xf32>
%c = linalg.exp ins(%p : tensor<33x25xf32>) outs(%d : tensor<33x25xf32>) -> tensor<33x25xf32>
return %c : tensor<33x25xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: softmax producer
func.func @f(%x: tensor<30x20xf32>, %d: tensor<30x20xf32>) -> tensor<30x20xf32> {
%e = tensor.empty() : tensor<30x20xf32>
%p = linalg.softmax dimension(1) ins(%x : tensor<30x20xf32>) outs(%e : tensor<30x20xf32>) -> tensor<30x20xf32>
%c = linalg.exp ins(%p : tensor<30x20xf32>) outs(%d : tensor<30x20xf32>) -> tensor<30x20xf32>
return %c : tensor<30x20xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: rank reduced
func.func @f(%x: tensor<6x8xf32>, %e: tensor<6x8xf32>, %o: tensor<6x8xf32>) -> tensor<6x8xf32> {
%p = linalg.exp ins(%x : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
%r = scf.forall (%i) in (6) shared_outs(%s = %o) -> (tensor<6x8xf32>) {
  %sl = tensor.extract_slice %p[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  %so = tensor.extract_slice %s[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  %t = linalg.sqrt ins(%sl : tensor<8xf32>) outs(%so : tensor<8xf32>) -> tensor<8xf32>
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %t into %s[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<6x8xf32>
  }
}
return %r : tensor<6x8xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %l = transform.structured.match ops{["scf.forall"]} in %r : (!transform.any_op) -> !transform.any_op
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: rank reduced through output
func.func @f(%x: tensor<6x8xf32>, %e: tensor<6x8xf32>, %o: tensor<6x8xf32>) -> tensor<6x8xf32> {
%q = linalg.exp ins(%x : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
%z = arith.constant 0.0 : f32
%fi = linalg.fill ins(%z : f32) outs(%o : tensor<6x8xf32>) -> tensor<6x8xf32>
%r = scf.forall (%i) in (6) shared_outs(%s = %fi) -> (tensor<6x8xf32>) {
  %sl = tensor.extract_slice %q[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  %so = tensor.extract_slice %s[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  %t = linalg.sqrt ins(%sl : tensor<8xf32>) outs(%so : tensor<8xf32>) -> tensor<8xf32>
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %t into %s[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<6x8xf32>
  }
}
return %r : tensor<6x8xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.fill"]} in %r : (!transform.any_op) -> !transform.any_op
  %l = transform.structured.match ops{["scf.forall"]} in %r : (!transform.any_op) -> !transform.any_op
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: strided
// only ours refuses: upstream ignores the strides, and computes other elements
func.func @f(%x: tensor<6x8xf32>, %e: tensor<6x8xf32>, %o: tensor<6x8xf32>) -> tensor<6x8xf32> {
%p = linalg.exp ins(%x : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
%r = scf.forall (%i) in (6) shared_outs(%s = %o) -> (tensor<6x8xf32>) {
  %sl = tensor.extract_slice %p[0, 0] [1, 4] [1, 2] : tensor<6x8xf32> to tensor<4xf32>
  %so = tensor.extract_slice %s[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  %t0 = tensor.extract_slice %s[0, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
%t1 = tensor.insert_slice %sl into %t0[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
%t = linalg.sqrt ins(%t1 : tensor<8xf32>) outs(%so : tensor<8xf32>) -> tensor<8xf32>
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %t into %s[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<6x8xf32>
  }
}
return %r : tensor<6x8xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %l = transform.structured.match ops{["scf.forall"]} in %r : (!transform.any_op) -> !transform.any_op
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %f "fused" : !transform.any_op
  transform.yield
}
// -----
// fuse_into_containing_op: reduction producer used after
func.func @f(%x: tensor<40x20xf32>, %e: tensor<40xf32>, %d: tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>) {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<40x20xf32>) outs(%e : tensor<40xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = arith.addf %b0, %b1 : f32
linalg.yield %y : f32
} -> tensor<40xf32>
%c = linalg.exp ins(%p : tensor<40xf32>) outs(%d : tensor<40xf32>) -> tensor<40xf32>
return %c, %p : tensor<40xf32>, tensor<40xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.generic"]} attributes{producer} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %c tile_sizes [7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %t_l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse_into_containing_op: window for both
func.func @f(%x: tensor<40xf32>, %k: tensor<3xf32>, %e: tensor<38xf32>, %d: tensor<40xf32>) -> tensor<38xf32> {
%p = linalg.exp ins(%x : tensor<40xf32>) outs(%d : tensor<40xf32>) -> tensor<40xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%p, %k : tensor<40xf32>, tensor<3xf32>) outs(%e : tensor<38xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32, %b2: f32):
%y = arith.mulf %b0, %b1 : f32
%z = arith.addf %b2, %y : f32
linalg.yield %z : f32
} -> tensor<38xf32>
return %c : tensor<38xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.tile_using_for %c tile_sizes [7, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %x1 = transform.merge_handles %t_l#0 : !transform.any_op
  %f, %f_l = transform.structured.fuse_into_containing_op %p into %x1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: dynamic chain tile_sizes [8, 5] interchange [1, 0] {use_forall}
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
%q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {second} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [8, 5] interchange [1, 0] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: static used elsewhere
func.func @f(%x: tensor<64x32xf32>, %e: tensor<64x32xf32>, %d: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
%q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) attrs = {second} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<64x32xf32>) outs(%d : tensor<64x32xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
return %c, %q : tensor<64x32xf32>, tensor<64x32xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.fuse %c tile_sizes [8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: dynamic mm tile_sizes [8, 5]
func.func @f(%x: tensor<?x?xf32>, %yy: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
%cst = arith.constant 0.0 : f32
%fi = linalg.fill ins(%cst : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
%mm = linalg.matmul ins(%x, %yy : tensor<?x?xf32>, tensor<?x?xf32>) outs(%fi : tensor<?x?xf32>) -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.fuse %c tile_sizes [8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: dynamic mm root forall
func.func @f(%x: tensor<?x?xf32>, %yy: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
%cst = arith.constant 0.0 : f32
%fi = linalg.fill ins(%cst : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
%mm = linalg.matmul ins(%x, %yy : tensor<?x?xf32>, tensor<?x?xf32>) outs(%fi : tensor<?x?xf32>) -> tensor<?x?xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [8, 5] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: dynamic two results root
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
%p = linalg.exp ins(%x : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
%c:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x?xf32>) outs(%e, %d : tensor<?x?xf32>, tensor<?x?xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32, %b2: f32):
%y = math.exp %b0 : f32
%z = math.sqrt %b0 : f32
linalg.yield %y, %z : f32, f32
} -> (tensor<?x?xf32>, tensor<?x?xf32>)
return %c#0, %c#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.fuse %c tile_sizes [8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: static param interchange
func.func @f(%x: tensor<64x32xf32>, %e: tensor<64x32xf32>, %d: tensor<64x32xf32>) -> tensor<64x32xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) attrs = {producer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
%q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) attrs = {second} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<64x32xf32>) outs(%d : tensor<64x32xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<64x32xf32>
return %c : tensor<64x32xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %k = transform.param.constant 1 : i64 -> !transform.param<i64>
  %t, %tl:2 = transform.structured.fuse %c tile_sizes [8, 5] interchange [%k, 0] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: cast tile_sizes [8, 5]
func.func @f(%x: tensor<64x32xf32>, %e: tensor<64x32xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
%p = linalg.exp ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
%k = tensor.cast %p : tensor<64x32xf32> to tensor<?x?xf32>
%c = linalg.sqrt ins(%k : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.sqrt"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.fuse %c tile_sizes [8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: cast tile_sizes [8, 5] {apply_cleanup, use_forall}
func.func @f(%x: tensor<64x32xf32>, %e: tensor<64x32xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
%p = linalg.exp ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
%k = tensor.cast %p : tensor<64x32xf32> to tensor<?x?xf32>
%c = linalg.sqrt ins(%k : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.sqrt"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [8, 5] {apply_cleanup, use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: collapse tile_sizes [8, 5]
func.func @f(%x: tensor<8x8x32xf32>, %e: tensor<8x8x32xf32>, %d: tensor<64x32xf32>) -> tensor<64x32xf32> {
%p = linalg.exp ins(%x : tensor<8x8x32xf32>) outs(%e : tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
%k = tensor.collapse_shape %p [[0, 1], [2]] : tensor<8x8x32xf32> into tensor<64x32xf32>
%c = linalg.sqrt ins(%k : tensor<64x32xf32>) outs(%d : tensor<64x32xf32>) -> tensor<64x32xf32>
return %c : tensor<64x32xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.sqrt"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.fuse %c tile_sizes [8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: pad producer tile_sizes [8, 5] {apply_cleanup}
func.func @f(%x: tensor<30x20xf32>, %g: tensor<30x20xf32>, %d: tensor<33x25xf32>) -> tensor<33x25xf32> {
%v = arith.constant 0.0 : f32
%q = linalg.exp ins(%x : tensor<30x20xf32>) outs(%g : tensor<30x20xf32>) -> tensor<30x20xf32>
%p = tensor.pad %q low[1, 2] high[2, 3] {
^bb0(%a: index, %b: index):
tensor.yield %v : f32
} : tensor<30x20xf32> to tensor<33x25xf32>
%c = linalg.sqrt ins(%p : tensor<33x25xf32>) outs(%d : tensor<33x25xf32>) -> tensor<33x25xf32>
return %c : tensor<33x25xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.sqrt"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.fuse %c tile_sizes [8, 5] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: pad root tile_sizes [8, 5] {use_forall}
func.func @f(%x: tensor<30x20xf32>, %g: tensor<30x20xf32>, %d: tensor<33x25xf32>) -> tensor<33x25xf32> {
%v = arith.constant 0.0 : f32
%q = linalg.exp ins(%x : tensor<30x20xf32>) outs(%g : tensor<30x20xf32>) -> tensor<30x20xf32>
%p = tensor.pad %q low[1, 2] high[2, 3] {
^bb0(%a: index, %b: index):
tensor.yield %v : f32
} : tensor<30x20xf32> to tensor<33x25xf32>
%c = linalg.sqrt ins(%p : tensor<33x25xf32>) outs(%d : tensor<33x25xf32>) -> tensor<33x25xf32>
return %c : tensor<33x25xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [8, 5] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: softmax root
func.func @f(%x: tensor<30x20xf32>, %d: tensor<30x20xf32>) -> tensor<30x20xf32> {
%e = tensor.empty() : tensor<30x20xf32>
%q = linalg.exp ins(%x : tensor<30x20xf32>) outs(%d : tensor<30x20xf32>) -> tensor<30x20xf32>
%p = linalg.softmax dimension(1) ins(%q : tensor<30x20xf32>) outs(%e : tensor<30x20xf32>) -> tensor<30x20xf32>
%c = linalg.sqrt ins(%p : tensor<30x20xf32>) outs(%d : tensor<30x20xf32>) -> tensor<30x20xf32>
return %c : tensor<30x20xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: softmax producer
func.func @f(%x: tensor<30x20xf32>, %d: tensor<30x20xf32>) -> tensor<30x20xf32> {
%e = tensor.empty() : tensor<30x20xf32>
%q = linalg.exp ins(%x : tensor<30x20xf32>) outs(%d : tensor<30x20xf32>) -> tensor<30x20xf32>
%p = linalg.softmax dimension(1) ins(%q : tensor<30x20xf32>) outs(%e : tensor<30x20xf32>) -> tensor<30x20xf32>
%c = linalg.sqrt ins(%p : tensor<30x20xf32>) outs(%d : tensor<30x20xf32>) -> tensor<30x20xf32>
return %c : tensor<30x20xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.sqrt"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: reduction root outer
func.func @f(%x: tensor<40x20xf32>, %e: tensor<40xf32>, %d: tensor<40x20xf32>) -> tensor<40xf32> {
%c = linalg.exp ins(%x : tensor<40x20xf32>) outs(%d : tensor<40x20xf32>) -> tensor<40x20xf32>
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<40x20xf32>) outs(%e : tensor<40xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32):
%y = arith.addf %b0, %b1 : f32
linalg.yield %y : f32
} -> tensor<40xf32>
return %p : tensor<40xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: window
func.func @f(%x: tensor<40xf32>, %k: tensor<3xf32>, %e: tensor<38xf32>, %d: tensor<40xf32>) -> tensor<38xf32> {
%p = linalg.exp ins(%x : tensor<40xf32>) outs(%d : tensor<40xf32>) -> tensor<40xf32>
%c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%p, %k : tensor<40xf32>, tensor<3xf32>) outs(%e : tensor<38xf32>) attrs = {consumer} {
^bb0(%b0: f32, %b1: f32, %b2: f32):
%y = arith.mulf %b0, %b1 : f32
%z = arith.addf %b2, %y : f32
linalg.yield %z : f32
} -> tensor<38xf32>
return %c : tensor<38xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.generic"]} attributes{consumer} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse: two targets
func.func @f(%x: tensor<40xf32>, %d: tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>) {
%p = linalg.exp ins(%x : tensor<40xf32>) outs(%d : tensor<40xf32>) -> tensor<40xf32>
%a = linalg.sqrt ins(%p : tensor<40xf32>) outs(%d : tensor<40xf32>) -> tensor<40xf32>
%b = linalg.sqrt ins(%p : tensor<40xf32>) outs(%x : tensor<40xf32>) -> tensor<40xf32>
return %a, %b : tensor<40xf32>, tensor<40xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.sqrt"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.fuse %c tile_sizes [7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse cleanup expand
func.func @f(%a: tensor<64x32xf32>, %b: tensor<8x8x32xf32>) -> tensor<8x8x32xf32> {
  %i = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.exp ins(%a : tensor<64x32xf32>) outs(%i : tensor<64x32xf32>) -> tensor<64x32xf32>
  %e = tensor.expand_shape %0 [[0, 1], [2]] output_shape [8, 8, 32] : tensor<64x32xf32> into tensor<8x8x32xf32>
  %1 = linalg.abs ins(%e : tensor<8x8x32xf32>) outs(%b : tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
  return %1 : tensor<8x8x32xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %m tile_sizes [1, 0, 8] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
// -----
// fuse cleanup expand two dims
func.func @f(%a: tensor<64x32xf32>, %b: tensor<8x8x32xf32>) -> tensor<8x8x32xf32> {
  %i = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.exp ins(%a : tensor<64x32xf32>) outs(%i : tensor<64x32xf32>) -> tensor<64x32xf32>
  %e = tensor.expand_shape %0 [[0, 1], [2]] output_shape [8, 8, 32] : tensor<64x32xf32> into tensor<8x8x32xf32>
  %1 = linalg.abs ins(%e : tensor<8x8x32xf32>) outs(%b : tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
  return %1 : tensor<8x8x32xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.fuse %m tile_sizes [1, 2, 8] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
// -----
// fuse cleanup collapse
func.func @f(%a: tensor<8x8x32xf32>, %b: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %i = tensor.empty() : tensor<8x8x32xf32>
  %0 = linalg.exp ins(%a : tensor<8x8x32xf32>) outs(%i : tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
  %e = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<8x8x32xf32> into tensor<64x32xf32>
  %1 = linalg.abs ins(%e : tensor<64x32xf32>) outs(%b : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %m tile_sizes [8, 8] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
