"""Checkpoints: what is saved comes back bit for bit, and whatever is not whole and ours is refused."""

import json
import os
import pickle
import socket
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from torch import Tensor, nn

from xworld.teacher.session import SESSION
from xworld.teacher.simulator import Simulator
from xworld.training import checked_file, checkpoint
from xworld.training.checked_file import CheckpointError, save_checked
from xworld.training.checkpoint import (
    check_shapes,
    load_state,
    load_weights,
    save_state,
    save_weights,
    split_records,
)
from xworld.world.catalogue import Catalogue
from xworld.world.state import WORLD

CLASSES = ("apple", "cat", "zebra")
WORDS = ("", "go", *CLASSES)
PROVENANCE: dict[str, object] = {"seed": 3, "config": {"global_step": 8, "rate": 1e-3}, "results": [0.5, None, "é"]}


class SmallAgent(nn.Module):
    """A module with weights of several shapes, a view, a whole number, and a buffer that is not stored."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.embedding = nn.Parameter(torch.randn(5, 7).T)
        self.layer = nn.Linear(7, 3)
        self.scale = nn.Parameter(torch.tensor(2.5))
        self.register_buffer("count", torch.tensor(2**40 + 1))
        self.register_buffer("atlas", torch.zeros(4, 4), persistent=False)


def same_bits(one: Tensor, other: Tensor) -> bool:
    return (one.dtype, one.shape) == (other.dtype, other.shape) and (
        safetensors.torch.save({"x": one.contiguous()}) == safetensors.torch.save({"x": other.contiguous()})
    )


def random_records(dtype: np.dtype[Any], count: int) -> np.ndarray:
    """Records in which every byte of every field is random."""
    generator = np.random.default_rng(0)
    records = np.frombuffer(bytearray(generator.bytes(count * dtype.itemsize)), dtype).copy()
    if "reached" in (dtype.names or ()):
        records["reached"] = generator.random(count) < 0.5
    return records


def save_small_weights(path: Path, **changes: Any) -> None:
    arguments: dict[str, Any] = {"agent": SmallAgent(), "provenance": PROVENANCE}
    arguments |= {"catalogue_classes": CLASSES, "vocabulary": WORDS}
    save_weights(path, **(arguments | changes))


@pytest.fixture
def weights_file(tmp_path: Path) -> Path:
    path = tmp_path / "agent.safetensors"
    save_small_weights(path)
    return path


def refusal(path: Path) -> str:
    """The message with which a file is refused as weights; it names the file."""
    with pytest.raises(CheckpointError) as caught:
        load_weights(path, CLASSES, WORDS)
    assert str(path) in str(caught.value)
    return str(caught.value)


class TestWeights:
    def test_are_stored_in_half_precision(self, weights_file: Path) -> None:
        weights, provenance = load_weights(weights_file, CLASSES, WORDS)
        expected = SmallAgent().state_dict()
        assert provenance == PROVENANCE
        assert weights.keys() == expected.keys() == {"embedding", "layer.weight", "layer.bias", "scale", "count"}
        for name, tensor in expected.items():
            assert same_bits(weights[name], tensor.half().float() if tensor.is_floating_point() else tensor)

    def test_load_into_an_agent(self, weights_file: Path) -> None:
        agent, weights = SmallAgent(seed=1), load_weights(weights_file, CLASSES, WORDS)[0]
        check_shapes(weights, agent.state_dict(), weights_file)
        agent.load_state_dict(weights)
        assert torch.equal(agent.layer.weight, SmallAgent().layer.weight.half().float())

    def test_in_full_precision(self, weights_file: Path) -> None:
        save_small_weights(weights_file, dtype=torch.float32)
        weights, _ = load_weights(weights_file, CLASSES, WORDS)
        assert all(same_bits(weights[name], tensor) for name, tensor in SmallAgent().state_dict().items())

    def test_equal_content_gives_equal_bytes(self, weights_file: Path, tmp_path: Path) -> None:
        for number in range(5):
            save_small_weights(tmp_path / f"{number}", provenance=dict(reversed(PROVENANCE.items())))
            assert (tmp_path / f"{number}").read_bytes() == weights_file.read_bytes()

    def test_other_programs_can_read_them(self, weights_file: Path) -> None:
        assert safetensors.torch.load_file(weights_file).keys() == SmallAgent().state_dict().keys()

    def test_other_classes_are_named(self, weights_file: Path) -> None:
        with pytest.raises(
            CheckpointError, match=r"other classes: only the file has 'cat'; the file lacks 'dog', 'eel'"
        ):
            load_weights(weights_file, ("apple", "dog", "eel", "zebra"), WORDS)

    def test_other_words_are_named_the_first_few(self, weights_file: Path) -> None:
        more = [f"word{number}" for number in range(9)]
        with pytest.raises(CheckpointError, match=r"other words: the file lacks 'word0', .*'word4' and 4 more"):
            load_weights(weights_file, CLASSES, [*WORDS, *more])

    def test_another_order_of_words_is_refused(self, weights_file: Path) -> None:
        with pytest.raises(CheckpointError, match=r"number 0 is '' in the file and 'zebra' here"):
            load_weights(weights_file, CLASSES, WORDS[::-1])

    def test_other_pictures_are_named_by_class_and_fingerprint(self, weights_file: Path) -> None:
        built_in = Catalogue.load().fingerprint
        message = f"other pictures of apple, cat, zebra: their fingerprint is {built_in}, and that of these is 0a1b"
        with pytest.raises(CheckpointError, match=message):
            load_weights(weights_file, CLASSES, WORDS, "0a1b")
        save_small_weights(weights_file, fingerprint="0a1b")
        load_weights(weights_file, CLASSES, WORDS, "0a1b")
        with pytest.raises(CheckpointError, match=f"fingerprint is 0a1b, and that of these is {built_in}"):
            load_weights(weights_file, CLASSES, WORDS)
        with pytest.raises(CheckpointError, match="Load it with its own icon pack, whose fingerprint is 0a1b"):
            load_weights(weights_file, ("apple", "dog"), WORDS)

    @pytest.mark.parametrize("value", [float("nan"), float("inf")])
    def test_unsound_weights_are_not_saved(self, weights_file: Path, value: float) -> None:
        agent, before = SmallAgent(), weights_file.read_bytes()
        agent.layer.bias.data[1] = value
        with pytest.raises(CheckpointError, match=r"diverged; there are NaNs or infinities in layer\.bias"):
            save_small_weights(weights_file, agent=agent)
        assert weights_file.read_bytes() == before

    def test_weights_too_large_for_half_precision_are_not_saved(self, weights_file: Path) -> None:
        agent = SmallAgent()
        agent.scale.data.fill_(1e5)
        with pytest.raises(CheckpointError, match=r"overflow torch.float16.* in scale"):
            save_small_weights(weights_file, agent=agent)
        save_small_weights(weights_file, agent=agent, dtype=torch.bfloat16)

    def test_nans_are_not_loaded(self, weights_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        agent = SmallAgent()
        agent.scale.data.fill_(float("nan"))
        with monkeypatch.context() as patch:
            patch.setattr(checkpoint, "_refuse_nonfinite", lambda *_: None)
            save_small_weights(weights_file, agent=agent)
        assert "NaNs or infinities in scale" in refusal(weights_file)

    @pytest.mark.parametrize("dtype", [torch.int8, torch.complex64])
    def test_are_saved_as_floating_point_numbers_only(self, tmp_path: Path, dtype: torch.dtype) -> None:
        with pytest.raises(CheckpointError, match="weights cannot be"):
            save_small_weights(tmp_path / "agent", dtype=dtype)

    @pytest.mark.parametrize("thing", [{"x": object()}, {"x": float("nan")}, {"x": np.int64(1)}, {"x": {1: 2, "a": 3}}])
    def test_a_provenance_that_is_not_json_is_refused(self, tmp_path: Path, thing: dict[str, object]) -> None:
        with pytest.raises(CheckpointError, match="is not JSON"):
            save_small_weights(tmp_path / "agent", provenance=thing)


class TestShapes:
    def test_every_difference_is_named(self) -> None:
        expected = SmallAgent().state_dict()
        tensors = {name: torch.zeros_like(tensor) for name, tensor in expected.items()}
        check_shapes(tensors, expected)
        del tensors["scale"]
        tensors |= {"extra": torch.zeros(1), "layer.weight": torch.zeros(7, 3), "count": torch.zeros(())}
        with pytest.raises(CheckpointError) as caught:
            check_shapes(tensors, expected, "a.safetensors")
        assert str(caught.value) == (
            "a.safetensors does not fit this agent: it lacks scale; it has unexpected extra; "
            "count is float32 (), expected int64 (), layer.weight is float32 (7 x 3), expected float32 (3 x 7)"
        )


class TestState:
    def test_tensors_keep_every_bit(self, tmp_path: Path) -> None:
        whole = torch.randn(6, 4)
        tensors = {
            "agent/weight": whole,
            "agent/part": whole[1:3, ::2],
            "optimizer/step": torch.tensor(7.0),
            "random": torch.get_rng_state(),
            "odd": torch.tensor([float("nan"), -0.0, float("-inf"), 1e-45]),
            "none": torch.zeros(0, 3, dtype=torch.float64),
            "flags": torch.tensor([True, False]),
            "short": torch.randn(3).bfloat16(),
        }
        save_state(tmp_path / "state", tensors, {}, {"iteration": 2**60, "rate": 0.1 + 0.2})
        loaded, arrays, record = load_state(tmp_path / "state")
        assert loaded.keys() == tensors.keys()
        assert all(same_bits(loaded[name], tensor) for name, tensor in tensors.items())
        assert (arrays, record) == ({}, {"iteration": 2**60, "rate": 0.1 + 0.2})

    @pytest.mark.parametrize(
        "array",
        [
            random_records(WORLD, 5),
            random_records(SESSION, 5),
            random_records(SESSION, 6).reshape(2, 3)[:, ::2],
            np.zeros(0, WORLD),
            np.array(3.5),
            np.arange(6, dtype=np.int16).reshape(2, 3).T,
            np.array([True, False]),
            np.array([0, 2**64 - 1], np.uint64),
        ],
        ids=lambda array: f"{array.dtype.kind}{array.shape}",
    )
    def test_arrays_come_back_exactly(self, tmp_path: Path, array: np.ndarray) -> None:
        save_state(tmp_path / "state", {}, {"it": array}, {})
        loaded, fields = load_state(tmp_path / "state")[1], split_records({"it": array})
        assert loaded.keys() == fields.keys()
        for name, field in fields.items():
            assert (loaded[name].dtype, loaded[name].shape) == (field.dtype, field.shape)
            assert loaded[name].tobytes() == field.tobytes()

    def test_records_are_stored_field_by_field(self, tmp_path: Path) -> None:
        save_state(tmp_path / "state", {}, {"worlds": np.zeros(2, WORLD), "sessions": np.zeros(2, SESSION)}, {})
        arrays = load_state(tmp_path / "state")[1]
        assert arrays["worlds/grid"].shape == (2, *WORLD["grid"].shape)
        assert arrays["sessions/choice/location"].dtype == SESSION["choice"]["location"].base

    def test_equal_states_give_equal_files_whatever_the_padding_holds(self, tmp_path: Path) -> None:
        rng, memories = np.random.default_rng(0), set()
        fields = split_records({"it": random_records(WORLD, 7)})
        for number in range(5):
            memory = rng.integers(256, size=7 * WORLD.itemsize).astype(np.uint8)
            records = memory.view(WORLD)
            for name, field in split_records({"it": records}).items():
                field[...] = fields[name]
            memories.add(memory.tobytes())
            save_state(tmp_path / f"{number}", {"weight": torch.ones(3)}, {"it": records}, {"b": 1, "a": 2})
        assert len(memories) == 5, "the padding is the same"
        assert len({file.read_bytes() for file in tmp_path.iterdir()}) == 1

    def test_a_simulator_continues_as_it_would_have(self, tmp_path: Path) -> None:
        simulator, resumed = Simulator(4), Simulator(4)
        simulator.reset([1, 2, 3, 4])
        resumed.reset([5, 6, 7, 8])
        for action in range(4):
            simulator.step([action] * 4)
        save_state(tmp_path / "state", {}, {"worlds": simulator.worlds, "sessions": simulator.sessions}, {})
        arrays = load_state(tmp_path / "state")[1]
        for name, field in split_records({"worlds": resumed.worlds, "sessions": resumed.sessions}).items():
            field[...] = arrays[name]
        resumed.set_state(resumed.worlds, resumed.sessions)
        for action in range(40):
            for one, other in zip(simulator.step([action % 4] * 4), resumed.step([action % 4] * 4), strict=True):
                assert np.array_equal(one, other)
            assert np.array_equal(simulator.tiles, resumed.tiles)
            assert np.array_equal(simulator.commands, resumed.commands)

    def test_training_goes_on_bit_for_bit(self, tmp_path: Path) -> None:
        def train(agent: nn.Linear, optimizer: torch.optim.AdamW, generator: torch.Generator) -> None:
            for _ in range(3):
                optimizer.zero_grad()
                agent(torch.randn(8, 4, generator=generator)).square().sum().backward()
                optimizer.step()

        def fresh() -> tuple[nn.Linear, torch.optim.AdamW, torch.Generator]:
            agent = nn.Linear(4, 2)
            return agent, torch.optim.AdamW(agent.parameters()), torch.Generator().manual_seed(0)

        agent, optimizer, generator = fresh()
        train(agent, optimizer, generator)
        moments = {
            f"{key}/{name}": value
            for key, part in optimizer.state_dict()["state"].items()
            for name, value in part.items()
        }
        save_state(tmp_path / "state", {**agent.state_dict(), **moments, "random": generator.get_state()}, {}, {})
        train(agent, optimizer, generator)

        tensors, _, _ = load_state(tmp_path / "state")
        other, other_optimizer, other_generator = fresh()
        other.load_state_dict({name: tensors[name] for name in agent.state_dict()})
        state = {key: {name: tensors[f"{key}/{name}"] for name in ("step", "exp_avg", "exp_avg_sq")} for key in (0, 1)}
        other_optimizer.load_state_dict({**other_optimizer.state_dict(), "state": state})
        other_generator.set_state(tensors["random"])
        train(other, other_optimizer, other_generator)
        assert all(same_bits(one, two) for one, two in zip(agent.parameters(), other.parameters(), strict=True))

    @pytest.mark.parametrize(
        "array", [np.array([None]), np.zeros(1, [("a", "i4"), ("b", "O")]), np.zeros(2, "V0"), np.array(["text"])]
    )
    def test_arrays_that_tensors_cannot_hold_are_refused(self, tmp_path: Path, array: np.ndarray) -> None:
        with pytest.raises(CheckpointError, match=r"array 'it.*' of .* cannot be stored"):
            save_state(tmp_path / "state", {}, {"it": array}, {})

    @pytest.mark.parametrize("tensor", [torch.eye(2).to_sparse(), torch.zeros(2, device="meta")])
    def test_tensors_that_safetensors_cannot_hold_are_refused(self, tmp_path: Path, tensor: Tensor) -> None:
        with pytest.raises(CheckpointError, match="tensor 'tensor/it' has a type"):
            save_state(tmp_path / "state", {"it": tensor}, {}, {})


class TestRefusals:
    def test_a_missing_file(self, tmp_path: Path) -> None:
        assert "No such file" in refusal(tmp_path / "nothing")

    def test_a_folder(self, tmp_path: Path) -> None:
        assert "cannot be read" in refusal(tmp_path)

    def test_an_empty_file(self, weights_file: Path) -> None:
        weights_file.write_bytes(b"")
        assert "is empty" in refusal(weights_file)

    def test_many_truncations(self, weights_file: Path) -> None:
        data = weights_file.read_bytes()
        for length in (*range(1, 24), *range(24, len(data), 7), len(data) - 1):
            weights_file.write_bytes(data[:length])
            assert "is cut short" in refusal(weights_file), length

    def test_bytes_at_the_end(self, weights_file: Path) -> None:
        data = weights_file.read_bytes()
        weights_file.write_bytes(data + b"\0\0")
        assert refusal(weights_file).endswith(f"is damaged: it has {len(data) + 2} bytes, 2 too many")

    def test_a_flipped_bit_anywhere(self, weights_file: Path) -> None:
        data, generator = weights_file.read_bytes(), np.random.default_rng(0)
        for place in generator.choice(len(data), 300, replace=False):
            damaged = bytearray(data)
            damaged[place] ^= 1 << int(generator.integers(8))
            weights_file.write_bytes(damaged)
            refusal(weights_file)

    def test_another_byte_anywhere_in_a_state(self, tmp_path: Path) -> None:
        path, generator = tmp_path / "state", np.random.default_rng(1)
        save_state(path, {"weight": torch.randn(20)}, {"worlds": random_records(WORLD, 2)}, {"iteration": 1})
        data = path.read_bytes()
        for place in generator.choice(len(data), 300, replace=False):
            damaged = bytearray(data)
            damaged[place] ^= int(generator.integers(1, 256))
            path.write_bytes(damaged)
            with pytest.raises(CheckpointError):
                load_state(path)

    def test_flips_in_the_data_are_called_damage(self, weights_file: Path) -> None:
        data = bytearray(weights_file.read_bytes())
        data[-1] ^= 1
        weights_file.write_bytes(data)
        assert "does not match its SHA-256" in refusal(weights_file)

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_a_pickle_is_refused_and_not_run(self, tmp_path: Path, protocol: int) -> None:
        path, trace = tmp_path / "agent.pt", tmp_path / "trace"
        path.write_bytes(pickle.dumps(Trap(trace), protocol))
        assert "is not a safetensors file" in refusal(path)
        assert not trace.exists()
        pickle.loads(path.read_bytes())
        assert trace.exists(), "the trap would have shown"

    def test_a_file_of_torch_save(self, tmp_path: Path) -> None:
        torch.save({"weight": torch.zeros(2)}, tmp_path / "agent.pt")
        assert "is not a safetensors file" in refusal(tmp_path / "agent.pt")

    @pytest.mark.parametrize("notes", [None, {}, {"format": "pt"}])
    def test_safetensors_from_elsewhere(self, tmp_path: Path, notes: dict[str, str] | None) -> None:
        safetensors.torch.save_file({"weight": torch.zeros(2)}, tmp_path / "other", notes)
        assert "but not one of xworld" in refusal(tmp_path / "other")

    @pytest.mark.parametrize("note", ["", "[]", "{}", "7", "[" * 100_000, '{"format": 1}', "é"])
    def test_a_header_that_is_not_ours(self, tmp_path: Path, note: str) -> None:
        safetensors.torch.save_file({"weight": torch.zeros(2)}, tmp_path / "other", {"xworld": note})
        assert "header" in refusal(tmp_path / "other")

    @pytest.mark.parametrize("version", [0, 2])
    def test_another_version(self, weights_file: Path, monkeypatch: pytest.MonkeyPatch, version: int) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(checked_file, "VERSION", version)
            save_small_weights(weights_file)
        assert f"has version {version} of its format, and this xworld reads version 1" in refusal(weights_file)

    def test_a_state_is_no_agent(self, tmp_path: Path, weights_file: Path) -> None:
        save_state(tmp_path / "state", {}, {}, {})
        assert "another format: 'xworld training state'" in refusal(tmp_path / "state")
        with pytest.raises(CheckpointError, match="another format: 'xworld agent'"):
            load_state(weights_file)

    def test_a_forged_list_of_words(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        content: dict[str, object] = {"classes": "apple", "words": None, "provenance": {}}
        monkeypatch.setattr(checked_file, "_as_json", lambda *_: content)
        save_small_weights(tmp_path / "agent")
        assert "does not list its classes" in refusal(tmp_path / "agent")

    def test_a_seal_that_is_no_text(self, tmp_path: Path) -> None:
        note = {"format": "xworld agent", "version": 1, "size": 8, "sha256": "\ud800", "content": {}}
        safetensors.torch.save_file({"x": torch.zeros(2)}, tmp_path / "other", {"xworld": json.dumps(note)})
        assert "is damaged" in refusal(tmp_path / "other")


class TestOddFiles:
    """Refused in one line, at once, and without taking memory."""

    @pytest.fixture(autouse=True)
    def _limits(self) -> Iterator[None]:
        tracemalloc.start()
        begun = time.monotonic()
        yield
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert time.monotonic() - begun < 1
        assert peak < 100e6

    @pytest.mark.parametrize(
        "first", [b"", b"\0" * 8 + b"{", (9_999_999).to_bytes(8, "little") + b"{", b"\x08" + b"\0" * 7 + b"{}"]
    )
    def test_huge(self, tmp_path: Path, first: bytes) -> None:
        path = tmp_path / "huge"
        path.write_bytes(first)
        os.truncate(path, 4 << 30)
        assert "\n" not in refusal(path)

    def test_a_checkpoint_with_gigabytes_at_its_end(self, weights_file: Path) -> None:
        os.truncate(weights_file, 4 << 30)
        assert "bytes, 42949" in refusal(weights_file)

    def test_a_pipe(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert refusal(tmp_path / "pipe").endswith("it is not a plain file")
        with pytest.raises(CheckpointError, match="exists and is 'something else'"):
            save_small_weights(tmp_path / "pipe")

    @pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
    def test_a_device(self, device: str) -> None:
        assert "\n" not in refusal(Path(device))

    def test_a_socket(self, tmp_path: Path) -> None:
        with socket.socket(socket.AF_UNIX) as here:
            here.bind(str(tmp_path / "socket"))
            assert "cannot be read" in refusal(tmp_path / "socket")

    @pytest.mark.parametrize("dtype", [torch.bool, torch.complex64, torch.float8_e4m3fn, torch.uint8, torch.int32])
    def test_types_that_no_weights_have(self, tmp_path: Path, dtype: torch.dtype) -> None:
        content = {"classes": list(CLASSES), "words": list(WORDS), "provenance": {}}
        save_checked(tmp_path / "odd", "xworld agent", {"scale": torch.ones(2).to(dtype)}, content)
        assert refusal(tmp_path / "odd").endswith(f"holds no weights of an agent: scale is of {dtype}")

    def test_weights_that_are_infinite_once_converted(self, tmp_path: Path) -> None:
        content = {"classes": list(CLASSES), "words": list(WORDS), "provenance": {}}
        save_checked(tmp_path / "odd", "xworld agent", {"scale": torch.tensor(1e300, dtype=torch.float64)}, content)
        assert "NaNs or infinities in scale" in refusal(tmp_path / "odd")


def test_every_byte_of_a_header(weights_file: Path) -> None:
    data, generator = weights_file.read_bytes(), np.random.default_rng(0)
    for place in range(8 + int.from_bytes(data[:8], "little")):
        damaged = bytearray(data)
        damaged[place] ^= int(generator.integers(1, 256))
        weights_file.write_bytes(damaged)
        assert "\n" not in refusal(weights_file)


class Trap:
    """Leaves a trace where it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.trace),)


