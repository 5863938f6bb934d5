"""The grid of experiments: models, conditions, shares held out, and seeds."""

from dataclasses import dataclass

from xworld.baselines.registry import MODEL_NAMES, check_model
from xworld.teacher.holdout import CONDITIONS, PAPER_SHARE, Condition
from xworld.world.checks import SettingsError

IN_ALL_CONDITIONS: tuple[str, ...] = ("planner", "framework", "simple_attention")
"""The models of Table 1b, and the planner; the paper tests the others in Standard only."""


@dataclass(frozen=True)
class Job:
    """One experiment: an agent that is trained and then tested.

    >>> Job("planner", "NWNavRec", 0.3, 2).name
    'planner-NWNavRec-0.3-2'
    >>> Job("planner", "NWNavRec", 0.1, 0, "temperature").name
    'planner-NWNavRec-0.1-0-printed-temperature'
    """

    model: str
    condition: Condition
    share: float
    """Share of words or combinations held out; 0 in Standard."""
    seed: int
    printed: str = ""
    """The setting of the config that is as the paper prints it, in an ablation."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        ablation = f"-printed-{self.printed}" if self.printed else ""
        return f"{self.model}-{self.condition}-{self.share:g}-{self.seed}{ablation}"


@dataclass(frozen=True)
class Grid:
    """The jobs of the paper's Table 1 by default, the same with a planner, and that with more and more words held out.

    >>> len(Grid().jobs())
    76
    >>> [job.name for job in Grid(("san",), ("Standard", "NC"), seeds=(0,), all_cells=True).jobs()]
    ['san-Standard-0-0', 'san-NC-0.1-0']
    """

    models: tuple[str, ...] = MODEL_NAMES
    """Models to train: those of the paper, and any that a file of --extend registers."""
    conditions: tuple[Condition, ...] = CONDITIONS
    """Conditions to train in; without --all-cells, the last four models in Standard only."""
    shares: tuple[float, ...] = (0.3, 0.5, 0.7)
    """Shares of the words to hold out from the planner in NWNavRec, beyond the paper's 0.1."""
    seeds: tuple[int, ...] = (0, 1, 2, 3)
    """Random seeds."""
    all_cells: bool = False
    """Train every model in every condition."""
    printed: tuple[str, ...] = ()
    """Ablations: every job once more with each of these settings of the config as the paper prints it; `all` are all in
    which the config differs from the paper."""

    def jobs(self) -> list[Job]:
        """All jobs, seed by seed, so that a half-finished grid has results in every cell.

        Nonsense is refused here and not at construction, where the command line's parser would reformat the error.
        """
        self._refuse_nonsense()
        jobs = [
            Job(model, condition, share, seed, printed)
            for seed in dict.fromkeys(self.seeds)
            for printed in dict.fromkeys(("", *self.printed))
            for condition in dict.fromkeys(self.conditions)
            for model in dict.fromkeys(self.models)
            for share in self._shares(model, condition)
        ]
        if not jobs:
            models, conditions = ", ".join(self.models), ", ".join(self.conditions)
            raise SettingsError(
                f"no job: {models} would be trained in Standard only; to train in {conditions}, give --all-cells"
            )
        return jobs

    def _refuse_nonsense(self) -> None:
        if not (self.models and self.conditions and self.seeds):
            raise SettingsError("a grid needs at least one model, one condition and one seed")
        for model in self.models:
            check_model(model)
        if odd := [share for share in self.shares if not 0 < share < 1]:
            raise SettingsError(f"--shares {odd[0]:g}: expected shares between 0 and 1, such as 0.3")
        if odd := [seed for seed in self.seeds if not 0 <= seed < 2**63]:
            raise SettingsError(f"--seeds {odd[0]}: expected whole numbers from 0 to 2**63 - 1")

    def _shares(self, model: str, condition: Condition) -> tuple[float, ...]:
        if condition == "Standard":
            return (0.0,)
        if model not in IN_ALL_CONDITIONS and not self.all_cells:
            return ()
        if (model, condition) == ("planner", "NWNavRec"):
            return tuple(dict.fromkeys((PAPER_SHARE, *self.shares)))
        return (PAPER_SHARE,)
