"""Teaching the agent a new word: it is heard only as an answer, and then understood in commands.

>>> import tempfile
>>> from xworld.training.pretrained import load_model
>>> from xworld.world.catalogue import Catalogue
>>> zebra = draw_pixels((["#ffffff"] * 2 + ["#202020"] * 2) * 36)
>>> agent, provenance = load_model()
>>> with tempfile.TemporaryDirectory() as folder:
...     save_taught(f"{folder}/zebra", teach(agent, Catalogue.load(), "zebra", zebra), provenance)
...     taught, provenance = load_taught(f"{folder}/zebra")
>>> taught.word, provenance["condition"]
('zebra', 'Standard')
>>> sorted(evaluate_word(taught, sessions=4))
['nav_bw_obj', 'nav_nr_obj', 'nav_obj']
"""

from xworld.word_learning.evaluation import ForgettingReport, evaluate_distractor, evaluate_forgetting, evaluate_word
from xworld.word_learning.new_object import Picture, TeachingError, check_word, draw_pixels, read_image, write_png
from xworld.word_learning.taught_agent import TaughtAgent
from xworld.word_learning.taught_file import describe_words, load_catalogue, load_taught, save_taught
from xworld.word_learning.teach_word import TeachingProgress, teach

__all__ = [
    "ForgettingReport",
    "Picture",
    "TaughtAgent",
    "TeachingError",
    "TeachingProgress",
    "check_word",
    "describe_words",
    "draw_pixels",
    "evaluate_distractor",
    "evaluate_forgetting",
    "evaluate_word",
    "load_catalogue",
    "load_taught",
    "read_image",
    "save_taught",
    "teach",
    "write_png",
]
