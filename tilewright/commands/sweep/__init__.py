"""`tilewright sweep`: `sweep.py` runs it.

    sampled_sizes.py   the sizes of a range
    candidates.py      the points that are compared, and their programs
    timing.py          their times: measured in turn with plain torch, or estimated
    report.py          the table, the range certificates, the picture, the JSON

Reads `terminal/`, `inputs/`, `run/` and the tuner.
"""
