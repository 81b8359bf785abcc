# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Reads IN: its first elements, which of its tracks is the film, how long frames last, and
# its packets.

import collections
import hashlib
from dataclasses import dataclass, field

from gi.repository import Gst

from stylising import pictures, pipelines
from stylising.pipelines import Failure, Running


# --- elements ---

# The first elements of a pipeline, which read a file or pipe: for GStreamer's decoders, or
# with Pillow.

class Source:
    """direction: how frames are to be turned, for videoflip."""

    def __init__(self, path):
        self.path = path
        self.picture = pictures.find_picture(path) if path.is_file() else None
        self.direction = self.picture.get_direction() if self.picture else "auto"
        self.kind = self._choose_kind()

    def describe(self):
        return f"{self.kind} name=source"

    def open(self, pipeline, running):
        """pipeline: with the element that was described."""
        source = pipeline.get_by_name("source")
        if self.kind == "filesrc":
            source.set_property("location", str(self.path))
        elif self.kind == "appsrc":
            source.set_property("caps", self.picture.get_caps())
            pipelines.feed_source(source, self.picture.read(), running)
        else:
            self.pipe = open(self.path, "rb")
            source.set_property("fd", self.pipe.fileno())

    def _choose_kind(self):
        """filesrc opens a file twice, and reads it without heeding that the pipeline stops.
        What is in a pipe comes only once, and may never come."""
        if not self.path.is_file():
            return "fdsrc"
        return "appsrc" if self.picture and not self.picture.is_for_gstreamer else "filesrc"


# --- durations ---

# How long frames last, as the container says. Parsers and decoders replace this by what the
# frame rate says, so that a last frame of some seconds would be as short as the others.

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


# --- tracks ---

# Which of the pictures of a file is the film. A thumbnail can be a track, too, and the
# first one.

# The names of caps begin so.
PICTURES = "video/", "image/"
# Of a film, as long as nothing has come from another track: this is a thumbnail then.
ENOUGH = 100


def make_parser(path, on_stream):
    """A pipeline in which on_stream(parser, pad) takes the packets of each track."""
    pipeline = pipelines.make_pipeline("filesrc name=source ! parsebin name=parser")
    pipeline.get_by_name("source").set_property("location", str(path))
    pipeline.get_by_name("parser").connect("pad-added", on_stream)
    return pipeline


def choose_track_number(counts):
    """The first track with more than one packet, or else the first."""
    return next((i for i, count in enumerate(counts) if count > 1), 0)


def choose_track(pads, source):
    """pads: of a decoder of the file."""
    if not pads:
        raise Failure(f"{source}: there is no picture in it")
    if len(pads) == 1 or not source.is_file():
        return pads[0]
    counts = count_packets(source, [pad.get_stream_id() for pad in pads])
    return pads[choose_track_number(counts)]


def count_packets(source, names):
    """Of streams of these names, until it is known which one is the film. Packets come in
    the order of the file, in one thread."""
    counts = dict.fromkeys(names, 0)

    def is_known():
        return counts[names[0]] > 1 or max(counts.values()) == ENOUGH

    def count(pad, _):
        if not is_known():
            counts[pad.get_stream_id()] += 1
            if is_known():
                pipeline.get_bus().post(Gst.Message.new_eos(pipeline))
        return Gst.PadProbeReturn.OK

    def add(_, pad):
        if pad.get_stream_id() in counts:
            pad.add_probe(Gst.PadProbeType.BUFFER, count)
        pipelines.discard(pipeline, pad)

    pipeline = make_parser(source, add)
    pipeline.set_state(Gst.State.PLAYING)
    pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    return [counts[name] for name in names]


# --- packets ---

# The packets of the picture of a film. None is decoded.

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


def read_packets(path):
    """Returns the packets of the picture that stylise would decode."""
    found = []

    def add(_, pad):
        name = pipelines.get_caps_name(pad.query_caps())
        pipelines.discard(pipeline, pad)
        if name.startswith(PICTURES):
            found.append(Packets(stream=pad.get_stream_id()))
            pad.add_probe(Gst.PadProbeType.BUFFER, add_packet, found[-1], name)

    pipeline = make_parser(path, add)
    Running(pipeline, path).run()
    counts = [len(packets.times) for packets in found]
    if not any(counts):
        raise Failure(f"{path}: there is no picture in it")
    packets = found[choose_track_number(counts)]
    if Gst.CLOCK_TIME_NONE in packets.times:
        raise Failure(f"{path}: not all of its frames have times, so it cannot be cut into"
                      " parts: make it in one run")
    return packets


def add_packet(_, info, packets, codec):
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
