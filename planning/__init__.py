"""The planner: it writes a schedule for any payload, with its choices open.

`plan.py` runs the parts in order: `analysis/` (facts about every structured op),
`grouping/` (which ops share a kernel), `sketches/` (the structures that a group's
kernel may have, in the schedule language), `model/` (the time of a sketch at a point),
`schedule_text.py` with `writing/` (the text of the schedule). `kernels.py` has what is
planned for a group, `explain.py` prints what was found and decided, `ranking.py` orders
points for a search.
Reads `ir/`, `transforms/`, `schedules/` and, of `codegen/`, the targets.
"""
