// Run by real MLIR and by the interpreter: both print the same.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant -1.0 : f32
  %m = memref.alloc() : memref<4x5xf32>
  %step = vector.step : vector<5xindex>
  %stepi = arith.index_cast %step : vector<5xindex> to vector<5xi32>
  %stepf = arith.sitofp %stepi : vector<5xi32> to vector<5xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %ii = arith.index_cast %i : index to i32
    %if = arith.sitofp %ii : i32 to f32
    %ten = arith.constant 10.0 : f32
    %x = arith.mulf %if, %ten : f32
    %b = vector.broadcast %x : f32 to vector<5xf32>
    %r = arith.addf %b, %stepf : vector<5xf32>
    vector.transfer_write %r, %m[%i, %c0] {in_bounds = [true]} : vector<5xf32>, memref<4x5xf32>
  }
  %z = arith.constant dense<30.0> : vector<5xf32>
  vector.store %z, %m[%c3, %c0] : memref<4x5xf32>, vector<5xf32>
  %0 = vector.transfer_read %m[%c2, %c1], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x5xf32>, vector<5x3xf32>
  vector.print %0 : vector<5x3xf32>
  %k = vector.create_mask %c2, %c3 : vector<3x5xi1>
  %1 = vector.transfer_read %m[%c2, %c1], %pad, %k {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x5xf32>, vector<5x3xf32>
  vector.print %1 : vector<5x3xf32>
  %2 = vector.transfer_read %m[%c2, %c1], %pad {permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<4x5xf32>, vector<2x5xf32>
  vector.print %2 : vector<2x5xf32>
  %acc = arith.constant dense<1.0> : vector<5xf32>
  %3 = vector.multi_reduction <maximumf>, %1, %acc [1] : vector<5x3xf32> to vector<5xf32>
  vector.print %3 : vector<5xf32>
  %at = arith.constant dense<[3, 0, 1, 1, 2]> : vector<5xi32>
  %k5 = arith.constant dense<[1, 0, 1, 1, 0]> : vector<5xi1>
  %pass = arith.constant dense<[100.0, 101.0, 102.0, 103.0, 104.0]> : vector<5xf32>
  %4 = vector.gather %m[%c1, %c1] [%at], %k5, %pass : memref<4x5xf32>, vector<5xi32>, vector<5xi1>, vector<5xf32> into vector<5xf32>
  vector.print %4 : vector<5xf32>
  %5 = vector.expandload %m[%c1, %c1], %k5, %pass : memref<4x5xf32>, vector<5xi1>, vector<5xf32> into vector<5xf32>
  vector.print %5 : vector<5xf32>
  vector.compressstore %m[%c2, %c1], %k5, %pass : memref<4x5xf32>, vector<5xi1>, vector<5xf32>
  vector.maskedstore %m[%c3, %c0], %k5, %pass : memref<4x5xf32>, vector<5xi1>, vector<5xf32>
  vector.transfer_write %0, %m[%c3, %c3] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<5x3xf32>, memref<4x5xf32>
  %all = vector.transfer_read %m[%c0, %c0], %pad : memref<4x5xf32>, vector<4x5xf32>
  vector.print %all : vector<4x5xf32>
  %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %ai = arith.constant dense<[7, 8]> : vector<2xi32>
  %6, %7 = vector.scan <mul>, %a, %ai {inclusive = false, reduction_dim = 1 : i64} : vector<2x3xi32>, vector<2xi32>
  vector.print %6 : vector<2x3xi32>
  vector.print %7 : vector<2xi32>
  %8 = vector.bitcast %a : vector<2x3xi32> to vector<2x6xi16>
  vector.print %8 : vector<2x6xi16>
  %10 = arith.constant dense<0.5> : vector<5x5xf32>
  %9 = vector.outerproduct %acc, %pass, %10 {kind = #vector.kind<add>} : vector<5xf32>, vector<5xf32>
  vector.print %9 : vector<5x5xf32>
  %kk = vector.create_mask %c3 : vector<5xi1>
  %11 = vector.mask %kk { vector.reduction <add>, %pass, %pad : vector<5xf32> into f32 } : vector<5xi1> -> f32
  vector.print %11 : f32
  %sv = memref.subview %m[1, 1] [2, 2] [2, 2] : memref<4x5xf32> to memref<2x2xf32, strided<[10, 2], offset: 6>>
  %rc = memref.reinterpret_cast %sv to offset: [3], sizes: [2, 3], strides: [4, 1] : memref<2x2xf32, strided<[10, 2], offset: 6>> to memref<2x3xf32, strided<[4, 1], offset: 3>>
  %12 = vector.transfer_read %rc[%c0, %c0], %pad : memref<2x3xf32, strided<[4, 1], offset: 3>>, vector<2x3xf32>
  vector.print %12 : vector<2x3xf32>
  %13 = vector.interleave %ai, %ai : vector<2xi32> -> vector<4xi32>
  vector.print %13 : vector<4xi32>
  %s5 = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
  %t5 = arith.constant dense<[[1.0, 0.5], [2.0, 0.25], [-1.0, 4.0]]> : vector<3x2xf32>
  %u5 = arith.constant dense<[[100.0, 200.0], [300.0, 400.0]]> : vector<2x2xf32>
  %20 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s5, %t5, %u5 : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  vector.print %20 : vector<2x2xf32>
  %k23 = vector.create_mask %c1, %c2 : vector<2x3xi1>
  %a2 = arith.constant dense<[10.0, 20.0]> : vector<2xf32>
  %22 = vector.mask %k23 { vector.multi_reduction <mul>, %s5, %a2 [1] : vector<2x3xf32> to vector<2xf32> } : vector<2x3xi1> -> vector<2xf32>
  vector.print %22 : vector<2xf32>
  %nan = arith.constant dense<[1.0, 0x7FC00000, 3.0]> : vector<3xf32>
  %23 = vector.reduction <maxnumf>, %nan : vector<3xf32> into f32
  vector.print %23 : f32
  %i5 = arith.constant dense<[-1, 2, -3, 4, 5]> : vector<5xi32>
  %24 = vector.reduction <maxui>, %i5 : vector<5xi32> into i32
  vector.print %24 : i32
  %25 = vector.reduction <minsi>, %i5 : vector<5xi32> into i32
  vector.print %25 : i32
  %26 = vector.reduction <xor>, %i5 : vector<5xi32> into i32
  vector.print %26 : i32
  %27 = vector.shuffle %i5, %i5 [9, 0, 3] : vector<5xi32>, vector<5xi32>
  vector.print %27 : vector<3xi32>
  %28 = vector.insert_strided_slice %a2, %s5 {offsets = [1, 1], strides = [1]} : vector<2xf32> into vector<2x3xf32>
  vector.print %28 : vector<2x3xf32>
  %29 = vector.extract_strided_slice %28 {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x3xf32> to vector<2x2xf32>
  vector.print %29 : vector<2x2xf32>
  %30 = vector.insert %pad, %29 [%c1, 0] : f32 into vector<2x2xf32>
  vector.print %30 : vector<2x2xf32>
  %31 = vector.shape_cast %28 : vector<2x3xf32> to vector<3x2xf32>
  vector.print %31 : vector<3x2xf32>
  %32 = vector.transpose %28, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  vector.print %32 : vector<3x2xf32>
  %e33 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 5] : memref<4x5xf32> into memref<2x2x5xf32>
  %c33 = memref.collapse_shape %e33 [[0], [1, 2]] : memref<2x2x5xf32> into memref<2x10xf32>
  memref.store %pad, %c33[%c1, %c0] : memref<2x10xf32>
  %33 = vector.load %c33[%c1, %c0] : memref<2x10xf32>, vector<10xf32>
  vector.print %33 : vector<10xf32>
  %t34 = memref.transpose %m (i, j) -> (j, i) : memref<4x5xf32> to memref<5x4xf32, strided<[1, 5]>>
  %34 = vector.transfer_read %t34[%c1, %c1], %pad : memref<5x4xf32, strided<[1, 5]>>, vector<2x4xf32>
  vector.print %34 : vector<2x4xf32>
  %g = memref.get_global @table : memref<2x2xf32>
  %35 = vector.load %g[%c1, %c0] : memref<2x2xf32>, vector<2xf32>
  vector.print %35 : vector<2xf32>
  %raw = memref.alloc() : memref<32xi8>
  %w36 = memref.view %raw[%c3][] : memref<32xi8> to memref<2x2xi16>
  %v36 = arith.constant dense<258> : vector<2x2xi16>
  vector.transfer_write %v36, %w36[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi16>, memref<2x2xi16>
  %36 = vector.load %raw[%c3] : memref<32xi8>, vector<8xi8>
  vector.print %36 : vector<8xi8>
  %d37 = memref.alloc() : memref<2x2xf32>
  memref.copy %sv, %d37 : memref<2x2xf32, strided<[10, 2], offset: 6>> to memref<2x2xf32>
  %37 = vector.transfer_read %d37[%c0, %c0], %pad : memref<2x2xf32>, vector<2x2xf32>
  vector.print %37 : vector<2x2xf32>
  return
}
memref.global "private" constant @table : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
