"""`xworld figures`: pictures and films of an agent at work."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from rich.console import Console
from tyro.conf import Positional

from xworld.baselines.registry import FRAMEWORKS
from xworld.cli.display import say
from xworld.cli.options import CommandType
from xworld.figures.files import NAMES, Name, file_names
from xworld.world.checks import check_whole

if TYPE_CHECKING:  # torch takes a second to load, and other commands do without it
    from xworld.agent.agent import Agent

_MOST_NAMED = 3  # files in an error


@dataclass(frozen=True)
class FiguresCommand:
    """Draw what happens inside an agent, in real sessions: the paper's figures as SVG and PDF, and films as GIF.

    overview: from pixels and a sentence to an action, all maps of one step (Figure 2). attention: where commands of
    all types point (Figure 10). program: the three steps of two sentences (Figure 11). plan: how a planner finds its
    way. walls: the longest detours and
    some failures (Figure 12). sessions: a film of four sessions side by side. film: a film of one session of each type.
    """

    which: Positional[tuple[Name, ...]] = ()
    """Which of them; by default all."""
    agent: str = "Standard"
    """A bundled agent, by the condition it was trained under (Standard, NWNavRec), or a file with weights."""
    pack: Path | None = None
    """Folder of the icon pack that the agent was trained with; without one, the built-in pack."""
    seed: int = 0
    """The search for scenes starts at this seed; the same agent and seed give the same files."""
    commands: tuple[CommandType, ...] = get_args(CommandType)
    """The types of command that `film` shows, one film each."""
    folder: Path = Path("figures")
    """Where the files go."""
    vector: bool = True
    """Figures as SVG and PDF."""
    png: bool = False
    """Figures as PNG."""
    overwrite: bool = False
    """Replace existing files; without it they are left alone and nothing is drawn."""

    def run(self) -> int:
        """Draw, and name each file when it is done."""
        check_whole("--seed", self.seed, 0)
        formats = (*(["svg", "pdf"] if self.vector else []), *(["png"] if self.png else []))
        if not formats:
            raise ValueError("--no-vector without --png leaves no format for the figures")
        from xworld.agent.agent import Agent
        from xworld.figures.files import make_files
        from xworld.training.atomic_file import write_atomic
        from xworld.training.pretrained import find_weights, load_model
        from xworld.world.catalogue import Catalogue

        catalogue, console = Catalogue.load(self.pack), Console(highlight=False)
        # Only the framework has a program to draw; other models are refused by name.
        agent, _ = load_model(find_weights(self.agent), catalogue, models=FRAMEWORKS)
        assert isinstance(agent, Agent)
        pictures = [file_names(name, self.commands, formats) for name in self._names(agent)]
        self._check_folder([file for files in pictures for file in files])
        self.folder.mkdir(parents=True, exist_ok=True)
        for files in pictures:
            for file, data in make_files(files, agent, catalogue, self.seed).items():
                write_atomic(self.folder / file, data)
                say(console, f"{self.folder / file}  {len(data) / 1000:,.0f} kB")
        return 0

    def _names(self, agent: "Agent") -> tuple[Name, ...]:
        """What to draw, by default all that the agent has."""
        from xworld.agent.planner import Planner

        if isinstance(agent.action, Planner):
            return tuple(dict.fromkeys(self.which or NAMES))
        if "plan" in self.which:
            raise ValueError(f"plan: agent {self.agent} has the paper's action module, which makes no plan")
        return tuple(name for name in dict.fromkeys(self.which or NAMES) if name != "plan")

    def _check_folder(self, files: list[str]) -> None:
        """Refuse to overwrite before anything is drawn."""
        if self.folder.exists() and not self.folder.is_dir():
            raise ValueError(f"--folder {self.folder}: this is a file; name a folder")
        existing = [] if self.overwrite else [file for file in files if (self.folder / file).exists()]
        if existing:
            more = f" and {len(existing) - _MOST_NAMED} more" if len(existing) > _MOST_NAMED else ""
            raise ValueError(
                f"{self.folder} has {', '.join(existing[:_MOST_NAMED])}{more} already; "
                f"--overwrite replaces them, --folder names another place"
            )
