builtin.module {
  func.func @f(%n: index, %s: index, %a: memref<32xf32>, %b: memref<32xf32>, %z: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 10 : index
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %2 = arith.constant 8 : index
    %3 = arith.constant 9 : index
    %v = memref.load %a[%0] : memref<32xf32>
    %v_1 = memref.load %a[%1] : memref<32xf32>
    %w = arith.addf %v, %z : f32
    %4 = arith.constant 8 : index
    %5, %6 = scf.for %7 = %c0 to %4 step %c1 iter_args(%8 = %v_1, %9 = %w) -> (f32, f32) {
      %10 = arith.constant 2 : index
      %11 = arith.addi %7, %10 : index
      %v_2 = memref.load %a[%11] : memref<32xf32>
      %w_1 = arith.addf %8, %z : f32
      %12 = arith.constant 0 : index
      %13 = arith.addi %7, %12 : index
      memref.store %9, %b[%13] : memref<32xf32>
      scf.yield %v_2, %w_1 : f32, f32
    }
    %w_2 = arith.addf %5, %z : f32
    memref.store %6, %b[%2] : memref<32xf32>
    memref.store %w_2, %b[%3] : memref<32xf32>
    func.return
  }
}
