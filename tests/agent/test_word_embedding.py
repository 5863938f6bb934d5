"""What embedding noise reaches, and what it does not."""

import torch

from xworld.agent.word_embedding import WordEmbedding


def test_noise_changes_the_roles_of_words_and_not_what_they_refer_to() -> None:
    words, noise = WordEmbedding(7), torch.randn(7, 1024)
    plain, noisy = words.lexicon(), words.lexicon(embedding_noise=noise)
    assert torch.equal(noisy.embeddings, plain.embeddings)
    for role in ("syntax", "functionality"):
        projection = getattr(words, role)
        assert torch.equal(getattr(plain, role), projection(words.embeddings))
        assert torch.equal(getattr(noisy, role), projection(words.embeddings + noise))
        assert not torch.allclose(getattr(noisy, role), getattr(plain, role), atol=0.01)
