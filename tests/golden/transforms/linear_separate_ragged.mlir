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
        %product_1 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %23, %25, %18 : vector<16x16xf16>, vector<16x32xf16> into vector<16x32xf32>
        scf.yield %product_1 : vector<16x32xf32>
      } {triton.num_stages = 3 : i64}
      vector.transfer_write %16, %product[%6, %6], %15 {in_bounds = [true, true]} : vector<16x32xf32>, memref<?x?xf32, strided<[68, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    %out = memref.alloc() {alignment = 64 : i64} : memref<50x68xf16>
    scf.forall (%26, %27) in (4, 3) {
      %28 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%26)
      %29 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%27)
      %30 = affine.min affine_map<(d0) -> (((d0 * -16) + 50), 16)>(%26)
      %31 = affine.min affine_map<(d0) -> (((d0 * -32) + 68), 32)>(%27)
      %32 = memref.subview %empty[%28, %29] [%30, %31] [1, 1] : memref<50x68xf32> to memref<?x?xf32, strided<[68, 1], offset: ?>>
      %33 = memref.subview %bias[%29] [%31] [1] : memref<68xf16> to memref<?xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[%28, %29] [%30, %31] [1, 1] : memref<50x68xf16> to memref<?x?xf16, strided<[68, 1], offset: ?>>
      %34 = vector.create_mask %30, %31 : vector<16x32xi1>
      %35 = vector.transfer_read %32[%6, %6], %1, %34 {in_bounds = [true, true]} : memref<?x?xf32, strided<[68, 1], offset: ?>>, vector<16x32xf32>
      %36 = vector.create_mask %31 : vector<32xi1>
      %37 = vector.transfer_read %33[%6], %2, %36 {in_bounds = [true]} : memref<?xf16, strided<[1], offset: ?>>, vector<32xf16>
      %38 = vector.broadcast %37 : vector<32xf16> to vector<16x32xf16>
      %wide = arith.extf %38 : vector<16x32xf16> to vector<16x32xf32>
      %sum = arith.addf %35, %wide : vector<16x32xf32>
      %relu = arith.maximumf %sum, %5 : vector<16x32xf32>
      %result_1 = arith.truncf %relu : vector<16x32xf32> to vector<16x32xf16>
      vector.transfer_write %result_1, %result[%6, %6], %34 {in_bounds = [true, true]} : vector<16x32xf16>, memref<?x?xf16, strided<[68, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<50x68xf16>
  }
}
