"""What a schedule leaves open: knobs, alternatives and the constraints on them."""
