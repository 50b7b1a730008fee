"""Measuring: worker processes, jobs, checking and timing a program on a device.

Only what runs inside a worker imports torch. Reads `codegen/`, `ir/` and
`results/records.py`.
"""
