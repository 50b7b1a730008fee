"""The search space of a schedule: its choices, constraints and valid points.

`read` finds the open choices of a schedule, `choices` defines them, `space` is the set
of valid points on top of the solver (`solving/`). `covering` proposes points that try
every option. `requirements`, `redundant_choices` and `unusable_options` report
mistakes.

Imports `transforms/` and `ir/`, and nothing else of `tuning/`.
"""
