# SPDX-License-Identifier: LGPL-2.1-or-later
#
# How long frames last, as the container says. Parsers and decoders replace this by what the
# frame rate says, so that a last frame of some seconds would be as short as the others.

import collections

from gi.repository import Gst

# Containers and frame rates round times.
ROUNDING = Gst.MSECOND


class Durations:
    """stream: the name of the stream that frames come from, when it is known."""

    def __init__(self, source):
        """source: the pad behind which frames have their durations back."""
        self.stream = None
        # By stream, and by time.
        self.found = collections.defaultdict(dict)
        source.add_probe(Gst.PadProbeType.BUFFER, self._restore)

    def watch(self, pad):
        """pad: of a demuxer, or of what comes behind it, as decodebin gives it to signals."""
        pad.get_target().add_probe(Gst.PadProbeType.BUFFER, self._note)

    def _note(self, pad, info):
        packet = info.get_buffer()
        if packet.duration != Gst.CLOCK_TIME_NONE:
            self.found[pad.get_stream_id()].setdefault(packet.pts, packet.duration)
        return Gst.PadProbeReturn.OK

    def _restore(self, pad, info):
        frame = info.get_buffer()
        duration = self.found[self.stream].pop(frame.pts, frame.duration)
        if abs(duration - frame.duration) < ROUNDING:
            return Gst.PadProbeReturn.OK
        # Other elements may hold this frame, so another one with the same pixels goes on.
        other = frame.copy_region(Gst.BufferCopyFlags.ALL, 0, frame.get_size())
        other.duration = duration
        pad.get_peer().chain(other)
        return Gst.PadProbeReturn.DROP
