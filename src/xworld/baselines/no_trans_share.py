"""NoTransShare: the framework with a separate embedding table for answers."""

from dataclasses import replace

from torch import Tensor, nn

from xworld.agent.agent import Agent
from xworld.agent.perception import SceneFeatures
from xworld.agent.sizes import WORD_EMBEDDING
from xworld.agent.word_embedding import Lexicon


class NoTransShare(Agent):
    """Answers do not share the word embeddings, so a word learned as an answer is not understood in commands."""

    def __init__(self, words: int, atlas: Tensor, temperature: float = 1.0) -> None:
        super().__init__(words, atlas, temperature)
        self.answers = nn.Linear(WORD_EMBEDDING, words, bias=False)
        nn.init.normal_(self.answers.weight)  # like the word embeddings, so that nothing else differs

    def recognize(self, scene: SceneFeatures, attention: Tensor, intention: Tensor, lexicon: Lexicon) -> Tensor:
        """Scores of answers, from the table of answers."""
        return super().recognize(scene, attention, intention, replace(lexicon, embeddings=self.answers.weight))
