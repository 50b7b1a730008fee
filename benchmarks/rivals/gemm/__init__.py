"""Hand-written Triton matrix products: kernels, configurations, bound candidates."""
