"""A trained agent that takes what the environments give, and the three ways to get one: load, train, teach."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from xworld.agent.agent import Agent
from xworld.agent.model import Model, best_actions
from xworld.agent.pixels import distinct_patches
from xworld.agent.thought import Thought, think
from xworld.envs.observation import Observation
from xworld.evaluation.responders import PolicyError
from xworld.experiments.grid import Job
from xworld.experiments.job import make_trainer, run_job
from xworld.experiments.plan import Plan
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import PAPER_SHARE, Condition
from xworld.teacher.vocabulary import Vocabulary
from xworld.training.checkpoint import save_weights
from xworld.training.configs import TrainingConfig, find_preset
from xworld.training.device import choose_device
from xworld.training.pretrained import find_weights, load_model
from xworld.training.run_folder import RunFolder
from xworld.word_learning import TaughtAgent, load_catalogue, read_image, save_taught
from xworld.word_learning import teach as teach_word
from xworld.world.catalogue import Catalogue
from xworld.world.cells import VIEW
from xworld.world.checks import check_choice, check_kind, check_seed
from xworld.world.view import VIEW_PIXELS


@dataclass(frozen=True, eq=False)
class TrainedAgent:
    """A trained agent. It takes observations of one environment or of a vector environment, of pixels or of tiles.

    >>> import xworld
    >>> agent, env = xworld.load_agent(), xworld.XWorldEnv()
    >>> observation, info = env.reset(seed=2)
    >>> info["command"], agent.act(observation), env.oracle_action()
    ('The north of the octopus is your destination.', 1, 1)
    >>> info["question"], agent.answer(observation), info["answer"]
    ('Tell me the name of the green object.', 'strawberry', 'strawberry')
    """

    model: Model
    """The network itself, which takes tensors."""
    catalogue: Catalogue
    """The objects that it knows."""
    provenance: dict[str, Any]
    """Where the weights come from: settings of training, hold-out, hardware, versions."""
    taught: TaughtAgent | None = None
    """How it was taught its last word; None for an agent that was only trained."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Its words and their numbers."""
        return Grammar(self.catalogue).vocabulary

    @torch.no_grad()
    def act(self, observation: Observation) -> Any:
        """The best action: a number for one observation, an array for those of a vector environment."""
        model, tiles, command = self._read(observation, "command")
        actions = best_actions(model.act(tiles, command)[0]).cpu().numpy()
        return actions if np.ndim(observation["command"]) == 2 else int(actions[0])

    @torch.no_grad()
    def answer(self, observation: Observation) -> Any:
        """The answer to the question: a word for one observation, a list for those of a vector environment.

        Where no question is asked, the answer is the empty word.
        """
        model, tiles, question = self._read(observation, "question")
        words, asked = self.vocabulary.words, question.any(dim=1).tolist()
        best = model.answer(tiles, question).argmax(dim=1).tolist()
        said = [words[number] if is_asked else "" for number, is_asked in zip(best, asked, strict=True)]
        return said if np.ndim(observation["question"]) == 2 else said[0]

    def explain(self, observation: Observation, sentence: str | None = None) -> Thought:
        """What the agent makes of the command, or of another sentence, about one observation.

        >>> import xworld
        >>> observation, _ = xworld.XWorldEnv().reset(seed=18)
        >>> thought = xworld.load_agent().explain(observation, "What is in the north?")
        >>> thought.words, thought.attention.shape
        (('what', 'is', 'in', 'the', 'north', '?'), (13, 13))
        """
        model, tiles, command = self._read(observation, "command")
        if not isinstance(model, Agent):
            raise PolicyError(f"a {type(model).__name__} has no thoughts to show: only the framework attends to words")
        if len(tiles) != 1:
            raise PolicyError(f"{len(tiles)} observations: explain one at a time")
        numbers = command[0].cpu().numpy() if sentence is None else self.vocabulary.encode(sentence)
        return think(model, tiles[0].cpu().numpy(), numbers, self.vocabulary.words)

    def save(self, path: str | Path) -> None:
        """Write the agent to a new file, which `load_agent` and all commands read."""
        if Path(path).exists():
            raise FileExistsError(f"{path} exists already; name another file or move it away")
        if self.taught is not None:
            save_taught(path, self.taught, self.provenance)
        else:
            names = self.catalogue.classes, self.vocabulary.words
            save_weights(path, self.model, self.provenance, *names, fingerprint=self.catalogue.fingerprint)

    def _read(self, observation: Observation, sentence: str) -> tuple[Model, torch.Tensor, torch.Tensor]:
        """The model, which is given the very patches of an observation of pixels; the scenes; and the sentences."""
        if not ({"pixels", "tiles"} & set(observation) and sentence in observation):
            raise PolicyError(f"an observation of {', '.join(observation)}: expected pixels or tiles, and a {sentence}")
        model, device = self.model, self.model.atlas.device
        sentences = np.atleast_2d(observation[sentence])
        if "tiles" in observation:
            tiles = np.asarray(observation["tiles"]).reshape(-1, VIEW, VIEW)
        else:
            patches, tiles = distinct_patches(
                np.asarray(observation["pixels"]).reshape(-1, VIEW_PIXELS, VIEW_PIXELS, 3)
            )
            model = model.with_atlas(torch.from_numpy(patches).to(device))
        _check_numbers("tiles", tiles, len(model.atlas))
        _check_numbers(sentence, sentences, len(self.vocabulary.words))
        return model, torch.from_numpy(tiles).to(device), torch.from_numpy(sentences).to(device)


