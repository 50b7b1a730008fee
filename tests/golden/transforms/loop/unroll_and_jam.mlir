builtin.module {
  func.func @f(%n: index, %s: index, %a: memref<16x16xf32>, %z: f32) {
    %b0 = arith.constant 0 : index
    %b1 = arith.constant 4 : index
    %b2 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.constant 2 : index
    scf.for %i = %b0 to %b1 step %0 {
      %p = memref.load %a[%i, %c0] : memref<16x16xf32>
      %1 = arith.constant 1 : index
      %2 = arith.addi %i, %1 : index
      %p_1 = memref.load %a[%2, %c0] : memref<16x16xf32>
      %q, %q_1, %3, %4 = scf.for %j = %c0 to %n step %c1 iter_args(%x = %p, %y = %z, %5 = %p_1, %6 = %z) -> (f32, f32, f32, f32) {
        %v = memref.load %a[%i, %j] : memref<16x16xf32>
        %w = arith.addf %v, %x : f32
        %u = arith.subf %w, %y : f32
        %7 = arith.constant 1 : index
        %8 = arith.addi %i, %7 : index
        %v_1 = memref.load %a[%8, %j] : memref<16x16xf32>
        %w_1 = arith.addf %v_1, %5 : f32
        %u_1 = arith.subf %w_1, %6 : f32
        scf.for %k = %c0 to %s step %c1 {
          memref.store %w, %a[%i, %k] : memref<16x16xf32>
          %9 = arith.constant 1 : index
          %10 = arith.addi %i, %9 : index
          memref.store %w_1, %a[%10, %k] : memref<16x16xf32>
        }
        scf.yield %w, %u, %w_1, %u_1 : f32, f32, f32, f32
      }
      memref.store %q, %a[%i, %c1] : memref<16x16xf32>
      memref.store %q_1, %a[%i, %n] : memref<16x16xf32>
      %11 = arith.constant 1 : index
      %12 = arith.addi %i, %11 : index
      memref.store %3, %a[%12, %c1] : memref<16x16xf32>
      memref.store %4, %a[%12, %n] : memref<16x16xf32>
    } {outer}
    func.return
  }
}
