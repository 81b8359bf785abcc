# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Counts frames and, on a terminal, shows how far the film is.

import shutil
import sys
import time

from gi.repository import GLib, Gst

BAR = 30
PERIOD_MS = 200
ERASE_LINE = "\r\x1b[K"


class Progress:
    """done: the pad where finished frames pass. decoded: a pad that decoded ones of a whole
    film reach, which tells how long it is."""

    def __init__(self, done, decoded=None):
        self.decoded = decoded
        self.n_frames = 0
        self.seconds = 0
        self.began = 0
        self.timer = 0
        done.add_probe(Gst.PadProbeType.BUFFER, self._count)

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
        # The shaders of the first frame are compiled: this is not how fast frames are.
        self.began = self.began or time.monotonic()
        self.seconds = get_end(pad, info.get_buffer()) or self.seconds
        return Gst.PadProbeReturn.OK

    def _show(self):
        n_more = self.n_frames - 1
        took = time.monotonic() - self.began
        known, duration = (self.decoded.peer_query_duration(Gst.Format.TIME)
                           if self.decoded else (False, 0))
        text = f"{self.n_frames} frames"
        if n_more > 0:
            text += f", {n_more / took:.1f} frames/s"
        if n_more > 0 and known and duration > 0:
            part = min(self.seconds * Gst.SECOND / duration, 1)
            left = took * (1 - part) / part if part else 0
            bar = "#" * round(BAR * part)
            text = f"[{bar:-<{BAR}}] {part:4.0%}  {text}, {say_time(left)} left"
        columns = shutil.get_terminal_size().columns
        sys.stderr.write(ERASE_LINE + text[:columns - 1])
        sys.stderr.flush()
        return GLib.SOURCE_CONTINUE


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
