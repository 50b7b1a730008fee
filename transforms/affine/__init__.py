"""`transform.affine.*`: simplify affine ops by what is known of their operands."""
