"""What the page of a tuning run shows, as plain data.

    sources          results files, exports and recorded spaces as runs with rows
    schedule_text    the schedule of a run, and the lines that each choice decides
    columns          the trials of a run, one list for each column
    structures       the best trial of each structure
    findings         what `explain` finds, beside the rows it is about
    programs         the steps and the source of single trials
    trials_data      the whole page
    trial_detail     one trial, for a page that asks for it

`trials_data.trials_data` is the entry point. docs/explorer_data.md has the fields.
"""
