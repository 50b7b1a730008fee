"""Closing open choices: search space, strategies, cost model, measurement, results."""
