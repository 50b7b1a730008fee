"""Learning: features of programs, the data set of results, the learned cost model.

Reads `results/`, `model/`, `space/` and `codegen/`. Only `model.py` imports
scikit-learn, and only when a model is trained.
"""
