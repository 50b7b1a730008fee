builtin.module {
  func.func @f(%x: tensor<8x21xf32>, %start: tensor<8x16xf32>) -> tensor<?x8xf32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c21 = arith.constant 21 : index
    %poison = ub.poison : f32
    %rows = arith.constant 5 : index
    %0 = tensor.extract_slice %start[0, 0] [5, 8] [1, 1] : tensor<8x16xf32> to tensor<5x8xf32>
    %1 = scf.for %k = %c0 to %c21 step %c8 iter_args(%acc = %0) -> (tensor<5x8xf32>) {
      %s = affine.min affine_map<(d0) -> (((d0 * -1) + 21), 8)>(%k)
      %m = vector.create_mask %rows, %s : vector<8x8xi1>
      %2 = vector.constant_mask [5, 8] : vector<8x8xi1>
      %old = vector.transfer_read %acc[%c0, %c0], %poison, %2 {in_bounds = [true, true]} : tensor<5x8xf32>, vector<8x8xf32>
      %v = vector.transfer_read %x[%c0, %k], %poison, %m {in_bounds = [true, true]} : tensor<8x21xf32>, vector<8x8xf32>
      %new = arith.addf %v, %old : vector<8x8xf32>
      %3 = arith.select %m, %new, %old : vector<8x8xi1>, vector<8x8xf32>
      %4 = vector.transfer_write %3, %acc[%c0, %c0], %2 {in_bounds = [true, true]} : vector<8x8xf32>, tensor<5x8xf32>
      scf.yield %4 : tensor<5x8xf32>
    }
    %r = tensor.cast %1 : tensor<5x8xf32> to tensor<?x8xf32>
    func.return %r : tensor<?x8xf32>
  }
}
