"""The agent: four modules, wired as in the paper's overview."""

from dataclasses import dataclass

import torch
from torch import Tensor

from xworld.agent.action import Action
from xworld.agent.attentive import AttentiveModel, Outcome, distinct
from xworld.agent.perception import Perception, SceneFeatures
from xworld.agent.programmer import Program, Programmer, ProgramTrace
from xworld.agent.recognition import Recognition
from xworld.agent.word_embedding import Lexicon, WordEmbedding


@dataclass(frozen=True)
class Explanation(Outcome):
    """Everything between a sentence and what comes of it."""

    program: Program
    run: ProgramTrace


@dataclass(frozen=True)
class Reading:
    """What sentences come to by themselves."""

    program: Program
    intention: Tensor
    """(sentences, 1024) Which features they are about, as questions."""
    lexicon: Lexicon


class Agent(AttentiveModel):
    """Understands commands and questions about what it sees.

    >>> import torch
    >>> from xworld.world.catalogue import Catalogue
    >>> agent = Agent(words=105, atlas=torch.from_numpy(Catalogue.load().atlas()))
    >>> tiles, command = torch.ones(1, 13, 13, dtype=torch.int16), torch.tensor([[13, 44, 41, 66, 2] + [0] * 7])
    >>> policy, value = agent.act(tiles, command)
    >>> policy.shape, value.shape
    (torch.Size([1, 4]), torch.Size([1]))
    """

    def __init__(self, words: int, atlas: Tensor, temperature: float = 1.0) -> None:
        super().__init__(words, atlas)
        self.words = WordEmbedding(words)
        self.perception = Perception()
        self.programmer = Programmer(temperature)
        self.recognition = Recognition()
        self.action = Action()

    def compile(self, sentences: Tensor, lexicon: Lexicon | None = None) -> Program:  # type: ignore[override]
        """Compile sentences, (sentences, 12) word numbers."""
        return self.programmer.compile(sentences.long(), self.words, lexicon or self.words.lexicon())

    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> Tensor:
        """(scenes, 169) Where sentences about scenes lead."""
        return self.attend_with_gates(scene, sentences, lexicon)[0]

    def attend_with_gates(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> tuple[Tensor, Tensor]:
        """The same, and what the gates are made of, (scenes, 3)."""
        sentences, which = distinct(sentences)
        program = self.compile(sentences, lexicon)
        gate_logits = program.gate_logits if which is None else program.gate_logits.index_select(0, which)
        return program.run(scene, which).attention, gate_logits

    @torch.no_grad()
    def read(self, sentences: Tensor, lexicon: Lexicon | None = None) -> Reading:
        """What sentences come to before anything is seen. It can be kept, and the lexicon for others."""
        lexicon = lexicon or self.words.lexicon()
        return Reading(self.compile(sentences, lexicon), self.intend(sentences, lexicon), lexicon)

    @torch.no_grad()
    def explain(self, tiles: Tensor, sentences: Tensor, reading: Reading | None = None) -> Explanation:
        """All that happens between a sentence and an action or an answer, for pictures of it."""
        reading, scene = reading or self.read(sentences), self.perceive(tiles)
        run = reading.program.run(scene)
        outcome = self._come_out(scene, run.attention, reading.intention, reading.lexicon)
        return Explanation(**vars(outcome), program=reading.program, run=run)
