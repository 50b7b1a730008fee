builtin.module {
  func.func @f(%n: index, %s: index, %t: tensor<8xf32>, %z: f32) -> (tensor<8xf32>, tensor<?xf32>) {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %r = tensor.insert_slice %f into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %d = bufferization.alloc_tensor(%n) : tensor<?xf32>
    %g = linalg.fill ins(%z : f32) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    func.return %r, %g : tensor<8xf32>, tensor<?xf32>
  }
}
