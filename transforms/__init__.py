"""The transform dialect: one file a transformation, handles, and the interpreter."""
