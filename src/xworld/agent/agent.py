"""The agent: four modules, wired as in the paper's overview."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from xworld.agent.action import Action
from xworld.agent.perception import Perception, Scene
from xworld.agent.programmer import Program, Programmer, Run
from xworld.agent.recognition import Recognition
from xworld.agent.words import Lexicon, Words


@dataclass(frozen=True)
class Explanation:
    """Everything between a sentence and what comes of it."""

    program: Program
    run: Run
    environment_map: Tensor
    policy: Tensor
    value: Tensor
    answer: Tensor
    intention: Tensor


class Agent(nn.Module):
    """Understands commands and questions about what it sees.

    >>> import torch
    >>> from xworld.world.catalogue import Catalogue
    >>> agent = Agent(words=105, atlas=torch.from_numpy(Catalogue.load().atlas()))
    >>> tiles, command = torch.ones(1, 13, 13, dtype=torch.int16), torch.tensor([[13, 44, 41, 66, 2] + [0] * 7])
    >>> policy, value = agent.act(tiles, command)
    >>> policy.shape, value.shape
    (torch.Size([1, 4]), torch.Size([1]))
    """

    atlas: Tensor

    def __init__(self, words: int, atlas: Tensor, temperature: float = 1.0) -> None:
        super().__init__()
        self.words = Words(words)
        self.perception = Perception()
        self.programmer = Programmer(temperature)
        self.recognition = Recognition()
        self.action = Action()
        self.register_buffer("atlas", atlas, persistent=False)

    def perceive(self, tiles: Tensor) -> Scene:
        """Look at scenes, (scenes, 13, 13) tile ids."""
        scene: Scene = self.perception(tiles, self.atlas)
        return scene

    def compile(self, sentences: Tensor, lexicon: Lexicon | None = None) -> Program:  # type: ignore[override]
        """Compile sentences, (sentences, 12) word numbers."""
        return self.programmer.compile(sentences.long(), self.words, lexicon or self.words.lexicon())

    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values for commands about scenes."""
        scene = self.perceive(tiles)
        return self.walk(scene, self.attend(scene, commands, self.words.lexicon()))

    def answer(self, tiles: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) The score of every word as the answer to questions about scenes."""
        lexicon, scene = self.words.lexicon(), self.perceive(tiles)
        return self.tell(scene, self.attend(scene, questions, lexicon), questions, lexicon)

    def act_and_answer(
        self, tiles: Tensor, commands: Tensor, questions: Tensor, asked_about: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Action logits, values and answer scores in one pass; the questions may be about scenes of their own."""
        lexicon, count = self.words.lexicon(), len(tiles)
        scene = self.perceive(torch.cat([tiles, tiles if asked_about is None else asked_about]))
        attention = self.attend(scene, torch.cat([commands, questions]), lexicon)
        logits, values = self.walk(scene[:count], attention[:count])
        return logits, values, self.tell(scene[count:], attention[count:], questions, lexicon)

    def attend(self, scene: Scene, sentences: Tensor, lexicon: Lexicon) -> Tensor:
        """(scenes, 169) Where sentences about scenes lead."""
        which = None
        if not sentences.is_cuda:  # a GPU compiles all sentences in less time than it takes to find equal ones
            sentences, which = torch.unique(sentences, dim=0, return_inverse=True)
        return self.compile(sentences, lexicon).run(scene, which).attention

    def walk(self, scene: Scene, attention: Tensor) -> tuple[Tensor, Tensor]:
        """Action logits and values, given where to go."""
        logits, values = self.action(attention, scene.environment_map())
        return logits, values

    def tell(self, scene: Scene, attention: Tensor, questions: Tensor, lexicon: Lexicon) -> Tensor:
        """Scores of answers, given where to look."""
        intention = self.recognition.intention(questions.long(), self.words, lexicon)
        scores: Tensor = self.recognition(scene.gather_features(attention), intention, lexicon)
        return scores

    @torch.no_grad()
    def explain(self, tiles: Tensor, sentences: Tensor) -> Explanation:
        """All that happens between a sentence and an action or an answer, for pictures of it."""
        lexicon = self.words.lexicon()
        scene = self.perceive(tiles)
        program = self.compile(sentences, lexicon)
        run = program.run(scene)
        policy, value = self.walk(scene, run.attention)
        return Explanation(
            program=program,
            run=run,
            environment_map=scene.environment_map(),
            policy=policy.softmax(dim=1),
            value=value,
            answer=self.tell(scene, run.attention, sentences, lexicon).softmax(dim=1),
            intention=self.recognition.intention(sentences.long(), self.words, lexicon),
        )
