// The plan for an outer loop was made before the inner one was pipelined.
// refused: another loop of the handle lies in this one; give it one of them at a time
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %0 = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %1 = transform.loop.pipeline %0 {read_latency = 2} : (!transform.op<"scf.for">) -> !transform.any_op
  transform.yield
}
func.func @f(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %0 = memref.load %a[%i, %j] : memref<4x8xf32>
      memref.store %0, %b[%i, %j] : memref<4x8xf32>
    }
  }
  return
}
}