def _check_numbers(name: str, numbers: NDArray[Any], known: int) -> None:
    if numbers.dtype.kind not in "iu" or not np.all((numbers >= 0) & (numbers < known)):
        raise PolicyError(f"the {name} of an observation: expected whole numbers from 0 to {known - 1}")


def load_agent(agent: str | Path = "Standard", pack: str | Path | None = None, device: str = "cpu") -> TrainedAgent:
    """A trained agent: one of the package, by the condition it was trained under in any case, or one of a file.

    `pack` is the folder of the icons it was trained with, if they are not the built-in ones.

    >>> import xworld
    >>> xworld.load_agent("nwnavrec").provenance["condition"]
    'NWNavRec'
    """
    file = find_weights(agent)
    catalogue = load_catalogue(file, pack)
    model, provenance = load_model(file, catalogue)
    return TrainedAgent(model.to(choose_device(device)), catalogue, provenance)


def train(
    config: str | TrainingConfig = "default",
    *,
    condition: Condition = "Standard",
    share: float = PAPER_SHARE,
    model: str = "planner",
    seed: int = 0,
    pack: str | Path | None = None,
    folder: str | Path | None = None,
    device: str = "auto",
    **changes: Any,
) -> TrainedAgent:
    """Train an agent by a preset or a config, with some of its settings changed; a folder keeps the run.

    A run in a folder is the same as that of `xworld train`, which can also resume it and test it.

    >>> import xworld
    >>> agent = xworld.train("tiny", num_envs=8, buffer_size=64, total_steps=64)
    >>> agent.provenance["config"]["total_steps"]
    64
    """
    preset = find_preset(config) if isinstance(config, str) else config
    check_kind("config", preset, TrainingConfig)
    known = tuple(field.name for field in fields(preset))
    for setting in changes:
        check_choice("setting", setting, known)
    held_out = 0.0 if condition == "Standard" else share
    validation_sessions = 4 if folder is None else 1_000  # nobody reads the curve of a run that is not kept
    icons = None if pack is None else str(Path(pack).resolve())
    plan = Plan(config=replace(preset, **changes), sessions=0, validation_sessions=validation_sessions, pack=icons)
    settings = plan.settings(Job(model, condition, held_out, check_seed("seed", seed)))
    with TemporaryDirectory() as scratch:
        trainer = make_trainer(settings, choose_device(device))
        run = RunFolder.create(Path(scratch) / "run" if folder is None else Path(folder), settings)
        run_job(run, trainer, lambda: False)
        return load_agent(run.weights_path, pack)


def teach(
    agent: TrainedAgent, word: str, picture: str | Path | NDArray[np.uint8], color: str = "", seed: int = 0
) -> TrainedAgent:
    """Teach an agent the word for an object from answers alone: it is shown the picture and asked what it sees.

    The picture is an image file or (96, 96, 4) RGBA; the color is "" or one that has a word. The agent does not change.

    >>> import xworld
    >>> zebra = np.full((96, 96, 4), 255, np.uint8)
    >>> zebra[::16, :, :3] = zebra[1::16, :, :3] = zebra[2::16, :, :3] = 20
    >>> xworld.teach(xworld.load_agent(), "zebra", zebra).catalogue.classes[-1]
    'zebra'
    """
    shown = read_image(Path(picture).read_bytes()) if isinstance(picture, str | Path) else picture
    taught = teach_word(agent.model, agent.catalogue, word, shown, color, seed)
    return TrainedAgent(taught.agent, taught.catalogue, agent.provenance, taught)
