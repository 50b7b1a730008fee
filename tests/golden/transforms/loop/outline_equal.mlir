builtin.module {
  func.func private @g(%e0: tensor<8xf32>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
    %half = arith.constant 5.000000e-01 : f32
    %r0 = scf.forall (%i0) in (2) shared_outs(%o = %e0) -> (tensor<8xf32>) {
      %at = affine.apply affine_map<(d0) -> ((d0 * 4))>(%i0)
      %x = tensor.extract_slice %a[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %y = tensor.extract_slice %b[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %v = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32, %z: f32):
        %m = arith.mulf %p, %half : f32
        %t = arith.addf %m, %q : f32
        linalg.yield %t : f32
      } -> tensor<4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %o[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
      }
    } {mapping = [#gpu.block<x>]}
    func.return %r0 : tensor<8xf32>
  }
  func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
    %half = arith.constant 5.000000e-01 : f32
    %third = arith.constant 3.000000e-01 : f32
    %e0 = tensor.empty() : tensor<8xf32>
    %r0 = func.call @g(%e0, %a, %b) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %e1 = tensor.empty() : tensor<8xf32>
    %r1 = func.call @g(%e1, %r0, %b) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %e2 = tensor.empty() : tensor<8xf32>
    %r2 = func.call @g(%e2, %b, %r1) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    func.return %r2 : tensor<8xf32>
  }
}
