"""Kernels tuned by measuring: mode `max-autotune`, and the winners that are kept.

`results_file.py` is the file of winners in the user's cache folder, `tuner.py` runs the
tuner in a process of its own, `segments.py` gives it the payloads of a graph. Imports
`partition/`, `lowering/` and the options; `compiling/` plans with the winners.
"""
