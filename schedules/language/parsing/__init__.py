"""Text of the schedule language to its tree."""
