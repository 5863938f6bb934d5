"""Plans against shortest paths, and their gradients against those of plain operations."""

import heapq
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from xworld.agent.cpu.plan import spread_scene_by_scene
from xworld.agent.planner import Planner, PlanningAgent, spread
from xworld.agent.sizes import CELLS, PLAN_MAPS, PLAN_STEPS, VIEW

CENTER = CELLS // 2
BESIDE = 0, -VIEW, VIEW, -1, 1
"""The agent's own cell, and those that up, down, left and right lead to."""


def random_maps(scenes: int, plans: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """What cells are worth, and what it costs to cross them; some costs are high, as of walls."""
    generator = torch.Generator().manual_seed(seed)
    worth, cost, walls = torch.rand(3, scenes, CELLS, plans, generator=generator, dtype=torch.float64)
    return 4 * worth, 0.3 * cost + 2 * (walls < 0.3)


def neighbors(cell: int) -> Iterator[int]:
    row, column = divmod(cell, VIEW)
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= row + down < VIEW and 0 <= column + right < VIEW:
            yield (row + down) * VIEW + column + right


def plain_plans(worth: Tensor, cost: Tensor, steps: int) -> Tensor:
    """(5, scenes, plans) What the agent looks at, one cell at a time, for autograd to differentiate."""
    plans = list(worth.unbind(dim=1))
    for _ in range(steps):
        best = [torch.stack([plans[beside] for beside in neighbors(cell)]).amax(0) for cell in range(CELLS)]
        plans = [torch.maximum(worth[:, cell], best[cell] - cost[:, cell]) for cell in range(CELLS)]
    return torch.stack([plans[CENTER + step] for step in BESIDE])


def best_plan(worth: list[float], cost: list[float], start: int, steps: int) -> float:
    """The best of all cells that so many steps reach: its worth, less the costs of all cells on the way there.

    Dijkstra's algorithm over pairs of a cell and a number of steps. The cell at the end costs nothing: it is not left.
    """
    best, waiting, closed = worth[start], [(0.0, start, 0)], set[tuple[int, int]]()
    while waiting:
        paid, cell, taken = heapq.heappop(waiting)
        if (cell, taken) in closed:
            continue
        closed.add((cell, taken))
        best = max(best, worth[cell] - paid)
        if taken < steps:
            for beside in neighbors(cell):
                heapq.heappush(waiting, (paid + cost[cell], beside, taken + 1))
    return best


@pytest.mark.parametrize("steps", [0, 1, 2, 7, PLAN_STEPS])
def test_a_plan_is_the_best_cell_less_the_cheapest_way_there(steps: int) -> None:
    worth, cost = random_maps(2, 2)
    plans, seen = spread(worth, cost, steps)[-1], spread_scene_by_scene(worth, cost, steps)
    for scene in range(2):
        for plan in range(2):
            maps = worth[scene, :, plan].tolist(), cost[scene, :, plan].tolist()
            expected = [best_plan(*maps, start, steps) for start in range(CELLS)]
            assert plans[scene, :, plan].tolist() == pytest.approx(expected)
            assert seen[:, scene, plan].tolist() == pytest.approx([expected[CENTER + step] for step in BESIDE])


def test_a_way_leads_round_a_wall_that_costs_more_than_the_detour() -> None:
    """The goal is two cells to the right, behind a wall that is open seven cells further up."""
    worth, cost = torch.full((1, CELLS, 1), -50.0), torch.full((1, CELLS, 1), 0.1)
    worth[:, CENTER + 2] = 0.0
    cost[:, [row * VIEW + VIEW // 2 + 1 for row in range(1, VIEW)]] = 20.0
    seen = spread_scene_by_scene(worth, cost, PLAN_STEPS).flatten().tolist()
    values = dict(zip(("own", "up", "down", "left", "right"), seen, strict=True))
    assert values["up"] == pytest.approx(-1.3)  # 13 steps from there: 5 up, 2 right, 6 down
    assert values["right"] == pytest.approx(-20.0)
    assert max(values, key=lambda name: values[name]) == "up"


def test_the_border_is_never_entered() -> None:
    """However costly all cells are: a way outside would be free."""
    worth, cost = (maps.requires_grad_() for maps in random_maps(2, 3))
    assert spread(worth, 100 * cost, PLAN_STEPS).isfinite().all()
    spread_scene_by_scene(worth, 100 * cost, PLAN_STEPS).sum().backward()  # type: ignore[no-untyped-call]
    assert worth.grad is not None
    assert cost.grad is not None
    assert worth.grad.sum() == pytest.approx(5 * 2 * 3)  # each way ends in one cell, of the 169
    assert cost.grad.isfinite().all()


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("steps", [0, 1, 2, 5, PLAN_STEPS])
def test_outputs_and_gradients_are_those_of_plain_operations(
    steps: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    weights = torch.randn(5, 3, 2, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    outputs, gradients = [], []
    for plan in (spread_scene_by_scene, plain_plans):
        worth, cost = (maps.requires_grad_() for maps in random_maps(3, 2))
        outputs.append(plan(worth, cost, steps))
        gradients.append(torch.autograd.grad((weights * outputs[-1]).sum(), (worth, cost), allow_unused=True))
    torch.testing.assert_close(*outputs)
    for own, plain in zip(*gradients, strict=True):
        torch.testing.assert_close(own, torch.zeros_like(own) if plain is None else plain)
    assert gradients[0][1].any() == bool(steps)


def test_gradients_are_those_of_small_changes() -> None:
    worth, cost = (maps.requires_grad_() for maps in random_maps(1, 1, seed=3))

    def look(worth: Tensor, cost: Tensor) -> Tensor:
        return spread_scene_by_scene(worth, cost, PLAN_STEPS)

    assert torch.autograd.gradcheck(look, (worth, cost), eps=1e-7, atol=1e-5)


def test_no_scene_has_no_plan() -> None:
    worth, cost = random_maps(0, 2)
    assert spread_scene_by_scene(worth, cost, PLAN_STEPS).shape == (5, 0, 2)


def test_what_appeals_in_the_end_is_what_the_agent_looks_at(module: Planner) -> None:
    attention, environment = random_scenes(3)
    appeal, (logits, _) = module.appeal(attention, environment), module(attention, environment)
    assert appeal.shape == (PLAN_STEPS + 1, 3, CELLS)
    torch.testing.assert_close(appeal[-1][:, [CENTER + step for step in BESIDE[1:]]], logits)


@pytest.fixture
def module() -> Planner:
    torch.manual_seed(0)
    module = Planner().double()
    with torch.no_grad():
        module.cost.bias.fill_(-1.0)
    return module


def random_scenes(scenes: int) -> tuple[Tensor, Tensor]:
    """Attention that adds up to 1, and obstacles."""
    scores, obstacles = torch.randn(2, scenes, CELLS, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    return (4 * scores).softmax(dim=1), obstacles


def test_a_policy_and_a_value_for_each_scene(module: Planner) -> None:
    attention, environment = random_scenes(7)
    logits, values = module(attention, environment)
    assert (logits.shape, values.shape) == ((7, 4), (7,))
    worth, cost = module.judge(attention, environment)
    assert worth.shape == cost.shape == (7, CELLS, PLAN_MAPS)
    assert (cost > 0).all()
    alone = [module(attention[[scene]], environment[[scene]]) for scene in range(7)]
    torch.testing.assert_close(logits, torch.cat([each[0] for each in alone]))
    torch.testing.assert_close(values, torch.cat([each[1] for each in alone]))


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_with_both_maps_the_actions_turn(turns: int, module: Planner) -> None:
    attention, environment = random_scenes(5)
    turned = (torch.rot90(maps.view(-1, VIEW, VIEW), turns, (1, 2)).flatten(1) for maps in (attention, environment))
    logits, values = module(attention, environment)
    turned_logits, turned_values = module(*turned)
    up, down, left, right = range(4)
    counterclockwise = {up: left, left: down, down: right, right: up}
    for action in range(4):
        there = action
        for _ in range(turns):
            there = counterclockwise[there]
        torch.testing.assert_close(turned_logits[:, there], logits[:, action])
    torch.testing.assert_close(turned_values, values)
    assert logits.std(dim=1).min() > 1e-6


def test_only_differences_between_obstacles_matter(module: Planner) -> None:
    attention, environment = random_scenes(3)
    before, after = module(attention, environment), module(attention, environment + 5.0)
    torch.testing.assert_close(before, after, rtol=1e-4, atol=1e-6)


def test_the_agent_navigates_with_it() -> None:
    torch.manual_seed(0)
    agent = PlanningAgent(105, torch.rand(5, 12, 12, 3), temperature=5.0)
    assert isinstance(agent.action, Planner)
    assert agent.programmer.temperature == 5
    tiles, commands = torch.randint(5, (3, VIEW, VIEW)), torch.tensor([[3, 4], [5, 0], [6, 7]])
    scene = agent.perceive(tiles)
    attention, _ = agent.attend(scene, commands, agent.words.lexicon())
    torch.testing.assert_close(agent.act(tiles, commands), agent.action(attention, scene.environment_map()))
