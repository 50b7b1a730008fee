"""What the page of a torch model shows, as plain data.

`model_data.model_data` is the entry point. docs/explorer_data.md has the fields.
"""
