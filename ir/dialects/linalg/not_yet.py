"""Upstream's linalg ops that are not supported yet, so that errors can say so."""

from __future__ import annotations

NOT_YET = frozenset(
    f"linalg.{name}"
    for name in (
        "batch_mmt4d conv_1d conv_1d_ncw_fcw conv_1d_nwc_wcf conv_2d conv_2d_nchw_fchw "
        "conv_2d_nchw_fchw_q conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw "
        "conv_2d_ngchw_gfchw_q conv_2d_nhwc_fhwc conv_2d_nhwc_fhwc_q conv_2d_nhwc_hwcf "
        "conv_2d_nhwc_hwcf_q conv_2d_nhwgc_gfhwc conv_2d_nhwgc_gfhwc_q conv_3d "
        "conv_3d_ncdhw_fcdhw conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q "
        "depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc depthwise_conv_1d_nwc_wcm "
        "depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc "
        "depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm "
        "depthwise_conv_2d_nhwc_hwcm_q depthwise_conv_3d_ncdhw_cdhw "
        "depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ndhwc_dhwcm fill_rng_2d map "
        "mmt4d pack pooling_nchw_max pooling_nchw_sum pooling_ncw_max pooling_ncw_sum "
        "pooling_ndhwc_max pooling_ndhwc_min pooling_ndhwc_sum pooling_nhwc_max "
        "pooling_nhwc_max_unsigned pooling_nhwc_min pooling_nhwc_min_unsigned "
        "pooling_nhwc_sum pooling_nwc_max pooling_nwc_max_unsigned pooling_nwc_min "
        "pooling_nwc_min_unsigned pooling_nwc_sum quantized_batch_matmul "
        "quantized_matmul unpack winograd_filter_transform winograd_input_transform "
        "winograd_output_transform"
    ).split()
)
