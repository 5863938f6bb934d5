"""Write requirements.lock: the exact version of every package in this environment."""

from importlib.metadata import distributions
from pathlib import Path

LOCK = Path(__file__).parents[1] / "requirements.lock"
NOT_OURS = {"pip", "setuptools", "wheel", "xworld"}
APART = {"moviepy"}  # the Makefile installs it without its dependencies
HEADER = "# Everything that development needs, pinned. Written by `make lock`.\n"


def main() -> None:
    pins = {
        dist.name.lower().replace("_", "-"): dist.version.split("+")[0]  # a local build is the same release
        for dist in distributions()
        if dist.name.lower() not in NOT_OURS | APART
    }
    LOCK.write_text(HEADER + "".join(f"{name}=={version}\n" for name, version in sorted(pins.items())))


if __name__ == "__main__":
    main()
