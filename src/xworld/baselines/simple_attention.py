"""SimpleAttention: a sentence is read to its end and becomes one filter of 3 x 3 cells; there is no programmer."""

from torch import Tensor, nn

from xworld.agent.action import Action
from xworld.agent.attentive import AttentiveModel, distinct
from xworld.agent.gru import read_to_the_end
from xworld.agent.perception import Perception, SceneFeatures
from xworld.agent.recognition import Recognition
from xworld.agent.sizes import VISUAL_FEATURES, WORD_EMBEDDING
from xworld.agent.word_embedding import Lexicon, WordEmbedding
from xworld.baselines.neighborhood import OFFSETS, add_parts


class SimpleAttention(AttentiveModel):
    """The framework with a recurrent network in the programmer's place, whose last state is made a filter.

    >>> import torch
    >>> model = SimpleAttention(words=105, atlas=torch.zeros(3, 12, 12, 3, dtype=torch.uint8))
    >>> tiles, command = torch.ones(1, 13, 13, dtype=torch.int16), torch.tensor([[13, 44, 41, 66, 2] + [0] * 7])
    >>> model.explain(tiles, command).attention.shape
    torch.Size([1, 169])
    """

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        self.words = WordEmbedding(words, syntax=False)
        self.perception = Perception()
        self.sentence_rnn = nn.GRU(WORD_EMBEDDING, WORD_EMBEDDING, batch_first=True)
        # Unstated in the paper: the filter's activation. None, so that it can speak for and against a feature.
        self.filter = nn.Linear(WORD_EMBEDDING, OFFSETS * VISUAL_FEATURES)
        self.recognition = Recognition()
        self.action = Action()

    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> Tensor:
        """(scenes, 169) Where the filter of each sentence fits what is seen."""
        sentences, which = distinct(sentences.long())
        summaries = read_to_the_end(self.sentence_rnn, lexicon.embeddings, sentences)
        filters = self.filter(summaries).view(-1, OFFSETS, VISUAL_FEATURES)
        parts = filters @ scene.visual.T  # (sentences, 9, tiles)
        if which is not None:
            parts = parts.index_select(0, which)
        # Unstated in the paper: the scale of the map. A mean over the nine cells: the sum moves so far with every step
        # of learning that all attention lies on one cell after the first.
        return (add_parts(parts, scene.tile_ids) / OFFSETS).softmax(dim=1)
