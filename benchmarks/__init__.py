"""Benchmarks, run by hand: each compares two ways side by side in one run and prints the ratio."""
