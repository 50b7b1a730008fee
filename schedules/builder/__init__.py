"""Schedules built in Python: the statements of the `.tw` language as methods.

`signatures.py` reads the table of verbs, `verbs.py` makes a method of each entry, and
`verbs.pyi`, generated from the same table, tells editors and type checkers about them.
`values.py` has the handles, numbers and conditions that statements give and take,
`recording.py` keeps the statements as trees of the language, and `builder.py` makes a
schedule of them. It reads `schedule.py` and what is below.
"""
