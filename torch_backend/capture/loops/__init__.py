"""Unrolled loops, such as recurrent cells: their steps do equal work at once."""
