"""Frames as a GIF: one palette for all frames, and each picture stored once for as long as it lasts."""

import io

import numpy as np
from PIL import Image

from xworld.figures.film import TICK, Frame

_PLACES = np.array([1, 256, 65536], np.uint32)
"""They turn a color into one number."""


def as_gif(frames: list[Frame]) -> bytes:
    """A film that repeats forever.

    >>> red, blue = Image.new("RGB", (4, 4), "red"), Image.new("RGB", (4, 4), "blue")
    >>> film = Image.open(io.BytesIO(as_gif([Frame(red, 1), Frame(red, 2), Frame(blue, 1)])))
    >>> film.n_frames, film.info["duration"]
    (2, 240)
    """
    merged = merge(frames)
    palette = _palette([frame.picture for frame in merged])
    first, *others = (frame.picture.quantize(palette=palette, dither=Image.Dither.NONE) for frame in merged)
    file = io.BytesIO()
    durations = [TICK * frame.ticks for frame in merged]
    # Optimizing would make a palette for each frame.
    first.save(file, "GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False)
    return file.getvalue()


def merge(frames: list[Frame]) -> list[Frame]:
    """Frames in which equal neighbors are joined."""
    merged: list[Frame] = []
    for frame in frames:
        if merged and merged[-1].picture.tobytes() == frame.picture.tobytes():
            merged[-1] = Frame(frame.picture, merged[-1].ticks + frame.ticks)
        else:
            merged.append(frame)
    return merged


def _palette(pictures: list[Image.Image]) -> Image.Image:
    """The colors that suit all pictures best, computed from a dozen of them.

    A color counts by the square root of its frequency: otherwise floor and walls would take the whole palette, and
    small drawings would lose their colors.
    """
    chosen = np.stack([np.asarray(picture) for picture in pictures[:: -(-len(pictures) // 12)]])
    codes, counts = np.unique(chosen.astype(np.uint32) @ _PLACES, return_counts=True)
    colors = (codes[:, None] // _PLACES % _PLACES[1]).astype(np.uint8)
    sheet = np.repeat(colors, np.ceil(np.sqrt(counts)).astype(int), axis=0)
    method, none = Image.Quantize.MEDIANCUT, Image.Dither.NONE
    # A GIF has 256 colors, of which one stands for pixels that do not change.
    palette = Image.fromarray(sheet[None]).quantize(255, method, kmeans=2, dither=none)
    chosen_colors = np.array(palette.getpalette(), np.uint8).reshape(-1, 3)
    chosen_colors[chosen_colors.min(axis=1) > 247] = 255  # nearly white would stand out on a white page
    palette.putpalette(chosen_colors.tobytes())
    return palette
