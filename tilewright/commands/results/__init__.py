"""`tilewright results`: what a results file has, in a file for each group of commands.

    listing.py          list runs, show the trials of one
    best.py             winners, and their closed schedules
    compare.py          two runs, files, devices or dates; ratio.py: with intervals
    exchange.py         export and import, also of winners
    shared.py           push to and pull from a store that a team shares
    cleaning.py         prune and clear
    describe.py         add features to old records
    learned_model.py    how well the learned cost model ranks programs
    tried_runs.py       runs with their trials, which the others read

Reads `terminal/` and `tuning/`.
"""
