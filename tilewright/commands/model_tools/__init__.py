"""Commands on torch models: `explain`, `bisect`, `repro` and `profile`.

Each reads a model and its inputs and prints what `torch_backend/diagnosis` finds.
Imports `commands/inputs`, `commands/terminal` and the torch backend.
"""
