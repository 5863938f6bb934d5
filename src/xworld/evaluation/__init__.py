"""How good an agent is."""

RAREST = 1_000
"""The search for sessions of a kind gives up if fewer than one in this many is of the kind."""
