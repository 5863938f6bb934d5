"""The pictures are what the drawings give."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_png_is_its_svg_rasterised() -> None:
    command = [sys.executable, str(ROOT / "tools/draw_sprites.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout.strip() == "127 drawings are up to date"
