"""Rasterize the icons: each SVG becomes the PNG beside it, and the built-in pack becomes a contact sheet.

python tools/draw_sprites.py            # draw everything
python tools/draw_sprites.py --check    # fail if a PNG does not match its SVG
"""

import argparse
import io
import sys
from pathlib import Path

import resvg_py
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).parents[1]
PACK = ROOT / "src/xworld/world/sprites"
NEW_THINGS = ROOT / "src/xworld/bench/icons"  # in no pack: agents can be taught their names
SHEET = ROOT / "docs/images/catalogue.png"
SIZE = 96  # a multiple of the 12 px cell, so that shrinking averages whole blocks
LARGE, SMALL, COLUMNS = 64, 12, 12
FLOOR_COLOR = (236, 231, 219)


def rasterize(svg: Path) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_path=str(svg), width=SIZE, height=SIZE, skip_system_fonts=True))


def on_floor(png: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    floor = Image.new("RGBA", picture.size, FLOOR_COLOR)
    return Image.alpha_composite(floor, picture).convert("RGB")


def contact_sheet(drawings: dict[Path, bytes]) -> Image.Image:
    """Every icon at 64 px, and beside it what the agent sees: the same at 12 px."""
    width, height = LARGE + SMALL + 20, LARGE + 26
    rows = -(-len(drawings) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * width, rows * height), "white")
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(11)
    for i, (svg, png) in enumerate(sorted(drawings.items())):
        x, y = i % COLUMNS * width + 6, i // COLUMNS * height + 6
        picture = on_floor(png)
        sheet.paste(picture.resize((LARGE, LARGE), Image.Resampling.BOX), (x, y))
        sheet.paste(picture.resize((SMALL, SMALL), Image.Resampling.BOX), (x + LARGE + 4, y))
        pen.text((x, y + LARGE + 1), svg.stem, fill="black", font=font)
    return sheet


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", help="draw only files whose path contains this text, with their own sheet")
    parser.add_argument("--sheet", type=Path, default=SHEET)
    arguments = parser.parse_args()
    files = [*PACK.rglob("*.svg"), *NEW_THINGS.glob("*.svg")]
    drawings = {svg: rasterize(svg) for svg in files if (arguments.only or "") in str(svg)}
    if arguments.check:
        stale = [svg for svg, png in drawings.items() if svg.with_suffix(".png").read_bytes() != png]
        print(
            "\n".join(f"stale: {svg.with_suffix('.png')}" for svg in stale)
            or f"{len(drawings)} drawings are up to date"
        )
        return bool(stale)
    for svg, png in drawings.items():
        svg.with_suffix(".png").write_bytes(png)
    arguments.sheet.parent.mkdir(parents=True, exist_ok=True)
    shown = drawings if arguments.only else {svg: png for svg, png in drawings.items() if svg.is_relative_to(PACK)}
    contact_sheet(shown).save(arguments.sheet, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
