"""The default that finishes what a schedule leaves open."""
