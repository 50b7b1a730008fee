func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// -----
// img2col of conv_2d_nhwc_hwcf 1x16x16x4,3x3x4x16,1x14x14x16 
func.func @f(%x: tensor<1x16x16x4xf32>, %w: tensor<3x3x4x16xf32>, %o: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%o : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %r : tensor<1x14x14x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of conv_2d_nhwc_hwcf 2x16x16x4,3x3x4x16,2x7x5x16 strides = dense<[2, 3]> : tensor<2xi64>
func.func @f(%x: tensor<2x16x16x4xf16>, %w: tensor<3x3x4x16xf16>, %o: tensor<2x7x5x16xf32>) -> tensor<2x7x5x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 3]> : tensor<2xi64>} ins(%x, %w : tensor<2x16x16x4xf16>, tensor<3x3x4x16xf16>) outs(%o : tensor<2x7x5x16xf32>) -> tensor<2x7x5x16xf32>
  return %r : tensor<2x7x5x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of conv_2d_nhwc_hwcf 1x3x4x4,3x1x4x16,1x1x4x16 strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>
func.func @f(%x: tensor<1x3x4x4xf32>, %w: tensor<3x1x4x16xf32>, %o: tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x3x4x4xf32>, tensor<3x1x4x16xf32>) outs(%o : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
  return %r : tensor<1x1x4x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of conv_2d_nhwc_fhwc 1x16x16x4,16x3x3x4,1x14x14x16 
func.func @f(%x: tensor<1x16x16x4xf32>, %w: tensor<16x3x3x4xf32>, %o: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x16x16x4xf32>, tensor<16x3x3x4xf32>) outs(%o : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %r : tensor<1x14x14x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of conv_2d_nchw_fchw 8x4x16x16,16x4x3x3,8x16x14x14 
func.func @f(%x: tensor<8x4x16x16xf32>, %w: tensor<16x4x3x3xf32>, %o: tensor<8x16x14x14xf32>) -> tensor<8x16x14x14xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<8x4x16x16xf32>, tensor<16x4x3x3xf32>) outs(%o : tensor<8x16x14x14xf32>) -> tensor<8x16x14x14xf32>
  return %r : tensor<8x16x14x14xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of conv_2d_nchw_fchw 8x4x16x16,16x4x1x1,8x16x16x16 
func.func @f(%x: tensor<8x4x16x16xi8>, %w: tensor<16x4x1x1xi8>, %o: tensor<8x16x16x16xi32>) -> tensor<8x16x16x16xi32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<8x4x16x16xi8>, tensor<16x4x1x1xi8>) outs(%o : tensor<8x16x16x16xi32>) -> tensor<8x16x16x16xi32>
  return %r : tensor<8x16x16x16xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of depthwise_conv_2d_nhwc_hwc 1x114x114x16,3x3x16,1x112x112x16 
func.func @f(%x: tensor<1x114x114x16xf32>, %w: tensor<3x3x16xf32>, %o: tensor<1x112x112x16xf32>) -> tensor<1x112x112x16xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x114x114x16xf32>, tensor<3x3x16xf32>) outs(%o : tensor<1x112x112x16xf32>) -> tensor<1x112x112x16xf32>
  return %r : tensor<1x112x112x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of depthwise_conv_2d_nhwc_hwc 1x114x114x16,3x3x16,1x56x56x16 strides = dense<2> : tensor<2xi64>
func.func @f(%x: tensor<1x114x114x16xf16>, %w: tensor<3x3x16xf16>, %o: tensor<1x56x56x16xf32>) -> tensor<1x56x56x16xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x114x114x16xf16>, tensor<3x3x16xf16>) outs(%o : tensor<1x56x56x16xf32>) -> tensor<1x56x56x16xf32>
  return %r : tensor<1x56x56x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col with dilations
func.func @f(%x: tensor<1x16x16x4xf32>, %w: tensor<3x3x4x16xf32>, %o: tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%o : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  return %r : tensor<1x12x12x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of open sizes
func.func @f(%x: tensor<?x16x16x4xf32>, %w: tensor<3x3x4x16xf32>, %o: tensor<?x14x14x16xf32>) -> tensor<?x14x14x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%o : tensor<?x14x14x16xf32>) -> tensor<?x14x14x16xf32>
  return %r : tensor<?x14x14x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of a depthwise batch
func.func @f(%x: tensor<2x114x114x16xf32>, %w: tensor<3x3x16xf32>, %o: tensor<2x112x112x16xf32>) -> tensor<2x112x112x16xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<2x114x114x16xf32>, tensor<3x3x16xf32>) outs(%o : tensor<2x112x112x16xf32>) -> tensor<2x112x112x16xf32>
  return %r : tensor<2x112x112x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of a 1-d convolution
func.func @f(%x: tensor<1x16x4xf32>, %w: tensor<3x4x16xf32>, %o: tensor<1x14x16xf32>) -> tensor<1x14x16xf32> {
  %r = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x16x4xf32>, tensor<3x4x16xf32>) outs(%o : tensor<1x14x16xf32>) -> tensor<1x14x16xf32>
  return %r : tensor<1x14x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// img2col of buffers
