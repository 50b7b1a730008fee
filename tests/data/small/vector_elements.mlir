// Each script brings its payload.
// -----
// vectorize copy of f32
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %r = linalg.copy ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize_children copy of f32
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %r = linalg.copy ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// vectorize generic of f32
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
 ^bb0(%a: f32, %b: f32):
 linalg.yield %a : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize pad of f32
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %r = tensor.pad %x low[0] high[0] {
 ^bb0(%i: index):
 tensor.yield %s : f32 } : tensor<8xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8] : !transform.any_op
  transform.yield
}
// -----
// vectorize fill of f32
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %r = linalg.fill ins(%s : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize copy of f8E4M3FN
func.func @f(%x: tensor<8xf8E4M3FN>, %y: tensor<8xf8E4M3FN>, %s: f8E4M3FN) -> tensor<8xf8E4M3FN> {
  %r = linalg.copy ins(%x : tensor<8xf8E4M3FN>) outs(%y : tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN>
  return %r : tensor<8xf8E4M3FN>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize_children copy of f8E4M3FN
func.func @f(%x: tensor<8xf8E4M3FN>, %y: tensor<8xf8E4M3FN>, %s: f8E4M3FN) -> tensor<8xf8E4M3FN> {
  %r = linalg.copy ins(%x : tensor<8xf8E4M3FN>) outs(%y : tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN>
  return %r : tensor<8xf8E4M3FN>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// vectorize generic of f8E4M3FN
func.func @f(%x: tensor<8xf8E4M3FN>, %y: tensor<8xf8E4M3FN>, %s: f8E4M3FN) -> tensor<8xf8E4M3FN> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf8E4M3FN>) outs(%y : tensor<8xf8E4M3FN>) {
 ^bb0(%a: f8E4M3FN, %b: f8E4M3FN):
 linalg.yield %a : f8E4M3FN } -> tensor<8xf8E4M3FN>
  return %r : tensor<8xf8E4M3FN>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize pad of f8E4M3FN
func.func @f(%x: tensor<8xf8E4M3FN>, %y: tensor<8xf8E4M3FN>, %s: f8E4M3FN) -> tensor<8xf8E4M3FN> {
  %r = tensor.pad %x low[0] high[0] {
 ^bb0(%i: index):
 tensor.yield %s : f8E4M3FN } : tensor<8xf8E4M3FN> to tensor<8xf8E4M3FN>
  return %r : tensor<8xf8E4M3FN>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8] : !transform.any_op
  transform.yield
}
// -----
// vectorize fill of f8E4M3FN
func.func @f(%x: tensor<8xf8E4M3FN>, %y: tensor<8xf8E4M3FN>, %s: f8E4M3FN) -> tensor<8xf8E4M3FN> {
  %r = linalg.fill ins(%s : f8E4M3FN) outs(%y : tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN>
  return %r : tensor<8xf8E4M3FN>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize copy of i1
func.func @f(%x: tensor<8xi1>, %y: tensor<8xi1>, %s: i1) -> tensor<8xi1> {
  %r = linalg.copy ins(%x : tensor<8xi1>) outs(%y : tensor<8xi1>) -> tensor<8xi1>
  return %r : tensor<8xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize_children copy of i1
func.func @f(%x: tensor<8xi1>, %y: tensor<8xi1>, %s: i1) -> tensor<8xi1> {
  %r = linalg.copy ins(%x : tensor<8xi1>) outs(%y : tensor<8xi1>) -> tensor<8xi1>
  return %r : tensor<8xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// vectorize generic of i1
func.func @f(%x: tensor<8xi1>, %y: tensor<8xi1>, %s: i1) -> tensor<8xi1> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi1>) outs(%y : tensor<8xi1>) {
 ^bb0(%a: i1, %b: i1):
 linalg.yield %a : i1 } -> tensor<8xi1>
  return %r : tensor<8xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize pad of i1
func.func @f(%x: tensor<8xi1>, %y: tensor<8xi1>, %s: i1) -> tensor<8xi1> {
  %r = tensor.pad %x low[0] high[0] {
 ^bb0(%i: index):
 tensor.yield %s : i1 } : tensor<8xi1> to tensor<8xi1>
  return %r : tensor<8xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8] : !transform.any_op
  transform.yield
}
// -----
// vectorize fill of i1
func.func @f(%x: tensor<8xi1>, %y: tensor<8xi1>, %s: i1) -> tensor<8xi1> {
  %r = linalg.fill ins(%s : i1) outs(%y : tensor<8xi1>) -> tensor<8xi1>
  return %r : tensor<8xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize copy of index
func.func @f(%x: tensor<8xindex>, %y: tensor<8xindex>, %s: index) -> tensor<8xindex> {
  %r = linalg.copy ins(%x : tensor<8xindex>) outs(%y : tensor<8xindex>) -> tensor<8xindex>
  return %r : tensor<8xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize_children copy of index
func.func @f(%x: tensor<8xindex>, %y: tensor<8xindex>, %s: index) -> tensor<8xindex> {
  %r = linalg.copy ins(%x : tensor<8xindex>) outs(%y : tensor<8xindex>) -> tensor<8xindex>
  return %r : tensor<8xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// vectorize generic of index
func.func @f(%x: tensor<8xindex>, %y: tensor<8xindex>, %s: index) -> tensor<8xindex> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xindex>) outs(%y : tensor<8xindex>) {
 ^bb0(%a: index, %b: index):
 linalg.yield %a : index } -> tensor<8xindex>
  return %r : tensor<8xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize pad of index
func.func @f(%x: tensor<8xindex>, %y: tensor<8xindex>, %s: index) -> tensor<8xindex> {
  %r = tensor.pad %x low[0] high[0] {
 ^bb0(%i: index):
 tensor.yield %s : index } : tensor<8xindex> to tensor<8xindex>
  return %r : tensor<8xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8] : !transform.any_op
  transform.yield
}
// -----
// vectorize fill of index
func.func @f(%x: tensor<8xindex>, %y: tensor<8xindex>, %s: index) -> tensor<8xindex> {
  %r = linalg.fill ins(%s : index) outs(%y : tensor<8xindex>) -> tensor<8xindex>
  return %r : tensor<8xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize copy of complex<f32>
func.func @f(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>, %s: complex<f32>) -> tensor<8xcomplex<f32>> {
  %r = linalg.copy ins(%x : tensor<8xcomplex<f32>>) outs(%y : tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %r : tensor<8xcomplex<f32>>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize_children copy of complex<f32>
func.func @f(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>, %s: complex<f32>) -> tensor<8xcomplex<f32>> {
  %r = linalg.copy ins(%x : tensor<8xcomplex<f32>>) outs(%y : tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %r : tensor<8xcomplex<f32>>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// vectorize generic of complex<f32>
func.func @f(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>, %s: complex<f32>) -> tensor<8xcomplex<f32>> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xcomplex<f32>>) outs(%y : tensor<8xcomplex<f32>>) {
 ^bb0(%a: complex<f32>, %b: complex<f32>):
 linalg.yield %a : complex<f32> } -> tensor<8xcomplex<f32>>
  return %r : tensor<8xcomplex<f32>>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize pad of complex<f32>
func.func @f(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>, %s: complex<f32>) -> tensor<8xcomplex<f32>> {
  %r = tensor.pad %x low[0] high[0] {
 ^bb0(%i: index):
 tensor.yield %s : complex<f32> } : tensor<8xcomplex<f32>> to tensor<8xcomplex<f32>>
  return %r : tensor<8xcomplex<f32>>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8] : !transform.any_op
  transform.yield
}
// -----
// vectorize fill of complex<f32>
func.func @f(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>, %s: complex<f32>) -> tensor<8xcomplex<f32>> {
  %r = linalg.fill ins(%s : complex<f32>) outs(%y : tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %r : tensor<8xcomplex<f32>>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize copy of i128
func.func @f(%x: tensor<8xi128>, %y: tensor<8xi128>, %s: i128) -> tensor<8xi128> {
  %r = linalg.copy ins(%x : tensor<8xi128>) outs(%y : tensor<8xi128>) -> tensor<8xi128>
  return %r : tensor<8xi128>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize_children copy of i128
func.func @f(%x: tensor<8xi128>, %y: tensor<8xi128>, %s: i128) -> tensor<8xi128> {
  %r = linalg.copy ins(%x : tensor<8xi128>) outs(%y : tensor<8xi128>) -> tensor<8xi128>
  return %r : tensor<8xi128>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// vectorize generic of i128
func.func @f(%x: tensor<8xi128>, %y: tensor<8xi128>, %s: i128) -> tensor<8xi128> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi128>) outs(%y : tensor<8xi128>) {
 ^bb0(%a: i128, %b: i128):
 linalg.yield %a : i128 } -> tensor<8xi128>
  return %r : tensor<8xi128>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
// -----
// vectorize pad of i128
func.func @f(%x: tensor<8xi128>, %y: tensor<8xi128>, %s: i128) -> tensor<8xi128> {
  %r = tensor.pad %x low[0] high[0] {
 ^bb0(%i: index):
 tensor.yield %s : i128 } : tensor<8xi128> to tensor<8xi128>
  return %r : tensor<8xi128>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8] : !transform.any_op
  transform.yield
}
// -----
// vectorize fill of i128
func.func @f(%x: tensor<8xi128>, %y: tensor<8xi128>, %s: i128) -> tensor<8xi128> {
  %r = linalg.fill ins(%s : i128) outs(%y : tensor<8xi128>) -> tensor<8xi128>
  return %r : tensor<8xi128>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}
