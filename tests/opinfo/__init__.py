"""The table of ops against torch's own test samples, the OpInfo database.

    PYTHONPATH=tests python -m opinfo                  # everything
    PYTHONPATH=tests python -m opinfo --op softmax     # one OpInfo entry
    PYTHONPATH=tests python -m opinfo --coverage       # the table, no samples
    PYTHONPATH=tests python -m opinfo --device cuda --workers 16

`samples.py` gives the ATen calls of OpInfo's samples; `check.py` runs one as a payload
and compares it with eager torch; `tally.py` counts; `runs.py` runs many in a process,
`workers.py` in several; `coverage.py` compares the table with torch's core set;
`command.py` is the command. Needs torch's testing modules.
"""
