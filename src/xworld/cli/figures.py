"""`xworld figures`: pictures and films of an agent at work."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text
from tyro.conf import Positional

from xworld.cli.evaluate import find_agent
from xworld.figures.names import NAMES, Name, file_names
from xworld.teacher.settings import COMMAND_NAMES, TeacherSettings

_MOST_NAMED = 3
"""How many files an error lists."""
_SEEDS = 2**63


@dataclass(frozen=True)
class Figures:
    """Draw what goes on in an agent, in real sessions: the paper's figures as SVG and PDF, and films as GIF.

    overview: from a picture and a sentence to a step, all maps of one moment (Figure 2). attention: where commands of
    all types lead (Figure 10). program: the three steps of two sentences (Figure 11). walls: the longest detours and
    some failures (Figure 12). sessions: a film of four sessions side by side. film: a film of one session of each type.
    """

    which: Positional[tuple[Name, ...]] = ()
    """Which of them; without, all."""
    checkpoint: str | None = None
    """A file with an agent's weights, or the condition under which one of the package was trained; without, Standard.
    """
    seed: int = 0
    """Scenes are looked for from this seed on; the same agent and seed give the same files."""
    commands: tuple[str, ...] = COMMAND_NAMES
    """The types of command of which `film` makes films, such as nav_nr_obj."""
    folder: Path = Path("figures")
    """Where the files go."""
    vector: bool = True
    """Figures as SVG and PDF."""
    png: bool = False
    """Figures as PNG."""
    overwrite: bool = False
    """Replace files that are there already; without, they are left alone and nothing is drawn."""

    def run(self) -> int:
        """Draw, and name each file as it is done."""
        if not 0 <= self.seed < _SEEDS:
            raise ValueError(f"--seed {self.seed}: expected a whole number from 0 to 2**63 - 1")
        TeacherSettings(commands=self.commands)  # refuses types that there are not
        formats = (*(["svg", "pdf"] if self.vector else []), *(["png"] if self.png else []))
        if not formats:
            raise ValueError("--no-vector without --png leaves no format for the figures")
        pictures = [file_names(name, self.commands, formats) for name in dict.fromkeys(self.which or NAMES)]
        self._check_folder([file for files in pictures for file in files])
        from xworld.agent.agent import Agent
        from xworld.figures.album import make_files
        from xworld.training.atomic_file import write_atomic
        from xworld.training.pretrained import PRETRAINED, load_agent
        from xworld.world.catalogue import Catalogue

        # Only the framework has a program to draw; other models are refused by name.
        agent, _ = load_agent(find_agent(self.checkpoint, PRETRAINED), model="framework")
        assert isinstance(agent, Agent)
        catalogue, console = Catalogue.load(), Console(highlight=False)
        self.folder.mkdir(parents=True, exist_ok=True)
        for files in pictures:
            for file, data in make_files(files, agent, catalogue, self.seed).items():
                write_atomic(self.folder / file, data)
                console.print(Text(f"{self.folder / file}  {len(data) / 1000:,.0f} kB"), soft_wrap=True)
        return 0

    def _check_folder(self, files: list[str]) -> None:
        """Refuse to overwrite before anything is drawn."""
        if self.folder.exists() and not self.folder.is_dir():
            raise ValueError(f"--folder {self.folder}: that is a file, and a folder is wanted")
        there = [] if self.overwrite else [file for file in files if (self.folder / file).exists()]
        if there:
            more = f" and {len(there) - _MOST_NAMED} more" if len(there) > _MOST_NAMED else ""
            raise ValueError(
                f"{self.folder} has {', '.join(there[:_MOST_NAMED])}{more} already; "
                f"--overwrite replaces them, --folder names another place"
            )
