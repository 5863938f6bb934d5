"""The paper's agent: perception, programmer, recognition and action."""
