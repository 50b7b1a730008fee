// generic: element-wise, with a broadcast operand
#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
func.func @f(%x: tensor<4x6xf32>, %b: tensor<6xf32>, %o: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x6xf32>, tensor<6xf32>) outs(%o : tensor<4x6xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// generic: two results of different types
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%x: tensor<4x6xf32>, %s: tensor<4xf32>, %n: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%s, %n : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32):
    %one = arith.constant 1 : i32
    %0 = arith.maximumf %a, %b : f32
    %1 = arith.addi %c, %one : i32
    linalg.yield %0, %1 : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}

// -----
// generic: a result type in parentheses
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> (tensor<4xf32>)
  return %r : tensor<4xf32>
}

// -----
// generic: a trait by name, doc, library_call and attributes of its own
#id = affine_map<(d0) -> (d0)>
#trait = {doc = "copies", indexing_maps = [#id, #id], iterator_types = ["parallel"], library_call = "copy"}
func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic #trait ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) attrs = {some.flag, some.number = 3 : i64} {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
// generic: an attribute among the trait's
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], some.flag} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a {other.flag} : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
// generic: rank 0
#zero = affine_map<() -> ()>
func.func @f(%x: tensor<f32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#zero, #zero], iterator_types = []} ins(%x : tensor<f32>) outs(%o : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----
// generic: a scalar among the inputs, a value from outside in the body
#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f(%x: tensor<4xf32>, %s: f32, %t: f32, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]} ins(%x, %s : tensor<4xf32>, f32) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
// generic: on buffers
#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%x: memref<4x6xf32>, %o: memref<6x4xf32>) {
  linalg.generic {indexing_maps = [#id, #swapped], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x6xf32>) outs(%o : memref<6x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----
// generic: a strided buffer
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%x: memref<4x6xf32, strided<[8, 1], offset: ?>>, %o: memref<4x6xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x6xf32, strided<[8, 1], offset: ?>>) outs(%o : memref<4x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----
// generic: nothing written
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield
  }
  return
}

// -----
// generic: sums, constants and divisions in maps, dynamic sizes
#window = affine_map<(d0, d1) -> (d0 + d1 * 2, 0)>
#kernel = affine_map<(d0, d1) -> (d1)>
#out = affine_map<(d0, d1) -> (d0)>
func.func @f(%x: tensor<?x1xf32>, %k: tensor<3xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#window, #kernel, #out], iterator_types = ["parallel", "reduction"]} ins(%x, %k : tensor<?x1xf32>, tensor<3xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----
// generic: control flow in the body
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %zero = arith.constant 0.000000e+00 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    %0 = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      scf.yield %b : f32
    }
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
// index: of two loops
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%o: tensor<4x6xindex>) -> tensor<4x6xindex> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x6xindex>) {
  ^bb0(%a: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %0 = arith.addi %i, %j : index
    linalg.yield %0 : index
  } -> tensor<4x6xindex>
  return %r : tensor<4x6xindex>
}

// -----
// fill: tensors of every kind
func.func @f(%f: f32, %h: f16, %b: bf16, %e: f8E4M3FN, %g: f8E5M2, %i: i8, %x: index, %t: tensor<4x?xf32>, %th: tensor<4xf16>, %tb: tensor<bf16>, %te: tensor<2xf8E4M3FN>, %tg: tensor<2xf8E5M2>, %ti: tensor<0xi8>, %tx: tensor<4xindex>) -> (tensor<4x?xf32>, tensor<4xf16>, tensor<bf16>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<0xi8>, tensor<4xindex>) {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = linalg.fill ins(%h : f16) outs(%th : tensor<4xf16>) -> tensor<4xf16>
  %2 = linalg.fill ins(%b : bf16) outs(%tb : tensor<bf16>) -> tensor<bf16>
  %3 = linalg.fill ins(%e : f8E4M3FN) outs(%te : tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN>
  %4 = linalg.fill ins(%g : f8E5M2) outs(%tg : tensor<2xf8E5M2>) -> tensor<2xf8E5M2>
  %5 = linalg.fill ins(%i : i8) outs(%ti : tensor<0xi8>) -> tensor<0xi8>
  %6 = linalg.fill ins(%x : index) outs(%tx : tensor<4xindex>) -> tensor<4xindex>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x?xf32>, tensor<4xf16>, tensor<bf16>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<0xi8>, tensor<4xindex>
}

// -----
// fill: a buffer, with an attribute
func.func @f(%s: f32, %o: memref<4xf32>) {
  linalg.fill {some.flag} ins(%s : f32) outs(%o : memref<4xf32>)
  return
}

// -----
// copy: on tensors and on buffers
func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %m: memref<?xf32>) -> tensor<4xf32> {
  %r = linalg.copy ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  linalg.copy ins(%m : memref<?xf32>) outs(%m : memref<?xf32>)
  return %r : tensor<4xf32>
}

