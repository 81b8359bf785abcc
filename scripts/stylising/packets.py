# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The packets of the picture of a film. None is decoded.

import hashlib
from dataclasses import dataclass, field

from gi.repository import Gst

from stylising import elements, tracks
from stylising.failure import Failure
from stylising.running import Running

# As the first byte of an empty packet: it shows the frame before again.
ALL_BITS = 0xff


@dataclass
class Packets:
    """times: one a packet, in nanoseconds. shown: whether it has a frame to show. keys: the
    numbers of those from which decoding can begin. hash: tells films apart. stream: its
    name."""
    times: list = field(default_factory=list)
    shown: list = field(default_factory=list)
    keys: list = field(default_factory=list)
    hash: object = field(default_factory=hashlib.sha256)
    stream: str = ""


def read(path):
    """Returns the packets of the picture that stylise would decode."""
    pipeline = elements.make_pipeline("filesrc name=source ! parsebin name=parser")
    pipeline.get_by_name("source").set_property("location", str(path))
    reader = Reader(pipeline, path)
    reader.running.run()
    counts = [len(track.times) for track in reader.tracks]
    if not any(counts):
        raise Failure(f"{path}: there is no picture in it")
    packets = reader.tracks[tracks.choose_number(counts)]
    if Gst.CLOCK_TIME_NONE in packets.times:
        raise Failure(f"{path}: not all of its frames have times, so it cannot be cut into"
                      " parts: make it in one run")
    return packets


class Reader:
    """The packets of all tracks with pictures."""

    def __init__(self, pipeline, path):
        self.pipeline = pipeline
        self.running = Running(pipeline, path)
        self.tracks = []
        pipeline.get_by_name("parser").connect("pad-added", self._on_stream)

    def _on_stream(self, _, pad):
        name = elements.get_name(pad.query_caps())
        elements.discard(self.pipeline, pad)
        if name.startswith(tracks.PICTURES):
            packets = Packets(stream=pad.get_stream_id())
            self.tracks.append(packets)
            pad.add_probe(Gst.PadProbeType.BUFFER, add, packets, name)


def add(_, info, packets, codec):
    packet = info.get_buffer()
    data = packet.extract_dup(0, packet.get_size())
    packets.hash.update(b"%d %d " % (packet.pts, len(data)) + data)
    first = data[0] if data else ALL_BITS
    if is_keyframe(codec, packet, first):
        packets.keys.append(len(packets.times))
    packets.times.append(packet.pts)
    packets.shown.append(is_shown(codec, packet, first))
    return Gst.PadProbeReturn.OK


# GStreamer's parsers mark packets as what they are. VP8 and VP9 may have no parser, and
# then it is the muxer that marked them: some mark all packets of a film as keyframes.
# Their first byte says more.

def is_keyframe(codec, packet, first):
    if codec == "video/x-vp8":
        return not first & 1
    if codec == "video/x-vp9":
        # Two bits, two of the profile, a third one if it is 3; then both of these are 0.
        return not first & (0x06 if first & 0x30 == 0x30 else 0x0c)
    return not packet.has_flags(Gst.BufferFlags.DELTA_UNIT)


def is_shown(codec, packet, first):
    if codec == "video/x-vp8":
        return bool(first & 0x10)
    return not packet.has_flags(Gst.BufferFlags.DECODE_ONLY)
