builtin.module {
  func.func @linear_relu(%a: memref<50x26xf16>, %b: memref<26x68xf16>, %bias: memref<68xf16>) -> memref<50x68xf16> {
    %0 = arith.constant 0.000000e+00 : f16
    %1 = ub.poison : f16
    %2 = arith.constant 16 : index
    %3 = arith.constant 26 : index
    %4 = arith.constant dense<0.000000e+00> : vector<16x32xf32>
    %5 = arith.constant 0 : index
    %out = memref.alloc() {alignment = 64 : i64} : memref<50x68xf16>
    scf.forall (%6, %7) in (4, 3) {
      %8 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%6)
      %9 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%7)
      %10 = affine.min affine_map<(d0) -> (((d0 * -16) + 50), 16)>(%6)
      %11 = affine.min affine_map<(d0) -> (((d0 * -32) + 68), 32)>(%7)
      %12 = memref.subview %a[%8, 0] [%10, 26] [1, 1] : memref<50x26xf16> to memref<?x26xf16, strided<[26, 1], offset: ?>>
      %13 = memref.subview %b[0, %9] [26, %11] [1, 1] : memref<26x68xf16> to memref<26x?xf16, strided<[68, 1], offset: ?>>
      %14 = vector.create_mask %10, %11 : vector<16x32xi1>
      %15 = scf.for %16 = %5 to %3 step %2 iter_args(%17 = %4) -> (vector<16x32xf32>) {
        %18 = affine.min affine_map<(d0) -> (((d0 * -1) + 26), 16)>(%16)
        %19 = memref.subview %12[0, %16] [%10, %18] [1, 1] : memref<?x26xf16, strided<[26, 1], offset: ?>> to memref<?x?xf16, strided<[26, 1], offset: ?>>
        %20 = memref.subview %13[%16, 0] [%18, %11] [1, 1] : memref<26x?xf16, strided<[68, 1], offset: ?>> to memref<?x?xf16, strided<[68, 1], offset: ?>>
        %21 = vector.create_mask %10, %18 : vector<16x16xi1>
        %22 = vector.transfer_read %19[%5, %5], %0, %21 {in_bounds = [true, true]} : memref<?x?xf16, strided<[26, 1], offset: ?>>, vector<16x16xf16>
        %23 = vector.create_mask %18, %11 : vector<16x32xi1>
        %24 = vector.transfer_read %20[%5, %5], %0, %23 {in_bounds = [true, true]} : memref<?x?xf16, strided<[68, 1], offset: ?>>, vector<16x32xf16>
        %product = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %22, %24, %17 : vector<16x16xf16>, vector<16x32xf16> into vector<16x32xf32>
        scf.yield %product : vector<16x32xf32>
      } {triton.num_stages = 3 : i64}
      %25 = memref.subview %bias[%9] [%11] [1] : memref<68xf16> to memref<?xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[%8, %9] [%10, %11] [1, 1] : memref<50x68xf16> to memref<?x?xf16, strided<[68, 1], offset: ?>>
      %26 = vector.create_mask %11 : vector<32xi1>
      %27 = vector.transfer_read %25[%5], %1, %26 {in_bounds = [true]} : memref<?xf16, strided<[1], offset: ?>>, vector<32xf16>
      %28 = vector.broadcast %27 : vector<32xf16> to vector<16x32xf16>
      %wide = arith.extf %28 : vector<16x32xf16> to vector<16x32xf32>
      %sum = arith.addf %15, %wide : vector<16x32xf32>
      %relu = arith.maximumf %sum, %4 : vector<16x32xf32>
      %result_1 = arith.truncf %relu : vector<16x32xf32> to vector<16x32xf16>
      vector.transfer_write %result_1, %result[%5, %5], %14 {in_bounds = [true, true]} : vector<16x32xf16>, memref<?x?xf16, strided<[68, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<50x68xf16>
  }
}
