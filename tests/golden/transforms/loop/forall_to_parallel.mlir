builtin.module {
  func.func @f(%n: index, %s: index, %t: memref<8x16xf32>, %z: f32) {
    %c2 = arith.constant 2 : index
    %0 = arith.constant 0 : index
    %1 = arith.constant 2 : index
    %2 = arith.constant 4 : index
    %3 = arith.constant 1 : index
    %4 = arith.constant 3 : index
    scf.parallel (%i, %j) = (%0, %1) to (%2, %n) step (%3, %4) {
      %k = arith.addi %i, %c2 : index
      %v = memref.load %t[%k, %j] : memref<8x16xf32>
      %w = arith.addf %v, %z : f32
      memref.store %w, %t[%i, %j] : memref<8x16xf32>
      scf.reduce
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    func.return
  }
}
