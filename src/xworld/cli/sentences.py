"""`xworld sentences`: the teacher's language as a table, as samples or in full."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from xworld.cli.options import CommandType, QuestionType
from xworld.teacher.commands import COMMANDS
from xworld.teacher.grammar import Grammar, subtasks
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.vocabulary import write_out
from xworld.world.catalogue import Catalogue
from xworld.world.checks import check_whole


@dataclass(frozen=True)
class SentencesCommand:
    """Show what the teacher can say: a table of the types of sentence, samples of one type, or every sentence."""

    type: CommandType | QuestionType | None = None
    """Print samples of this type of sentence."""
    samples: int = 10
    """How many samples."""
    seed: int = 0
    """The seed of the samples."""
    all: bool = False
    """Print every sentence, one per line; with --type, every one of that type."""
    pack: Path | None = None
    """An icon pack, whose classes replace the built-in ones."""

    def run(self) -> int:
        """Print what was asked for."""
        grammar = Grammar(Catalogue.load(self.pack))
        if self.all:
            for sentence in grammar.sentences(self.type):
                print(write_out(sentence.tokens))
        elif self.type is not None:
            self._print_samples(grammar, self.type)
        else:
            Console().print(make_table(grammar))
        return 0

    def _print_samples(self, grammar: Grammar, name: str) -> None:
        check_whole("--samples", self.samples, 1)
        check_whole("--seed", self.seed, 0)
        generator = np.random.default_rng(self.seed)
        for _ in range(self.samples):
            print(write_out(grammar.sample(name, generator).tokens))


def make_table(grammar: Grammar) -> Table:
    """The types of sentence with their counts. Every sentence is generated and counted; nothing is multiplied."""
    counts = {subtask.name: sum(1 for _ in grammar.sentences(subtask.name)) for subtask in subtasks()}
    generator = np.random.default_rng(0)
    table = Table("type", "said when", "forms", "fillings", "sentences", "for example", box=None, pad_edge=False)
    for column in (2, 3, 4):
        table.columns[column].justify = "right"
    for title, group in (("navigation", COMMANDS), ("recognition", QUESTIONS)):
        for subtask in group:
            table.add_row(
                subtask.name,
                subtask.condition,
                f"{len(subtask.forms):,}",
                f"{len(grammar.fillings(subtask)):,}",
                f"{counts[subtask.name]:,}",
                write_out(grammar.sample(subtask.name, generator).tokens) if counts[subtask.name] else "-",
            )
        total = sum(counts[subtask.name] for subtask in group)
        table.add_row(f"[bold]{title}[/]", "", "", "", f"[bold]{total:,}[/]", "", end_section=True)
    total = sum(counts.values())
    table.add_row("[bold]all[/]", "", "", "", f"[bold]{total:,}[/]", f"{len(grammar.vocabulary)} words")
    return table
