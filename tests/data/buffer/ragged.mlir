func.func @matmul_relu(%a: memref<1000x1000xf16>, %b: memref<1000x1000xf16>) -> memref<1000x1000xf16> {
  %zero16 = arith.constant 0.000000e+00 : f16
  %c64 = arith.constant 64 : index
  %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
  %c0 = arith.constant 0 : index
  %c1000 = arith.constant 1000 : index
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<1000x1000xf16>
  scf.forall (%arg2, %arg3) in (8, 8) {
    %2 = affine.apply affine_map<(d0) -> (d0 * 128)>(%arg2)
    %3 = affine.apply affine_map<(d0) -> (d0 * 128)>(%arg3)
    %4 = affine.min affine_map<(d0) -> (d0 * -128 + 1000, 128)>(%arg2)
    %5 = affine.min affine_map<(d0) -> (d0 * -128 + 1000, 128)>(%arg3)
    %subview = memref.subview %a[%2, 0] [%4, 1000] [1, 1] : memref<1000x1000xf16> to memref<?x1000xf16, strided<[1000, 1], offset: ?>>
    %subview_0 = memref.subview %b[0, %3] [1000, %5] [1, 1] : memref<1000x1000xf16> to memref<1000x?xf16, strided<[1000, 1], offset: ?>>
    %6 = vector.create_mask %4, %5 : vector<128x128xi1>
    %8 = scf.for %arg4 = %c0 to %c1000 step %c64 iter_args(%arg5 = %cst) -> (vector<128x128xf32>) {
      %11 = affine.min affine_map<(d0) -> (-d0 + 1000, 64)>(%arg4)
      %subview_4 = memref.subview %subview[0, %arg4] [%4, %11] [1, 1] : memref<?x1000xf16, strided<[1000, 1], offset: ?>> to memref<?x?xf16, strided<[1000, 1], offset: ?>>
      %subview_5 = memref.subview %subview_0[%arg4, 0] [%11, %5] [1, 1] : memref<1000x?xf16, strided<[1000, 1], offset: ?>> to memref<?x?xf16, strided<[1000, 1], offset: ?>>
      %12 = vector.create_mask %4, %11 : vector<128x64xi1>
      %13 = vector.transfer_read %subview_4[%c0, %c0], %zero16, %12 {in_bounds = [true, true]} : memref<?x?xf16, strided<[1000, 1], offset: ?>>, vector<128x64xf16>
      %14 = vector.create_mask %11, %5 : vector<64x128xi1>
      %15 = vector.transfer_read %subview_5[%c0, %c0], %zero16, %14 {in_bounds = [true, true]} : memref<?x?xf16, strided<[1000, 1], offset: ?>>, vector<64x128xf16>
      %17 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %13, %15, %arg5 : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %17 : vector<128x128xf32>
    } {triton.num_stages = 3 : i64}
    %subview_3 = memref.subview %alloc[%2, %3] [%4, %5] [1, 1] : memref<1000x1000xf16> to memref<?x?xf16, strided<[1000, 1], offset: ?>>
    %10 = arith.maximumf %8, %cst : vector<128x128xf32>
    %h = arith.truncf %10 : vector<128x128xf32> to vector<128x128xf16>
    vector.transfer_write %h, %subview_3[%c0, %c0], %6 {in_bounds = [true, true]} : vector<128x128xf16>, memref<?x?xf16, strided<[1000, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.group = 8 : i64, triton.num_warps = 8 : i64}
  return %alloc : memref<1000x1000xf16>
}
