"""Data and assets become one HTML file."""
