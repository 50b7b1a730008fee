"""`tilewright tune`: `tune.py` is the command, the other files are its parts.

    session.py          the run itself, which `tilewright.tune` in Python shares
    arguments.py        the arguments, and the limits of the run
    machines.py         this machine or a cluster, and its device
    prepare.py          what is tuned: payload, schedule, cases
    tuning_task.py      how to build and check a candidate
    starting_points.py  points of earlier runs that are tried first
    sharing.py          results of a store that a team shares
    tasks.py            the kernels of a planned schedule, one by one
    per_size.py         a decision table by size
    payloads.py         the kernels of several payloads at once, for torch.compile
    check_winner.py     without a GPU: an interpreter checks the winner
    report.py, tasks_report.py, summary.py    the terminal, and the JSON file
    trial_log.py        a line for each configuration, as it ends
    trial_table.py      the table of the best trials

Reads `inputs/`, `terminal/`, `planned.py` and what `commands/` may read.
"""
