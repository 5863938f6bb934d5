"""Fonts for browsers under test: no font of the machine is used, only one that comes with matplotlib."""

from pathlib import Path

import matplotlib

NARROW, MEDIUM, WIDE, WIDEST = "STIXGeneral", "DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"

_CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  <match target="pattern">
    <edit name="family" mode="assign" binding="strong"><string>{family}</string></edit>
  </match>
</fontconfig>
"""
"""Every family that a page asks for is replaced by one."""


def font_environment(family: str, folder: Path) -> dict[str, str]:
    """Environment variables that make Chromium use one font family; the folder is for its configuration."""
    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    config = folder / "fonts.conf"
    config.write_text(_CONFIG.format(fonts=fonts, cache=folder / "cache", family=family))
    return {"FONTCONFIG_FILE": str(config)}
