"""Comments and empty lines of a schedule's text, for texts that are written from it.

    notes.py      what stands around each statement, by the line of the statement
    read_tw.py    the notes of a `.tw` text
    read_mlir.py  the notes of an `.mlir` text
    write_mlir.py MLIR with the notes in it; `printing/` writes `.tw` with them

An op knows the line that it was read from, so the notes of a line belong to its ops.
What has no op any more (a decided `require`, a branch that was not taken) takes its
notes with it.
"""
