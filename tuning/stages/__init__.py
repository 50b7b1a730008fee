"""The stages that turn a point into a trial: one file for each stage.

`candidate_stages.py` puts them in order. Reads `measure/`, `model/`, `results/` and the
options of a run; knows nothing of search strategies.
"""
