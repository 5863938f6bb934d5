"""Teaching a new word: a picture, a name that only ever is an answer, and an agent that obeys it in commands.

>>> from xworld.learning.bundled import load_agent
>>> from xworld.world.catalogue import Catalogue
>>> zebra = draw_pixels((["#ffffff"] * 2 + ["#202020"] * 2) * 36)
>>> taught = teach(load_agent()[0], Catalogue.load(), "zebra", zebra)
>>> sorted(examine_word(taught, sessions=4))
['nav_bw_obj', 'nav_nr_obj', 'nav_obj']
"""

from xworld.teaching.bystander import examine_beside, stand_in
from xworld.teaching.examination import Comparison, examine_rest, examine_word
from xworld.teaching.lesson import Progress, Taught, teach
from xworld.teaching.picture import Picture, draw_pixels, read_image, write_png
from xworld.teaching.taught_file import describe_words, load_catalogue, load_taught, save_taught
from xworld.teaching.word import TeachingError, check_word

__all__ = [
    "Comparison",
    "Picture",
    "Progress",
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
