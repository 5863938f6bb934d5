"""The geometry of the grid, cell by cell."""

from itertools import product

from compiled import compiled
from xworld.world.cells import CELLS, COLUMN_STEP, DIRECTIONS, ROW_STEP, SIDE, direction_between, inside

COMPASS = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}


def step(direction: str) -> tuple[int, int]:
    """The row and column step of a direction, from the compass points in its name."""
    points = [point for name, point in COMPASS.items() if name in direction]
    return sum(row for row, _ in points), sum(column for _, column in points)


def test_directions_step_as_their_names_say() -> None:
    assert [(row, column) for row, column in zip(ROW_STEP, COLUMN_STEP, strict=True)] == [*map(step, DIRECTIONS)]


def test_the_direction_between_any_two_cells() -> None:
    steps = {step(direction): number for number, direction in enumerate(DIRECTIONS)}
    find_direction = compiled(direction_between)
    cells = [*product(range(SIDE), repeat=2)]
    assert len(cells) == CELLS
    for (row, column), (other_row, other_column) in product(cells, repeat=2):
        expected = steps.get((other_row - row, other_column - column), -1)
        assert find_direction(row, column, other_row, other_column) == expected


def test_what_lies_on_the_map() -> None:
    around = [*product(range(-1, SIDE + 1), repeat=2)]
    is_inside = compiled(inside)
    assert [cell for cell in around if is_inside(*cell)] == [*product(range(SIDE), repeat=2)]
