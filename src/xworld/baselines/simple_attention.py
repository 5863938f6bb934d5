"""SimpleAttention: the framework with a GRU for a programmer, whose last state becomes one filter of 3 x 3 cells."""

from collections.abc import Sequence

from torch import Tensor, nn

from xworld.agent.action import Action
from xworld.agent.agent import AttentionModel
from xworld.agent.gru import final_states
from xworld.agent.model import distinct_sentences, select_rows
from xworld.agent.perception import Perception, SceneFeatures
from xworld.agent.recognition import Recognition
from xworld.agent.sizes import VISUAL_FEATURES, WORD_EMBEDDING
from xworld.agent.word_embedding import Lexicon, WordEmbedding
from xworld.baselines.neighborhood import OFFSETS, filter_cells


class SimpleAttention(AttentionModel):
    """Attends where the filter of a sentence matches the visual features."""

    def __init__(self, words: int, atlas: Tensor) -> None:
        super().__init__(words, atlas)
        self.words = WordEmbedding(words, syntax=False)
        self.perception = Perception()
        self.sentence_rnn = nn.GRU(WORD_EMBEDDING, WORD_EMBEDDING, batch_first=True)
        # Unstated in the paper: the filter's activation. None, so that it can weigh a feature for and against.
        self.filter = nn.Linear(WORD_EMBEDDING, OFFSETS * VISUAL_FEATURES)
        self.recognition = Recognition()
        self.action = Action()

    def attend(self, scene: SceneFeatures, sentences: Tensor, lexicon: Lexicon) -> tuple[Tensor, Sequence[Tensor]]:
        """(scenes, 169) attention maps, and their logits."""
        sentences, which = distinct_sentences(sentences.long())
        states = final_states(self.sentence_rnn, lexicon.embeddings, sentences)
        filters = self.filter(states).view(-1, OFFSETS, VISUAL_FEATURES)
        scores = select_rows(filters @ scene.visual.T, which)  # (scenes, 9, tiles)
        # Unstated in the paper: the scale of the map. The mean over the nine cells: with their sum, the first step of
        # training moves scores so far that all attention is on one cell.
        logits = filter_cells(scores, scene.tile_ids) / OFFSETS
        return scene.attend(logits), (logits,)
