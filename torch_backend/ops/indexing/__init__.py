"""Which element stands where: views, slices, concats, reads and writes at indices."""
