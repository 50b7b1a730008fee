"""Which element stands where: views, slices, joins, reads and writes at indices."""
