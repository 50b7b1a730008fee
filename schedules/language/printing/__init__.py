"""Transform IR as text of the schedule language."""
