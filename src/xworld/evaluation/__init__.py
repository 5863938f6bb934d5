"""How good an agent is."""

TEST_SEED = 10**9
"""The seed of the first test session; the others follow. Training draws its seeds at random from a far larger range."""
RAREST = 1_000
"""The search for sessions of a kind gives up if fewer than one in this many is of the kind."""
