"""What several loop transformations need: bounds, bodies, memory accesses, targets."""
