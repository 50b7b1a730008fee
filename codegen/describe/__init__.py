"""The description of a generated program: its arguments, its results, its work.

The cost model and reports use it. Imports `codegen/{analysis,kernel,lower}` and `ir/`:
it reads the module that lowering has made and changes nothing.
"""
