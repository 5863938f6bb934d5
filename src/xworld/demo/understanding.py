"""How an agent understands a sentence on a map, beside what the teacher knows about it."""

from dataclasses import replace
from typing import Any

import numpy as np

from xworld.agent.thought import Thought, think
from xworld.demo.agents import DemoAgent
from xworld.demo.explain_refusal import explain_refusal, unheard_words
from xworld.demo.parse import parse_sentence
from xworld.demo.scene import check_scene
from xworld.world.scene import Cell, Scene

_DECIMALS = 4
_MAPS = "word_attention", "gates", "found", "moved", "kept", "attention", "environment", "policy"


def understand(agent: DemoAgent, scene: Scene, text: str, told_at: Cell | None = None) -> dict[str, Any]:
    """Everything about a sentence on a map, as JSON; `told_at` is the cell where the agent heard the command.

    >>> import numpy as np
    >>> from xworld.demo.agents import load_agents
    >>> grid = np.ones((7, 7), np.int16)
    >>> grid[0, 3] = 4
    >>> result = understand(load_agents()["standard"], Scene(7, grid, (5, 3)), "go to the apple")
    >>> result["words"], result["target"], result["choice"], result["outcomes"][0]["at"]
    (['go', 'to', 'the', 'apple', '.'], [0, 3], 0, (4, 3))
    """
    oracle, parsed = agent.oracle, parse_sentence(text, agent.grammar)
    start = scene if told_at is None else check_scene(replace(scene, at=told_at), agent.catalogue)
    target = oracle.target(start, parsed.sentence) if parsed.sentence and parsed.is_command else None
    answer = oracle.answer(scene, parsed.sentence) if parsed.sentence and not parsed.is_command else None
    compiled, words = agent.compile(parsed.word_ids.tobytes()), agent.grammar.vocabulary.words
    thought = think(agent.model, oracle.view(scene), parsed.word_ids, words, answers=5, compiled=compiled)
    refused = target is None and answer is None
    return {
        "kind": "command" if parsed.is_command else "question",
        "unheard": unheard_words(parsed, agent.holdout, agent.taught),
        **_thought_to_json(thought),
        "subtask": parsed.sentence.subtask if parsed.sentence else None,
        "target": None if target is None else list(target),
        "shortest": None if target is None else oracle.shortest_path(scene, target),
        "answer": answer,
        "note": explain_refusal(parsed, start if parsed.is_command else scene, agent.catalogue) if refused else None,
        "choice": thought.action,
        "outcomes": oracle.outcomes(scene, target),
    }


def _thought_to_json(thought: Thought) -> dict[str, Any]:
    maps = {name: np.round(getattr(thought, name).astype(np.float64), _DECIMALS).tolist() for name in _MAPS}
    answers = [{"word": word, "share": round(share, _DECIMALS)} for word, share in thought.answers]
    return {"words": list(thought.words), **maps, "value": round(thought.value, _DECIMALS), "answers": answers}
