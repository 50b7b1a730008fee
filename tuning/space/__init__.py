"""The search space of a schedule: its choices, constraints and valid points."""
