"""How good an agent is."""
