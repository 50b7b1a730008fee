"""What a statement can say: the table of verbs, and any op by its name."""
