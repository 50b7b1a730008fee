builtin.module {
  func.func @matmul(%a: tensor<40x30xf32>, %b: tensor<30x20xf32>, %c: tensor<40x20xf32>) -> tensor<40x20xf32> {
    %r = scf.forall (%0, %1) in (3, 2) shared_outs(%2 = %c) -> (tensor<40x20xf32>) {
      %3 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%0)
      %4 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%1)
      %5 = affine.min affine_map<(d0) -> (((d0 * -1) + 40), 16)>(%3)
      %6 = affine.min affine_map<(d0) -> (((d0 * -1) + 20), 16)>(%4)
      %7 = tensor.extract_slice %a[%3, 0] [%5, 30] [1, 1] : tensor<40x30xf32> to tensor<?x30xf32>
      %8 = tensor.extract_slice %b[0, %4] [30, %6] [1, 1] : tensor<30x20xf32> to tensor<30x?xf32>
      %9 = tensor.extract_slice %2[%3, %4] [%5, %6] [1, 1] : tensor<40x20xf32> to tensor<?x?xf32>
      %10 = arith.constant 0 : index
      %11 = ub.poison : f32
      %12 = arith.constant 30 : index
      %13 = vector.create_mask %5, %12 : vector<16x32xi1>
      %14 = vector.mask %13 {
        %15 = vector.transfer_read %7[%10, %10], %11 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : tensor<?x30xf32>, vector<16x16x32xf32>
      } : vector<16x32xi1> -> vector<16x16x32xf32>
      %16 = ub.poison : f32
      %17 = arith.constant 30 : index
      %18 = vector.create_mask %17, %6 : vector<32x16xi1>
      %19 = vector.mask %18 {
        %20 = vector.transfer_read %8[%10, %10], %16 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : tensor<30x?xf32>, vector<16x16x32xf32>
      } : vector<32x16xi1> -> vector<16x16x32xf32>
      %21 = ub.poison : f32
      %22 = vector.create_mask %5, %6 : vector<16x16xi1>
      %23 = vector.mask %22 {
        %24 = vector.transfer_read %9[%10, %10], %21 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<16x16xf32>
      } : vector<16x16xi1> -> vector<16x16xf32>
      %25 = arith.mulf %14, %19 : vector<16x16x32xf32>
      %26 = arith.constant 30 : index
      %27 = vector.create_mask %5, %6, %26 : vector<16x16x32xi1>
      %r_1 = vector.mask %27 {
        %28 = vector.multi_reduction <add>, %25, %23 [2] : vector<16x16x32xf32> to vector<16x16xf32>
      } : vector<16x16x32xi1> -> vector<16x16xf32>
      %r_2 = vector.mask %22 {
        %29 = vector.transfer_write %r_1, %9[%10, %10] {in_bounds = [true, true]} : vector<16x16xf32>, tensor<?x?xf32>
      } : vector<16x16xi1> -> tensor<?x?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r_2 into %2[%3, %4] [%5, %6] [1, 1] : tensor<?x?xf32> into tensor<40x20xf32>
      }
    }
    func.return %r : tensor<40x20xf32>
  }
}
