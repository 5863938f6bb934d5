"""Why the teacher does not say a sentence about a scene."""

from collections import Counter

from xworld.teacher.grammar import Sentence, find_subtask
from xworld.world.catalogue import Catalogue
from xworld.world.scene import Scene, name_and_color


def reason_against(sentence: Sentence, scene: Scene, catalogue: Catalogue) -> str:
    """Why a sentence that the teacher has is not said about a scene. Only for sentences that she would not say there.

    >>> from xworld.teacher.grammar import Grammar
    >>> catalogue, scene = Catalogue.load(), Scene.make(agent=(0, 0), objects={(1, 1): "dog"})
    >>> reason_against(Grammar(catalogue).read("Go to the cat."), scene, catalogue)
    'there is no cat on this map'
    """
    objects = {cell: name_and_color(int(scene.grid[cell]), catalogue) for cell in scene.objects}
    names = Counter(name for name, _ in objects.values())
    named = [name for name in (sentence.object, sentence.second) if name is not None]
    for name in named:
        if not names[name]:
            return f"there is no {name} on this map"
    fitting = [name for name, color in objects.values() if color == sentence.color and sentence.object in (None, name)]
    if sentence.color is not None and not fitting:
        return f"there is no {sentence.color} {sentence.object or 'object'} on this map"
    if sentence.color is None:
        for name in named:
            if names[name] > 1:
                return f"there is more than one {name} on this map"
    if len(set(named)) < len(named):
        return "it names the same object twice"
    under_agent, _ = objects.get(scene.at, ("", ""))
    if under_agent in named:
        return f"the agent is on the {under_agent}"
    return find_subtask(sentence.subtask).why_not
