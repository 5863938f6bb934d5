"""WordEmbedding: what noise reaches and what it does not."""

import torch

from xworld.agent.word_embedding import WordEmbedding


def test_noise_blurs_the_roles_of_words_and_not_what_they_refer_to() -> None:
    words, noise = WordEmbedding(7), torch.randn(7, 1024)
    plain, blurred = words.lexicon(), words.lexicon(noise)
    assert torch.equal(blurred.embeddings, plain.embeddings)
    for role in ("syntax", "functionality"):
        projection = getattr(words, role)
        assert torch.equal(getattr(plain, role), projection(words.embeddings))
        assert torch.equal(getattr(blurred, role), projection(words.embeddings + noise))
        assert not torch.allclose(getattr(blurred, role), getattr(plain, role), atol=0.01)
