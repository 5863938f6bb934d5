"""Models that attend to a place, and walk there or tell what is there: the framework, and its relatives."""

from abc import abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor

from xworld.agent.action import Action
from xworld.agent.model import Model, Response
from xworld.agent.perception import Perception, SceneFeatures
from xworld.agent.recognition import Recognition
from xworld.agent.word_embedding import Lexicon, WordEmbedding


@dataclass(frozen=True)
class Outcome:
    """Where a sentence leads, and what comes of it as a command and as a question."""

    attention: Tensor
    """(scenes, 169)"""
    environment_map: Tensor
    policy: Tensor
    value: Tensor
    answer: Tensor
    intention: Tensor


class AttentiveModel(Model):
    """Perception, recognition and action as in the paper; how a sentence leads to a place is left to the model."""

    words: WordEmbedding
    perception: Perception
    recognition: Recognition
    action: Action

    @abstractmethod
    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> Tensor:
        """(scenes, 169) Where sentences about scenes lead."""

    def attend_with_gates(
        self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon
    ) -> tuple[Tensor, Tensor | None]:
        """The same, and for a model that has gates what they are made of, (scenes, 3)."""
        return self.attend(scene, sentences, lexicon), None

    @property
    def noise_shape(self) -> torch.Size:
        """That of the words' embeddings."""
        return self.words.embeddings.shape

    def perceive(self, tiles: Tensor) -> SceneFeatures:
        """Look at scenes, (scenes, 13, 13) tile ids."""
        scene: SceneFeatures = self.perception(tiles, self.atlas)
        return scene

    def act(self, tiles: Tensor, commands: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values for commands about scenes."""
        scene = self.perceive(tiles)
        return self.walk(scene, self.attend(scene, commands, self.words.lexicon()))

    def answer(self, tiles: Tensor, questions: Tensor) -> Tensor:
        """(scenes, words) The score of every word as the answer to questions about scenes."""
        lexicon, scene = self.words.lexicon(), self.perceive(tiles)
        return self.tell(scene, self.attend(scene, questions, lexicon), questions, lexicon)

    def respond(
        self,
        tiles: Tensor,
        commands: Tensor,
        questions: Tensor,
        asked_about: Tensor | None = None,
        embedding_noise: Tensor | None = None,
    ) -> Response:
        """Act and answer in one pass; the questions may be about scenes of their own."""
        lexicon, count = self.words.lexicon(embedding_noise), len(tiles)
        scene = self.perceive(tiles if asked_about is None else torch.cat([tiles, asked_about]))
        scene = scene.twice() if asked_about is None else scene
        attention, gate_logits = self.attend_with_gates(scene, torch.cat([commands, questions]), lexicon)
        logits, values = self.walk(scene[:count], attention[:count])
        scores = self.tell(scene[count:], attention[count:], questions, lexicon)
        return Response(logits, values, scores, attention[:count], gate_logits)

    def walk(self, scene: SceneFeatures, attention: Tensor) -> tuple[Tensor, Tensor]:
        """Action logits and values, given where to go."""
        logits, values = self.action(attention, scene.environment_map())
        return logits, values

    def tell(self, scene: SceneFeatures, attention: Tensor, questions: Tensor, lexicon: Lexicon) -> Tensor:
        """Scores of answers, given where to look."""
        return self.name(scene, attention, self.intend(questions, lexicon), lexicon)

    def intend(self, questions: Tensor, lexicon: Lexicon) -> Tensor:
        """(questions, 1024) Which features questions are about."""
        return self.recognition.intention(questions.long(), self.words, lexicon)

    def name(self, scene: SceneFeatures, attention: Tensor, intention: Tensor, lexicon: Lexicon) -> Tensor:
        """Scores of answers, given where to look and what for."""
        scores: Tensor = self.recognition(scene.gather_features(attention), intention, lexicon)
        return scores

    @torch.no_grad()
    def explain(self, tiles: Tensor, sentences: Tensor) -> Outcome:
        """What happens between a sentence and an action or an answer, for pictures of it."""
        lexicon, scene = self.words.lexicon(), self.perceive(tiles)
        attention = self.attend(scene, sentences, lexicon)
        return self._come_out(scene, attention, self.intend(sentences, lexicon), lexicon)

    def _come_out(self, scene: SceneFeatures, attention: Tensor, intention: Tensor, lexicon: Lexicon) -> Outcome:
        policy, value = self.walk(scene, attention)
        return Outcome(
            attention=attention,
            environment_map=scene.environment_map(),
            policy=policy.softmax(dim=1),
            value=value,
            answer=self.name(scene, attention, intention, lexicon).softmax(dim=1),
            intention=intention,
        )


def distinct(sentences: Tensor) -> tuple[Tensor, Tensor | None]:
    """Sentences, each once, and which of them stands in each row; None if they stand in the rows as they are."""
    if sentences.is_cuda:  # a GPU works on all sentences in less time than it takes to find equal ones
        return sentences, None
    once, which = torch.unique(sentences, dim=0, return_inverse=True)
    return once, which
