"""Looking at a run: dumps, diffs, stepping, timings, verification of each step."""
