"""The works of `codegen.py`: `table.py` lists them, a file a family makes them."""
