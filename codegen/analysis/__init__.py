"""What code generation asks of the buffer level; nothing here changes IR."""
