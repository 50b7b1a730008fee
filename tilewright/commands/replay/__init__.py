"""`tilewright replay`: compare searches on recorded results.

`replay` is the command, `settings` reads its lists, `jobs` runs replays in processes,
`report` makes the tables and the JSON. Imports `inputs/`, `terminal/` and the tuner.
"""
