"""`xworld bench teach`: ten new words, each taught to the same agent."""

import torch
from rich.console import Console
from rich.table import Table

from xworld.bench.teach import NEW_THINGS, WordResult, teach_new_things
from xworld.cli.evaluate import find_agent
from xworld.teacher.settings import COMMAND_NAMES
from xworld.training.pretrained import PRETRAINED, load_agent
from xworld.word_learning import load_catalogue


def bench_teach(
    console: Console,
    sessions: int,
    checkpoint: str | None = None,
    seed: int = 0,
    words: tuple[str, ...] = tuple(NEW_THINGS),
) -> None:
    """Teach, print a line for each word, and then a table."""
    file = find_agent(checkpoint, PRETRAINED)
    catalogue = load_catalogue(file)
    agent, _ = load_agent(file, catalogue, model="framework")
    console.print(f"each word taught to {'the agent of the package' if checkpoint is None else file} as it is")
    results = teach_new_things(agent, catalogue, sessions, lambda result: console.print(_line(result)), seed, words)
    console.print()
    console.print(make_table(results))
    console.print(
        f"\n% success in {sessions:,} sessions of each type whose command names the word\n"
        f"fall: of what lost most among all 16 types of command and question, in points,\n"
        f"in the same {10 * sessions:,} sessions without the word before and after\n"
        f"beside: of commands or answers overall, whichever lost more, in points,\n"
        f"in {10 * sessions:,} sessions on maps where the new thing lies unnamed,\n"
        f"beside the same maps with a known thing there before\n"
        f"each word was taught in {results[0].questions:,} questions from seed {seed}\n"
        f"PyTorch {torch.__version__} on {torch.get_num_threads()} threads"
    )


def make_table(results: list[WordResult]) -> Table:
    """One line for each word; it fits into 80 columns."""
    table = Table("word", "s", *COMMAND_NAMES, "fall", "beside", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for result in results:
        rates = (result.success.get(name) for name in COMMAND_NAMES)
        cells = (f"{100 * rate.value:.1f}" if rate is not None else "" for rate in rates)
        falls = f"{max(0.0, result.fallen[1]):.2f}", f"{result.beside:.2f}"
        table.add_row(result.word, f"{result.seconds:.1f}", *cells, *falls)
    return table


def _line(result: WordResult) -> str:
    return f"{result.word}: {result.seconds:.1f} s, {100 * result.main.value:.1f} % over nav_obj and nav_nr_obj"
