"""Explaining: what the trials of a tuning run teach.

    tuning_log       the trials of a run, whatever file they come from
    readers          results files and recorded spaces as logs
    time_model       log time as a function of the choices: ridge regression on pairs
    effects          what each choice and each pair earned, with intervals
    option_facts     measured facts by option: best point, at the winner, failures
    failures         failed trials, grouped by the line of the schedule
    time_spent       where the seconds went; best time so far against seconds
    limits           the winner beside the rates of the card
    suggestions      what to change before the next run
    explanation      all of these together, also as JSON
    plots            pictures of a log (matplotlib)

Imports `results/`, `replay/`, `search/` (the encoding of points) and `space/`; starts
no processes and needs no GPU.
"""
