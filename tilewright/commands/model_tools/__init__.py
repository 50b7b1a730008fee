"""Commands on torch models: `explain`, `bisect`, `repro`, `profile` and `import`.

Each reads a model and its inputs. `import` writes it as a payload; the others print
what `torch_backend/diagnosis` finds. Imports `commands/inputs`, `commands/terminal`
and the torch backend.
"""
