"""Pictures of objects that are in no catalogue."""

from xworld.bench.teach import ICONS
from xworld.word_learning.new_object import draw_pixels, read_image

STRIPES = draw_pixels((["#ffffff"] * 2 + ["#202020"] * 2) * 36)
ROCKET, KEY = (read_image((ICONS / f"{name}.png").read_bytes()) for name in ("rocket", "key"))
