"""Bytes, files and Python objects to Documents."""
