"""Smaller versions of the largest baselines."""

import pytest

from xworld.baselines import image_model, multimodal


@pytest.fixture
def narrow_image_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """VIS-LSTM and Multimodal with layers of 64 and 32 units instead of 1024 and 512: a twentieth of the weights."""
    for module in (image_model, multimodal):
        monkeypatch.setattr(module, "SIZE", 64)
    monkeypatch.setattr(image_model, "HEAD", 32)
