"""Figures of an agent at work: the paper's figures, and films of sessions."""
