"""Judges sessions in a language with extensions, in a process of its own: `python extended.py <sessions> <file>...`.

The referees are plain Python that shares nothing with the extensions that they check.
"""

import sys
from dataclasses import replace
from itertools import product

import numpy as np

from referee import Cell, Scene, Thing
from scenes import scene_of
from xworld.teacher.extension import load_extension
from xworld.teacher.oracle import possible_commands, possible_questions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator

FAR, COUNT = "nav_far_obj", "rec_count"
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def far_targets(scene: Scene, size: int) -> dict[str, Cell]:
    """The targets of all commands to go far away from an object, by its name, on a map of this size."""
    cells = [cell for cell in product(range(scene.size), range(scene.size)) if scene.is_floor(cell)]
    across: dict[Thing, Cell] = {}
    for thing in scene.things:
        away = {cell: sorted((abs(cell[0] - thing.row), abs(cell[1] - thing.column))) for cell in cells}
        opposite = [cell for cell in cells if away[cell] == [0, size - 1]]
        if len(opposite) == 1:
            across[thing] = opposite[0]
    names, several = [thing.name for thing in scene.things], len(set(across.values())) > 1
    goals = {thing: cell for thing, cell in across.items() if cell != scene.agent and scene.reaches(cell)}
    return {thing.name: cell for thing, cell in goals.items() if several and names.count(thing.name) == 1}


def count_in_sight(scene: Scene) -> str | None:
    """How many things there are; one under the agent is out of sight."""
    seen = sum(thing.cell != scene.agent for thing in scene.things)
    return NUMBERS[seen - 1] if seen else None


def is_command_wrong(simulator: Simulator, index: int) -> bool:
    """Whether the referee disagrees with a command just given, or with all that could be given."""
    session, world = simulator.sessions[index], simulator.worlds[index]
    targets = far_targets(scene_of(simulator, index), int(world["size"]))
    command = simulator.grammar.read(simulator.grammar.vocabulary.text(session["command"]))
    possible = {item.object: item.target for item in possible_commands(simulator, index) if item.subtask == FAR}
    meant = targets.get(str(command.object)) == (world["target_row"], world["target_column"])
    return command.subtask != FAR or not meant or possible != targets


def is_question_wrong(simulator: Simulator, index: int) -> bool:
    """Whether the referee disagrees with the answer to the question, or with whether there is one."""
    count, session = count_in_sight(scene_of(simulator, index)), simulator.sessions[index]
    possible = [item.answer for item in possible_questions(simulator, index) if item.subtask == COUNT]
    said = simulator.grammar.vocabulary.words[session["answer"]]
    return said != (count or "") or possible != ([count] if count else [])


def main(sessions: int) -> None:
    """Print in how many sessions the referees disagree."""
    generator, wrong = np.random.default_rng(0), 0
    usual = TeacherSettings(commands=(FAR,), questions=(COUNT,))
    for settings in (usual, replace(usual, map_size=(5, 5), objects=(1, 6), walls=(0, 16), classes=(4, 12))):
        simulator = Simulator(100, settings=settings)
        simulator.reset(seeds=np.arange(100))
        for _ in range(sessions // 200):
            simulator.reset()
            wrong += sum(is_command_wrong(simulator, index) for index in range(100))
            for _ in range(int(generator.integers(0, 4))):  # on the way, the agent may stand on an object
                simulator.step(generator.integers(0, 4, 100), autoreset=False)
            wrong += sum(is_question_wrong(simulator, index) for index in range(100))
    print(wrong)


if __name__ == "__main__":
    for extension in sys.argv[2:]:
        load_extension(extension)
    main(int(sys.argv[1]))
