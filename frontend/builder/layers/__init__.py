"""Layers of neural networks, each in as few structured ops as possible.

`linear.py`, `normalize.py`, `softmax.py`, `losses.py` and `rope.py` hold a family each.
`attention.py` builds on `softmax.py`, `attention_scores.py` (what happens to a score)
and `head_groups.py` (grouped heads). `checks.py` checks operands. Reads the files of
the folder above.
"""
