"""The command line: `xworld <command>`, one file for each, and `report` beside `reproduce`."""

from typing import Annotated, TypeAlias

import tyro
from tyro.conf import CascadeSubcommandArgs, OmitArgPrefixes, OmitSubcommandPrefixes, subcommand

from xworld import __version__
from xworld.cli.bench import BenchCommand
from xworld.cli.demo import DemoCommand
from xworld.cli.demonstrate import DemonstrateCommand
from xworld.cli.evaluate import EvaluateCommand
from xworld.cli.extend import EXTEND_HELP
from xworld.cli.figures import FiguresCommand
from xworld.cli.play import PlayCommand
from xworld.cli.reproduce import ReportCommand, ReproduceCommand
from xworld.cli.sentences import SentencesCommand
from xworld.cli.teach import TeachCommand
from xworld.cli.train import TrainCommand

Command: TypeAlias = (
    Annotated[SentencesCommand, subcommand("sentences")]
    | Annotated[PlayCommand, subcommand("play")]
    | Annotated[OmitArgPrefixes[OmitSubcommandPrefixes[CascadeSubcommandArgs[TrainCommand]]], subcommand("train")]
    | Annotated[EvaluateCommand, subcommand("evaluate")]
    | Annotated[
        OmitArgPrefixes[OmitSubcommandPrefixes[CascadeSubcommandArgs[ReproduceCommand]]], subcommand("reproduce")
    ]
    | Annotated[ReportCommand, subcommand("report")]
    | Annotated[DemonstrateCommand, subcommand("demonstrate")]
    | Annotated[FiguresCommand, subcommand("figures")]
    | Annotated[DemoCommand, subcommand("demo")]
    | Annotated[TeachCommand, subcommand("teach")]
    | Annotated[OmitArgPrefixes[OmitSubcommandPrefixes[BenchCommand]], subcommand("bench")]
)

_EXTRAS = {
    "train": ("torch", "safetensors", "tensorboard", "filelock"),
    "figures": ("matplotlib",),
    "demo": ("fastapi", "pydantic", "starlette", "uvicorn"),
    "bench": ("minigrid",),
    "peers": ("jax", "navix", "xminigrid"),
    "ray": ("ray",),
    "data": ("minari", "h5py"),
}
"""Packages that a plain installation leaves out, by the extra of xworld that brings them."""
_COMMAND_EXTRAS: dict[type, str] = {FiguresCommand: "figures", ReportCommand: "figures", DemoCommand: "demo"}
"""Commands whose extra includes the extra `train`."""


def run(arguments: list[str]) -> int:
    """Run the command that the arguments name."""
    if arguments == ["--version"]:
        print(f"xworld {__version__}")
        return 0
    command = tyro.cli(
        Command,
        prog="xworld",
        description=f"An agent learns language by seeing, being told and being asked. {EXTEND_HELP}",
        args=arguments,
    )
    try:
        return command.run()
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extra = next((extra for extra, packages in _EXTRAS.items() if package in packages), None)
        if extra is None:
            raise
        extra, title = _COMMAND_EXTRAS.get(type(command), extra), "PyTorch" if package == "torch" else package
        raise ValueError(f"this command needs {title}: pip install 'xworld[{extra}]'") from error
