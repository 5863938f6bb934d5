"""Pictures of an agent at work, from any checkpoint: the paper's figures, and films of sessions."""
