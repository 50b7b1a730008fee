builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %m: memref<8xf32>, %v: vector<8x8xf32>, %mask: vector<8x8xi1>, %c: i1, %s8: tensor<8xf32>) -> (tensor<8x8xf32>, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %p = arith.constant 0.000000e+00 : f32
    %c7 = arith.constant 7 : i32
    %z = arith.constant 0 : index
    %k = arith.select %c, %c0, %z : index
    %o = arith.constant 1 : index
    %step = arith.select %c, %c1, %o : index
    %n = arith.addi %step, %c2 : index
    %s = arith.constant 7 : i32
    %i = arith.select %c, %c7, %s : i32
    %t = tensor.cast %s8 : tensor<8xf32> to tensor<?xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %fill = linalg.fill ins(%p : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
    %div2 = arith.divsi %i, %c7 : i32
    %rt = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
    %wt = vector.transfer_write %v, %b[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
    %dim0 = tensor.dim %t, %c0 : tensor<?xf32>
    %es = tensor.extract_slice %a[%k, 0] [2, 8] [1, 1] : tensor<8x8xf32> to tensor<2x8xf32>
    %if = scf.if %c -> (i32) {
      %q = arith.muli %i, %i : i32
      scf.yield %q : i32
    } else {
      scf.yield %i : i32
    }
    %loop = scf.for %j = %c0 to %n step %c1 iter_args(%w = %i) -> (i32) {
      %q_1 = arith.addi %w, %i : i32
      scf.yield %q_1 : i32
    }
    %r, %r_1 = scf.for %l = %c0 to %n step %c1 iter_args(%x = %a, %y = %i) -> (tensor<8x8xf32>, i32) {
      %div = arith.divsi %i, %i : i32
      %rd = vector.transfer_read %m[%c0], %p : memref<8xf32>, vector<8xf32>
      %mk = vector.mask %mask {
        %0 = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
      } : vector<8x8xi1> -> vector<8x8xf32>
      %dim = tensor.dim %t, %k : tensor<?xf32>
      %if2 = scf.if %c -> (i32) {
        %q_2 = arith.divsi %i, %i : i32
        scf.yield %q_2 : i32
      } else {
        scf.yield %i : i32
      }
      %loop2 = scf.for %j_1 = %c0 to %n step %step iter_args(%w_1 = %i) -> (i32) {
        %q_3 = arith.addi %w_1, %i : i32
        scf.yield %q_3 : i32
      }
      %fa = scf.forall (%j_2) in (8) shared_outs(%out = %b) -> (tensor<8x8xf32>) {
        %row = tensor.extract_slice %a[%j_2, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %row into %out[%j_2, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
        }
      }
      %s0 = linalg.add ins(%x, %mm : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %s1 = linalg.add ins(%s0, %wt : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %s2 = linalg.add ins(%s1, %fa : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %v0 = arith.addf %rt, %mk : vector<8x8xf32>
      %s3 = vector.transfer_write %v0, %s2[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
      %s4 = vector.transfer_write %rd, %s3[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<8x8xf32>
      %s5 = tensor.insert_slice %es into %s4[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<8x8xf32>
      %d0 = arith.addi %dim, %dim0 : index
      %d1 = arith.index_cast %d0 : index to i32
      %i0 = arith.addi %div, %div2 : i32
      %i1 = arith.addi %if, %if2 : i32
      %i2 = arith.addi %loop, %loop2 : i32
      %i3 = arith.addi %i0, %i1 : i32
      %i4 = arith.addi %i2, %i3 : i32
      %i5 = arith.addi %i4, %d1 : i32
      %i6 = arith.addi %i5, %y : i32
      scf.yield %s5, %i6 : tensor<8x8xf32>, i32
    }
    func.return %r, %r_1 : tensor<8x8xf32>, i32
  }
}
