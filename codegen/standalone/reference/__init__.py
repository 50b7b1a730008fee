"""The reference in a stand-alone file: the payload as torch functions in float64."""
