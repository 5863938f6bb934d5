"""Learning from memories, as the paper has it: experience replay, target parameters, actor and critic as printed."""

import copy
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from xworld.agent.model import Model
from xworld.learning.capture import Captured
from xworld.learning.diary import Diary
from xworld.learning.losses import actor_critic_loss, count_answers, recognition_loss
from xworld.learning.presets import ReplayRecipe
from xworld.learning.replay import Replay
from xworld.learning.team import Team
from xworld.learning.tensors import as_tensors
from xworld.learning.walker import Walker
from xworld.teacher.school import School
from xworld.world.cells import ACTIONS

_LOSSES = "policy", "value", "recognition"
_FIRST_STEPS = 8
"""Time steps before learning begins, so that there is something to recall. Unstated in the paper."""


class ReplayLearner:
    """After every time step of the worlds, one step of the optimiser."""

    def __init__(self, recipe: ReplayRecipe, agent: Model, school: School, team: Team) -> None:
        self.recipe, self.agent, self.school, self.team = recipe, agent, school, team
        self.device = agent.atlas.device
        self.walker = Walker(school, recipe.discount)
        self.replay = Replay(team.share(recipe.buffer, "remembered steps"), len(school), recipe.priority)
        self.batch = team.share(recipe.batch, "samples in a batch")
        self.target = copy.deepcopy(agent).requires_grad_(False)
        self.optimiser: torch.optim.Optimizer = torch.optim.Adagrad(
            agent.parameters(),
            lr=recipe.learning_rate,
            weight_decay=recipe.weight_decay * recipe.batch,
            fused=self.device.type == "cpu",
            foreach=self.device.type == "cuda",
        )
        self.steps, self.batches, self.sessions = 0, 0, 0
        self._act = Captured(self._choose, self.device)
        self._improve = Captured(self._descend, self.device, enabled=team.size == 1)

    @property
    def exploration(self) -> float:
        """The share of actions that are random."""
        return max(0.0, 1 - self.steps / self.recipe.exploration_steps)

    def set_progress(self, done: float) -> None:
        """Nothing here goes by the part of training that is done; the curriculum goes by sessions."""
        self._follow_curriculum()

    def _follow_curriculum(self) -> None:
        self.school.set_progress(min(1.0, self.sessions / self.recipe.curriculum_sessions))

    def play_round(self, diary: Diary, generator: torch.Generator) -> None:
        """Alternate between a time step and a step of the optimiser."""
        rng = np.random.default_rng(generator.initial_seed())
        with diary.timing("walking"):
            while self.steps < _FIRST_STEPS * self.recipe.worlds or not self.replay.has_questions:
                self._walk(diary, rng)
        for _ in range(self.recipe.batches_a_round):
            with diary.timing("walking"):
                self._walk(diary, rng)
            with diary.timing("learning"):
                self._learn(diary, rng)

    def modules(self) -> dict[str, nn.Module]:
        """The network with the target parameters."""
        return {"target": self.target}

    def arrays(self) -> dict[str, np.ndarray]:
        """The memory, the sessions' accounts, and what exploration, target parameters and curriculum go by."""
        remembered = {f"replay/{name}": array for name, array in self.replay.arrays().items()}
        return {**self.walker.arrays(), **remembered, "counts": np.array([self.steps, self.batches, self.sessions])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from such arrays."""
        self.walker.restore(arrays)
        remembered = {name: array for name, array in arrays.items() if name.startswith("replay/")}
        self.replay.restore({name.removeprefix("replay/"): array for name, array in remembered.items()})
        self.steps, self.batches, self.sessions = arrays["counts"].tolist()

    def _walk(self, diary: Diary, rng: np.random.Generator) -> None:
        """One time step of every world, remembered."""
        school, ended = self.school, diary.sessions
        shown = school.tiles, school.commands, school.questions, school.lessons["answer"].copy()
        (policy,) = self._act(*as_tensors(self.device, *shown[:2]))
        chances = self.exploration / len(ACTIONS) + (1 - self.exploration) * policy.cpu().numpy()
        actions = draw_actions(chances, rng)
        rewards, over, _ = self.walker.step(actions, diary)
        self.replay.add(*shown, actions, rewards, over)
        self.steps += len(school) * self.team.size
        self.sessions += (diary.sessions - ended) * self.team.size
        self._follow_curriculum()

    def _learn(self, diary: Diary, rng: np.random.Generator) -> None:
        """One step of the optimiser, from a minibatch of transitions and another one of questions."""
        if self.batches % self.recipe.target_every == 0:
            self.target.load_state_dict(self.agent.state_dict())
        walked = self.replay.sample_transitions(self.batch, rng)
        asked = self.replay.sample_questions(self.batch, rng)
        now, ends = walked.now, walked.now.ends.astype(np.float32)
        surprise, losses, answers = self._improve(
            *as_tensors(self.device, now.tiles, now.commands, now.actions, now.rewards, ends),
            *as_tensors(self.device, walked.next_tiles, walked.next_commands),
            *as_tensors(self.device, asked.tiles, asked.questions, asked.answers),
        )
        self.replay.set_priorities(walked.numbers, surprise.cpu().numpy())
        diary.learned(dict(zip(_LOSSES, losses, strict=True)), answers)
        self.batches += 1

    @torch.no_grad()
    def _choose(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor]:
        return (self.agent.act(tiles, commands)[0].softmax(dim=1),)

    def _descend(
        self,
        tiles: Tensor,
        commands: Tensor,
        actions: Tensor,
        rewards: Tensor,
        ends: Tensor,
        next_tiles: Tensor,
        next_commands: Tensor,
        asked_about: Tensor,
        questions: Tensor,
        answers: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The surprise at each transition, the figures that `_LOSSES` names, and right answers of how many."""
        with torch.no_grad():
            _, following = self.target.act(next_tiles, next_commands)
        logits, values, scores, *_ = self.agent.respond(tiles, commands, questions, asked_about)
        surprise = (rewards + self.recipe.discount * (1 - ends) * following - values).detach()
        walking = actor_critic_loss(logits, values, actions, surprise)
        answering = len(answers) * recognition_loss(scores, answers)  # a sum over samples, as in walking
        self.optimiser.zero_grad()
        loss = self.team.size * (walking + answering)  # which the team averages, and a sum is wanted
        loss.backward()  # type: ignore[no-untyped-call]
        self.team.average_gradients(self.agent.parameters())
        self.optimiser.step()
        figures = walking.detach(), surprise.square().mean(), answering.detach() / len(answers)
        return surprise, torch.stack(figures), count_answers(scores, answers)


def draw_actions(chances: np.ndarray, rng: np.random.Generator) -> NDArray[np.int64]:
    """One action for each row of (worlds, 4) chances."""
    thresholds = chances.cumsum(axis=1)
    lots = rng.random(len(chances))[:, None] * thresholds[:, -1:]
    actions: NDArray[np.int64] = np.sum(lots >= thresholds[:, :-1], axis=1, dtype=np.int64)
    return actions
