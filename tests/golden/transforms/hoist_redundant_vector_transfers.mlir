builtin.module {
  func.func @f(%n: index, %s: index, %a: memref<16x16xf32>, %b: memref<16x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %pad = arith.constant 0.000000e+00 : f32
    %v = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
    %0 = scf.for %i = %c0 to %c12 step %c4 iter_args(%v_1 = %v) -> (vector<4xf32>) {
      %1 = scf.for %j = %c0 to %n step %c4 iter_args(%v_2 = %v_1) -> (vector<4xf32>) {
        %w = arith.addf %v_2, %v_2 : vector<4xf32>
        scf.yield %w : vector<4xf32>
      }
      scf.yield %1 : vector<4xf32>
    }
    vector.transfer_write %0, %a[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    func.return
  }
}
