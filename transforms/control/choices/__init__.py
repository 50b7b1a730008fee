"""What a schedule leaves open: knobs, alternatives, and constraints on them."""
