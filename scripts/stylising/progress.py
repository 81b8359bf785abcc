# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Counts frames and, on a terminal, shows how far the film is, or what it waits for.

import shutil
import sys
import time
from dataclasses import dataclass

from gi.repository import GLib, Gst

BAR = 30
PERIOD_MS = 200
ERASE_LINE = "\r\x1b[K"
# The code of the elements' messages of progress.
SHADERS = "shaders"


@dataclass
class Start:
    """The frame from which on it is measured how fast frames are."""
    number: int
    seconds: float
    time: float


class Progress:
    """done: the pad of the pipeline where finished frames pass. decoded: a pad that decoded
    ones of a whole film reach, which tells how long it is."""

    def __init__(self, pipeline, done, decoded=None):
        self.decoded = decoded
        self.n_frames = 0
        self.seconds = 0
        self.start = None
        self.awaited = ""
        self.timer = 0
        done.add_probe(Gst.PadProbeType.BUFFER, self._count)
        bus = pipeline.get_bus()
        # In the thread of the frames, so that a message comes before those that waited.
        bus.enable_sync_message_emission()
        bus.connect("sync-message::progress", self._on_progress)

    def __enter__(self):
        if sys.stderr.isatty():
            self.timer = GLib.timeout_add(PERIOD_MS, self._show)
        return self

    def __exit__(self, *_):
        if self.timer:
            GLib.source_remove(self.timer)
            sys.stderr.write(ERASE_LINE)

    def _count(self, pad, info):
        self.n_frames += 1
        self.seconds = get_end(pad, info.get_buffer()) or self.seconds
        self.start = self.start or Start(self.n_frames, self.seconds, time.monotonic())
        return Gst.PadProbeReturn.OK

    def _on_progress(self, _, message):
        """A frame waits for shaders, or for the colours of --quality exact."""
        self.awaited = get_awaited(message)
        if message.parse_progress()[1] == SHADERS:
            # Few frames wait for them: this is not how fast frames are.
            self.start = None

    def _show(self):
        columns = shutil.get_terminal_size().columns
        sys.stderr.write(ERASE_LINE + self.describe()[:columns - 1])
        sys.stderr.flush()
        return GLib.SOURCE_CONTINUE

    def describe(self):
        start = self.start
        n_more = self.n_frames - start.number if start else 0
        if not n_more:
            return self.awaited or "Waiting for frames"
        took = time.monotonic() - start.time
        text = f"{self.n_frames} frames, {n_more / took:.1f} frames/s"
        duration, gained = self._find_duration(), self.seconds - start.seconds
        if not duration or gained <= 0:
            return text
        part = min(self.seconds / duration, 1)
        left = took * duration * (1 - part) / gained
        bar = "#" * round(BAR * part)
        return f"[{bar:-<{BAR}}] {part:4.0%}  {text}, {say_time(left)} left"

    def _find_duration(self):
        """Of the film in seconds; 0 if it is not known."""
        known, duration = (self.decoded.peer_query_duration(Gst.Format.TIME)
                           if self.decoded else (False, 0))
        return max(duration, 0) / Gst.SECOND if known else 0


def get_awaited(message):
    """What a message of progress says is going on; "" where it has ended."""
    kind, _, text = message.parse_progress()
    is_going_on = kind in (Gst.ProgressType.START, Gst.ProgressType.CONTINUE)
    return text if is_going_on else ""


def say(text):
    """A line for the user, in place of the progress."""
    erase = ERASE_LINE if sys.stderr.isatty() else ""
    print(f"{erase}stylise: {text}", file=sys.stderr)


def get_end(pad, buffer):
    """The running time at which a frame ends, in seconds; 0 if it has none."""
    segment = pad.get_sticky_event(Gst.EventType.SEGMENT, 0).parse_segment()
    begin = segment.to_running_time(Gst.Format.TIME, buffer.pts)
    if begin == Gst.CLOCK_TIME_NONE:
        return 0
    has_duration = buffer.duration != Gst.CLOCK_TIME_NONE
    return (begin + (buffer.duration if has_duration else 0)) / Gst.SECOND


def say_time(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
