"""The sizes in the paper's implementation details."""

VIEW = 13
CELLS = VIEW * VIEW
VISUAL_FEATURES = 512
SPATIAL_FEATURES = 512
WORD_EMBEDDING = VISUAL_FEATURES + SPATIAL_FEATURES
PROJECTION_HIDDEN = 512
"""Hidden units of the projections from a word embedding to its syntax and functionality embeddings."""
SYNTAX_EMBEDDING = 128
FUNCTIONALITY_EMBEDDING = 128
RNN_STATE = 128
MASK_HIDDEN = 128
PROGRAM_STEPS = 3
ACTION_CHANNELS = 64, 4
ACTION_HIDDEN = 512
ACTIONS = 4

# Not the paper's: the planner.
PLAN_MAPS = 32
PLAN_STEPS = 14
PLAN_HIDDEN = 32
PLAN_SEEN = 5
"""Cells that the agent looks at in the end: its own, and those that its four moves lead to."""
