"""Measurements beside others, each a ratio taken in one run."""
