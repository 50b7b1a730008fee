"""The valid points of a space: counted, walked, addressed and drawn, never listed."""
