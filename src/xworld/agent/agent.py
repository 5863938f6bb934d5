"""The agent, in the order of the paper's overview: perceive, compile, run, then act or answer."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from xworld.agent.action import Action, Navigator
from xworld.agent.model import Model, Response, distinct_sentences, select_rows
from xworld.agent.perception import Perception, SceneFeatures
from xworld.agent.programmer import Program, Programmer
from xworld.agent.recognition import Recognition
from xworld.agent.word_embedding import Lexicon, WordEmbedding


class AttentionModel(Model):
    """Attends to a place, then goes there or tells what is there. Subclasses add the language module: `attend`."""

    words: WordEmbedding
    perception: Perception
    recognition: Recognition
    action: Navigator

    @property
    def noise_shape(self) -> torch.Size:
        """The shape of the embedding table."""
        return self.words.embeddings.shape

    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values for commands about scenes."""
        scene = self.perceive(tiles)
        attention, _ = self.attend(scene, commands, self.words.lexicon(commands))
        return self.navigate(scene, attention)

    def answer(self, tiles: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) The score of every word as the answer to questions about scenes."""
        return self.study(tiles, questions)[0]

    def study(
        self, tiles: Tensor, questions: Tensor, embedding_noise: Tensor | None = None, hidden: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The scores of `answer` in training, and how sharp attention is: the mean squared logit of each kind."""
        lexicon = self.words.lexicon(questions, embedding_noise)
        scene = replace(self.perceive(tiles), hidden=hidden)
        attention, logits = self.attend(scene, questions, lexicon)
        sharpness = torch.stack([kind.square().mean() for kind in logits]).sum()
        return self.recognize(scene, attention, self.intention(questions, lexicon), lexicon), sharpness

    def respond(
        self,
        tiles: Tensor,
        commands: Tensor,
        questions: Tensor,
        question_tiles: Tensor | None = None,
        embedding_noise: Tensor | None = None,
    ) -> Response:
        """Act and answer in one pass."""
        sentences, count = torch.cat([commands, questions]), len(tiles)
        lexicon = self.words.lexicon(sentences, embedding_noise)
        if question_tiles is None:
            scene = self.perceive(tiles).twice()
        else:
            scene = self.perceive(torch.cat([tiles, question_tiles]))
        attention, _ = self.attend(scene, sentences, lexicon)
        logits, values = self.navigate(scene[:count], attention[:count])
        intention = self.intention(questions, lexicon)
        scores = self.recognize(scene[count:], attention[count:], intention, lexicon)
        return Response(logits, values, scores)

    def perceive(self, tiles: Tensor) -> SceneFeatures:
        """The features of scenes, (scenes, 13, 13) tile ids."""
        scene: SceneFeatures = self.perception(tiles, self.atlas)
        return scene

    @abstractmethod
    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> tuple[Tensor, Sequence[Tensor]]:
        """(scenes, 169) attention maps of sentences about scenes, and the logits behind them, of each kind."""

    def navigate(self, scene: SceneFeatures, attention: Tensor) -> tuple[Tensor, Tensor]:
        """Action logits and values, given where to go."""
        logits, values = self.action(attention, scene.environment_map())
        return logits, values

    def intention(self, questions: Tensor, lexicon: Lexicon) -> Tensor:
        """(questions, 1024) Which features questions ask about."""
        return self.recognition.intention(questions.long(), self.words, lexicon)

    def recognize(self, scene: SceneFeatures, attention: Tensor, intention: Tensor, lexicon: Lexicon) -> Tensor:
        """Scores of answers, given where to look and which features to look for."""
        scores: Tensor = self.recognition(scene.attended_features(attention), intention, lexicon)
        return scores


class Agent(AttentionModel):
    """The paper's framework: a programmer turns sentences into attention.

    >>> import torch
    >>> from xworld.world.catalogue import Catalogue
    >>> agent = Agent(words=105, atlas=torch.from_numpy(Catalogue.load().atlas()))
    >>> tiles, command = torch.ones(1, 13, 13, dtype=torch.int16), torch.tensor([[13, 44, 41, 66, 2] + [0] * 7])
    >>> policy, value = agent.act(tiles, command)
    >>> policy.shape, value.shape
    (torch.Size([1, 4]), torch.Size([1]))
    """

    def __init__(
        self, words: int, atlas: Tensor, temperature: float = 1.0, action: Callable[[], Navigator] = Action
    ) -> None:
        """`temperature` is that of word attention; `action` makes the module that decides where to go."""
        super().__init__(words, atlas)
        self.words = WordEmbedding(words)
        self.perception = Perception()
        self.programmer = Programmer(temperature)
        self.recognition = Recognition()
        self.action = action()

    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> tuple[Tensor, Sequence[Tensor]]:
        """Compile each distinct sentence, and run its program on every scene that it is about."""
        sentences, which = distinct_sentences(sentences)
        program = self.compile(sentences, lexicon)
        attention, cell_logits = program.attend(scene, which)
        word_logits, gate_logits = (select_rows(rows, which) for rows in (program.word_logits, program.gate_logits))
        return attention, (cell_logits, word_logits, gate_logits)

    def follow(self, tiles: Tensor, program: Program) -> tuple[Tensor, Tensor]:
        """Action logits and values, as `act` gives them, for compiled commands."""
        scene = self.perceive(tiles)
        return self.navigate(scene, program.attend(scene)[0])

    def compile(self, sentences: Tensor, lexicon: Lexicon | None = None) -> Program:  # type: ignore[override]
        """Compile (sentences, length) word numbers with zeros at the end."""
        return self.programmer.compile(sentences.long(), self.words, lexicon or self.words.lexicon(sentences))
