"""What the page of a payload and a schedule shows, as plain data.

`program_data.program_data` is the entry point. docs/explorer_data.md has the fields.
"""
