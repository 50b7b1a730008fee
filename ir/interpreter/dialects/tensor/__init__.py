"""The numpy semantics of the tensor dialect: values, slices, computed regions."""
