"""Teaching a new word: a picture, a name that only ever is an answer, and an agent that obeys it in commands.

>>> from xworld.training.pretrained import load_agent
>>> from xworld.world.catalogue import Catalogue
>>> zebra = draw_pixels((["#ffffff"] * 2 + ["#202020"] * 2) * 36)
>>> taught = teach(load_agent()[0], Catalogue.load(), "zebra", zebra)
>>> sorted(examine_word(taught, sessions=4))
['nav_bw_obj', 'nav_nr_obj', 'nav_obj']
"""

from xworld.word_learning.distractor import examine_beside, stand_in
from xworld.word_learning.examination import Comparison, examine_rest, examine_word
from xworld.word_learning.picture import Picture, draw_pixels, read_image, write_png
from xworld.word_learning.taught_file import describe_words, load_catalogue, load_taught, save_taught
from xworld.word_learning.teach_word import LessonProgress, Taught, teach
from xworld.word_learning.word import TeachingError, check_word

__all__ = [
    "Comparison",
    "LessonProgress",
    "Picture",
    "Taught",
    "TeachingError",
    "check_word",
    "describe_words",
    "draw_pixels",
    "examine_beside",
    "examine_rest",
    "examine_word",
    "load_catalogue",
    "load_taught",
    "read_image",
    "save_taught",
    "stand_in",
    "teach",
    "write_png",
]
