builtin.module @forms attributes {transform.with_named_sequence} {
  transform.named_sequence @taken(%op: !transform.op<"linalg.matmul"> {transform.consumed}, %size: !transform.param<i64> {transform.readonly}, %v: !transform.any_value {transform.readonly}) -> (!transform.any_op, !transform.any_op) {
    %op_1, %l = transform.structured.tile_using_for %op tile_sizes [%size] : (!transform.op<"linalg.matmul">, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %op_1, "tiled" : !transform.any_op
    transform.yield %op_1, %l : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @is_wide(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %rank, %width = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>) {
    ^bb0(%op_1: !transform.any_op):
      %rank_1 = transform.match.structured.rank %op_1 : (!transform.any_op) -> !transform.param<i64>
      %out = transform.match.structured.result %op_1[0] : (!transform.any_op) -> !transform.any_value
      %width_1 = transform.match.structured.elemental_bitwidth %out : (!transform.any_value) -> !transform.param<i64>
      transform.match.structured.yield %rank_1, %width_1 : !transform.param<i64>, !transform.param<i64>
    }
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.match.param.cmpi ne %rank, %four : !transform.param<i64>
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @marked(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "wide" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.op<"builtin.module"> {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.op<"builtin.module">) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.op<"linalg.matmul">
    %P = transform.tune.knob<"P"> options = [4, 8] {tilewright.default = 8 : i64} -> !transform.param<i64>
    %i = transform.param.constant 4 : i32 -> !transform.param<i32>
    %v = transform.get_result %mm[0] : (!transform.op<"linalg.matmul">) -> !transform.any_value
    %t, %l = transform.include @taken failures(suppress) (%mm, %P, %v) : (!transform.op<"linalg.matmul">, !transform.param<i64>, !transform.any_value) -> (!transform.any_op, !transform.any_op)
    %0 = transform.cast %l : !transform.any_op to !transform.op<"scf.for">
    %first, %rest = transform.loop.peel %0 : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %first {factor = 2 : i64} : !transform.any_op
    %p = transform.get_parent_op %rest {deduplicate, nth_parent = 1 : i64, op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.match ops{["linalg.generic"]} in %p : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.split %g after %P {dimension = 0 : i64} : !transform.any_op, !transform.param<i64>
    %a, %b = transform.split_handle %parts {overflow_result = 1 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %a_1 = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
    %a_2 = transform.structured.interchange %a_1 iterator_interchange = [1, 0, 2] : (!transform.any_op) -> !transform.any_op
    %made = transform.get_producer_of_operand %b[0] : (!transform.any_op) -> !transform.any_op
    %used = transform.get_consumers_of_result %b[0] : (!transform.any_op) -> !transform.any_op
    %some = transform.tilewright.pick %made at [2, 0] : (!transform.any_op) -> !transform.any_op
    %chain = transform.tilewright.match_role role "reduction" named "sums" in %p : (!transform.any_op) -> !transform.any_op
    %whole, %around = transform.tilewright.fuse_all %chain into %p : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %last, %streaming = transform.tilewright.stream %whole by %P along 2 : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %chunks, %merges = transform.tilewright.split_stream %last into 4 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %copies = transform.tilewright.recompute %some : (!transform.any_op) -> !transform.any_op
    %bodies = transform.tilewright.inline_producer %copies into %used : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %short = transform.tilewright.trim_loop %bodies : (!transform.any_op) -> !transform.any_op
    %whole_1, %cut = transform.tilewright.split_by_mask %short : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %i0, %i1 = transform.structured.fuse %made tile_sizes [%P, 4] interchange [1, 0] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %x_1, %tiles = transform.structured.tile_using_forall %x tile_sizes [%P] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %c = transform.loop.coalesce %i0 : (!transform.any_op) -> !transform.any_op
    %outlined, %call = transform.loop.outline %c {func_name = "kernel"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %one = transform.cast %used : !transform.any_op to !transform.op<"scf.for">
    %typed = transform.structured.match ops{["linalg.fill"]} filter_result_type = tensor<4xf32> in %root : (!transform.op<"builtin.module">) -> !transform.any_op
    %y, %threads = transform.structured.tile_using_forall %typed num_threads [%P, 2] (mapping = [#gpu.thread<x>, #gpu.thread<y>]) {note = "kept"} : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %loops = transform.foreach %one : !transform.op<"scf.for"> -> !transform.any_op {
    ^bb0(%each_one: !transform.op<"scf.for">):
      %z, %k = transform.structured.tile_using_for %each_one tile_sizes [2] : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
      transform.yield %k : !transform.any_op
    }
    transform.foreach %loops, %y with_zip_shortest : !transform.any_op, !transform.any_op {
    ^bb0(%q: !transform.any_op, %r: !transform.any_op):
      transform.annotate %q "pair" : !transform.any_op
    }
    %h = transform.alternatives %outlined : !transform.any_op -> !transform.any_op {
    ^bb0(%outlined_1: !transform.any_op):
      %w = transform.structured.match ops{["linalg.fill"]} in %outlined_1 : (!transform.any_op) -> !transform.any_op
      transform.structured.vectorize %w : !transform.any_op
      transform.yield %outlined_1 : !transform.any_op
    }, {
    ^bb0(%outlined_2: !transform.any_op):
      transform.apply_cse to %outlined_2 : !transform.any_op
      transform.yield %outlined_2 : !transform.any_op
    }
    transform.alternatives {
    ^bb0(%root_1: !transform.any_op):
      transform.apply_licm to %root_1 : !transform.any_op
    }, {
    ^bb0(%root_2: !transform.any_op):
      transform.apply_cse to %root_2 : !transform.any_op
    }
    %k_1 = transform.sequence %h : !transform.any_op -> !transform.any_op failures(suppress) {
    ^bb0(%h_1: !transform.any_op):
      transform.apply_patterns to %h_1 {
        transform.apply_patterns.canonicalization
      } : !transform.any_op
      transform.yield %h_1 : !transform.any_op
    }
    transform.sequence %k_1, %y : (!transform.any_op, !transform.any_op) failures(propagate) {
    ^bb0(%k_2: !transform.any_op, %y_1: !transform.any_op):
      transform.apply_cse to %k_2 : !transform.any_op
    }
    transform.print %k_1 {skip_regions} : !transform.any_op
    %padded, %pads, %back = transform.structured.pad %k_1 pad_to_multiple_of [4, %P] {padding_dimensions = [0 : i64, 1 : i64], padding_values = [0.000000e+00 : f32]} : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %simple = transform.structured.decompose_interface %padded : (!transform.any_op) -> !transform.any_op
    %flat = transform.tilewright.collapse_loops %simple by [2, 1] : (!transform.any_op) -> !transform.any_op
    %wide, %copies_1 = transform.tilewright.pad_rows %flat at [0, 1] to 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.tilewright.use_exp2 %wide : !transform.any_op
    %windows = transform.tilewright.gather_operands %wide : (!transform.any_op) -> !transform.any_op
    %sum, %part, %merged, %fill = transform.structured.split_reduction %simple {insert_split_dimension = 1 : i64, split_factor = 4 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %filled, %partial, %both, %loop = transform.structured.tile_reduction_using_for %sum by tile_sizes = [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %1 = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.annotate %loop "triton.ring" = %1 : !transform.any_op, !transform.param<i64>
    %2 = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.annotate %loop "triton.ping_pong" = %2 : !transform.any_op, !transform.param<i64>
    %3 = transform.param.constant 0 : i64 -> !transform.param<i64>
    transform.annotate %loop "triton.pinned" = %3 : !transform.any_op, !transform.param<i64>
    %4 = transform.param.constant 2 : i64 -> !transform.param<i64>
    transform.annotate %loop "triton.consumers" = %4 : !transform.any_op, !transform.param<i64>
    %5 = transform.param.constant 232 : i64 -> !transform.param<i64>
    transform.annotate %loop "triton.consumer_registers" = %5 : !transform.any_op, !transform.param<i64>
    %scales, %factors, %small, %scaled = transform.tilewright.quantize_matmul %both to f8E4M3FN {lhs_scale = 5.000000e-01 : f32, per_channel} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %funcs = transform.select "func.func" in %merged : (!transform.any_op) -> !transform.any_op
    %funcs_1 = transform.apply_registered_pass "canonicalize" to %funcs : (!transform.any_op) -> !transform.any_op
    %arguments = transform.get_operand %part[0, 1] : (!transform.any_op) -> !transform.any_value
    %root_1 = transform.foreach_match in %root @is_wide -> @marked : (!transform.op<"builtin.module">) -> !transform.op<"builtin.module">
    %n = transform.num_associations %k_1 : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %n, "functions" at %k_1 : !transform.param<i64>, !transform.any_op
    transform.yield
  }
}
