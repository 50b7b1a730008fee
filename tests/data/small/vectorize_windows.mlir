// Each script brings its payload.
// -----
// conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x5x8xf32>
func.func @f(%a0: tensor<4x6x3xf32>, %a1: tensor<2x3x8xf32>, %o: tensor<4x5x8xf32>) -> tensor<4x5x8xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x6x3xf32>, tensor<2x3x8xf32>) outs(%o : tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
  return %r : tensor<4x5x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x5x8xf32>
func.func @f(%a0: tensor<4x6x3xf32>, %a1: tensor<2x3x8xf32>, %o: tensor<4x5x8xf32>) -> tensor<4x5x8xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x6x3xf32>, tensor<2x3x8xf32>) outs(%o : tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
  return %r : tensor<4x5x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}tensor<4x3x8xf32>
func.func @f(%a0: tensor<4x8x3xf32>, %a1: tensor<2x3x8xf32>, %o: tensor<4x3x8xf32>) -> tensor<4x3x8xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : tensor<4x8x3xf32>, tensor<2x3x8xf32>) outs(%o : tensor<4x3x8xf32>) -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}tensor<4x3x8xf32>
func.func @f(%a0: tensor<4x8x3xf32>, %a1: tensor<2x3x8xf32>, %o: tensor<4x3x8xf32>) -> tensor<4x3x8xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : tensor<4x8x3xf32>, tensor<2x3x8xf32>) outs(%o : tensor<4x3x8xf32>) -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_1d_nwc_wcf{dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x5x8xf32>
func.func @f(%a0: tensor<4x7x3xf32>, %a1: tensor<2x3x8xf32>, %o: tensor<4x5x8xf32>) -> tensor<4x5x8xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x7x3xf32>, tensor<2x3x8xf32>) outs(%o : tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
  return %r : tensor<4x5x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1d_nwc_wcf{dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x5x8xf32>
func.func @f(%a0: tensor<4x7x3xf32>, %a1: tensor<2x3x8xf32>, %o: tensor<4x5x8xf32>) -> tensor<4x5x8xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x7x3xf32>, tensor<2x3x8xf32>) outs(%o : tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
  return %r : tensor<4x5x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}memref<4x2x8xf32>
func.func @f(%a0: memref<4x6x3xf32>, %a1: memref<1x3x8xf32>, %o: memref<4x2x8xf32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : memref<4x6x3xf32>, memref<1x3x8xf32>) outs(%o : memref<4x2x8xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}memref<4x2x8xf32>
func.func @f(%a0: memref<4x6x3xf32>, %a1: memref<1x3x8xf32>, %o: memref<4x2x8xf32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : memref<4x6x3xf32>, memref<1x3x8xf32>) outs(%o : memref<4x2x8xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_1d_ncw_fcw{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}tensor<4x8x2xf32>
func.func @f(%a0: tensor<4x3x6xf32>, %a1: tensor<8x3x1xf32>, %o: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : tensor<4x3x6xf32>, tensor<8x3x1xf32>) outs(%o : tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  return %r : tensor<4x8x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_ncw_fcw"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1d_ncw_fcw{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}tensor<4x8x2xf32>
func.func @f(%a0: tensor<4x3x6xf32>, %a1: tensor<8x3x1xf32>, %o: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : tensor<4x3x6xf32>, tensor<8x3x1xf32>) outs(%o : tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  return %r : tensor<4x8x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<1x2x1xi32>
func.func @f(%a0: tensor<1x2x3xi8>, %a1: tensor<1x3x1xi8>, %o: tensor<1x2x1xi32>) -> tensor<1x2x1xi32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<1x2x3xi8>, tensor<1x3x1xi8>) outs(%o : tensor<1x2x1xi32>) -> tensor<1x2x1xi32>
  return %r : tensor<1x2x1xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<1x2x1xi32>
func.func @f(%a0: tensor<1x2x3xi8>, %a1: tensor<1x3x1xi8>, %o: tensor<1x2x1xi32>) -> tensor<1x2x1xi32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<1x2x3xi8>, tensor<1x3x1xi8>) outs(%o : tensor<1x2x1xi32>) -> tensor<1x2x1xi32>
  return %r : tensor<1x2x1xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_1dtensor<5xf32>
func.func @f(%a0: tensor<8xf32>, %a1: tensor<4xf32>, %o: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.conv_1d  ins(%a0, %a1 : tensor<8xf32>, tensor<4xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1dtensor<5xf32>
func.func @f(%a0: tensor<8xf32>, %a1: tensor<4xf32>, %o: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.conv_1d  ins(%a0, %a1 : tensor<8xf32>, tensor<4xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv depthwise_conv_1d_nwc_wc{dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<3x2x4xf32>
func.func @f(%a0: tensor<3x5x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<3x5x4xf32>, tensor<2x4xf32>) outs(%o : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %r : tensor<3x2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv depthwise_conv_1d_nwc_wc{dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<3x2x4xf32>
func.func @f(%a0: tensor<3x5x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<3x5x4xf32>, tensor<2x4xf32>) outs(%o : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %r : tensor<3x2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv depthwise_conv_1d_nwc_wc{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}memref<3x4x4xf32>
func.func @f(%a0: memref<3x5x4xf32>, %a1: memref<2x4xf32>, %o: memref<3x4x4xf32>) {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : memref<3x5x4xf32>, memref<2x4xf32>) outs(%o : memref<3x4x4xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv depthwise_conv_1d_nwc_wc{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}memref<3x4x4xf32>
func.func @f(%a0: memref<3x5x4xf32>, %a1: memref<2x4xf32>, %o: memref<3x4x4xf32>) {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : memref<3x5x4xf32>, memref<2x4xf32>) outs(%o : memref<3x4x4xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv pooling_nwc_sum{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x4x3xf32>
func.func @f(%a0: tensor<4x4x3xf32>, %a1: tensor<1xf32>, %o: tensor<4x4x3xf32>) -> tensor<4x4x3xf32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x4x3xf32>, tensor<1xf32>) outs(%o : tensor<4x4x3xf32>) -> tensor<4x4x3xf32>
  return %r : tensor<4x4x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.pooling_nwc_sum"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv pooling_nwc_sum{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x4x3xf32>
func.func @f(%a0: tensor<4x4x3xf32>, %a1: tensor<1xf32>, %o: tensor<4x4x3xf32>) -> tensor<4x4x3xf32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x4x3xf32>, tensor<1xf32>) outs(%o : tensor<4x4x3xf32>) -> tensor<4x4x3xf32>
  return %r : tensor<4x4x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv pooling_nwc_max{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x3x3xf32>
func.func @f(%a0: tensor<4x4x3xf32>, %a1: tensor<2xf32>, %o: tensor<4x3x3xf32>) -> tensor<4x3x3xf32> {
  %r = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x4x3xf32>, tensor<2xf32>) outs(%o : tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  return %r : tensor<4x3x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.pooling_nwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv pooling_nwc_max{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x3x3xf32>
func.func @f(%a0: tensor<4x4x3xf32>, %a1: tensor<2xf32>, %o: tensor<4x3x3xf32>) -> tensor<4x3x3xf32> {
  %r = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x4x3xf32>, tensor<2xf32>) outs(%o : tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  return %r : tensor<4x3x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv pooling_ncw_sum{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x3x3xf32>
func.func @f(%a0: tensor<4x3x4xf32>, %a1: tensor<2xf32>, %o: tensor<4x3x3xf32>) -> tensor<4x3x3xf32> {
  %r = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x3x4xf32>, tensor<2xf32>) outs(%o : tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  return %r : tensor<4x3x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.pooling_ncw_sum"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv pooling_ncw_sum{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x3x3xf32>
func.func @f(%a0: tensor<4x3x4xf32>, %a1: tensor<2xf32>, %o: tensor<4x3x3xf32>) -> tensor<4x3x3xf32> {
  %r = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x3x4xf32>, tensor<2xf32>) outs(%o : tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  return %r : tensor<4x3x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_2d_nhwc_hwcf{dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}tensor<1x3x3x8xf32>
func.func @f(%a0: tensor<1x4x4x3xf32>, %a1: tensor<2x2x3x8xf32>, %o: tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%a0, %a1 : tensor<1x4x4x3xf32>, tensor<2x2x3x8xf32>) outs(%o : tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>
  return %r : tensor<1x3x3x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_2d_nhwc_hwcf{dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}tensor<1x3x3x8xf32>
func.func @f(%a0: tensor<1x4x4x3xf32>, %a1: tensor<2x2x3x8xf32>, %o: tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%a0, %a1 : tensor<1x4x4x3xf32>, tensor<2x2x3x8xf32>) outs(%o : tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>
  return %r : tensor<1x3x3x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// children conv flat
func.func @f(%a: tensor<3x5x4xf32>, %b: tensor<2x4xf32>, %o: tensor<3x4x4xf32>) -> tensor<3x4x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<3x5x4xf32>, tensor<2x4xf32>) outs(%o : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %r : tensor<3x4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {flatten_1d_depthwise_conv} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// children conv flat i8
func.func @f(%a: tensor<3x5x4xi8>, %b: tensor<2x4xi8>, %o: tensor<3x2x4xi32>) -> tensor<3x2x4xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<3x5x4xi8>, tensor<2x4xi8>) outs(%o : tensor<3x2x4xi32>) -> tensor<3x2x4xi32>
  return %r : tensor<3x2x4xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {flatten_1d_depthwise_conv} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// children conv i8 depthwise
func.func @f(%a: tensor<3x5x4xi8>, %b: tensor<2x4xi8>, %o: tensor<3x2x4xi32>) -> tensor<3x2x4xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<3x5x4xi8>, tensor<2x4xi8>) outs(%o : tensor<3x2x4xi32>) -> tensor<3x2x4xi32>
  return %r : tensor<3x2x4xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv depthwise_conv_1d_nwc_wc{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}tensor<3x2x4xf32>
func.func @f(%a0: tensor<3x7x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : tensor<3x7x4xf32>, tensor<2x4xf32>) outs(%o : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %r : tensor<3x2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv depthwise_conv_1d_nwc_wc{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}tensor<3x2x4xf32>
func.func @f(%a0: tensor<3x7x4xf32>, %a1: tensor<2x4xf32>, %o: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : tensor<3x7x4xf32>, tensor<2x4xf32>) outs(%o : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %r : tensor<3x2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<1x2x1xf32>
func.func @f(%a0: tensor<1x2x3xf16>, %a1: tensor<1x3x1xf16>, %o: tensor<1x2x1xf32>) -> tensor<1x2x1xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<1x2x3xf16>, tensor<1x3x1xf16>) outs(%o : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  return %r : tensor<1x2x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1d_nwc_wcf{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<1x2x1xf32>
func.func @f(%a0: tensor<1x2x3xf16>, %a1: tensor<1x3x1xf16>, %o: tensor<1x2x1xf32>) -> tensor<1x2x1xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<1x2x3xf16>, tensor<1x3x1xf16>) outs(%o : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  return %r : tensor<1x2x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv pooling_nwc_sum{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x4x3xi32>
func.func @f(%a0: tensor<4x4x3xi8>, %a1: tensor<1xi8>, %o: tensor<4x4x3xi32>) -> tensor<4x4x3xi32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x4x3xi8>, tensor<1xi8>) outs(%o : tensor<4x4x3xi32>) -> tensor<4x4x3xi32>
  return %r : tensor<4x4x3xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.pooling_nwc_sum"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv pooling_nwc_sum{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x4x3xi32>
func.func @f(%a0: tensor<4x4x3xi8>, %a1: tensor<1xi8>, %o: tensor<4x4x3xi32>) -> tensor<4x4x3xi32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x4x3xi8>, tensor<1xi8>) outs(%o : tensor<4x4x3xi32>) -> tensor<4x4x3xi32>
  return %r : tensor<4x4x3xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv pooling_nwc_sum{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}tensor<4x2x3xf32>
func.func @f(%a0: tensor<4x6x3xf32>, %a1: tensor<1xf32>, %o: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : tensor<4x6x3xf32>, tensor<1xf32>) outs(%o : tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  return %r : tensor<4x2x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.pooling_nwc_sum"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv pooling_nwc_sum{dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>}tensor<4x2x3xf32>
func.func @f(%a0: tensor<4x6x3xf32>, %a1: tensor<1xf32>, %o: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<3> : vector<1xi64>} ins(%a0, %a1 : tensor<4x6x3xf32>, tensor<1xf32>) outs(%o : tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  return %r : tensor<4x2x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv pooling_nwc_max_unsigned{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x3x3xi32>
func.func @f(%a0: tensor<4x4x3xi32>, %a1: tensor<2xi32>, %o: tensor<4x3x3xi32>) -> tensor<4x3x3xi32> {
  %r = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x4x3xi32>, tensor<2xi32>) outs(%o : tensor<4x3x3xi32>) -> tensor<4x3x3xi32>
  return %r : tensor<4x3x3xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.pooling_nwc_max_unsigned"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv pooling_nwc_max_unsigned{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x3x3xi32>
func.func @f(%a0: tensor<4x4x3xi32>, %a1: tensor<2xi32>, %o: tensor<4x3x3xi32>) -> tensor<4x3x3xi32> {
  %r = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x4x3xi32>, tensor<2xi32>) outs(%o : tensor<4x3x3xi32>) -> tensor<4x3x3xi32>
  return %r : tensor<4x3x3xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv pooling_ncw_max{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x3x3xf32>
func.func @f(%a0: tensor<4x3x4xf32>, %a1: tensor<2xf32>, %o: tensor<4x3x3xf32>) -> tensor<4x3x3xf32> {
  %r = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x3x4xf32>, tensor<2xf32>) outs(%o : tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  return %r : tensor<4x3x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.pooling_ncw_max"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv pooling_ncw_max{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x3x3xf32>
func.func @f(%a0: tensor<4x3x4xf32>, %a1: tensor<2xf32>, %o: tensor<4x3x3xf32>) -> tensor<4x3x3xf32> {
  %r = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x3x4xf32>, tensor<2xf32>) outs(%o : tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  return %r : tensor<4x3x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// conv conv_1d_ncw_fcw{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x8x5xf32>
func.func @f(%a0: tensor<4x3x6xf32>, %a1: tensor<8x3x2xf32>, %o: tensor<4x8x5xf32>) -> tensor<4x8x5xf32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x3x6xf32>, tensor<8x3x2xf32>) outs(%o : tensor<4x8x5xf32>) -> tensor<4x8x5xf32>
  return %r : tensor<4x8x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_ncw_fcw"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children conv conv_1d_ncw_fcw{dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}tensor<4x8x5xf32>
func.func @f(%a0: tensor<4x3x6xf32>, %a1: tensor<8x3x2xf32>, %o: tensor<4x8x5xf32>) -> tensor<4x8x5xf32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a0, %a1 : tensor<4x3x6xf32>, tensor<8x3x2xf32>) outs(%o : tensor<4x8x5xf32>) -> tensor<4x8x5xf32>
  return %r : tensor<4x8x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// dw conv dyn channel
func.func @f(%a: tensor<1x8x?xi8>, %b: tensor<1x?xi8>, %c: tensor<1x8x?xi8>) -> tensor<1x8x?xi8> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<1x8x?xi8>, tensor<1x?xi8>) outs(%c : tensor<1x8x?xi8>) -> tensor<1x8x?xi8>
  return %0 : tensor<1x8x?xi8>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [1, 8, 4, 1] : !transform.any_op
    transform.yield
  }
// -----
// dw conv dyn channel memref dilated
func.func @f(%a: memref<3x5x?xf32>, %b: memref<2x?xf32>, %c: memref<3x2x?xf32>) {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : memref<3x5x?xf32>, memref<2x?xf32>) outs(%c : memref<3x2x?xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [3, 2, 4, 2] : !transform.any_op
    transform.yield
  }
// -----
// dw conv static with sizes
func.func @f(%a: tensor<1x8x3xi8>, %b: tensor<1x3xi8>, %c: tensor<1x8x3xi8>) -> tensor<1x8x3xi8> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<1x8x3xi8>, tensor<1x3xi8>) outs(%c : tensor<1x8x3xi8>) -> tensor<1x8x3xi8>
  return %0 : tensor<1x8x3xi8>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [1, 8, 4, 1] : !transform.any_op
    transform.yield
  }
// -----
// dw conv dynamic width
func.func @f(%a: tensor<1x?x3xi8>, %b: tensor<1x3xi8>, %c: tensor<1x?x3xi8>) -> tensor<1x?x3xi8> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<1x?x3xi8>, tensor<1x3xi8>) outs(%c : tensor<1x?x3xi8>) -> tensor<1x?x3xi8>
  return %0 : tensor<1x?x3xi8>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [1, 8, 3, 1] : !transform.any_op
    transform.yield
  }
// -----
// dw conv strided dynamic
func.func @f(%a: tensor<3x4x?xf32>, %b: tensor<2x?xf32>, %c: tensor<3x2x?xf32>) -> tensor<3x2x?xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%a, %b : tensor<3x4x?xf32>, tensor<2x?xf32>) outs(%c : tensor<3x2x?xf32>) -> tensor<3x2x?xf32>
  return %0 : tensor<3x2x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [3, 2, 4, 2] : !transform.any_op
    transform.yield
  }
// -----
// dw conv dynamic batch
func.func @f(%a: tensor<?x8x3xi8>, %b: tensor<1x3xi8>, %c: tensor<?x8x3xi8>) -> tensor<?x8x3xi8> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<?x8x3xi8>, tensor<1x3xi8>) outs(%c : tensor<?x8x3xi8>) -> tensor<?x8x3xi8>
  return %0 : tensor<?x8x3xi8>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [1, 8, 3, 1] : !transform.any_op
    transform.yield
  }
// -----
// dw conv dynamic too few
func.func @f(%a: tensor<1x8x?xi8>, %b: tensor<1x?xi8>, %c: tensor<1x8x?xi8>) -> tensor<1x8x?xi8> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%a, %b : tensor<1x8x?xi8>, tensor<1x?xi8>) outs(%c : tensor<1x8x?xi8>) -> tensor<1x8x?xi8>
  return %0 : tensor<1x8x?xi8>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.depthwise_conv_1d_nwc_wc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m : !transform.any_op
    transform.yield
  }
