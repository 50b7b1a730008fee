"""The formatter of the schedule language: text in, text of the one layout out.

    words.py      a text as words, each with the comments and line breaks before it
    blocks.py     the words as statements and blocks between braces
    spacing.py    the spaces between two words, and where a column is kept
    fill.py       the words of a statement on lines that are not too long
    layout.py     statements, blocks, comments and empty lines, in order
    format.py     all of it, and the check that nothing but the layout changed

It reads `parsing/` alone and knows no verbs, so a new verb needs no change here.
"""
