"""What an agent makes of a sentence on a map, and what the teacher would think of it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from xworld.agent.thought import Thought, think
from xworld.demo.agents import DemoAgent
from xworld.demo.explain_refusal import object_to
from xworld.demo.parse import understand_text
from xworld.demo.scene import Cell, Scene
from xworld.demo.scene_oracle import Outcome
from xworld.demo.unheard import unheard_words

_DECIMALS = 4
_ANSWERS = 5
"""How many of the likeliest answers are shown."""


def understand(mind: DemoAgent, scene: Scene, text: str, told_at: Cell | None = None) -> dict[str, Any]:
    """Everything about a sentence on a map, as JSON; `told_at` is where the agent was when it was told.

    >>> import numpy as np
    >>> from xworld.demo.agents import load_agents
    >>> grid = np.ones((7, 7), np.int16)
    >>> grid[0, 3] = 4
    >>> heard = understand(load_agents()["standard"], Scene(7, grid, (5, 3)), "go to the apple")
    >>> heard["words"], heard["target"], heard["choice"], heard["outcomes"][0]["at"]
    (['go', 'to', 'the', 'apple', '.'], [0, 3], 0, [4, 3])
    """
    room, said = mind.classroom, understand_text(text, mind.grammar)
    begun = scene if told_at is None else scene.move(told_at)
    target = room.target(begun, said.sentence) if said.sentence and said.is_command else None
    answer = room.answer(scene, said.sentence) if said.sentence and not said.is_command else None
    compiled = mind.memory.read(said.numbers)
    thought = think(mind.agent, room.view(scene), said.numbers, mind.grammar.vocabulary.words, _ANSWERS, compiled)
    hers = target is not None or answer is not None
    return {
        "kind": "command" if said.is_command else "question",
        "unheard": unheard_words(said, mind.holdout, mind.taught),
        **_thought_to_json(thought),
        "subtask": said.sentence.subtask if said.sentence else None,
        "target": None if target is None else list(target),
        "shortest": None if target is None else room.way(scene, target),
        "answer": answer,
        "note": None if hers else object_to(said, begun if said.is_command else scene, mind.catalogue),
        "choice": int(thought.policy.argmax()),
        "outcomes": [_outcome_to_json(outcome) for outcome in room.outcomes(scene, target)],
    }


def _thought_to_json(thought: Thought) -> dict[str, Any]:
    return {
        "words": list(thought.words),
        "word_attention": _rounded(thought.word_attention),
        "gates": _rounded(thought.gates),
        "found": _rounded(thought.found),
        "moved": _rounded(thought.moved),
        "kept": _rounded(thought.kept),
        "attention": _rounded(thought.attention),
        "environment": _rounded(thought.environment),
        "policy": _rounded(thought.policy),
        "value": round(thought.value, _DECIMALS),
        "answers": [{"word": word, "share": round(share, _DECIMALS)} for word, share in thought.answers],
    }


def _outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    reward = round(outcome.reward, _DECIMALS)
    return {"at": list(outcome.at), "reward": reward, "reached": outcome.reached, "bumped": outcome.bumped}


def _rounded(numbers: NDArray[np.float32]) -> Any:
    return np.round(numbers.astype(np.float64), _DECIMALS).tolist()
