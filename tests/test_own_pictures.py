"""One's own pictures, all the way: packs of one class and of hundreds, in sessions, in training and in files."""

from pathlib import Path

import numpy as np
import pytest

from make_pack import make_pack
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.world.catalogue import Catalogue

SIZES = (1, 41, 119, 300)


@pytest.fixture(scope="module", params=SIZES)
def pack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("packs") / f"{request.param}", classes=request.param)


def seen_classes(catalogue: Catalogue, settings: TeacherSettings, worlds: int = 4000) -> set[int]:
    simulator = Simulator(worlds, catalogue, settings=settings)
    simulator.reset(range(worlds))
    present = np.arange(simulator.worlds["object_class"].shape[1]) < simulator.worlds["objects"][:, None]
    return set(simulator.worlds["object_class"][present].tolist())


def test_every_class_of_a_pack_appears(pack: Path) -> None:
    catalogue = Catalogue.load(pack)
    assert len(catalogue.classes) == int(pack.name)
    assert seen_classes(catalogue, TeacherSettings()) == set(range(len(catalogue.classes)))


def test_settings_may_name_fewer_classes_and_more_are_all(pack: Path) -> None:
    catalogue = Catalogue.load(pack)
    assert seen_classes(catalogue, TeacherSettings(classes=(1, 20))) == set(range(min(20, len(catalogue.classes))))
    assert seen_classes(catalogue, TeacherSettings(classes=(4, 500))) == set(range(len(catalogue.classes)))
