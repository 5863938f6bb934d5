"""The paper's five baselines. They share training, evaluation and checkpoints with the framework."""
