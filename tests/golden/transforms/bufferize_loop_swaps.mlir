builtin.module {
  func.func @f(%a: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1.000000e+00 : f32
    %two = arith.constant 2.000000e+00 : f32
    %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%one : f32) outs(%e : memref<8xf32>)
    %e1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%two : f32) outs(%e1 : memref<8xf32>)
    %l, %l_1 = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %e, %t = %e1) -> (memref<8xf32>, memref<8xf32>) {
      %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      memref.copy %t, %0 : memref<8xf32> to memref<8xf32>
      %1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      memref.copy %s, %1 : memref<8xf32> to memref<8xf32>
      scf.yield %0, %1 : memref<8xf32>, memref<8xf32>
    }
    %r = memref.subview %l[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
    %r1 = memref.subview %l_1[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
    %2 = memref.cast %r : memref<8xf32, strided<[1]>> to memref<8xf32>
    %3 = memref.cast %r1 : memref<8xf32, strided<[1]>> to memref<8xf32>
    func.return %2, %3 : memref<8xf32>, memref<8xf32>
  }
}
