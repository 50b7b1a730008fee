"""The schedule language: grammar, parser, lowering to transform IR, printer."""
