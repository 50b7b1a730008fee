"""Layers of neural networks, each in as few structured ops as possible.

`linear.py`, `normalize.py` and `rope.py` hold a family each; `attention.py` builds on
`normalize.py`, `attention_scores.py` (what happens to a score) and `head_groups.py`
(grouped heads). Reads the files of the folder above.
"""
