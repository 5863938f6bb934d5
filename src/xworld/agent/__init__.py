"""The paper's agent: perception, the programmer, recognition and action."""