func.func @f(%x: memref<1x16x16x4xf32>, %w: memref<3x3x4x16xf32>, %o: memref<1x14x14x16xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x16x16x4xf32>, memref<3x3x4x16xf32>) outs(%o : memref<1x14x14x16xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %a "t.columns" : !transform.any_op
  transform.annotate %b "t.last" : !transform.any_op
  transform.yield
}
// -----
// transpose_conv2d
func.func @f(%x: tensor<1x16x16x4xf32>, %w: tensor<16x3x3x4xf32>, %o: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x16x16x4xf32>, tensor<16x3x3x4xf32>) outs(%o : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %r : tensor<1x14x14x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.transpose_conv2d %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// transpose_conv2d with steps, of open sizes
func.func @f(%x: tensor<?x16x16x4xf32>, %w: tensor<16x3x3x4xf32>, %o: tensor<?x6x12x16xf32>) -> tensor<?x6x12x16xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[2, 2]> : tensor<2xi64>} ins(%x, %w : tensor<?x16x16x4xf32>, tensor<16x3x3x4xf32>) outs(%o : tensor<?x6x12x16xf32>) -> tensor<?x6x12x16xf32>
  return %r : tensor<?x6x12x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.transpose_conv2d %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// transpose_conv2d of a quantized one
func.func @f(%x: tensor<1x16x16x4xi8>, %w: tensor<16x3x3x4xi8>, %p0: i32, %p1: i32, %o: tensor<1x14x14x16xi32>) -> tensor<1x14x14x16xi32> {
  %r = linalg.conv_2d_nhwc_fhwc_q ins(%x, %w, %p0, %p1 : tensor<1x16x16x4xi8>, tensor<16x3x3x4xi8>, i32, i32) outs(%o : tensor<1x14x14x16xi32>) -> tensor<1x14x14x16xi32>
  return %r : tensor<1x14x14x16xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc_q"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.transpose_conv2d %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// transpose_conv2d of buffers
func.func @f(%x: memref<1x16x16x4xf32>, %w: memref<16x3x3x4xf32>, %o: memref<1x14x14x16xf32>) {
  linalg.conv_2d_nhwc_fhwc ins(%x, %w : memref<1x16x16x4xf32>, memref<16x3x3x4xf32>) outs(%o : memref<1x14x14x16xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.transpose_conv2d %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// transpose_conv2d of an open filter
func.func @f(%x: tensor<1x16x16x4xf32>, %w: tensor<?x3x3x4xf32>, %o: tensor<1x14x14x?xf32>) -> tensor<1x14x14x?xf32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x16x16x4xf32>, tensor<?x3x3x4xf32>) outs(%o : tensor<1x14x14x?xf32>) -> tensor<1x14x14x?xf32>
  return %r : tensor<1x14x14x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.transpose_conv2d %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// transpose_conv2d of another layout
func.func @f(%x: tensor<1x16x16x4xf32>, %w: tensor<3x3x4x16xf32>, %o: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%o : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %r : tensor<1x14x14x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.transpose_conv2d %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose conv_2d_nhwc_hwcf 1x1x8x4,1x2x4x16,1x1x4x16 strides = dense<[1, 2]> : tensor<2xi64>, dilations = dense<[3, 1]> : tensor<2xi64>
func.func @f(%x: tensor<1x1x8x4xf32>, %w: tensor<1x2x4x16xf32>, %o: tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[1, 2]> : tensor<2xi64>, dilations = dense<[3, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x1x8x4xf32>, tensor<1x2x4x16xf32>) outs(%o : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
  return %r : tensor<1x1x4x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose conv_2d_nhwc_hwcf ?x?x1x?,?x1x?x?,?x?x1x? strides = dense<[2, 1]> : tensor<2xi64>
func.func @f(%x: tensor<?x?x1x?xf32>, %w: tensor<?x1x?x?xf32>, %o: tensor<?x?x1x?xf32>) -> tensor<?x?x1x?xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<?x?x1x?xf32>, tensor<?x1x?x?xf32>) outs(%o : tensor<?x?x1x?xf32>) -> tensor<?x?x1x?xf32>
  return %r : tensor<?x?x1x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose conv_2d_nhwc_hwcf ?x1x1x?,1x1x?x?,?x1x1x? 
func.func @f(%x: tensor<?x1x1x?xf32>, %w: tensor<1x1x?x?xf32>, %o: tensor<?x1x1x?xf32>) -> tensor<?x1x1x?xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x1x1x?xf32>, tensor<1x1x?x?xf32>) outs(%o : tensor<?x1x1x?xf32>) -> tensor<?x1x1x?xf32>
  return %r : tensor<?x1x1x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose conv_2d_nchw_fchw ?x?x1x?,?x?x1x?,?x?x1x? strides = dense<[1, 2]> : tensor<2xi64>
func.func @f(%x: tensor<?x?x1x?xf32>, %w: tensor<?x?x1x?xf32>, %o: tensor<?x?x1x?xf32>) -> tensor<?x?x1x?xf32> {
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %w : tensor<?x?x1x?xf32>, tensor<?x?x1x?xf32>) outs(%o : tensor<?x?x1x?xf32>) -> tensor<?x?x1x?xf32>
  return %r : tensor<?x?x1x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose depthwise_conv_2d_nhwc_hwc ?x1x?x?,1x?x?,?x1x?x? dilations = dense<[1, 2]> : tensor<2xi64>
func.func @f(%x: tensor<?x1x?x?xf32>, %w: tensor<1x?x?xf32>, %o: tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 2]> : tensor<2xi64>} ins(%x, %w : tensor<?x1x?x?xf32>, tensor<1x?x?xf32>) outs(%o : tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32>
  return %r : tensor<?x1x?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose depthwise_conv_2d_nhwc_hwc ?x?x1x?,?x1x?,?x?x1x? 
func.func @f(%x: tensor<?x?x1x?xf32>, %w: tensor<?x1x?xf32>, %o: tensor<?x?x1x?xf32>) -> tensor<?x?x1x?xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<?x?x1x?xf32>, tensor<?x1x?xf32>) outs(%o : tensor<?x?x1x?xf32>) -> tensor<?x?x1x?xf32>
  return %r : tensor<?x?x1x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose conv_2d 1x?,1x?,1x? 
func.func @f(%x: tensor<1x?xf32>, %w: tensor<1x?xf32>, %o: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %r = linalg.conv_2d ins(%x, %w : tensor<1x?xf32>, tensor<1x?xf32>) outs(%o : tensor<1x?xf32>) -> tensor<1x?xf32>
  return %r : tensor<1x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose conv_2d ?x1,?x1,?x1 
func.func @f(%x: tensor<?x1xf32>, %w: tensor<?x1xf32>, %o: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %r = linalg.conv_2d ins(%x, %w : tensor<?x1xf32>, tensor<?x1xf32>) outs(%o : tensor<?x1xf32>) -> tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose pooling_nhwc_sum ?x1x?x?,1x?,?x1x?x? strides = dense<[1, 2]> : tensor<2xi64>
func.func @f(%x: tensor<?x1x?x?xf32>, %w: tensor<1x?xf32>, %o: tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32> {
  %r = linalg.pooling_nhwc_sum {strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %w : tensor<?x1x?x?xf32>, tensor<1x?xf32>) outs(%o : tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32>
  return %r : tensor<?x1x?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nhwc_sum"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose pooling_nhwc_max ?x?x1x?,?x1,?x?x1x? 
func.func @f(%x: tensor<?x?x1x?xf32>, %w: tensor<?x1xf32>, %o: tensor<?x?x1x?xf32>) -> tensor<?x?x1x?xf32> {
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<?x?x1x?xf32>, tensor<?x1xf32>) outs(%o : tensor<?x?x1x?xf32>) -> tensor<?x?x1x?xf32>
  return %r : tensor<?x?x1x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nhwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose pooling_nhwc_max_unsigned 1x1x8x4,1x2,1x1x7x4 
func.func @f(%x: tensor<1x1x8x4xi8>, %w: tensor<1x2xi8>, %o: tensor<1x1x7x4xi32>) -> tensor<1x1x7x4xi32> {
  %r = linalg.pooling_nhwc_max_unsigned ins(%x, %w : tensor<1x1x8x4xi8>, tensor<1x2xi8>) outs(%o : tensor<1x1x7x4xi32>) -> tensor<1x1x7x4xi32>
  return %r : tensor<1x1x7x4xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nhwc_max_unsigned"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose pooling_nhwc_min 1x1x8x4,1x2,1x1x7x4 
func.func @f(%x: tensor<1x1x8x4xf32>, %w: tensor<1x2xf32>, %o: tensor<1x1x7x4xf32>) -> tensor<1x1x7x4xf32> {
  %r = linalg.pooling_nhwc_min ins(%x, %w : tensor<1x1x8x4xf32>, tensor<1x2xf32>) outs(%o : tensor<1x1x7x4xf32>) -> tensor<1x1x7x4xf32>
  return %r : tensor<1x1x7x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nhwc_min"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose pooling_nhwc_min_unsigned 1x1x8x4,1x2,1x1x7x4 
func.func @f(%x: tensor<1x1x8x4xi8>, %w: tensor<1x2xi8>, %o: tensor<1x1x7x4xi32>) -> tensor<1x1x7x4xi32> {
  %r = linalg.pooling_nhwc_min_unsigned ins(%x, %w : tensor<1x1x8x4xi8>, tensor<1x2xi8>) outs(%o : tensor<1x1x7x4xi32>) -> tensor<1x1x7x4xi32>
  return %r : tensor<1x1x7x4xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nhwc_min_unsigned"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose pooling_nchw_sum 1x4x1x8,1x2,1x4x1x7 
func.func @f(%x: tensor<1x4x1x8xf32>, %w: tensor<1x2xf32>, %o: tensor<1x4x1x7xf32>) -> tensor<1x4x1x7xf32> {
  %r = linalg.pooling_nchw_sum ins(%x, %w : tensor<1x4x1x8xf32>, tensor<1x2xf32>) outs(%o : tensor<1x4x1x7xf32>) -> tensor<1x4x1x7xf32>
  return %r : tensor<1x4x1x7xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nchw_sum"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose pooling_nchw_max 1x4x8x1,2x1,1x4x7x1 
func.func @f(%x: tensor<1x4x8x1xf32>, %w: tensor<2x1xf32>, %o: tensor<1x4x7x1xf32>) -> tensor<1x4x7x1xf32> {
  %r = linalg.pooling_nchw_max ins(%x, %w : tensor<1x4x8x1xf32>, tensor<2x1xf32>) outs(%o : tensor<1x4x7x1xf32>) -> tensor<1x4x7x1xf32>
  return %r : tensor<1x4x7x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nchw_max"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose conv_2d_nhwc_hwcf ?x3x8x?,1x2x?x?,?x3x7x? 
func.func @f(%x: tensor<?x3x8x?xf32>, %w: tensor<1x2x?x?xf32>, %o: tensor<?x3x7x?xf32>) -> tensor<?x3x7x?xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x3x8x?xf32>, tensor<1x2x?x?xf32>) outs(%o : tensor<?x3x7x?xf32>) -> tensor<?x3x7x?xf32>
  return %r : tensor<?x3x7x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose conv_2d_nhwc_fhwc 1x1x8x4,16x1x3x4,1x1x6x16 
func.func @f(%x: tensor<1x1x8x4xf32>, %w: tensor<16x1x3x4xf32>, %o: tensor<1x1x6x16xf32>) -> tensor<1x1x6x16xf32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x1x8x4xf32>, tensor<16x1x3x4xf32>) outs(%o : tensor<1x1x6x16xf32>) -> tensor<1x1x6x16xf32>
  return %r : tensor<1x1x6x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose depthwise_conv_2d_nchw_chw 1x4x1x8,4x1x3,1x4x1x6 
func.func @f(%x: tensor<1x4x1x8xf32>, %w: tensor<4x1x3xf32>, %o: tensor<1x4x1x6xf32>) -> tensor<1x4x1x6xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x4x1x8xf32>, tensor<4x1x3xf32>) outs(%o : tensor<1x4x1x6xf32>) -> tensor<1x4x1x6xf32>
  return %r : tensor<1x4x1x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_2d_nchw_chw"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// decompose buffers
func.func @f(%x: memref<1x1x8x4xf32>, %w: memref<1x2x4x16xf32>, %o: memref<1x1x7x16xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x1x8x4xf32>, memref<1x2x4x16xf32>) outs(%o : memref<1x1x7x16xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.decompose %c : (!transform.any_op) -> !transform.any_op
  transform.annotate %a "t.new" : !transform.any_op
  transform.yield
}
// -----
// generalize conv_2d_nhwc_hwcf ?x16x16x4,3x3x4x16,?x6x6x16 strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>
func.func @f(%x: tensor<?x16x16x4xf16>, %w: tensor<3x3x4x16xf16>, %o: tensor<?x6x6x16xf32>) -> tensor<?x6x6x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<?x16x16x4xf16>, tensor<3x3x4x16xf16>) outs(%o : tensor<?x6x6x16xf32>) -> tensor<?x6x6x16xf32>
  return %r : tensor<?x6x6x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// generalize conv_2d_ngchw_fgchw 1x5x3x32x32,2x5x3x3x3,1x5x2x30x30 
func.func @f(%x: tensor<1x5x3x32x32xf32>, %w: tensor<2x5x3x3x3xf32>, %o: tensor<1x5x2x30x30xf32>) -> tensor<1x5x2x30x30xf32> {
  %r = linalg.conv_2d_ngchw_fgchw ins(%x, %w : tensor<1x5x3x32x32xf32>, tensor<2x5x3x3x3xf32>) outs(%o : tensor<1x5x2x30x30xf32>) -> tensor<1x5x2x30x30xf32>
  return %r : tensor<1x5x2x30x30xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_ngchw_fgchw"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// generalize conv_2d_nhwgc_gfhwc_q 1x32x32x5x3,5x2x3x3x3,1x30x30x5x2 strides = dense<1> : tensor<2xi64>
func.func @f(%x: tensor<1x32x32x5x3xi8>, %w: tensor<5x2x3x3x3xi8>, %p0: i32, %p1: i32, %o: tensor<1x30x30x5x2xi32>) -> tensor<1x30x30x5x2xi32> {
  %r = linalg.conv_2d_nhwgc_gfhwc_q {strides = dense<1> : tensor<2xi64>} ins(%x, %w, %p0, %p1 : tensor<1x32x32x5x3xi8>, tensor<5x2x3x3x3xi8>, i32, i32) outs(%o : tensor<1x30x30x5x2xi32>) -> tensor<1x30x30x5x2xi32>
  return %r : tensor<1x30x30x5x2xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwgc_gfhwc_q"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// generalize depthwise_conv_2d_nhwc_hwcm_q 2x5x5x2,3x3x2x3,2x3x3x2x3 dilations = dense<1> : tensor<2xi64>
func.func @f(%x: tensor<2x5x5x2xi8>, %w: tensor<3x3x2x3xi8>, %p0: i32, %p1: i32, %o: tensor<2x3x3x2x3xi32>) -> tensor<2x3x3x2x3xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %p0, %p1 : tensor<2x5x5x2xi8>, tensor<3x3x2x3xi8>, i32, i32) outs(%o : tensor<2x3x3x2x3xi32>) -> tensor<2x3x3x2x3xi32>
  return %r : tensor<2x3x3x2x3xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwcm_q"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// generalize depthwise_conv_3d_ndhwc_dhwcm 2x6x13x12x6,2x1x3x6x6,2x5x13x10x6x6 
func.func @f(%x: tensor<2x6x13x12x6xf32>, %w: tensor<2x1x3x6x6xf32>, %o: tensor<2x5x13x10x6x6xf32>) -> tensor<2x5x13x10x6x6xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%x, %w : tensor<2x6x13x12x6xf32>, tensor<2x1x3x6x6xf32>) outs(%o : tensor<2x5x13x10x6x6xf32>) -> tensor<2x5x13x10x6x6xf32>
  return %r : tensor<2x5x13x10x6x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_3d_ndhwc_dhwcm"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// generalize conv_3d_ncdhw_fcdhw ?x?x?x?x?,?x?x?x?x?,?x?x?x?x? 
func.func @f(%x: tensor<?x?x?x?x?xf32>, %w: tensor<?x?x?x?x?xf32>, %o: tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32> {
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<?x?x?x?x?xf32>, tensor<?x?x?x?x?xf32>) outs(%o : tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32>
  return %r : tensor<?x?x?x?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_3d_ncdhw_fcdhw"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// generalize pooling_ndhwc_min 1x4x4x4x1,3x3x3,1x2x2x2x1 
func.func @f(%x: tensor<1x4x4x4x1xf32>, %w: tensor<3x3x3xf32>, %o: tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32> {
  %r = linalg.pooling_ndhwc_min ins(%x, %w : tensor<1x4x4x4x1xf32>, tensor<3x3x3xf32>) outs(%o : tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
  return %r : tensor<1x2x2x2x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_ndhwc_min"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// generalize quantized_batch_matmul 2x3x4,2x4x5,2x3x5 
func.func @f(%x: tensor<2x3x4xi8>, %w: tensor<2x4x5xi8>, %p0: i32, %p1: i32, %o: tensor<2x3x5xi32>) -> tensor<2x3x5xi32> {
  %r = linalg.quantized_batch_matmul ins(%x, %w, %p0, %p1 : tensor<2x3x4xi8>, tensor<2x4x5xi8>, i32, i32) outs(%o : tensor<2x3x5xi32>) -> tensor<2x3x5xi32>
  return %r : tensor<2x3x5xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.quantized_batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// tile conv_2d_nhwc_hwcf 1x225x225x3,3x3x3x32,1x112x112x32 strides = dense<2> : tensor<2xi64>
func.func @f(%x: tensor<1x225x225x3xf32>, %w: tensor<3x3x3x32xf32>, %o: tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x225x225x3xf32>, tensor<3x3x3x32xf32>) outs(%o : tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
  return %r : tensor<1x112x112x32xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:6 = transform.structured.tile_using_for %c tile_sizes [0, 1, 8, 32, 1, 1, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile conv_2d_nhwc_hwcf ?x?x?x?,?x?x?x?,?x?x?x? strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>
func.func @f(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %o: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>} ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:4 = transform.structured.tile_using_for %c tile_sizes [0, 5, 8, 0, 1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile conv_2d_nchw_fchw ?x?x?x?,?x?x?x?,?x?x?x? 
func.func @f(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %o: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:7 = transform.structured.tile_using_for %c tile_sizes [1, 4, 5, 6, 7, 1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile conv_2d_ngchw_gfchw 1x5x3x32x32,5x2x3x3x3,1x5x2x30x30 
func.func @f(%x: tensor<1x5x3x32x32xf32>, %w: tensor<5x2x3x3x3xf32>, %o: tensor<1x5x2x30x30xf32>) -> tensor<1x5x2x30x30xf32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x5x3x32x32xf32>, tensor<5x2x3x3x3xf32>) outs(%o : tensor<1x5x2x30x30xf32>) -> tensor<1x5x2x30x30xf32>
  return %r : tensor<1x5x2x30x30xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_ngchw_gfchw"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %c tile_sizes [0, 1, 0, 8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile depthwise_conv_2d_nhwc_hwc 1x113x113x96,3x3x96,1x56x56x96 strides = dense<2> : tensor<2xi64>
func.func @f(%x: tensor<1x113x113x96xf32>, %w: tensor<3x3x96xf32>, %o: tensor<1x56x56x96xf32>) -> tensor<1x56x56x96xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x113x113x96xf32>, tensor<3x3x96xf32>) outs(%o : tensor<1x56x56x96xf32>) -> tensor<1x56x56x96xf32>
  return %r : tensor<1x56x56x96xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.depthwise_conv_2d_nhwc_hwc"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %c tile_sizes [0, 4, 7, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile pooling_nhwc_max 1x20x20x8,3x3,1x9x9x8 strides = dense<2> : tensor<2xi64>
func.func @f(%x: tensor<1x20x20x8xf32>, %w: tensor<3x3xf32>, %o: tensor<1x9x9x8xf32>) -> tensor<1x9x9x8xf32> {
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x20x20x8xf32>, tensor<3x3xf32>) outs(%o : tensor<1x9x9x8xf32>) -> tensor<1x9x9x8xf32>
  return %r : tensor<1x9x9x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nhwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %c tile_sizes [0, 3, 4, 0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile pooling_ndhwc_sum ?x?x?x?x?,?x?x?,?x?x?x?x? 
func.func @f(%x: tensor<?x?x?x?x?xf32>, %w: tensor<?x?x?xf32>, %o: tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32> {
  %r = linalg.pooling_ndhwc_sum ins(%x, %w : tensor<?x?x?x?x?xf32>, tensor<?x?x?xf32>) outs(%o : tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32>
  return %r : tensor<?x?x?x?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_ndhwc_sum"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %c tile_sizes [0, 2, 3, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile conv_1d ?,?,? 
func.func @f(%x: tensor<?xf32>, %w: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_1d"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %c tile_sizes [4, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile a quantized one
func.func @f(%x: tensor<?x?x?x?xi8>, %w: tensor<?x?x?x?xi8>, %p0: i32, %p1: i32, %o: tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32> {
  %r = linalg.conv_2d_nhwc_hwcf_q {strides = dense<2> : tensor<2xi64>} ins(%x, %w, %p0, %p1 : tensor<?x?x?x?xi8>, tensor<?x?x?x?xi8>, i32, i32) outs(%o : tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  return %r : tensor<?x?x?x?xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf_q"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:4 = transform.structured.tile_using_for %c tile_sizes [1, 2, 3, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile in parallel
func.func @f(%x: tensor<2x16x16x4xf32>, %w: tensor<3x3x4x30xf32>, %o: tensor<2x14x14x30xf32>) -> tensor<2x14x14x30xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x16x16x4xf32>, tensor<3x3x4x30xf32>) outs(%o : tensor<2x14x14x30xf32>) -> tensor<2x14x14x30xf32>
  return %r : tensor<2x14x14x30xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %c tile_sizes [1, 7, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// interchange after generalize
func.func @f(%x: tensor<2x16x16x4xf32>, %w: tensor<3x3x4x30xf32>, %o: tensor<2x14x14x30xf32>) -> tensor<2x14x14x30xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x16x16x4xf32>, tensor<3x3x4x30xf32>) outs(%o : tensor<2x14x14x30xf32>) -> tensor<2x14x14x30xf32>
  return %r : tensor<2x14x14x30xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  %i = transform.structured.interchange %a iterator_interchange = [0, 2, 1, 3, 4, 5, 6] : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// pad a convolution
func.func @f(%x: tensor<2x16x4xf32>, %w: tensor<3x4x30xf32>, %o: tensor<2x14x30xf32>) -> tensor<2x14x30xf32> {
  %r = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x16x4xf32>, tensor<3x4x30xf32>) outs(%o : tensor<2x14x30xf32>) -> tensor<2x14x30xf32>
  return %r : tensor<2x14x30xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %p, %q, %r = transform.structured.pad %c pad_to_multiple_of [8] {padding_values=[0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions=[2]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// pad along a window
func.func @f(%x: tensor<2x16x4xf32>, %w: tensor<3x4x30xf32>, %o: tensor<2x14x30xf32>) -> tensor<2x14x30xf32> {
  %r = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x16x4xf32>, tensor<3x4x30xf32>) outs(%o : tensor<2x14x30xf32>) -> tensor<2x14x30xf32>
  return %r : tensor<2x14x30xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %p, %q, %r = transform.structured.pad %c pad_to_multiple_of [8] {padding_values=[0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions=[1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse a convolution and its image
func.func @f(%x: tensor<1x18x18x4xf32>, %w: tensor<3x3x4x8xf32>, %b: tensor<8xf32>) -> tensor<1x16x16x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x8xf32>
  %i = tensor.empty() : tensor<1x18x18x4xf32>
  %y = linalg.exp ins(%x : tensor<1x18x18x4xf32>) outs(%i : tensor<1x18x18x4xf32>) -> tensor<1x18x18x4xf32>
  %s = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<1x16x16x8xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf ins(%y, %w : tensor<1x18x18x4xf32>, tensor<3x3x4x8xf32>) outs(%s : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %t = linalg.abs ins(%r : tensor<1x16x16x8xf32>) outs(%e : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  return %t : tensor<1x16x16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.fuse %c tile_sizes [0, 4, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// fuse the image into a tiled convolution
func.func @f(%x: tensor<1x18x18x4xf32>, %w: tensor<3x3x4x8xf32>, %b: tensor<8xf32>) -> tensor<1x16x16x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x8xf32>
  %i = tensor.empty() : tensor<1x18x18x4xf32>
  %y = linalg.exp ins(%x : tensor<1x18x18x4xf32>) outs(%i : tensor<1x18x18x4xf32>) -> tensor<1x18x18x4xf32>
  %s = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<1x16x16x8xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf ins(%y, %w : tensor<1x18x18x4xf32>, tensor<3x3x4x8xf32>) outs(%s : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %t = linalg.abs ins(%r : tensor<1x16x16x8xf32>) outs(%e : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  return %t : tensor<1x16x16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %c tile_sizes [0, 4, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %y = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %u, %v = transform.structured.fuse_into_containing_op %y into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// tile a map
func.func @f(%x: tensor<30x?xf32>, %y: tensor<30x?xf32>, %o: tensor<30x?xf32>) -> tensor<30x?xf32> {
  %r = linalg.map { arith.addf } ins(%x, %y : tensor<30x?xf32>, tensor<30x?xf32>) outs(%o : tensor<30x?xf32>)
  return %r : tensor<30x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.map"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %c tile_sizes [4, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// generalize a map
func.func @f(%x: tensor<30x?xf32>, %y: tensor<30x?xf32>, %o: tensor<30x?xf32>) -> tensor<30x?xf32> {
  %r = linalg.map { arith.addf } ins(%x, %y : tensor<30x?xf32>, tensor<30x?xf32>) outs(%o : tensor<30x?xf32>)
  return %r : tensor<30x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.map"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// generalize fill_rng_2d
func.func @f(%a: f64, %b: f64, %s: i32, %o: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %r = linalg.fill_rng_2d ins(%a, %b, %s : f64, f64, i32) outs(%o : tensor<30x20xf32>) -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.fill_rng_2d"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// tile fill_rng_2d
func.func @f(%a: f64, %b: f64, %s: i32, %o: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %r = linalg.fill_rng_2d ins(%a, %b, %s : f64, f64, i32) outs(%o : tensor<30x20xf32>) -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.fill_rng_2d"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %c tile_sizes [4, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// specialize a convolution
func.func @f(%x: tensor<1x8x4xf32>, %w: tensor<2x4x16xf32>, %o: tensor<1x7x16xf32>) -> tensor<1x7x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w + k, c)>, affine_map<(n, w, f, k, c) -> (k, c, f)>, affine_map<(n, w, f, k, c) -> (n, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<1x8x4xf32>, tensor<2x4x16xf32>) outs(%o : tensor<1x7x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x16xf32>
  return %r : tensor<1x7x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.specialize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// convert conv_2d_nhwc_hwcf to loops
func.func @f(%x: memref<1x16x16x4xf32>, %w: memref<3x3x4x16xf32>, %o: memref<1x14x14x16xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x16x16x4xf32>, memref<3x3x4x16xf32>) outs(%o : memref<1x14x14x16xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.convert_to_loops %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// scalarize conv_2d_nhwc_hwcf
func.func @f(%x: tensor<1x16x16x4xf32>, %w: tensor<3x3x4x16xf32>, %o: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%o : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %r : tensor<1x14x14x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.scalarize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// convert pooling_nchw_max to loops
func.func @f(%x: memref<1x4x8x8xf32>, %w: memref<2x2xf32>, %o: memref<1x4x7x7xf32>) {
  linalg.pooling_nchw_max ins(%x, %w : memref<1x4x8x8xf32>, memref<2x2xf32>) outs(%o : memref<1x4x7x7xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nchw_max"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.convert_to_loops %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// scalarize pooling_nchw_max
func.func @f(%x: tensor<1x4x8x8xf32>, %w: tensor<2x2xf32>, %o: tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32> {
  %r = linalg.pooling_nchw_max ins(%x, %w : tensor<1x4x8x8xf32>, tensor<2x2xf32>) outs(%o : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  return %r : tensor<1x4x7x7xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.pooling_nchw_max"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.scalarize %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify conv_2d_nhwc_hwcf
func.func @f(%x: tensor<?x16x16x4xf16>, %w: tensor<3x3x4x16xf16>, %o: tensor<?x6x6x16xf32>) -> tensor<?x6x6x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<?x16x16x4xf16>, tensor<3x3x4x16xf16>) outs(%o : tensor<?x6x6x16xf32>) -> tensor<?x6x6x16xf32>
  return %r : tensor<?x6x6x16xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify conv_2d_nchw_fchw
func.func @f(%x: tensor<8x4x16x16xf32>, %w: tensor<16x4x3x3xf32>, %o: tensor<8x16x14x14xf32>) -> tensor<8x16x14x14xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<8x4x16x16xf32>, tensor<16x4x3x3xf32>) outs(%o : tensor<8x16x14x14xf32>) -> tensor<8x16x14x14xf32>
  return %r : tensor<8x16x14x14xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify conv_2d_ngchw_fgchw
func.func @f(%x: tensor<1x5x3x32x32xf32>, %w: tensor<2x5x3x3x3xf32>, %o: tensor<1x5x2x30x30xf32>) -> tensor<1x5x2x30x30xf32> {
  %r = linalg.conv_2d_ngchw_fgchw ins(%x, %w : tensor<1x5x3x32x32xf32>, tensor<2x5x3x3x3xf32>) outs(%o : tensor<1x5x2x30x30xf32>) -> tensor<1x5x2x30x30xf32>
  return %r : tensor<1x5x2x30x30xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify conv_2d_nhwgc_gfhwc_q
func.func @f(%x: tensor<1x32x32x5x3xi8>, %w: tensor<5x2x3x3x3xi8>, %p0: i32, %p1: i32, %o: tensor<1x30x30x5x2xi32>) -> tensor<1x30x30x5x2xi32> {
  %r = linalg.conv_2d_nhwgc_gfhwc_q {strides = dense<1> : tensor<2xi64>} ins(%x, %w, %p0, %p1 : tensor<1x32x32x5x3xi8>, tensor<5x2x3x3x3xi8>, i32, i32) outs(%o : tensor<1x30x30x5x2xi32>) -> tensor<1x30x30x5x2xi32>
  return %r : tensor<1x30x30x5x2xi32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify depthwise_conv_2d_nhwc_hwcm
func.func @f(%x: tensor<2x5x5x2xf32>, %w: tensor<3x3x2x3xf32>, %o: tensor<2x3x3x2x3xf32>) -> tensor<2x3x3x2x3xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x5x5x2xf32>, tensor<3x3x2x3xf32>) outs(%o : tensor<2x3x3x2x3xf32>) -> tensor<2x3x3x2x3xf32>
  return %r : tensor<2x3x3x2x3xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify depthwise_conv_3d_ndhwc_dhwc
func.func @f(%x: tensor<2x6x13x12x6xf32>, %w: tensor<2x1x3x6xf32>, %o: tensor<2x5x13x10x6xf32>) -> tensor<2x5x13x10x6xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%x, %w : tensor<2x6x13x12x6xf32>, tensor<2x1x3x6xf32>) outs(%o : tensor<2x5x13x10x6xf32>) -> tensor<2x5x13x10x6xf32>
  return %r : tensor<2x5x13x10x6xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify pooling_nhwc_max
func.func @f(%x: tensor<1x20x20x8xf32>, %w: tensor<3x3xf32>, %o: tensor<1x9x9x8xf32>) -> tensor<1x9x9x8xf32> {
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x20x20x8xf32>, tensor<3x3xf32>) outs(%o : tensor<1x9x9x8xf32>) -> tensor<1x9x9x8xf32>
  return %r : tensor<1x9x9x8xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify conv_1d
func.func @f(%x: tensor<16xf32>, %w: tensor<3xf32>, %o: tensor<14xf32>) -> tensor<14xf32> {
  %r = linalg.conv_1d ins(%x, %w : tensor<16xf32>, tensor<3xf32>) outs(%o : tensor<14xf32>) -> tensor<14xf32>
  return %r : tensor<14xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify matmul
func.func @f(%x: tensor<16x4xf32>, %w: tensor<4x8xf32>, %o: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x8xf32>) outs(%o : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify a generic convolution
func.func @f(%x: tensor<1x8x4xf32>, %w: tensor<2x4x16xf32>, %o: tensor<1x7x16xf32>) -> tensor<1x7x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w + k, c)>, affine_map<(n, w, f, k, c) -> (k, c, f)>, affine_map<(n, w, f, k, c) -> (n, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<1x8x4xf32>, tensor<2x4x16xf32>) outs(%o : tensor<1x7x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x16xf32>
  return %r : tensor<1x7x16xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify a generic convolution with steps
func.func @f(%x: tensor<1x8x4xf32>, %w: tensor<2x4x16xf32>, %o: tensor<1x3x16xf32>) -> tensor<1x3x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w * 2 + k * 3, c)>, affine_map<(n, w, f, k, c) -> (k, c, f)>, affine_map<(n, w, f, k, c) -> (n, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<1x8x4xf32>, tensor<2x4x16xf32>) outs(%o : tensor<1x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x3x16xf32>
  return %r : tensor<1x3x16xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// classify a window that is read twice
func.func @f(%x: tensor<7x8x4xf32>, %w: tensor<2x4x16xf32>, %o: tensor<1x7x16xf32>) -> tensor<1x7x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, c) -> (w, w + k, c)>, affine_map<(n, w, f, k, c) -> (k, c, f)>, affine_map<(n, w, f, k, c) -> (n, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<7x8x4xf32>, tensor<2x4x16xf32>) outs(%o : tensor<1x7x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x16xf32>
  return %r : tensor<1x7x16xf32>
}
transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations = transform.match.structured failures(propagate) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
  ^bb0(%s: !transform.any_op):
    %0:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.match.structured.yield %s, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }
  transform.yield %a, %batch, %image, %channel, %loop, %input, %depth, %strides, %dilations : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
}
transform.named_sequence @action(%op: !transform.any_op {transform.readonly}, %batch: !transform.param<i64> {transform.readonly}, %image: !transform.param<i64> {transform.readonly}, %channel: !transform.param<i64> {transform.readonly}, %loop: !transform.param<i64> {transform.readonly}, %input: !transform.param<i64> {transform.readonly}, %depth: !transform.param<i64> {transform.readonly}, %strides: !transform.param<i64> {transform.readonly}, %dilations: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %image, "image" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %channel, "channel" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %loop, "loop" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %input, "input" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %depth, "depth" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %strides, "strides" at %op : !transform.param<i64>, !transform.any_op
  transform.debug.emit_param_as_remark %dilations, "dilations" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match restrict_root in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// conv_2d has no strides: attributes of that name are ignored
func.func @f(%a: tensor<9x11xf32>, %b: tensor<3x3xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
  %0 = linalg.conv_2d {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<9x11xf32>, tensor<3x3xf32>) outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_2d"]} in %r : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %m : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %g tile_sizes [4, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
