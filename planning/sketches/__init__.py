"""The structures that a group's kernel may have, one file a family.

`table.py` lists the families. A sketch has knobs, an estimate of its time at a point,
and writes its statements. Reads `model/`, `writing/`, `grouping/`, `analysis/`.
"""
