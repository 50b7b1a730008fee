"""The stages of a tuning run that turn points into trials."""
