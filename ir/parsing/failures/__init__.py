"""Why a text cannot be parsed: the place, the fact in plain words, and a remedy.

Imports nothing of the parser but the places of its texts.
"""
