"""The machine that something was measured on."""

import os
import platform
import re
from pathlib import Path


def describe_machine(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The processor (by name where Linux tells it), the number of cores, and the version of Python."""
    named = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE) if cpuinfo.is_file() else None
    processor = named[1] if named else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"
