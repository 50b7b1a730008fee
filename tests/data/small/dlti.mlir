module attributes {test.x = #dlti.map<"A" = 42 : i64, i32 = 7 : i32, "B" = #dlti.map<"C" = "text">>} {
  func.func private @f()
  func.func private @g() attributes {my.attr = #dlti.dl_spec<index = 32 : i32, #dlti.dl_entry<"dlti.endianness", "big">>}
  func.func @with_body() {
    "dummy.op"() : () -> ()
    return
  }
}

// -----
// by a string
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query ["A"] at %f : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}
// -----
// by two
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query ["B", "C"] at %f : (!transform.any_op) -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  %q = transform.dlti.query ["B"] at %f : (!transform.any_op) -> !transform.any_param
  transform.debug.emit_param_as_remark %q : !transform.any_param
  transform.yield
}
// -----
// by a type
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query [i32] at %f : (!transform.any_op) -> !transform.param<i32>
  transform.debug.emit_param_as_remark %p : !transform.param<i32>
  transform.yield
}
// -----
// several ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %x:3 = transform.split_handle %f : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %y = transform.merge_handles %x#0, %x#2 : !transform.any_op
  %p = transform.dlti.query ["A"] at %y : (!transform.any_op) -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  %q = transform.dlti.query ["dlti.endianness"] at %x#1 : (!transform.any_op) -> !transform.any_param
  transform.debug.emit_param_as_remark %q : !transform.any_param
  transform.yield
}
// -----
// a key that is not there
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query ["X"] at %f : (!transform.any_op) -> !transform.any_param
  transform.yield
}
// -----
// hidden by a nearer table
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %x:3 = transform.split_handle %f : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %p = transform.dlti.query ["A"] at %x#1 : (!transform.any_op) -> !transform.any_param
  transform.yield
}
// -----
// not a table
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query ["A", "B"] at %f : (!transform.any_op) -> !transform.any_param
  transform.yield
}
// -----
// no table
func.func @f() {
  "dummy.op"() : () -> ()
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query ["A", "B"] at %f : (!transform.any_op) -> !transform.any_param
  transform.yield
}
// -----
// no keys
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query [] at %f : (!transform.any_op) -> !transform.any_param
  transform.yield
}
// -----
// a number as key
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query [1] at %f : (!transform.any_op) -> !transform.any_param
  transform.yield
}
// -----
// devices
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"cores" = 4 : i32>, "GPU" = #dlti.target_device_spec<"cores" = 8 : i32>>} {
  func.func @h() {
    "dummy.op"() : () -> ()
    return
  }
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.dlti.query ["GPU", "cores"] at %f : (!transform.any_op) -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}
// -----
// a key twice
module attributes {x.y = #dlti.map<"a" = 1 : i32, "a" = 2 : i32>} {
  func.func private @h()
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
// -----
// a device that is none
module attributes {x.y = #dlti.target_system_spec<"CPU" = 4 : i32>} {
  func.func private @h()
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
