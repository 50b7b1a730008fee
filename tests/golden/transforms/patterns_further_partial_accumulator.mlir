builtin.module {
  func.func @f(%x: tensor<8x21xf32>, %start: tensor<8x16xf32>) -> tensor<8x8xf32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c21 = arith.constant 21 : index
    %poison = ub.poison : f32
    %first = tensor.extract_slice %start[0, 0] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
    %r = scf.for %k = %c0 to %c21 step %c8 iter_args(%acc = %first) -> (tensor<8x8xf32>) {
      %s = affine.min affine_map<(d0) -> (((d0 * -1) + 21), 8)>(%k)
      %m = vector.create_mask %c8, %s : vector<8x8xi1>
      %old = vector.transfer_read %acc[%c0, %c0], %poison {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
      %v = vector.transfer_read %x[%c0, %k], %poison, %m {in_bounds = [true, true]} : tensor<8x21xf32>, vector<8x8xf32>
      %new = arith.addf %v, %old : vector<8x8xf32>
      %0 = arith.select %m, %new, %old : vector<8x8xi1>, vector<8x8xf32>
      %i = vector.transfer_write %0, %acc[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
      scf.yield %i : tensor<8x8xf32>
    }
    func.return %r : tensor<8x8xf32>
  }
}