// -----
// copy: converts floats and integers
func.func @f(%h: tensor<4xf16>, %f: tensor<4xf32>, %i: tensor<4xi8>, %j: tensor<4xi32>, %e: tensor<4xf8E5M2>) -> (tensor<4xf32>, tensor<4xf16>, tensor<4xi32>, tensor<4xi8>, tensor<4xf32>, tensor<4xi8>, tensor<4xf32>) {
  %0 = linalg.copy ins(%h : tensor<4xf16>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.copy ins(%f : tensor<4xf32>) outs(%h : tensor<4xf16>) -> tensor<4xf16>
  %2 = linalg.copy ins(%i : tensor<4xi8>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  %3 = linalg.copy ins(%j : tensor<4xi32>) outs(%i : tensor<4xi8>) -> tensor<4xi8>
  %4 = linalg.copy ins(%i : tensor<4xi8>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %5 = linalg.copy ins(%f : tensor<4xf32>) outs(%i : tensor<4xi8>) -> tensor<4xi8>
  %6 = linalg.copy ins(%e : tensor<4xf8E5M2>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xf32>, tensor<4xf16>, tensor<4xi32>, tensor<4xi8>, tensor<4xf32>, tensor<4xi8>, tensor<4xf32>
}

// -----
// copy: unsigned, and of an index
func.func @f(%i: tensor<4xi8>, %j: tensor<4xi32>, %x: tensor<4xindex>, %f: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>) {
  %0 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%i : tensor<4xi8>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  %1 = linalg.copy ins(%x : tensor<4xindex>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  %2 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%i : tensor<4xi8>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%f : tensor<4xf32>) outs(%i : tensor<4xi8>) -> tensor<4xi8>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>
}

// -----
// copy: a tensor of rank 0 goes to every element
func.func @f(%x: tensor<f32>, %o: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.copy ins(%x : tensor<f32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// exp: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.exp ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.exp ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// log: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.log ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.log ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// sqrt: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.sqrt ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.sqrt ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// rsqrt: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.rsqrt ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.rsqrt ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// tanh: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.tanh ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.tanh ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// erf: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.erf ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.erf ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// abs: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.abs ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.abs ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// negf: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.negf ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.negf ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// square: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.square ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.square ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// reciprocal: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.reciprocal ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.reciprocal ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// floor: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.floor ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.floor ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// ceil: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.ceil ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.ceil ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// round: on tensors and on buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.round ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.round ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// add: floats and integers
func.func @f(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.add ins(%x, %y : tensor<4x?xf32>, tensor<4x?xf32>) outs(%y : tensor<4x?xf32>) -> tensor<4x?xf32>
  %s = linalg.add ins(%i, %j : tensor<4xi32>, tensor<4xi32>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  linalg.add ins(%m, %m : memref<4xf16>, memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// sub: floats and integers
func.func @f(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.sub ins(%x, %y : tensor<4x?xf32>, tensor<4x?xf32>) outs(%y : tensor<4x?xf32>) -> tensor<4x?xf32>
  %s = linalg.sub ins(%i, %j : tensor<4xi32>, tensor<4xi32>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  linalg.sub ins(%m, %m : memref<4xf16>, memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// mul: floats and integers
func.func @f(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.mul ins(%x, %y : tensor<4x?xf32>, tensor<4x?xf32>) outs(%y : tensor<4x?xf32>) -> tensor<4x?xf32>
  %s = linalg.mul ins(%i, %j : tensor<4xi32>, tensor<4xi32>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  linalg.mul ins(%m, %m : memref<4xf16>, memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// div: floats and integers
func.func @f(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.div ins(%x, %y : tensor<4x?xf32>, tensor<4x?xf32>) outs(%y : tensor<4x?xf32>) -> tensor<4x?xf32>
  %s = linalg.div ins(%i, %j : tensor<4xi32>, tensor<4xi32>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  linalg.div ins(%m, %m : memref<4xf16>, memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// max: floats and integers
func.func @f(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.max ins(%x, %y : tensor<4x?xf32>, tensor<4x?xf32>) outs(%y : tensor<4x?xf32>) -> tensor<4x?xf32>
  %s = linalg.max ins(%i, %j : tensor<4xi32>, tensor<4xi32>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  linalg.max ins(%m, %m : memref<4xf16>, memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// min: floats and integers
func.func @f(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.min ins(%x, %y : tensor<4x?xf32>, tensor<4x?xf32>) outs(%y : tensor<4x?xf32>) -> tensor<4x?xf32>
  %s = linalg.min ins(%i, %j : tensor<4xi32>, tensor<4xi32>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  linalg.min ins(%m, %m : memref<4xf16>, memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// powf: floats
func.func @f(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %r = linalg.powf ins(%x, %y : tensor<4x?xf32>, tensor<4x?xf32>) outs(%y : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.powf ins(%m, %m : memref<4xf16>, memref<4xf16>) outs(%m : memref<4xf16>)
  return %r : tensor<4x?xf32>
}

// -----
// div_unsigned: integers
func.func @f(%i: tensor<4xi32>, %j: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.div_unsigned ins(%i, %j : tensor<4xi32>, tensor<4xi32>) outs(%j : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// add, mul, max: booleans
func.func @f(%i: tensor<4xi1>, %j: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = linalg.add ins(%i, %j : tensor<4xi1>, tensor<4xi1>) outs(%j : tensor<4xi1>) -> tensor<4xi1>
  %1 = linalg.mul ins(%i, %j : tensor<4xi1>, tensor<4xi1>) outs(%j : tensor<4xi1>) -> tensor<4xi1>
  %2 = linalg.max ins(%i, %j : tensor<4xi1>, tensor<4xi1>) outs(%j : tensor<4xi1>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----
// add: a scalar goes to every element; attributes before and after
func.func @f(%x: tensor<4xf32>, %s: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.add {some.flag} ins(%x, %s : tensor<4xf32>, f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.add ins(%x, %s : tensor<4xf32>, f32) outs(%x : tensor<4xf32>) {other.flag} -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----
// add: a static and a dynamic size of one loop
func.func @f(%x: tensor<?x6xf32>, %y: tensor<4x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.add ins(%x, %y : tensor<?x6xf32>, tensor<4x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----
// add: no elements, and rank 0
func.func @f(%x: tensor<0x4xf32>, %z: tensor<f32>) -> (tensor<0x4xf32>, tensor<f32>) {
  %0 = linalg.add ins(%x, %x : tensor<0x4xf32>, tensor<0x4xf32>) outs(%x : tensor<0x4xf32>) -> tensor<0x4xf32>
  %1 = linalg.add ins(%z, %z : tensor<f32>, tensor<f32>) outs(%z : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<0x4xf32>, tensor<f32>
}

// -----
// select: by a tensor, by a scalar
func.func @f(%c: tensor<4xi1>, %s: i1, %x: tensor<4xf16>, %i: tensor<4xi64>) -> (tensor<4xf16>, tensor<4xi64>) {
  %0 = linalg.select ins(%c, %x, %x : tensor<4xi1>, tensor<4xf16>, tensor<4xf16>) outs(%x : tensor<4xf16>) -> tensor<4xf16>
  %1 = linalg.select ins(%s, %i, %i : i1, tensor<4xi64>, tensor<4xi64>) outs(%i : tensor<4xi64>) -> tensor<4xi64>
  return %0, %1 : tensor<4xf16>, tensor<4xi64>
}

// -----
// elementwise: the usual maps
func.func @f(%x: tensor<4x6xf32>, %c: tensor<4x6xi1>, %o: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%x : tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<div> {some.flag} ins(%x, %x : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%c, %x, %x : tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// -----
// elementwise: transposed, broadcast, a scalar
#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>
func.func @f(%x: tensor<6x4xf32>, %v: tensor<4xf32>, %s: f32, %o: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#swapped, #row, #id] ins(%x, %v : tensor<6x4xf32>, tensor<4xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#swapped, #none, #id] ins(%x, %s : tensor<6x4xf32>, f32) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----
// elementwise: signed and unsigned, on buffers
func.func @f(%x: memref<4xi8>) {
  linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>)
  linalg.elementwise kind=#linalg.elementwise_kind<min_signed> ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>)
  linalg.elementwise kind=#linalg.elementwise_kind<max_unsigned> ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>)
  linalg.elementwise kind=#linalg.elementwise_kind<min_unsigned> ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>)
  linalg.elementwise kind=#linalg.elementwise_kind<div_unsigned> ins(%x, %x : memref<4xi8>, memref<4xi8>) outs(%x : memref<4xi8>)
  return
}

// -----
// matmul: f16 into f32
func.func @f(%a: tensor<4x5xf16>, %b: tensor<5x6xf16>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf16>, tensor<5x6xf16>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: bf16 into f32
func.func @f(%a: tensor<4x5xbf16>, %b: tensor<5x6xbf16>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xbf16>, tensor<5x6xbf16>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: f8E4M3FN into f32
func.func @f(%a: tensor<4x5xf8E4M3FN>, %b: tensor<5x6xf8E4M3FN>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf8E4M3FN>, tensor<5x6xf8E4M3FN>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: f8E5M2 into f32
func.func @f(%a: tensor<4x5xf8E5M2>, %b: tensor<5x6xf8E5M2>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf8E5M2>, tensor<5x6xf8E5M2>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: f32, dynamic sizes
func.func @f(%a: tensor<4x?xf32>, %b: tensor<?x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<?x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: f64, all dynamic
func.func @f(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// -----
// matmul: i8 into i32
func.func @f(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xi8>, tensor<5x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}

// -----
// matmul: unsigned
func.func @f(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x5xi8>, tensor<5x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}

// -----
// matmul: signed, told
func.func @f(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_signed>} ins(%a, %b : tensor<4x5xi8>, tensor<5x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}

// -----
// matmul: mixed: truncated and converted
func.func @f(%a: tensor<4x5xf32>, %b: tensor<5x6xi8>, %c: tensor<4x6xf16>) -> tensor<4x6xf16> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x6xi8>) outs(%c : tensor<4x6xf16>) -> tensor<4x6xf16>
  return %r : tensor<4x6xf16>
}

// -----
// matmul: f8 of two kinds
func.func @f(%a: tensor<4x5xf8E4M3FN>, %b: tensor<5x6xf8E5M2>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf8E4M3FN>, tensor<5x6xf8E5M2>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: on buffers, with an attribute
func.func @f(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  linalg.matmul {some.flag} ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----
// matmul: booleans
func.func @f(%a: tensor<4x5xi1>, %b: tensor<5x6xi1>, %c: tensor<4x6xi1>) -> tensor<4x6xi1> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xi1>, tensor<5x6xi1>) outs(%c : tensor<4x6xi1>) -> tensor<4x6xi1>
  return %r : tensor<4x6xi1>
}

// -----
// matmul: nothing to sum
func.func @f(%a: tensor<4x0xf32>, %b: tensor<0x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x0xf32>, tensor<0x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: the second operand transposed
func.func @f(%a: tensor<4x5xf16>, %b: tensor<6x5xf16>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x5xf16>, tensor<6x5xf16>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: both operands transposed, and unsigned
func.func @f(%a: tensor<5x4xi8>, %b: tensor<6x5xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<5x4xi8>, tensor<6x5xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}

// -----
// matmul: the first operand broadcast
func.func @f(%a: tensor<5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<5xf32>, tensor<5x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: the second operand broadcast
func.func @f(%a: tensor<4x5xf32>, %b: tensor<5xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x5xf32>, tensor<5xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matmul: the output transposed
func.func @f(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>] ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%c : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// -----
// matmul: the usual maps, written out
func.func @f(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// batch_matmul: f16 into f32
func.func @f(%a: tensor<3x4x5xf16>, %b: tensor<3x5x6xf16>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x4x5xf16>, tensor<3x5x6xf16>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %r : tensor<3x4x6xf32>
}

// -----
// batch_matmul: on buffers, dynamic
func.func @f(%a: memref<?x4x5xf32>, %b: memref<?x5x6xf32>, %c: memref<?x4x6xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<?x4x5xf32>, memref<?x5x6xf32>) outs(%c : memref<?x4x6xf32>)
  return
}

// -----
// batch_matmul: transposed and without a batch
func.func @f(%a: tensor<4x5xf16>, %b: tensor<3x6x5xf16>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %b : tensor<4x5xf16>, tensor<3x6x5xf16>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %r : tensor<3x4x6xf32>
}

// -----
// batch_matmul: a vector each
func.func @f(%a: tensor<3x5xf16>, %b: tensor<5xf16>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k)>, affine_map<(b, m, n, k) -> (k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %b : tensor<3x5xf16>, tensor<5xf16>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %r : tensor<3x4x6xf32>
}

// -----
// batch_matmul: unsigned
func.func @f(%a: tensor<3x4x5xi8>, %b: tensor<3x5x6xi8>, %c: tensor<3x4x6xi32>) -> tensor<3x4x6xi32> {
  %r = linalg.batch_matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<3x4x5xi8>, tensor<3x5x6xi8>) outs(%c : tensor<3x4x6xi32>) -> tensor<3x4x6xi32>
  return %r : tensor<3x4x6xi32>
}

// -----
// batch_reduce_matmul: bf16 into f32
func.func @f(%a: tensor<3x4x5xbf16>, %b: tensor<3x5x6xbf16>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x4x5xbf16>, tensor<3x5x6xbf16>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// batch_reduce_matmul: transposed
func.func @f(%a: tensor<3x5x4xf32>, %b: tensor<3x5x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.batch_reduce_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (m, n)>] ins(%a, %b : tensor<3x5x4xf32>, tensor<3x5x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// matvec: f16 into f32, with an attribute
func.func @f(%a: tensor<4x5xf16>, %b: tensor<5xf16>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.matvec {some.flag} ins(%a, %b : tensor<4x5xf16>, tensor<5xf16>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
// vecmat: f32
func.func @f(%a: tensor<5xf32>, %b: tensor<5x6xf32>, %c: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.vecmat ins(%a, %b : tensor<5xf32>, tensor<5x6xf32>) outs(%c : tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----
// batch_matvec: f32
func.func @f(%a: tensor<3x4x5xf32>, %b: tensor<3x5xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.batch_matvec ins(%a, %b : tensor<3x4x5xf32>, tensor<3x5xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----
// batch_vecmat: f32
func.func @f(%a: tensor<3x5xf32>, %b: tensor<3x5x6xf32>, %c: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %r = linalg.batch_vecmat ins(%a, %b : tensor<3x5xf32>, tensor<3x5x6xf32>) outs(%c : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %r : tensor<3x6xf32>
}

// -----
// dot: f32
func.func @f(%a: tensor<5xf32>, %b: tensor<5xf32>, %c: tensor<f32>) -> tensor<f32> {
  %r = linalg.dot ins(%a, %b : tensor<5xf32>, tensor<5xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----
// dot: i8 into i32, on buffers
func.func @f(%a: memref<?xi8>, %b: memref<?xi8>, %c: memref<i32>) {
  linalg.dot ins(%a, %b : memref<?xi8>, memref<?xi8>) outs(%c : memref<i32>)
  return
}

// -----
// contract: a matmul of f16 into f32
func.func @f(%a: tensor<4x5xf16>, %b: tensor<5x6xf16>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x5xf16>, tensor<5x6xf16>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----
// contract: unsigned, with an attribute
func.func @f(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] {cast = #linalg.type_fn<cast_unsigned>, some.flag} ins(%a, %b : tensor<4x5xi8>, tensor<5x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}

// -----
// contract: batched, everything transposed
func.func @f(%a: tensor<5x4x3xf32>, %b: tensor<6x3x5xf32>, %c: tensor<6x3x4xf32>) -> tensor<6x3x4xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (k, m, b)>, affine_map<(b, m, n, k) -> (n, b, k)>, affine_map<(b, m, n, k) -> (n, b, m)>] ins(%a, %b : tensor<5x4x3xf32>, tensor<6x3x5xf32>) outs(%c : tensor<6x3x4xf32>) -> tensor<6x3x4xf32>
  return %r : tensor<6x3x4xf32>
}

// -----
// contract: a dot product, on buffers
func.func @f(%a: memref<5xf32>, %b: memref<5xf32>, %c: memref<f32>) {
  linalg.contract indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>] ins(%a, %b : memref<5xf32>, memref<5xf32>) outs(%c : memref<f32>)
  return
}

// -----
// contract: two summed loops, one broadcast
func.func @f(%a: tensor<5x7xf32>, %b: tensor<7x5x?xf32>, %c: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (k, l)>, affine_map<(m, n, k, l) -> (l, k, n)>, affine_map<(m, n, k, l) -> (m, n)>] ins(%a, %b : tensor<5x7xf32>, tensor<7x5x?xf32>) outs(%c : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// -----
// reduce: the short form
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x6xf32>) outs(%o : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----
// reduce: the short form with attributes
func.func @f(%x: tensor<4x6xi32>, %o: tensor<6xi32>, %y: tensor<4x6xf32>, %p: tensor<6xf32>) -> (tensor<6xi32>, tensor<6xf32>) {
  %0 = linalg.reduce { arith.addi {overflowFlags = #arith.overflow<nsw>} } ins(%x : tensor<4x6xi32>) outs(%o : tensor<6xi32>) dimensions = [0] {some.flag}
  %1 = linalg.reduce { arith.mulf {fastmath = #arith.fastmath<fast>} } ins(%y : tensor<4x6xf32>) outs(%p : tensor<6xf32>) dimensions = [0]
  return %0, %1 : tensor<6xi32>, tensor<6xf32>
}

// -----
// reduce: the long form, the operands in the other order
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce ins(%x : tensor<4x6xf32>) outs(%o : tensor<4xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %0 = arith.maximumf %a, %b : f32
      linalg.yield %0 : f32
    }
  return %r : tensor<4xf32>
}

// -----
// reduce: the long form of what is short
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce ins(%x : tensor<4x6xf32>) outs(%o : tensor<4xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %0 = arith.maximumf %b, %a : f32
      linalg.yield %0 : f32
    }
  return %r : tensor<4xf32>
}

// -----
// reduce: several ops in the body
func.func @f(%x: tensor<4x6xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce ins(%x : tensor<4x6xf32>) outs(%o : tensor<4xf32>) dimensions = [1] {some.flag}
    (%a: f32, %b: f32) {
      %0 = math.exp %a : f32
      %1 = arith.addf %b, %0 : f32
      linalg.yield %1 : f32
    }
  return %r : tensor<4xf32>
}

// -----
// reduce: two inputs and two outputs: the largest and where it is
func.func @f(%x: tensor<4x6xf32>, %i: tensor<4x6xi32>, %o: tensor<4xf32>, %p: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r:2 = linalg.reduce ins(%x, %i : tensor<4x6xf32>, tensor<4x6xi32>) outs(%o, %p : tensor<4xf32>, tensor<4xi32>) dimensions = [1]
    (%a: f32, %n: i32, %b: f32, %m: i32) {
      %c = arith.cmpf ogt, %a, %b : f32
      %0 = arith.select %c, %a, %b : f32
      %1 = arith.select %c, %n, %m : i32
      linalg.yield %0, %1 : f32, i32
    }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}

// -----
// reduce: every dimension, several, none
func.func @f(%x: tensor<4x?x6xf32>, %z: tensor<f32>, %v: tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>, tensor<4x?x6xf32>) {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x?x6xf32>) outs(%z : tensor<f32>) dimensions = [0, 1, 2]
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<4x?x6xf32>) outs(%v : tensor<?xf32>) dimensions = [0, 2]
  %2 = linalg.reduce { arith.addf } ins(%x : tensor<4x?x6xf32>) outs(%x : tensor<4x?x6xf32>) dimensions = []
  return %0, %1, %2 : tensor<f32>, tensor<?xf32>, tensor<4x?x6xf32>
}

// -----
// reduce: on buffers, short and long
func.func @f(%x: memref<4x6xf32>, %o: memref<4xf32>) {
  linalg.reduce { arith.minimumf } ins(%x : memref<4x6xf32>) outs(%o : memref<4xf32>) dimensions = [1]
  linalg.reduce ins(%x : memref<4x6xf32>) outs(%o : memref<4xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %0 = arith.subf %a, %b : f32
      linalg.yield %0 : f32
    }
  return
}

// -----
// broadcast: new dimensions at the front, in the middle, none
func.func @f(%v: tensor<?x6xf32>, %o: tensor<4x?x6xf32>, %p: tensor<?x4x6xf32>) -> (tensor<4x?x6xf32>, tensor<?x4x6xf32>, tensor<?x6xf32>) {
  %0 = linalg.broadcast ins(%v : tensor<?x6xf32>) outs(%o : tensor<4x?x6xf32>) dimensions = [0]
  %1 = linalg.broadcast ins(%v : tensor<?x6xf32>) outs(%p : tensor<?x4x6xf32>) dimensions = [1]
  %2 = linalg.broadcast ins(%v : tensor<?x6xf32>) outs(%v : tensor<?x6xf32>) dimensions = []
  return %0, %1, %2 : tensor<4x?x6xf32>, tensor<?x4x6xf32>, tensor<?x6xf32>
}

// -----
// broadcast: of one element, on buffers, with an attribute
func.func @f(%z: tensor<f16>, %o: tensor<4x6xf16>, %m: memref<6xf32>, %n: memref<4x6xf32>) -> tensor<4x6xf16> {
  %r = linalg.broadcast ins(%z : tensor<f16>) outs(%o : tensor<4x6xf16>) dimensions = [0, 1]
  linalg.broadcast ins(%m : memref<6xf32>) outs(%n : memref<4x6xf32>) dimensions = [0] {some.flag}
  return %r : tensor<4x6xf16>
}

// -----
// transpose: of three dimensions, on buffers
func.func @f(%x: tensor<2x?x4xf32>, %o: tensor<4x2x?xf32>, %m: memref<2x3xi8>, %n: memref<3x2xi8>) -> tensor<4x2x?xf32> {
  %0 = linalg.transpose ins(%x : tensor<2x?x4xf32>) outs(%o : tensor<4x2x?xf32>) permutation = [2, 0, 1]
  linalg.transpose ins(%m : memref<2x3xi8>) outs(%n : memref<3x2xi8>) permutation = [1, 0] {some.flag}
  return %0 : tensor<4x2x?xf32>
}

// -----
// softmax: tensors and buffers
func.func @f(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4x6xf16>) -> tensor<4x?xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = linalg.softmax {some.flag} dimension(0) ins(%0 : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.softmax dimension(1) ins(%m : memref<4x6xf16>) outs(%m : memref<4x6xf16>)
  return %1 : tensor<4x?xf32>
}

// -----
// map: short form, with attributes, on buffers
func.func @f(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %o: tensor<4x?xf32>, %m: memref<4xf16>) -> tensor<4x?xf32> {
  %0 = linalg.map { arith.addf } ins(%x, %y : tensor<4x?xf32>, tensor<4x?xf32>) outs(%o : tensor<4x?xf32>)
  %1 = linalg.map { math.absf {fastmath = #arith.fastmath<fast>} } ins(%0 : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) {some.flag}
  linalg.map { math.exp } ins(%m : memref<4xf16>) outs(%m : memref<4xf16>)
  return %1 : tensor<4x?xf32>
}

// -----
// map: a body of several ops, one that reads the output, one without inputs
func.func @f(%x: tensor<4xi8>, %y: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.map ins(%x, %y : tensor<4xi8>, tensor<4xf32>) outs(%o : tensor<4xf32>) (%a: i8, %b: f32, %c: f32) {
    %i = linalg.index 0 : index
    %n = arith.sitofp %a : i8 to f32
    %s = arith.mulf %n, %b : f32
    linalg.yield %s : f32
  }
  %1 = linalg.map ins(%y : tensor<4xf32>) outs(%o : tensor<4xf32>) (%b: f32, %c: f32) {
    %s = arith.mulf %b, %c : f32
    linalg.yield %s : f32
  }
  %z = arith.constant 1.0 : f32
  %2 = linalg.map outs(%o : tensor<4xf32>) (%c: f32) {
    linalg.yield %z : f32
  }
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----
// quantized products and convolutions: zero points
func.func @f(%a: tensor<4x8xi8>, %b: tensor<8x?xi8>, %c: tensor<4x?xi32>, %p: i32, %q: i32, %x: memref<2x5x5x3xi8>, %w: memref<3x3x3x4xi8>, %o: memref<2x3x3x4xi32>) -> tensor<4x?xi32> {
  %0 = linalg.quantized_matmul ins(%a, %b, %p, %q : tensor<4x8xi8>, tensor<8x?xi8>, i32, i32) outs(%c : tensor<4x?xi32>) -> tensor<4x?xi32>
  linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>} ins(%x, %w, %p, %q : memref<2x5x5x3xi8>, memref<3x3x3x4xi8>, i32, i32) outs(%o : memref<2x3x3x4xi32>)
  return %0 : tensor<4x?xi32>
}

// -----
// fill_rng_2d
func.func @f(%low: f64, %high: f64, %seed: i32, %o: tensor<4x?xf32>, %m: memref<4x6xf64>) -> tensor<4x?xf32> {
  %0 = linalg.fill_rng_2d ins(%low, %high, %seed : f64, f64, i32) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.fill_rng_2d ins(%low, %high, %seed : f64, f64, i32) outs(%m : memref<4x6xf64>)
  return %0 : tensor<4x?xf32>
}

// -----
// pack: tiles, their order, padding, tiles of the run time
func.func @f(%x: tensor<20x?xf32>, %t: index, %zero: f32, %o: tensor<?x5x4x?xf32>, %p: tensor<20x?x8xf32>, %q: tensor<3x?x7xf32>) -> (tensor<?x5x4x?xf32>, tensor<20x?x8xf32>, tensor<3x?x7xf32>) {
  %0 = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, %t] into %o : tensor<20x?xf32> -> tensor<?x5x4x?xf32>
  %1 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [1] inner_tiles = [8] into %p {some.flag} : tensor<20x?xf32> -> tensor<20x?x8xf32>
  %2 = linalg.pack %x padding_value(%zero : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [7] into %q : tensor<20x?xf32> -> tensor<3x?x7xf32>
  return %0, %1, %2 : tensor<?x5x4x?xf32>, tensor<20x?x8xf32>, tensor<3x?x7xf32>
}

// -----
// unpack: tiles, their order, partial tiles, tiles of the run time
func.func @f(%x: tensor<?x5x4x?xf32>, %t: index, %o: tensor<20x?xf32>, %y: tensor<3x8xi8>, %p: tensor<17xi8>) -> (tensor<20x?xf32>, tensor<17xi8>) {
  %0 = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, %t] into %o : tensor<?x5x4x?xf32> -> tensor<20x?xf32>
  %1 = linalg.unpack %y inner_dims_pos = [0] inner_tiles = [8] into %p {some.flag} : tensor<3x8xi8> -> tensor<17xi8>
  return %0, %1 : tensor<20x?xf32>, tensor<17xi8>
}

// -----
// mmt4d, batch_mmt4d: products of packed factors
func.func @f(%a: tensor<2x?x4x5xf32>, %b: tensor<6x?x7x5xf32>, %c: tensor<2x6x4x7xf32>, %d: tensor<9x2x3x4x5xi8>, %e: tensor<9x6x3x7x5xi8>, %g: tensor<9x2x6x4x7xi32>) -> (tensor<2x6x4x7xf32>, tensor<9x2x6x4x7xi32>) {
  %0 = linalg.mmt4d {some.flag} ins(%a, %b : tensor<2x?x4x5xf32>, tensor<6x?x7x5xf32>) outs(%c : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  %1 = linalg.batch_mmt4d ins(%d, %e : tensor<9x2x3x4x5xi8>, tensor<9x6x3x7x5xi8>) outs(%g : tensor<9x2x6x4x7xi32>) -> tensor<9x2x6x4x7xi32>
  return %0, %1 : tensor<2x6x4x7xf32>, tensor<9x2x6x4x7xi32>
}
