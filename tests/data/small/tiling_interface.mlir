func.func @pad(%x: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %p = tensor.pad %x low[3, 4] high[5, 3] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
// -----
// pad for dynamic
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// pad forall
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %p tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// pad static
func.func @pad(%x: tensor<7x9xf32>, %v: f32) -> tensor<15x16xf32> {
  %p = tensor.pad %x low[3, 4] high[5, 3] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<7x9xf32> to tensor<15x16xf32>
  return %p : tensor<15x16xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.annotate %t "here" : !transform.any_op
  transform.yield
}
// -----
// pad static one dim, constant outside
func.func @pad(%x: tensor<7x9xf32>) -> tensor<14x9xf32> {
    %v = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0] high[7, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<7x9xf32> to tensor<14x9xf32>
  return %p : tensor<14x9xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [7, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// softmax
func.func @f(%x: tensor<16x64x256xf32>) -> tensor<16x64x256xf32> {
  %e = tensor.empty() : tensor<16x64x256xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<16x64x256xf32>) outs(%e : tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
  return %p : tensor<16x64x256xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [2, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// softmax buffer
func.func @f(%x: memref<16x64x256xf32>, %e: memref<16x64x256xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<16x64x256xf32>) outs(%e : memref<16x64x256xf32>)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [2, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// matmul buffer dynamic
func.func @f(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %p tile_sizes [2, 3, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// matmul buffer static interchange
func.func @f(%a: memref<32x64xf32>, %b: memref<64x16xf32>, %c: memref<32x16xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x16xf32>) outs(%c : memref<32x16xf32>)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [5, 0, 4] interchange = [2, 0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// matmul buffer forall
func.func @f(%a: memref<32x64xf32>, %b: memref<64x16xf32>, %c: memref<32x16xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x16xf32>) outs(%c : memref<32x16xf32>)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %p num_threads [5, 3] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// permuted reduce dynamic for interchange
func.func @f(%x: tensor<?x?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?xf32>) attrs = {here} {
^bb0(%b0: f32, %b1: f32):
%y = arith.addf %b0, %b1 : f32
linalg.yield %y : f32
} -> tensor<?x?xf32>
return %p : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} attributes{here} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:3 = transform.structured.tile_using_for %t0 tile_sizes [8, 7, 5] interchange = [2, 1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// two results dynamic threads
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
%p:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e, %d : tensor<?x?xf32>, tensor<?x?xf32>) attrs = {here} {
^bb0(%b0: f32, %b1: f32, %b2: f32):
%y = math.exp %b0 : f32
%z = math.sqrt %b0 : f32
linalg.yield %y, %z : f32, f32
} -> (tensor<?x?xf32>, tensor<?x?xf32>)
return %p#0, %p#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} attributes{here} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %t0 num_threads [8, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// strided window dynamic for
func.func @f(%x: tensor<?xf32>, %k: tensor<3xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j * 2)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %k : tensor<?xf32>, tensor<3xf32>) outs(%e : tensor<?xf32>) attrs = {here} {
^bb0(%b0: f32, %b1: f32, %b2: f32):
%y = arith.mulf %b0, %b1 : f32
%z = arith.addf %b2, %y : f32
linalg.yield %z : f32
} -> tensor<?xf32>
return %p : tensor<?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} attributes{here} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:2 = transform.structured.tile_using_for %t0 tile_sizes [8, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// constant map dynamic forall
func.func @f(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) attrs = {here} {
^bb0(%b0: f32, %b1: f32):
%y = math.exp %b0 : f32
linalg.yield %y : f32
} -> tensor<?xf32>
return %p : tensor<?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} attributes{here} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %t0 tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// named dynamic param
func.func @f(%x: tensor<?x?x?xf32>, %e: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
%c = linalg.exp {here} ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
return %c : tensor<?x?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %k = transform.param.constant 6 : i64 -> !transform.param<i64>
  %t, %tl = transform.structured.tile_using_forall %t0 tile_sizes [%k] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// transpose dynamic for
func.func @f(%x: tensor<?x?x?xf32>, %e: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
%c = linalg.transpose ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) permutation = [1, 0, 2]
return %c : tensor<?x?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.transpose"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:3 = transform.structured.tile_using_for %t0 tile_sizes [8, 7, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// empty dest dynamic handle
func.func @f(%x: tensor<?x?xf32>, %n: index, %k: index) -> tensor<?x?xf32> {
%sz0 = arith.constant 2 : index
%sz = arith.addi %sz0, %sz0 {size} : index
%e = tensor.empty(%n, %k) : tensor<?x?xf32>
%c = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
return %c : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %k = transform.structured.match ops{["arith.addi"]} attributes{size} in %r : (!transform.any_op) -> !transform.any_op
  %t, %tl = transform.structured.tile_using_forall %t0 tile_sizes [%k] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// mm dynamic handle for
func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
%sz0 = arith.constant 2 : index
%sz = arith.addi %sz0, %sz0 {size} : index
%mm = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
return %mm : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %k = transform.structured.match ops{["arith.addi"]} attributes{size} in %r : (!transform.any_op) -> !transform.any_op
  %t, %tl = transform.structured.tile_using_for %t0 tile_sizes [%k] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// buffer reduce dynamic for interchange
func.func @f(%x: memref<?x?x?xf32>, %e: memref<?x?xf32>) {
linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<?x?x?xf32>) outs(%e : memref<?x?xf32>) attrs = {here} {
^bb0(%b0: f32, %b1: f32):
%y = arith.addf %b0, %b1 : f32
linalg.yield %y : f32
}
return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} attributes{here} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l:3 = transform.structured.tile_using_for %t0 tile_sizes [8, 7, 5] interchange = [2, 1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// buffer reduce static forall
func.func @f(%x: memref<20x40x30xf32>, %e: memref<30x20xf32>) {
linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<20x40x30xf32>) outs(%e : memref<30x20xf32>) attrs = {here} {
^bb0(%b0: f32, %b1: f32):
%y = arith.addf %b0, %b1 : f32
linalg.yield %y : f32
}
return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} attributes{here} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %t0 tile_sizes [8, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// permuted reduce static reduction for
func.func @f(%x: tensor<20x40x30xf32>, %e: tensor<30x20xf32>) -> tensor<30x20xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<20x40x30xf32>) outs(%e : tensor<30x20xf32>) attrs = {here} {
^bb0(%b0: f32, %b1: f32):
%y = arith.addf %b0, %b1 : f32
linalg.yield %y : f32
} -> tensor<30x20xf32>
return %p : tensor<30x20xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} attributes{here} in %r : (!transform.any_op) -> !transform.any_op
  %a, %b, %c, %d = transform.structured.tile_reduction_using_for %t0 by tile_sizes = [0, 0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// mm mixed reduction threads
func.func @f(%x: tensor<?x24xf32>, %w: tensor<24x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
%mm = linalg.matmul ins(%x, %w : tensor<?x24xf32>, tensor<24x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
return %mm : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %a, %b, %c, %d = transform.structured.tile_reduction_using_forall %t0 by num_threads = [0, 0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// static mapping [#gpu.thread<y>, #gpu.thread<x>]
func.func @f(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
%mm = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
return %mm : tensor<64x64xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %t0 num_threads [10, 20] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// dynamic mapping [#gpu.warp<y>, #gpu.warp<x>]
func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
%mm = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
return %mm : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %t0 num_threads [10, 20] (mapping = [#gpu.warp<y>, #gpu.warp<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// dynamic packed handles
func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
%s0 = arith.constant 10 : index
%s1 = arith.addi %s0, %s0 {size} : index
%s2 = arith.addi %s1, %s0 {size} : index
%mm = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
return %mm : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %k = transform.structured.match ops{["arith.addi"]} attributes{size} in %r : (!transform.any_op) -> !transform.any_op
  %t, %tl = transform.structured.tile_using_forall %t0 tile_sizes *(%k) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// dynamic mixed threads and handles
func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
%s0 = arith.constant 10 : index
%s1 = arith.addi %s0, %s0 {size} : index
%mm = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
return %mm : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %k = transform.structured.match ops{["arith.addi"]} attributes{size} in %r : (!transform.any_op) -> !transform.any_op
  %t, %tl = transform.structured.tile_using_forall %t0 num_threads [%k, 20] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// dynamic split
func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
%mm = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
return %mm : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %t0 after 10 {dimension = 0} : !transform.any_op
  transform.yield
}
// -----
// static two reductions for half
func.func @f(%x: tensor<20x30x40xf32>, %e: tensor<20xf32>) -> tensor<20xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<20x30x40xf32>) outs(%e : tensor<20xf32>) {
^bb0(%b0: f32, %b1: f32):
%y = arith.maximumf %b0, %b1 : f32
linalg.yield %y : f32
} -> tensor<20xf32>
return %p : tensor<20xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} in %r : (!transform.any_op) -> !transform.any_op
  %a, %b, %c, %d = transform.structured.tile_reduction_using_for %t0 by tile_sizes = [0, 0, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// dynamic two reductions threads
func.func @f(%x: tensor<?x?x?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
%p = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?xf32>) {
^bb0(%b0: f32, %b1: f32):
%y = arith.maximumf %b0, %b1 : f32
linalg.yield %y : f32
} -> tensor<?xf32>
return %p : tensor<?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} in %r : (!transform.any_op) -> !transform.any_op
  %a, %b, %c, %d = transform.structured.tile_reduction_using_forall %t0 by num_threads = [0, 5, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// dynamic two outputs forall
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?xf32>, %g: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
%p:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%e, %g : tensor<?xf32>, tensor<?xf32>) {
^bb0(%b0: f32, %b1: f32, %b2: f32):
%y = arith.addf %b0, %b1 : f32
%z = arith.maximumf %b0, %b2 : f32
linalg.yield %y, %z : f32, f32
} -> (tensor<?xf32>, tensor<?xf32>)
return %p#0, %p#1 : tensor<?xf32>, tensor<?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} in %r : (!transform.any_op) -> !transform.any_op
  %a:2, %b, %c:2, %d = transform.structured.tile_reduction_using_forall %t0 by num_threads = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// dynamic two outputs for
func.func @f(%x: tensor<?x?xf32>, %e: tensor<?xf32>, %g: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
%p:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%e, %g : tensor<?xf32>, tensor<?xf32>) {
^bb0(%b0: f32, %b1: f32, %b2: f32):
%y = arith.addf %b0, %b1 : f32
%z = arith.maximumf %b0, %b2 : f32
linalg.yield %y, %z : f32, f32
} -> (tensor<?xf32>, tensor<?xf32>)
return %p#0, %p#1 : tensor<?xf32>, tensor<?xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.generic"]} in %r : (!transform.any_op) -> !transform.any_op
  %a:2, %b, %c:2, %d = transform.structured.tile_reduction_using_for %t0 by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// softmax reduction
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
%e = tensor.empty() : tensor<8x16xf32>
%p = linalg.softmax dimension(1) ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
return %p : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
  %a, %b, %c, %d = transform.structured.tile_reduction_using_for %t0 by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// pad split
func.func @f(%x: tensor<30x20xf32>) -> tensor<33x25xf32> {
%v = arith.constant 0.0 : f32
%p = tensor.pad %x low[1, 2] high[2, 3] {
^bb0(%a: index, %b: index):
tensor.yield %v : f32
} : tensor<30x20xf32> to tensor<33x25xf32>
return %p : tensor<33x25xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %t0 after 10 {dimension = 0} : !transform.any_op
  transform.yield
}
// -----
// pad threads
func.func @f(%x: tensor<30x20xf32>) -> tensor<33x25xf32> {
%v = arith.constant 0.0 : f32
%p = tensor.pad %x low[1, 2] high[2, 3] {
^bb0(%a: index, %b: index):
tensor.yield %v : f32
} : tensor<30x20xf32> to tensor<33x25xf32>
return %p : tensor<33x25xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %t0 num_threads [4, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// pad not one value
func.func @f(%x: tensor<30x20xf32>) -> tensor<33x25xf32> {
%v = arith.constant 0.0 : f32
%p = tensor.pad %x low[1, 2] high[2, 3] {
^bb0(%a: index, %b: index):
%i = arith.index_cast %a : index to i32
%s = arith.sitofp %i : i32 to f32
tensor.yield %s : f32
} : tensor<30x20xf32> to tensor<33x25xf32>
return %p : tensor<33x25xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %t_l = transform.structured.tile_using_forall %t0 num_threads [4, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// buffer split
func.func @f(%x: memref<30x20xf32>, %d: memref<30x20xf32>) {
linalg.exp ins(%x : memref<30x20xf32>) outs(%d : memref<30x20xf32>)
return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %t0 = transform.structured.match ops{["linalg.exp"]} in %r : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %t0 after 10 {dimension = 0} : !transform.any_op
  transform.yield
}
