"""What the models are called. Apart from the models themselves: a command line can offer them without loading torch."""

from typing import Literal, get_args

ModelName = Literal["framework", "simple_attention", "no_trans_share", "vis_lstm", "multimodal", "san"]
MODEL_NAMES: tuple[ModelName, ...] = get_args(ModelName)
