"""NoTransShare: the framework, with a table of its own for answers."""

from dataclasses import replace

from torch import Tensor, nn

from xworld.agent.agent import Agent
from xworld.agent.perception import SceneFeatures
from xworld.agent.sizes import WORD_EMBEDDING
from xworld.agent.word_embedding import Lexicon


class NoTransShare(Agent):
    """Recognition does not share the words' embeddings: what was learned of an answer is not known of the word.

    >>> import torch
    >>> model = NoTransShare(words=105, atlas=torch.zeros(3, 12, 12, 3, dtype=torch.uint8))
    >>> model.answers
    Linear(in_features=1024, out_features=105, bias=False)
    """

    def __init__(self, words: int, atlas: Tensor, temperature: float = 1.0) -> None:
        super().__init__(words, atlas, temperature)
        self.answers = nn.Linear(WORD_EMBEDDING, words, bias=False)
        nn.init.normal_(self.answers.weight)  # as the table of words, so that nothing else differs

    def name(self, scene: SceneFeatures, attention: Tensor, intention: Tensor, lexicon: Lexicon) -> Tensor:
        """Scores of answers, given where to look and what for."""
        return super().name(scene, attention, intention, replace(lexicon, embeddings=self.answers.weight))
