"""Bytes to keys, in whatever pieces they arrive."""

import pytest

from xworld.play.keyboard import (
    BACKSPACE,
    CLEAR,
    DOWN,
    END_OF_INPUT,
    ENTER,
    ESCAPE,
    LEFT,
    REDRAW,
    RIGHT,
    TAB,
    UP,
    Decoder,
)


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", [UP, DOWN, RIGHT, LEFT]),
        (b"\x1bOA\x1bOB\x1bOC\x1bOD", [UP, DOWN, RIGHT, LEFT]),
        (b"\x1b[1;5A\x1b[1;2D", [UP, LEFT]),  # with Ctrl, with Shift
        (b"\x1b\x1b[A", [UP]),  # with Alt, as some terminals send it
        (b"wasd?Q", ["w", "a", "s", "d", "?", "Q"]),
        (b"\r\n\t\x7f\x08\x15\x04\x0c", [ENTER, ENTER, TAB, BACKSPACE, BACKSPACE, CLEAR, END_OF_INPUT, REDRAW]),
        ("é".encode(), ["é"]),
        (b"\xff\x00\x01x", ["x"]),
    ],
)
def test_keys_are_decoded(data: bytes, keys: list[str]) -> None:
    assert Decoder().feed(data) == keys


@pytest.mark.parametrize(
    "data",
    [
        b"\x1b[5~",  # page up
        b"\x1b[3~",  # delete
        b"\x1b[15~",  # F5
        b"\x1b[[A",  # F1 on the Linux console, which is no arrow
        b"\x1bOP",  # F1
        b"\x1bx",  # Alt-x
        b"\x1b[I",  # the window is looked at
        b"\x1b[<0;10;10M",  # a mouse
        b"\x1b]11;rgb:0000/0000/0000\x07",  # the color of the background
        b"\x1bP1$r0m\x1b\\",
        b"\x1b[200~wasd q\x1b[A\x1b[201~",  # a paste
    ],
)
def test_other_sequences_are_dropped(data: bytes) -> None:
    decoder = Decoder()
    assert decoder.feed(data + b"w") == ["w"]
    assert not decoder.pending


def test_a_sequence_may_come_byte_by_byte() -> None:
    decoder = Decoder()
    data = b"a\x1b[1;5A\x1bOB" + "é".encode()
    assert [key for byte in data for key in decoder.feed(bytes([byte]))] == ["a", UP, DOWN, "é"]


def test_an_escape_is_a_key_only_when_nothing_follows() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b") == []
    assert decoder.pending
    assert decoder.flush() == [ESCAPE]
    assert not decoder.pending
    assert decoder.feed(b"\x1b") + decoder.feed(b"[A") == [UP]


def test_the_beginning_of_a_sequence_is_dropped_when_nothing_follows() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b[1;") == []
    assert decoder.flush() == []
    assert decoder.feed(b"w") == ["w"]


def test_an_unfinished_paste_does_not_block_the_keyboard() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b[200~abc") == []
    assert decoder.pending
    assert decoder.flush() == []
    assert decoder.feed(b"w") == ["w"]
