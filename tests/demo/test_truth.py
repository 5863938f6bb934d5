"""On any map that a visitor builds, the server says what the referee says: an independent judge in plain Python."""

from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import referee
from xworld.demo.agents import DemoAgent
from xworld.demo.explain_refusal import unheard_words
from xworld.demo.parse import parse_sentence
from xworld.demo.scene import SceneFields
from xworld.demo.suggestions import MAX_SUGGESTIONS, suggest
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import COMMAND_NAMES
from xworld.teacher.vocabulary import write_out
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.scene import Scene
from xworld.world.state import FIRST_OBJECT, FLOOR, MAX_OBJECTS, WALL

MAPS = 200


def build(generator: np.random.Generator, catalogue: Catalogue) -> Scene:
    """A map such as no teacher lays out: all in a corner, of few classes, the agent anywhere, on objects too."""
    grid: NDArray[np.int16] = generator.choice([FLOOR, WALL], size=(7, 7), p=[0.8, 0.2]).astype(np.int16)
    for cell in generator.permutation(16)[: generator.integers(0, MAX_OBJECTS + 1)]:
        grid[divmod(int(cell), 4)] = FIRST_OBJECT + generator.integers(0, 40)
    grid[3, 3] = FLOOR if grid[3, 3] == WALL else grid[3, 3]
    free = np.argwhere(grid != WALL)
    row, column = free[generator.integers(len(free))].tolist()
    return SceneFields(size=7, grid=grid.tolist(), at=(row, column)).to_scene(catalogue)


def as_referee_sees(scene: Scene, catalogue: Catalogue) -> referee.Scene:
    things = []
    for row, column in scene.objects:
        instance = int(scene.grid[row, column]) - FIRST_OBJECT
        color = catalogue.instance_color[instance]
        name = catalogue.classes[catalogue.instance_class[instance]]
        things.append(referee.Thing(row, column, name, COLORS[color] if color >= 0 else "unnamed"))
    walls = frozenset((row, column) for row, column in np.argwhere(scene.grid == WALL).tolist())
    return referee.Scene(7, walls, tuple(things), scene.at)


def test_suggestions_are_true_and_varied(agent: DemoAgent) -> None:
    generator, seen = np.random.default_rng(1), Counter[str]()
    for _ in range(MAPS):
        scene = build(generator, agent.catalogue)
        seen_by_referee, suggestions = as_referee_sees(scene, agent.catalogue), suggest(agent, scene)
        assert suggest(agent, scene) == suggestions
        kinds = Counter(item.sentence.subtask in COMMAND_NAMES for item in suggestions)
        assert max(kinds.values(), default=0) <= MAX_SUGGESTIONS
        for item in suggestions:
            seen[item.sentence.subtask] += 1
            if item.sentence.subtask in COMMAND_NAMES:
                verdict = referee.judge_command(seen_by_referee, item.sentence.tokens)
                assert agent.oracle.target(scene, item.sentence) == verdict.target
            else:
                verdict = referee.judge_question(seen_by_referee, item.sentence.tokens)
                assert item.answer == verdict.answer
            assert verdict.subtask == item.sentence.subtask
    assert len(seen) == 16


def test_what_the_teacher_would_not_say_is_what_the_referee_refuses(agent: DemoAgent) -> None:
    generator, refused, subtasks = np.random.default_rng(2), 0, sorted({*COMMAND_NAMES, "rec_obj2loc", "rec_col2obj"})
    nearby = agent.catalogue.classes[:14]
    for _ in range(MAPS):
        scene = build(generator, agent.catalogue)
        judge = as_referee_sees(scene, agent.catalogue)
        for subtask in subtasks:
            sentence = agent.grammar.sample(subtask, generator)
            if not {sentence.object, sentence.second} <= {None, *nearby}:
                continue
            parsed = parse_sentence(write_out(sentence.tokens), agent.grammar)
            assert parsed.sentence == sentence
            try:
                verdict = (referee.judge_command if parsed.is_command else referee.judge_question)(judge, parsed.words)
                expected = verdict.target if parsed.is_command else verdict.answer
            except referee.Unfair:
                expected, refused = None, refused + 1
            oracle = agent.oracle
            assert (oracle.target(scene, sentence) if parsed.is_command else oracle.answer(scene, sentence)) == expected
    assert refused > 50


def test_suggestions_with_unheard_words_come_first(agent: DemoAgent) -> None:
    generator, led = np.random.default_rng(3), 0
    partial = replace(agent, holdout=Holdout("NWNavRec", agent.catalogue.classes[:4], also_in_questions=True))
    for _ in range(20):
        suggestions = suggest(partial, build(generator, agent.catalogue))
        for is_command in (True, False):
            unheard = [item.unheard for item in suggestions if (item.sentence.subtask in COMMAND_NAMES) == is_command]
            assert unheard == sorted(unheard, reverse=True)
            led += any(unheard)
    assert led > 10


def test_unheard_words_are_marked(agent: DemoAgent) -> None:
    command = parse_sentence("Go to the grid between cat and dog.", agent.grammar)
    question = parse_sentence("Where is the cat?", agent.grammar)
    only_commands, everywhere = Holdout("NWNav", ("cat",)), Holdout("NWNavRec", ("cat",), also_in_questions=True)
    assert unheard_words(command, only_commands) == unheard_words(command, everywhere) == [5]
    assert unheard_words(question, only_commands) == []
    assert unheard_words(question, everywhere) == [3]
    pair = Holdout("NC", object_pairs=(("cat", "dog"),))
    assert unheard_words(command, pair) == [5, 7]
    assert unheard_words(parse_sentence("Go to the cat.", agent.grammar), pair) == []
    assert unheard_words(question, Holdout("Standard"), taught=["cat"]) == [3]
