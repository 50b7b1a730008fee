"""Checking a schedule over a payload: runs it at points that try every option.

`schedules/check/` checks a schedule without running it. Reads the pipeline and
`tuning/space/`; `commands/check.py` prints the findings.
"""
