"""An event file for TensorBoard, written at once: its own writer has a thread, which would report a full disk late."""

import os
import platform
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xworld.training.atomic_file import naming


class EventFile:
    """Points of curves. TensorBoard ignores what earlier files of the folder say from `first_step` on."""

    def __init__(self, folder: str | Path, first_step: int) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog  # takes a second to load
        from tensorboard.summary.writer.record_writer import RecordWriter

        name = f"events.out.tfevents.{int(time.time()):010}.{platform.node()}.{os.getpid()}"
        self.path = Path(folder) / name
        self._make_event = Event
        self._writer = RecordWriter(self.path.open("ab"))
        self._write(file_version="brain.Event:2")
        self._write(step=first_step, session_log=SessionLog(status=SessionLog.START))

    def add(self, values: Mapping[str, float], step: int) -> None:
        """One point of each curve."""
        from tensorboard.compat.proto.summary_pb2 import Summary

        points = [Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
        self._write(step=step, summary=Summary(value=points))
        with naming(self.path):
            self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        with naming(self.path):
            self._writer.close()

    def _write(self, **fields: Any) -> None:
        with naming(self.path):
            self._writer.write(self._make_event(wall_time=time.time(), **fields).SerializeToString())
