// -----
// pack full sizes
func.func @f(%a: tensor<32x8x16xf32>, %b: tensor<4x1x32x16x2xf32>) -> tensor<4x1x32x16x2xf32> {
  %p = linalg.pack %a outer_dims_perm = [1, 2, 0] inner_dims_pos = [2, 1] inner_tiles = [16, 2] into %b : tensor<32x8x16xf32> -> tensor<4x1x32x16x2xf32>
  return %p : tensor<4x1x32x16x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [4, 1, 32, 16, 2] : !transform.any_op
    transform.yield
  }
// -----
// pack no sizes
func.func @f(%a: tensor<32x8x16xf32>, %b: tensor<4x1x32x16x2xf32>) -> tensor<4x1x32x16x2xf32> {
  %p = linalg.pack %a outer_dims_perm = [1, 2, 0] inner_dims_pos = [2, 1] inner_tiles = [16, 2] into %b : tensor<32x8x16xf32> -> tensor<4x1x32x16x2xf32>
  return %p : tensor<4x1x32x16x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m : !transform.any_op
    transform.yield
  }
// -----
// pack padded full
func.func @f(%a: tensor<32x7x15xf32>, %b: tensor<32x4x1x16x2xf32>) -> tensor<32x4x1x16x2xf32> {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [2, 1] inner_tiles = [16, 2] into %b : tensor<32x7x15xf32> -> tensor<32x4x1x16x2xf32>
  return %p : tensor<32x4x1x16x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [32, 4, 1, 16, 2] : !transform.any_op
    transform.yield
  }
// -----
// pack padded no sizes
func.func @f(%a: tensor<32x7x15xf32>, %b: tensor<32x4x1x16x2xf32>) -> tensor<32x4x1x16x2xf32> {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [2, 1] inner_tiles = [16, 2] into %b : tensor<32x7x15xf32> -> tensor<32x4x1x16x2xf32>
  return %p : tensor<32x4x1x16x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m : !transform.any_op
    transform.yield
  }
// -----
// pack dynamic full
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?x16x2xf32>) -> tensor<?x?x16x2xf32> {
  %p = linalg.pack %a inner_dims_pos = [1, 0] inner_tiles = [16, 2] into %b : tensor<?x?xf32> -> tensor<?x?x16x2xf32>
  return %p : tensor<?x?x16x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [4, 1, 16, 2] : !transform.any_op
    transform.yield
  }
// -----
// pack larger sizes
func.func @f(%a: tensor<30x7xf32>, %b: tensor<15x1x16x2xf32>) -> tensor<15x1x16x2xf32> {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [1, 0] inner_tiles = [16, 2] into %b : tensor<30x7xf32> -> tensor<15x1x16x2xf32>
  return %p : tensor<15x1x16x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [16, 1, 16, 2] : !transform.any_op
    transform.yield
  }
// -----
// unpack full 256
func.func @f(%a: tensor<8x8x32x16xf32>, %b: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %p = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %b : tensor<8x8x32x16xf32> -> tensor<256x128xf32>
  return %p : tensor<256x128xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [8, 8, 32, 16] : !transform.any_op
    transform.yield
  }
// -----
// unpack no sizes partial
func.func @f(%a: tensor<8x8x32x16xf32>, %b: tensor<255x127xf32>) -> tensor<255x127xf32> {
  %p = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %b : tensor<8x8x32x16xf32> -> tensor<255x127xf32>
  return %p : tensor<255x127xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m : !transform.any_op
    transform.yield
  }
// -----
// unpack outer perm
func.func @f(%a: tensor<4x7x16x16xf32>, %b: tensor<64x112xf32>, %c: tensor<7x4x16x16xf32>) -> (tensor<64x112xf32>, tensor<64x112xf32>) {
  %p = linalg.unpack %a outer_dims_perm = [0, 1] inner_dims_pos = [1, 0] inner_tiles = [16, 16] into %b : tensor<4x7x16x16xf32> -> tensor<64x112xf32>
  %q = linalg.unpack %c outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 16] into %b : tensor<7x4x16x16xf32> -> tensor<64x112xf32>
  return %p, %q : tensor<64x112xf32>, tensor<64x112xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m : !transform.any_op
    transform.yield
  }
// -----
// unpack dyn
func.func @f(%a: tensor<?x?x16x2xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %p = linalg.unpack %a inner_dims_pos = [1, 0] inner_tiles = [16, 2] into %b : tensor<?x?x16x2xf32> -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [2, 1, 16, 2] : !transform.any_op
    transform.yield
  }
// -----
// unpack dyn tiles
func.func @f(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?xf32>, %t: index) -> tensor<?x?xf32> {
  %p = linalg.unpack %a inner_dims_pos = [1, 0] inner_tiles = [%t, %t] into %b : tensor<?x?x?x?xf32> -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [2, 1, 16, 2] : !transform.any_op
    transform.yield
  }
// -----
// unpack sizes too few
func.func @f(%a: tensor<?x?x16x2xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %p = linalg.unpack %a inner_dims_pos = [1, 0] inner_tiles = [16, 2] into %b : tensor<?x?x16x2xf32> -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [2, 1] : !transform.any_op
    transform.yield
  }
// -----
// unpack dynamic no sizes
func.func @f(%a: tensor<?x?x16x2xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %p = linalg.unpack %a inner_dims_pos = [1, 0] inner_tiles = [16, 2] into %b : tensor<?x?x16x2xf32> -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m : !transform.any_op
    transform.yield
  }
// -----
// pack dynamic tiles
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?x?x2xf32>, %t: index) -> tensor<?x?x?x2xf32> {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [1, 0] inner_tiles = [%t, 2] into %b : tensor<?x?xf32> -> tensor<?x?x?x2xf32>
  return %p : tensor<?x?x?x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [4, 1, 16, 2] : !transform.any_op
    transform.yield
  }
