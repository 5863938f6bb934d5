"""The paper's five baselines: models that are trained, tested and kept like the framework."""
