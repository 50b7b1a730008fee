"""A payload of many kernels: which kernels to tune, for how long, and the whole.

A *task* is a kernel of a plan by itself, and its uses in the payload. The tasks share
the workers of a run. May import the rest of `tuning` and the planner.
"""
