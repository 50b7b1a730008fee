"""Rewrite patterns, in a folder for each dialect they match. Imports the driver."""
