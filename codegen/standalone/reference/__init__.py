"""A payload as plain torch in float64, which kernels are checked against."""
