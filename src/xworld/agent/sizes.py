"""The sizes of the paper (its implementation details), each once."""

VIEW = 13
CELLS = VIEW * VIEW
VISUAL_FEATURES = 512
SPATIAL_FEATURES = 512
WORD_EMBEDDING = VISUAL_FEATURES + SPATIAL_FEATURES
PROJECTION_HIDDEN = 512
"""Units of the hidden layer that leads from a word to its syntax and its functionality embedding."""
SYNTAX_EMBEDDING = 128
FUNCTIONALITY_EMBEDDING = 128
RNN_STATE = 128
MASK_HIDDEN = 128
PROGRAM_STEPS = 3
ACTION_CHANNELS = 64, 4
ACTION_HIDDEN = 512
ACTIONS = 4
