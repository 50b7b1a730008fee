"""From text to IR: a lexer and a parser in layers, one concern a file."""
