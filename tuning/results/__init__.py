"""What is kept of a tuning run: records, the results file, the result."""