class TestWriting:
    def test_makes_the_folder(self, tmp_path: Path) -> None:
        save_small_weights(tmp_path / "runs" / "one" / "agent")
        load_weights(tmp_path / "runs" / "one" / "agent", CLASSES, WORDS)

    def test_replaces_an_older_checkpoint(self, weights_file: Path) -> None:
        save_small_weights(weights_file, provenance={"seed": 9})
        assert load_weights(weights_file, CLASSES, WORDS)[1] == {"seed": 9}

    def test_writes_through_a_link(self, weights_file: Path, tmp_path: Path) -> None:
        link = tmp_path / "latest"
        link.symlink_to(weights_file.name)
        save_small_weights(link, provenance={"seed": 9})
        assert link.is_symlink()
        assert load_weights(weights_file, CLASSES, WORDS)[1] == {"seed": 9}

    @pytest.mark.parametrize("content", [b"", b"my notes", b"\x08\0\0\0\0\0\0\0{}      ", b"\xff" * 100])
    def test_never_overwrites_a_file_of_someone_else(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "notes.txt"
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match=r"notes\.txt exists and is 'something else'"):
            save_small_weights(path)
        assert path.read_bytes() == content
        assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]

    def test_never_overwrites_foreign_safetensors_or_a_folder(self, tmp_path: Path) -> None:
        safetensors.torch.save_file({"weight": torch.zeros(2)}, tmp_path / "other")
        (tmp_path / "folder").mkdir()
        for name in ("other", "folder"):
            with pytest.raises(CheckpointError, match="exists and is"):
                save_state(tmp_path / name, {}, {}, {})

    def test_weights_do_not_take_the_place_of_a_state(self, tmp_path: Path) -> None:
        save_state(tmp_path / "state", {}, {}, {"iteration": 5})
        with pytest.raises(CheckpointError, match="is 'xworld training state', not 'xworld agent'"):
            save_small_weights(tmp_path / "state")
        assert load_state(tmp_path / "state")[2] == {"iteration": 5}

    def test_a_checkpoint_that_was_cut_short_may_be_replaced(self, weights_file: Path) -> None:
        weights_file.write_bytes(weights_file.read_bytes()[:-5])
        save_small_weights(weights_file)
        load_weights(weights_file, CLASSES, WORDS)

    def test_removes_its_own_stale_files_only(self, weights_file: Path, tmp_path: Path) -> None:
        mark = "0123456789abcdef" * 2
        others = [f".other.safetensors.{mark}.partial", ".agent.safetensors.mine.partial", f"agent.safetensors.{mark}"]
        for name in [*others, f".agent.safetensors.{mark}.partial"]:
            (tmp_path / name).write_bytes(b"")
        save_small_weights(weights_file)
        assert {file.name for file in tmp_path.iterdir()} == {*others, weights_file.name}

    @pytest.mark.parametrize("call", ["fsync", "replace"])
    @pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
    def test_a_failure_leaves_the_old_file_and_nothing_else(
        self, weights_file: Path, monkeypatch: pytest.MonkeyPatch, call: str, fault: BaseException
    ) -> None:
        def fail(*_: object) -> None:
            raise fault

        before = weights_file.read_bytes()
        monkeypatch.setattr(os, call, fail)
        with pytest.raises((CheckpointError, KeyboardInterrupt), match=r"No space left|^$"):
            save_small_weights(weights_file, provenance={})
        assert weights_file.read_bytes() == before
        assert list(weights_file.parent.iterdir()) == [weights_file]

    def test_the_file_can_be_read_by_those_who_may(self, weights_file: Path) -> None:
        plain = weights_file.with_name("plain")
        plain.touch()
        assert weights_file.stat().st_mode == plain.stat().st_mode

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
    def test_twenty_kills_leave_a_whole_file_each(self, tmp_path: Path) -> None:
        result = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", SAVE_AND_BE_KILLED, str(tmp_path / "state")],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        assert [file.name for file in tmp_path.iterdir()] == ["state"]


SAVE_AND_BE_KILLED = """
import itertools, os, random, signal, sys, time
from pathlib import Path
import numpy as np
import torch
from xworld.training.checkpoint import load_state, save_state

path, chance, newest = Path(sys.argv[1]), random.Random(0), 0
torch.set_num_threads(1)  # a process with threads must not be forked

def save(number):
    save_state(path, {"weight": torch.full((300_000,), float(number))}, {"seeds": np.full(99, number)}, {"n": number})

save(0)
for kill in range(20):
    child = os.fork()
    if child == 0:
        for number in itertools.count(newest + 1):
            save(number)
    time.sleep(chance.uniform(0.0, 0.08))
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL, "a save failed before the kill"
    tensors, arrays, record = load_state(path)
    assert record["n"] >= newest, "an older file came back"
    newest = record["n"]
    assert (tensors["weight"] == newest).all() and (arrays["seeds"] == newest).all()
    assert len(list(path.parent.iterdir())) <= 2, "stale files pile up"
assert newest > 0, "no save was ever finished"
save(newest + 1)
"""
