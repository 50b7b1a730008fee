"""The functions of `tilewright` that do what a command does, with a value as result.

    tune.py           `tilewright.tune`
    tune_result.py    its result; trial_table.py: the trials of it
    check.py          `tilewright.check` and `tilewright.space`
    search.py         `tilewright.search`: a strategy for a loop of one's own
    options_in_errors.py    errors about options, in the words of Python

Reads `commands/`, of which it shares the runs, and all below it.
"""
