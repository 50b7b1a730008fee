"""Upstream's linalg ops that are not supported yet, so that errors can say so."""

from __future__ import annotations

NOT_YET = frozenset(
    f"linalg.{name}"
    for name in (
        "batch_mmt4d conv_2d_nchw_fchw_q conv_2d_ngchw_gfchw_q conv_2d_nhwc_fhwc_q "
        "conv_2d_nhwc_hwcf_q conv_2d_nhwgc_gfhwc_q conv_3d_ndhwc_dhwcf_q "
        "depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm_q fill_rng_2d map "
        "mmt4d pack quantized_batch_matmul quantized_matmul unpack "
        "winograd_filter_transform winograd_input_transform winograd_output_transform"
    ).split()
)
