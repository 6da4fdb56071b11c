"""The scenarios of ML-systems performance work, by subject; reached through `symbolic_scenarios.Scenarios`."""
