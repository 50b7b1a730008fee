"""The figures that were published: one NVIDIA A40 beside a 48-core Xeon Gold 6126."""

from __future__ import annotations

DEVICE = "NVIDIA A40"
DRAWN, VALID = 100, 81

FRONTIER = (
    (0.52, 12.76, 1, 83),
    (1.19, 37.77, 3, 28),
    (2.03, 44.91, 4, 47),
    (2.92, 58.27, 5, 66),
    (3.04, 71.82, 5, 75),
    (3.63, 84.37, 7, 92),
    (6.22, 85.97, 8, 51),
    (9.53, 90.81, 13, 61),
    (11.71, 93.60, 18, 52),
    (17.02, 95.00, 24, 51),
    (21.26, 96.15, 32, 73),
    (26.92, 96.54, 43, 28),
    (34.13, 97.55, 52, 81),
    (43.60, 97.77, 65, 22),
    (50.68, 98.05, 80, 17),
    (54.05, 98.41, 79, 61),
)
"""Table 6: seconds, TFLOP/s, configurations and milliseconds, for 4096x256x4096."""

KERNEL_SECONDS = {"256 MB": (4.45, 21.42), "none": (4.49, 0.50)}
"""Table 3: seconds of the GEMM kernels and of the clearing kernel."""
KERNEL_US = {"256 MB": 91.0, "none": 92.3}
"""Table 3: the mean of a GEMM kernel. The text gives both in this order."""

WHOLE_SECONDS = {"256 MB": 1591.8, "the size of the L2": 1170.2, "none": 691.2}
"""Table 5: the whole benchmark, by the clear."""

POOLS = {1: 271.56, 8: 53.0, 16: 37.1, 32: 34.3, 48: 40.5}
"""Table 7: seconds of compiling, by the number of processes."""

SMALL_RUN_COMPILE, SMALL_RUN_TUNE = 15.17, 38.78
"""Seconds of compiling 16 configurations, and of timing them on 16 inputs."""

ESTIMATE_US, SHORT_MS = 500.0, 50.0
"""Figure 2: kernels under so many us are timed for up to so many ms too little."""
