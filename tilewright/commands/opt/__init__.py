"""`tilewright opt`: run a schedule over a payload, and show the IR between the steps.

    opt.py          chooses the schedule and the point
    session.py      runs them, shows the steps and prints the result
    arguments.py    the arguments, and which of them go together

Reads `inputs/`, `terminal/`, `planned.py` and what `commands/` may read.
"""
