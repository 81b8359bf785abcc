# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Makes small films for tests, and reads what is in a film.

import array
from dataclasses import dataclass, field

from gi.repository import Gst

TIMEOUT = 60 * Gst.SECOND
RATE = 48000
LOUD = 3000


@dataclass
class Stream:
    """Times are running times in seconds, of frames or of pieces of sound."""
    times: list = field(default_factory=list)
    data: list = field(default_factory=list)
    size: tuple = ()


def find_sounds(stream):
    """When the ticks of audiotestsrc begin."""
    samples = array.array("h", b"".join(stream.data))
    loud = [i for i, sample in enumerate(samples) if abs(sample) > LOUD]
    return [stream.times[0] + i / RATE
            for before, i in zip([-RATE, *loud], loud) if i - before > RATE // 20]


def run(pipeline):
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        TIMEOUT, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert message, "the pipeline does not end"
    assert message.type == Gst.MessageType.EOS, message.parse_error()


def make(path, description, left_out=()):
    """left_out: the frames that the element with the name frames does not pass on."""
    pipeline = Gst.parse_launch(f"{description} ! filesink location={path}")
    count = iter(range(10**6))

    def leave_out(pad, info):
        return (Gst.PadProbeReturn.DROP if next(count) in left_out
                else Gst.PadProbeReturn.OK)

    if left_out:
        pipeline.get_by_name("frames").get_static_pad("src").add_probe(
            Gst.PadProbeType.BUFFER, leave_out)
    run(pipeline)


def read(path):
    """Returns its streams: "video", in RGB, and "audio", in one channel."""
    pipeline = Gst.parse_launch(f"filesrc location={path} ! decodebin name=decoder")
    streams = {}

    def add(_, pad):
        kind = pad.query_caps().get_structure(0).get_name().partition("/")[0]
        convert = {"video": "videoconvert ! video/x-raw,format=RGB",
                   "audio": "audioconvert ! audioresample ! audio/x-raw,format=S16LE,"
                   f"channels=1,rate={RATE}"}[kind]
        branch = Gst.parse_bin_from_description(
            f"queue ! {convert} ! fakesink name=sink", True)
        pipeline.add(branch)
        streams[kind] = Stream()
        branch.get_by_name("sink").get_static_pad("sink").add_probe(
            Gst.PadProbeType.BUFFER, keep, streams[kind])
        branch.sync_state_with_parent()
        pad.link_full(branch.get_static_pad("sink"), Gst.PadLinkCheck.DEFAULT)

    pipeline.get_by_name("decoder").connect("pad-added", add)
    run(pipeline)
    return streams


def keep(pad, info, stream):
    buffer = info.get_buffer()
    segment = pad.get_sticky_event(Gst.EventType.SEGMENT, 0).parse_segment()
    time = segment.to_running_time(Gst.Format.TIME, buffer.pts)
    stream.times.append(time / Gst.SECOND)
    stream.data.append(buffer.extract_dup(0, buffer.get_size()))
    caps = pad.get_current_caps().get_structure(0)
    stream.size = caps.get_value("width"), caps.get_value("height")
    return Gst.PadProbeReturn.OK
