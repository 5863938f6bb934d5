"""Recognition: from the attended features and the intention of a question to a word."""

from torch import Tensor, nn

from xworld.agent.gru import final_states
from xworld.agent.model import exclude_padding
from xworld.agent.sizes import FUNCTIONALITY_EMBEDDING, RNN_STATE
from xworld.agent.word_embedding import Lexicon, WordEmbedding


class Recognition(nn.Module):
    """Masks the attended features by the question's intention, and scores every word against the result."""

    def __init__(self) -> None:
        super().__init__()
        self.intention_rnn = nn.GRU(FUNCTIONALITY_EMBEDDING, RNN_STATE, batch_first=True)

    def intention(self, questions: Tensor, words: WordEmbedding, lexicon: Lexicon) -> Tensor:
        """(questions, 1024) A mask: which features each question asks about."""
        mask: Tensor = words.mask(final_states(self.intention_rnn, lexicon.functionality, questions))
        return mask

    def forward(self, features: Tensor, intention: Tensor, lexicon: Lexicon) -> Tensor:
        """(questions, words) The score of every word; number 0, which is no word, is excluded."""
        # By the transposed embedding table, so that a word heard only as an answer is grounded in commands too.
        return exclude_padding((intention * features) @ lexicon.embeddings.T)
