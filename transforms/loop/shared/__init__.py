"""What several transformations of loops use: bounds, bodies, accesses."""
