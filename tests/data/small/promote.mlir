// Subviews promoted to buffers.
// -----
// all subviews
func.func @f(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %k = memref.dim %A, %c1 : memref<?x?xf32>
  %n = memref.dim %B, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c2 {
    scf.for %j = %c0 to %n step %c3 {
      scf.for %l = %c0 to %k step %c4 {
        %a = memref.subview %A[%i, %l][%c2, %c4][1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        %b = memref.subview %B[%l, %j][%c4, %c3][1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        %c = memref.subview %C[%i, %j][%c2, %c3][1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%c : memref<?x?xf32, strided<[?, 1], offset: ?>>)
      }
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, plain
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0  : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, operands
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {operands_to_promote = [0]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, full
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_full_tile_buffers = [true, true, true]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, fulldef
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_full_tiles_by_default} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, align
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {alignment = 32} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, alloca
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_alloca} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, orig
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_original_subview_size} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, wg
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<workgroup>]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, priv
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<private>], operands_to_promote = [0]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, wgfull
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<workgroup>], operands_to_promote = [0, 2], use_full_tile_buffers = [true, true]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, space
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {memory_space = 3, operands_to_promote = [2]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, spacewg
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {memory_space = #gpu.address_space<workgroup>, operands_to_promote = [0], use_alloca} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, bad
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {operands_to_promote = [1]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, two
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<workgroup>, #gpu.memory_space<private>]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// partial sizes, blk
func.func @f(%A: memref<100x?xf32>, %B: memref<?x64xf32>, %C: memref<100x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<100x?xf32>
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c7 {
    %s = affine.min affine_map<(d0) -> (7, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0][%s, %k][1, 1] : memref<100x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][%s, 64][1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x64xf32>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.block<x>]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, plain
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0  : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, operands
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {operands_to_promote = [0]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, full
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_full_tile_buffers = [false, true, true]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, fulldef
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_full_tiles_by_default} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, align
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {alignment = 32} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, alloca
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_alloca} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, orig
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_original_subview_size} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, wg
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<workgroup>]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, priv
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<private>], operands_to_promote = [0]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, wgfull
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<workgroup>], operands_to_promote = [0, 2], use_full_tile_buffers = [true, true]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, space
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {memory_space = 3, operands_to_promote = [2]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, spacewg
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {memory_space = #gpu.address_space<workgroup>, operands_to_promote = [0], use_alloca} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, bad
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {operands_to_promote = [1]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, two
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<workgroup>, #gpu.memory_space<private>]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// static in f16, blk
func.func @f(%A: memref<100x96xf16>, %B: memref<96x64xf16>, %C: memref<100x64xf16>) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c10 {
    %a = memref.subview %A[%i, 0][10, 96][1, 1] : memref<100x96xf16> to memref<10x96xf16, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf16> to memref<10x64xf16, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %B : memref<10x96xf16, strided<[96, 1], offset: ?>>, memref<96x64xf16>) outs(%c : memref<10x64xf16, strided<[64, 1], offset: ?>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {mapping = [#gpu.block<x>]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// fill, its result is copied in as well
func.func @f(%C: memref<100x64xf32>, %x: f32, %i: index) {
  %c = memref.subview %C[%i, 0][10, 64][1, 1] : memref<100x64xf32> to memref<10x64xf32, strided<[64, 1], offset: ?>>
  linalg.fill ins(%x : f32) outs(%c : memref<10x64xf32, strided<[64, 1], offset: ?>>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// a generic op that writes over its output, with a dropped dimension
func.func @f(%A: memref<100x64xi32>, %C: memref<100x64xi32>, %i: index) {
  %a = memref.subview %A[%i, 0][1, 64][1, 1] : memref<100x64xi32> to memref<64xi32, strided<[1], offset: ?>>
  %c = memref.subview %C[%i, 0][1, 64][1, 1] : memref<100x64xi32> to memref<64xi32, strided<[1], offset: ?>>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<64xi32, strided<[1], offset: ?>>) outs(%c : memref<64xi32, strided<[1], offset: ?>>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %x : i32
    linalg.yield %s : i32
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 {use_full_tiles_by_default, operands_to_promote = [0, 1]} : (!transform.any_op) -> !transform.any_op
  %2 = transform.structured.promote %1 {mapping = [#gpu.memory_space<private>]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// on tensors
func.func @f(%A: tensor<4x4xf32>, %x: f32) -> tensor<4x4xf32> {
  %r = linalg.fill ins(%x : f32) outs(%A : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.promote %0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
