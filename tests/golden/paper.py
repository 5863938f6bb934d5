"""Exact counts from the paper and its release: sentences, words, classes and instances."""

SENTENCES = {
    "nav_obj": (31, 40, 1_240),
    "nav_col_obj": (31, 62, 1_922),
    "nav_nr_obj": (31 * 4, 8 * 40, 39_680),
    "nav_bw_obj": (31, 40 * 40, 49_600),
    "rec_col2obj": (35, 4, 140),
    "rec_obj2col": (14, 40, 560),
    "rec_loc2obj": (35, 8, 280),
    "rec_obj2loc": (13, 40, 520),
    "rec_loc2col": (14, 8, 112),
    "rec_col2loc": (13, 4, 52),
    "rec_loc_obj2obj": (35 * 4, 8 * 40, 44_800),
    "rec_loc_obj2col": (14 * 4, 8 * 40, 17_920),
    "rec_col_obj2loc": (13, 62, 806),
    "rec_bw_obj2obj": (35, 40 * 40, 56_000),
    "rec_bw_obj2loc": (13, 40 * 40, 20_800),
    "rec_bw_obj2col": (14, 40 * 40, 22_400),
}
"""Surface forms, fillings and sentences of each type."""

NAVIGATION, RECOGNITION, ALL = 92_442, 164_390, 256_832
WORDS, LENGTHS = 104, (2, 12)

INSTANCES = {1: 3, 2: 4, 3: 29, 4: 4}
"""The number of classes by their number of instances: 40 classes and 114 instances in all."""

EXAMPLES = {
    "Please navigate to the apple.": "nav_obj",
    "Could you please go to the red apple?": "nav_col_obj",
    "What is the object in the north?": "rec_loc2obj",
    "Where is the banana?": "rec_obj2loc",
    "Please go to the apple.": "nav_obj",
    "Could you please move to the red apple?": "nav_col_obj",
    "The north of the apple is your destination.": "nav_nr_obj",
    "Navigate to the grid between apple and banana please.": "nav_bw_obj",
    "What is the red object?": "rec_col2obj",
    "What is the color of the apple?": "rec_obj2col",
    "Please tell the name of the object in the south.": "rec_loc2obj",
    "What is the location of the apple?": "rec_obj2loc",
    "What color does the object in the east have?": "rec_loc2col",
    "Where is the red object located?": "rec_col2loc",
    "Identify the object which is in the east of the apple.": "rec_loc_obj2obj",
    "What is the color of the east to the apple?": "rec_loc_obj2col",
    "Where is the red apple?": "rec_col_obj2loc",
    "What is the object between apple and banana?": "rec_bw_obj2obj",
    "Where is the object between apple and banana?": "rec_bw_obj2loc",
    "What is the color of the object between apple and banana?": "rec_bw_obj2col",
    "Watermelon is the destination.": "nav_obj",
    "Reach the grid between grape and deer.": "nav_bw_obj",
    "Red ladybug is the target.": "nav_col_obj",
    "Can you go to the south of the elephant?": "nav_nr_obj",
    "Could you please go to the dog?": "nav_obj",
    "Please reach south of the cucumber.": "nav_nr_obj",
}
"""The example sentences of the paper, but for two in its running text that are longer than its own limit of 12."""
