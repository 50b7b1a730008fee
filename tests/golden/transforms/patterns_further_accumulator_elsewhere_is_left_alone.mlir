builtin.module {
  func.func @f(%x: tensor<8x21xf32>, %start: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c21 = arith.constant 21 : index
    %poison = ub.poison : f32
    %r = scf.for %k = %c0 to %c21 step %c8 iter_args(%acc = %start) -> (tensor<8x16xf32>) {
      %s = affine.min affine_map<(d0) -> (((d0 * -1) + 21), 8)>(%k)
      %m = vector.create_mask %c8, %s : vector<8x8xi1>
      %slice = tensor.extract_slice %acc[0, 8] [8, %s] [1, 1] : tensor<8x16xf32> to tensor<8x?xf32>
      %v = vector.transfer_read %x[%c0, %k], %poison, %m {in_bounds = [true, true]} : tensor<8x21xf32>, vector<8x8xf32>
      %old = vector.transfer_read %slice[%c0, %c0], %poison, %m {in_bounds = [true, true]} : tensor<8x?xf32>, vector<8x8xf32>
      %new = arith.addf %v, %old : vector<8x8xf32>
      %w = vector.transfer_write %new, %slice[%c0, %c0], %m {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x?xf32>
      %i = tensor.insert_slice %w into %acc[0, 8] [8, %s] [1, 1] : tensor<8x?xf32> into tensor<8x16xf32>
      scf.yield %i : tensor<8x16xf32>
    }
    func.return %r : tensor<8x16xf32>
  }
}
