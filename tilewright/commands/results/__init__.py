"""`tilewright results`: what a results file has, in a file for each group of commands.

    records.py          list, show, export and import
    describe.py         add features to old records
    learned_model.py    how well the learned cost model ranks programs

Reads `terminal/` and `tuning/`.
"""
