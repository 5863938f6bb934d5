"""Benchmarks. Each one measures both sides in the same run and reports their ratio."""
