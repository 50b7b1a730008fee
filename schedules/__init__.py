"""Schedules: how a payload is to be computed.

`schedule.py` reads and writes a schedule, `language/` is the `.tw` language, `check/`
finds what is wrong before a run, `default/` finishes what a schedule leaves open, and
`library/` has sequences to include. Reads only `transforms/` and `ir/`.
"""
