"""A text as data: its tree without the broken lines, its names, its tokens."""
