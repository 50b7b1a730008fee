"""The `.tw` language: text to tree, tree to transform IR, and back."""
