// generic: two outputs, one result
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) {
  // error: expected the number of tensor results (1) to be equal to the number of output tensors (2)
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} outs(%x, %x : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a, %b : f32, f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: a result of another type than its output
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) {
  // error: to match type of corresponding result
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return
}

// -----
// generic: fewer maps than operands
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) {
  // error: expected the number of indexing_map (1) to be equal to the number of input/output operands (2)
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: a map over more loops than there are
func.func @f(%x: tensor<4xf32>) {
  // error: expected indexing_map #0 to have 1 dim(s) to match the number of loops
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: a symbol in a map
func.func @f(%x: tensor<4xf32>) {
  // error: unexpected symbols in indexing_map #0
  %r = linalg.generic {indexing_maps = [affine_map<(d0)[s0] -> (d0)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: a map of another rank than its operand
func.func @f(%x: tensor<4x5xf32>) {
  // error: expected operand rank (2) to match the result rank of indexing_map #0 (1)
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%x : tensor<4x5xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<4x5xf32>
  return
}

// -----
// generic: a loop that no dimension belongs to
func.func @f(%x: tensor<8xf32>) {
  // error: invalid indexing maps are non-invertible
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>], iterator_types = ["parallel", "parallel"]} outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return
}

// -----
// generic: an unknown kind of loop
func.func @f(%x: tensor<4xf32>) {
  // error: iterator_types
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["window"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: no maps
func.func @f(%x: tensor<4xf32>) {
  // error: expected indexing_maps
  %r = linalg.generic {iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: a body without an argument for its output
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) {
  // error: expected as many non-induction variable region arguments
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: an argument of another type than its operand
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) {
  // error: expected type of bb argument #0 (f16) to match element or self type
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f16):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: sizes that do not agree
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // error: inferred input/output operand #1 has shape's dimension #0 to be 4, but found 5
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return
}

// -----
// generic: a sum that leaves its operand
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // error: to be greater than or equal to 5, but found 4
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 + 1)>, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: an index below zero
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // error: unexpected result less than 0 at expression #0
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 - 1)>, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----
// generic: a tensor into a buffer
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // error: expected to have pure tensor or buffer semantics
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----
// generic: a scalar as output
#none = affine_map<() -> ()>
func.func @f(%x: f32) {
  // error: outputs
  linalg.generic {indexing_maps = [#none], iterator_types = []} outs(%x : f32) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}

// -----
// generic: a body that ends with something else
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: memref<4xf32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : memref<4xf32>) {
  ^bb0(%a: f32):
    // error: linalg.yield
    %0 = arith.addf %a, %a : f32
  }
  return
}

// -----
// yield: one value too many
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    // error: expected number of yield values (2) to match the number of inits / outs operands
    linalg.yield %a, %a : f32, f32
  } -> tensor<4xf32>
  return
}

// -----
// yield: a value of another type
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    %0 = arith.extf %a : f32 to f64
    // error: type of yield operand 1 (f64) doesn't match the element type
    linalg.yield %0 : f64
  } -> tensor<4xf32>
  return
}

// -----
// yield: outside a structured op
func.func @f() {
  // error: expected parent op with LinalgOp interface
  linalg.yield
}

// -----
// index: of a loop that is not there
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xindex>) {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xindex>) {
  ^bb0(%a: index):
    // error: expected dim (1) to be lower than the number of loops (1)
    %0 = linalg.index 1 : index
    linalg.yield %0 : index
  } -> tensor<4xindex>
  return
}

// -----
// index: outside a structured op
func.func @f() {
  // error: expected parent op with LinalgOp interface
  %0 = linalg.index 0 : index
  return
}

// -----
// fill: a scalar of another type
func.func @f(%s: f32, %x: tensor<4xf16>) {
  // error: expected fill value type (f32) to match output element type (f16)
  %r = linalg.fill ins(%s : f32) outs(%x : tensor<4xf16>) -> tensor<4xf16>
  return
}

