"""Recognition: from what is attended, and what the question is after, to a word."""

from torch import Tensor, nn

from xworld.agent.gru import read_to_the_end
from xworld.agent.model import rule_out_silence
from xworld.agent.sizes import FUNCTIONALITY_EMBEDDING, RNN_STATE
from xworld.agent.word_embedding import Lexicon, WordEmbedding


class Recognition(nn.Module):
    """The question's intention as a mask over features; the answer is the word whose embedding fits what is left.

    The answer is read with the transposed embedding table, so that a word that was only ever an answer can be
    grounded.
    """

    def __init__(self) -> None:
        super().__init__()
        self.intention_rnn = nn.GRU(FUNCTIONALITY_EMBEDDING, RNN_STATE, batch_first=True)

    def intention(self, questions: Tensor, words: WordEmbedding, lexicon: Lexicon) -> Tensor:
        """(questions, 1024) Which features the question asks about."""
        mask: Tensor = words.mask(read_to_the_end(self.intention_rnn, lexicon.functionality, questions))
        return mask

    def forward(self, features: Tensor, intention: Tensor, lexicon: Lexicon) -> Tensor:
        """(questions, words) The score of every word; number 0, which is no word, is ruled out."""
        return rule_out_silence((intention * features) @ lexicon.embeddings.T)
