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
    %0 = memref.subview %e[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
    %s = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    linalg.fill ins(%two : f32) outs(%s : memref<4xf32>)
    %z = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    linalg.fill ins(%one : f32) outs(%z : memref<4xf32>)
    %1 = memref.subview %e[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
    memref.copy %z, %1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 2>>
    %2 = memref.subview %e1[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    memref.copy %s, %2 : memref<4xf32> to memref<4xf32, strided<[1]>>
    func.return %e, %e1 : memref<8xf32>, memref<8xf32>
  }
}
