"""Measuring a GPU, and fitting the numbers of its calibration to the times.

`works.py` has the payloads, `points.py` the kernels that are timed of them,
`measuring.py` builds, compiles and times them, `fitting.py` fits. Reads `planning/`,
`measure/`, `workers/` and `model/`.
"""
