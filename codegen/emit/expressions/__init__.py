"""Pure ops as Triton expressions: `table` has each op with its writer."""