// -----
// fill: a tensor
func.func @f(%s: tensor<f32>, %x: tensor<4xf32>) {
  // error: expected op with scalar input
  %r = linalg.fill ins(%s : tensor<f32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// fill: no result
func.func @f(%s: f32, %x: tensor<4xf32>) {
  // error: expected the number of tensor results (0) to be equal to the number of output tensors (1)
  linalg.fill ins(%s : f32) outs(%x : tensor<4xf32>)
  return
}

// -----
// copy: between 16-bit floats
func.func @f(%x: tensor<4xbf16>, %y: tensor<4xf16>) {
  // error: cannot convert bf16 to f16
  %r = linalg.copy ins(%x : tensor<4xbf16>) outs(%y : tensor<4xf16>) -> tensor<4xf16>
  return
}

// -----
// add: sizes that do not agree
func.func @f(%x: tensor<4x6xf32>, %y: tensor<4x7xf32>) {
  // error: to be 6, but found 7
  %r = linalg.add ins(%x, %y : tensor<4x6xf32>, tensor<4x7xf32>) outs(%x : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----
// add: ranks that do not agree
func.func @f(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // error: expected operand rank (1) to match the result rank of indexing_map #1 (2)
  %r = linalg.add ins(%x, %y : tensor<4x6xf32>, tensor<6xf32>) outs(%x : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----
// add: converts nothing
func.func @f(%x: tensor<4xf16>, %y: tensor<4xf32>) {
  // error: expected an output of f16 elements, got f32
  %r = linalg.add ins(%x, %x : tensor<4xf16>, tensor<4xf16>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// add: two types
func.func @f(%x: tensor<4xf16>, %y: tensor<4xf32>) {
  // error: expected inputs of one element type, got f16, f32
  %r = linalg.add ins(%x, %y : tensor<4xf16>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// add: one input
func.func @f(%x: tensor<4xf32>) {
  // error: expected 2 input(s) and 1 output, got 1 and 1
  %r = linalg.add ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// exp: of integers
func.func @f(%x: tensor<4xi32>) {
  // error: 'exp' is not defined on i32
  %r = linalg.exp ins(%x : tensor<4xi32>) outs(%x : tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----
// sub: of booleans
func.func @f(%x: tensor<4xi1>) {
  // error: 'sub' is not defined on i1
  %r = linalg.sub ins(%x, %x : tensor<4xi1>, tensor<4xi1>) outs(%x : tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----
// select: by an integer
func.func @f(%c: tensor<4xi32>, %x: tensor<4xf32>) {
  // error: expected a condition of i1 elements, got i32
  %r = linalg.select ins(%c, %x, %x : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// elementwise: an unknown kind
func.func @f(%x: tensor<4xf32>) {
  // error: expected one of exp, log
  %r = linalg.elementwise kind=#linalg.elementwise_kind<expp> ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// elementwise: no kind
func.func @f(%x: tensor<4xf32>) {
  // error: kind
  %r = linalg.elementwise ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// elementwise: a map over more loops than the output has dimensions
func.func @f(%x: tensor<4x6xf32>, %y: tensor<4xf32>) {
  // error: expected indexing_map #0 to have 1 dim(s)
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] ins(%x : tensor<4x6xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// matmul: inner sizes that do not agree
func.func @f(%a: tensor<4x5xf32>, %b: tensor<6x7xf32>, %c: tensor<4x7xf32>) {
  // error: to be 5, but found 6
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<6x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return
}

// -----
// matmul: two 16-bit floats
func.func @f(%a: tensor<4x5xbf16>, %b: tensor<5x7xf16>, %c: tensor<4x7xf16>) {
  // error: cannot convert bf16 to f16
  %r = linalg.matmul ins(%a, %b : tensor<4x5xbf16>, tensor<5x7xf16>) outs(%c : tensor<4x7xf16>) -> tensor<4x7xf16>
  return
}

// -----
// matmul: a map that is no transposition
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) {
  // error: indexing_map #0
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// matmul: a broadcast along the wrong loop
func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) {
  // error: indexing_map #0
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// matmul: maps that are none
func.func @f(%a: tensor<4x4xf32>) {
  // error: expected an array of affine maps
  %r = linalg.matmul indexing_maps = [1, 2, 3] ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// batch_matmul: the output without a batch
func.func @f(%a: tensor<3x4x4xf32>, %c: tensor<4x4xf32>) {
  // error: expected operand rank (2) to match the result rank of indexing_map #2 (3)
  %r = linalg.batch_matmul ins(%a, %a : tensor<3x4x4xf32>, tensor<3x4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// batch_matmul: the batch in the middle
func.func @f(%a: tensor<4x4x4xf32>, %c: tensor<4x4x4xf32>) {
  // error: indexing_map #0
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %a : tensor<4x4x4xf32>, tensor<4x4x4xf32>) outs(%c : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----
// contract: no maps
func.func @f(%a: tensor<4x4xf32>) {
  // error: indexing_maps
  %r = linalg.contract ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// contract: nothing to sum over
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<4x4xf32>) {
  // error: 'indexing_maps' do not specify a contracting dimension
  %r = linalg.contract indexing_maps = [#id, #id, #id] ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// contract: a loop of one input alone
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  // error: is neither a contracting dim nor of parallel iteration type
  %r = linalg.contract indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>] ins(%a, %b : tensor<4x4xf32>, tensor<4xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return
}

// -----
// contract: a loop of no operand
func.func @f(%b: tensor<4xf32>, %c: tensor<f32>) {
  // error: iteration space dim at index 0 not used to access any operand
  %r = linalg.contract indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>] ins(%b, %b : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return
}

// -----
// contract: a sum in a map
func.func @f(%b: tensor<8xf32>, %c: tensor<f32>) {
  // error: provided affine_map is not a projected permutation
  %r = linalg.contract indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>] ins(%b, %b : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return
}

// -----
// contract: maps over different loops
func.func @f(%b: tensor<8xf32>, %c: tensor<f32>) {
  // error: iteration spaces of provided affine_maps differ
  %r = linalg.contract indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i) -> ()>] ins(%b, %b : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return
}

// -----
// reduce: a dimension that is not there
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4xf32>) {
  // error: dimensions for reduction should be in the range [0, 1]
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x6xf32>) outs(%o : tensor<4xf32>) dimensions = [2]
  return
}

// -----
// reduce: dimensions out of order
func.func @f(%x: tensor<4x6x8xf32>, %o: tensor<4xf32>) {
  // error: expected dimensions to be in increasing order
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x6x8xf32>) outs(%o : tensor<4xf32>) dimensions = [2, 1]
  return
}

// -----
// reduce: an output of another rank
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4x6xf32>) {
  // error: number of dimensions after reduction 1 doesn't match the init rank 2
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) dimensions = [1]
  return
}

// -----
// reduce: an output of another size
func.func @f(%x: tensor<4x?xf32>, %o: tensor<5xf32>) {
  // error: init dimensions [5] doesn't match input dimensions after reduction [4]
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x?xf32>) outs(%o : tensor<5xf32>) dimensions = [1]
  return
}

// -----
// reduce: inputs of different shapes
func.func @f(%x: tensor<4x6xf32>, %y: tensor<4x7xf32>, %o: tensor<4xf32>) {
  // error: expects all inputs to have the same shapes
  %r:2 = linalg.reduce ins(%x, %y : tensor<4x6xf32>, tensor<4x7xf32>) outs(%o, %o : tensor<4xf32>, tensor<4xf32>) dimensions = [1]
    (%a: f32, %b: f32, %c: f32, %d: f32) {
      linalg.yield %a, %b : f32, f32
    }
  return
}

// -----
// reduce: an unknown op in the short form
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4xf32>) {
  // error: arith.addff
  %r = linalg.reduce { arith.addff } ins(%x : tensor<4x6xf32>) outs(%o : tensor<4xf32>) dimensions = [1]
  return
}

// -----
// reduce: an op on floats over integers
func.func @f(%x: tensor<4x6xi32>, %o: tensor<4xi32>) {
  // error: addf
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x6xi32>) outs(%o : tensor<4xi32>) dimensions = [1]
  return
}

// -----
// broadcast: too few new dimensions
func.func @f(%x: tensor<4xf32>, %o: tensor<2x3x4xf32>) {
  // error: input rank plus added dimensions does not match init rank
  %r = linalg.broadcast ins(%x : tensor<4xf32>) outs(%o : tensor<2x3x4xf32>) dimensions = [0]
  return
}

// -----
// broadcast: sizes that do not agree
func.func @f(%x: tensor<4xf32>, %o: tensor<2x5xf32>) {
  // error: input dim 0 should match init dim 1. input: 4, init: 5
  %r = linalg.broadcast ins(%x : tensor<4xf32>) outs(%o : tensor<2x5xf32>) dimensions = [0]
  return
}

// -----
// broadcast: a dimension out of range
func.func @f(%x: tensor<4xf32>, %o: tensor<4x5xf32>) {
  // error: dimension 0 is out of range. expected range: [0, 1], got: 2
  %r = linalg.broadcast ins(%x : tensor<4xf32>) outs(%o : tensor<4x5xf32>) dimensions = [2]
  return
}

// -----
// broadcast: another element type
func.func @f(%x: tensor<4xf32>, %o: tensor<4x5xf16>) {
  // error: doesn't match the element type
  %r = linalg.broadcast ins(%x : tensor<4xf32>) outs(%o : tensor<4x5xf16>) dimensions = [1]
  return
}

// -----
// transpose: no permutation
func.func @f(%x: tensor<4x5xf32>, %o: tensor<5x4xf32>) {
  // error: permutation is not valid
  %r = linalg.transpose ins(%x : tensor<4x5xf32>) outs(%o : tensor<5x4xf32>) permutation = [1, 1]
  return
}

// -----
// transpose: a permutation of more dimensions
func.func @f(%x: tensor<4x5xf32>, %o: tensor<5x4xf32>) {
  // error: size of permutation 3 does not match the argument rank 2
  %r = linalg.transpose ins(%x : tensor<4x5xf32>) outs(%o : tensor<5x4xf32>) permutation = [1, 0, 2]
  return
}

// -----
// transpose: sizes that do not agree
func.func @f(%x: tensor<4x?xf32>, %o: tensor<5x4xf32>) {
  // error: dim(result, 0) = 5 doesn't match dim(input, permutation[0]) = ?
  %r = linalg.transpose ins(%x : tensor<4x?xf32>) outs(%o : tensor<5x4xf32>) permutation = [1, 0]
  return
}

// -----
// softmax: a dimension out of range
func.func @f(%x: tensor<4x5xf32>) {
  // error: incompatible dimension specified
  %r = linalg.softmax dimension(2) ins(%x : tensor<4x5xf32>) outs(%x : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----
// softmax: an output of another shape
func.func @f(%x: tensor<4x5xf32>, %o: tensor<4x6xf32>) {
  // error: incompatible output shape
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x5xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----
// pack: more tiles than needed
func.func @f(%x: tensor<9xf32>, %o: tensor<3x8xf32>, %c: f32) {
  // error: expected 'tensor<2x8xf32>' for the packed domain value, got 'tensor<3x8xf32>'
  %r = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<9xf32> -> tensor<3x8xf32>
  return
}

// -----
// pack: a partial tile without a padding value
func.func @f(%x: tensor<9xf32>, %o: tensor<2x8xf32>) {
  // error: Only full tiles are supported when padding_value is not set
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<9xf32> -> tensor<2x8xf32>
  return
}

// -----
// pack: a tile of the run time in a static dimension
func.func @f(%x: tensor<16xf32>, %o: tensor<2x8xf32>, %t: index) {
  // error: mismatch in inner tile sizes specified and shaped of tiled dimension
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [%t] into %o : tensor<16xf32> -> tensor<2x8xf32>
  return
}

// -----
// pack: a tile of no elements
func.func @f(%x: tensor<16xf32>, %o: tensor<2x0xf32>) {
  // error: invalid zero tile factor
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [0] into %o : tensor<16xf32> -> tensor<2x0xf32>
  return
}

// -----
// pack: a dimension that is not there
func.func @f(%x: tensor<16xf32>, %o: tensor<2x8xf32>) {
  // error: invalid inner_dims_pos vector
  %r = linalg.pack %x inner_dims_pos = [1] inner_tiles = [8] into %o : tensor<16xf32> -> tensor<2x8xf32>
  return
}

// -----
// pack: an outer dimension that is not there
func.func @f(%x: tensor<16xf32>, %o: tensor<2x8xf32>) {
  // error: invalid outer_dims_perm vector
  %r = linalg.pack %x outer_dims_perm = [1] inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<16xf32> -> tensor<2x8xf32>
  return
}

// -----
// pack: an order of some outer dimensions
func.func @f(%x: tensor<16x1xf32>, %o: tensor<2x1x8xf32>) {
  // error: outer_dims_perm must be a permutation or empty
  %r = linalg.pack %x outer_dims_perm = [0] inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<16x1xf32> -> tensor<2x1x8xf32>
  return
}

// -----
// pack: more tiles than dimensions to tile
func.func @f(%x: tensor<16x1xf32>, %o: tensor<2x1x8xf32>) {
  // error: tiling factors must equal the number of dimensions to tile
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8, 1] into %o : tensor<16x1xf32> -> tensor<2x1x8xf32>
  return
}

// -----
// pack: a destination of another rank
func.func @f(%x: tensor<16xf32>, %o: tensor<2x1x8xf32>) {
  // error: packed rank != (unpacked rank + num tiling factors), got 3 != 2
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<16xf32> -> tensor<2x1x8xf32>
  return
}

// -----
// pack: a padding value of another type
func.func @f(%x: tensor<9xf32>, %o: tensor<2x8xf32>, %c: f16) {
  // error: expected padding_value has 'f32' but got: 'f16'
  %r = linalg.pack %x padding_value(%c : f16) inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<9xf32> -> tensor<2x8xf32>
  return
}

// -----
// unpack: more elements than the tiles have
func.func @f(%x: tensor<2x8xf32>, %o: tensor<17xf32>) {
  // error: expected 'tensor<3x8xf32>' for the packed domain value, got 'tensor<2x8xf32>'
  %r = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<2x8xf32> -> tensor<17xf32>
  return
}

// -----
// unpack: a tile that nothing of is left
func.func @f(%x: tensor<2x8xf32>, %o: tensor<7xf32>) {
  // error: expected 'tensor<1x8xf32>' for the packed domain value, got 'tensor<2x8xf32>'
  %r = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<2x8xf32> -> tensor<7xf32>
  return
}
