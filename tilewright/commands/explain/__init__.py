"""`tilewright explain`: `explain.py` runs it, the other files print its report.

    report.py           the sections of the report, in their order
    effects_report.py   the tables of options and of pairs
    wrapped.py          lines that fit 100 columns

Reads `terminal/` and `tuning/explaining/`.
"""
