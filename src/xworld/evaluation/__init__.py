"""How good an agent is."""

TEST_SEED = 10**9
"""Test sessions are those of the seeds from here on; training draws its seeds at random from far more."""
