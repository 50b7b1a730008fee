builtin.module {
  func.func @linear_relu(%a: memref<50x26xf16>, %b: memref<26x68xf16>, %bias: memref<68xf16>) -> memref<50x68xf16> {
    %0 = arith.constant 0.000000e+00 : f16
    %1 = ub.poison : f32
    %2 = ub.poison : f16
    %3 = arith.constant 16 : index
    %4 = arith.constant 26 : index
    %5 = arith.constant dense<0.000000e+00> : vector<16x32xf32>
    %6 = arith.constant 0 : index
    %empty = memref.alloc() {alignment = 64 : i64} : memref<50x68xf32>
    scf.forall (%7, %8) in (4, 3) {
      %9 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%7)
      %10 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%8)
      %11 = affine.min affine_map<(d0) -> (((d0 * -16) + 50), 16)>(%7)
      %12 = affine.min affine_map<(d0) -> (((d0 * -32) + 68), 32)>(%8)
      %13 = memref.subview %a[%9, 0] [%11, 26] [1, 1] : memref<50x26xf16> to memref<?x26xf16, strided<[26, 1], offset: ?>>
      %14 = memref.subview %b[0, %10] [26, %12] [1, 1] : memref<26x68xf16> to memref<26x?xf16, strided<[68, 1], offset: ?>>
      %product = memref.subview %empty[%9, %10] [%11, %12] [1, 1] : memref<50x68xf32> to memref<?x?xf32, strided<[68, 1], offset: ?>>
      %15 = vector.create_mask %11, %12 : vector<16x32xi1>
      %16 = scf.for %17 = %6 to %4 step %3 iter_args(%18 = %5) -> (vector<16x32xf32>) {
        %19 = affine.min affine_map<(d0) -> (((d0 * -1) + 26), 16)>(%17)
        %20 = memref.subview %13[0, %17] [%11, %19] [1, 1] : memref<?x26xf16, strided<[26, 1], offset: ?>> to memref<?x?xf16, strided<[26, 1], offset: ?>>
        %21 = memref.subview %14[%17, 0] [%19, %12] [1, 1] : memref<26x?xf16, strided<[68, 1], offset: ?>> to memref<?x?xf16, strided<[68, 1], offset: ?>>
        %22 = vector.create_mask %11, %19 : vector<16x16xi1>
        %23 = vector.transfer_read %20[%6, %6], %0, %22 {in_bounds = [true, true]} : memref<?x?xf16, strided<[26, 1], offset: ?>>, vector<16x16xf16>
        %24 = vector.create_mask %19, %12 : vector<16x32xi1>
        %25 = vector.transfer_read %21[%6, %6], %0, %24 {in_bounds = [true, true]} : memref<?x?xf16, strided<[68, 1], offset: ?>>, vector<16x32xf16>
        %26 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %23, %25, %18 : vector<16x16xf16>, vector<16x32xf16> into vector<16x32xf32>
        scf.yield %26 : vector<16x32xf32>
      } {triton.num_stages = 3 : i64}
      vector.transfer_write %16, %product[%6, %6], %15 {in_bounds = [true, true]} : vector<16x32xf32>, memref<?x?xf32, strided<[68, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    %out = memref.alloc() {alignment = 64 : i64} : memref<50x68xf16>
    scf.forall (%27, %28) in (4, 3) {
      %29 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%27)
      %30 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%28)
      %31 = affine.min affine_map<(d0) -> (((d0 * -16) + 50), 16)>(%27)
      %32 = affine.min affine_map<(d0) -> (((d0 * -32) + 68), 32)>(%28)
      %33 = memref.subview %empty[%29, %30] [%31, %32] [1, 1] : memref<50x68xf32> to memref<?x?xf32, strided<[68, 1], offset: ?>>
      %34 = memref.subview %bias[%30] [%32] [1] : memref<68xf16> to memref<?xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[%29, %30] [%31, %32] [1, 1] : memref<50x68xf16> to memref<?x?xf16, strided<[68, 1], offset: ?>>
      %35 = vector.create_mask %31, %32 : vector<16x32xi1>
      %36 = vector.transfer_read %33[%6, %6], %1, %35 {in_bounds = [true, true]} : memref<?x?xf32, strided<[68, 1], offset: ?>>, vector<16x32xf32>
      %37 = vector.create_mask %32 : vector<32xi1>
      %38 = vector.transfer_read %34[%6], %2, %37 {in_bounds = [true]} : memref<?xf16, strided<[1], offset: ?>>, vector<32xf16>
      %39 = vector.broadcast %38 : vector<32xf16> to vector<16x32xf16>
      %40 = arith.extf %39 : vector<16x32xf16> to vector<16x32xf32>
      %41 = arith.addf %36, %40 : vector<16x32xf32>
      %42 = arith.maximumf %41, %5 : vector<16x32xf32>
      %43 = arith.truncf %42 : vector<16x32xf32> to vector<16x32xf16>
      vector.transfer_write %43, %result[%6, %6], %35 {in_bounds = [true, true]} : vector<16x32xf16>, memref<?x?xf16, strided<[68, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<50x68xf16>
  }
}
