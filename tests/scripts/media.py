# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Makes small films for tests, and reads what is in a film.

import array
from dataclasses import dataclass, field

from gi.repository import Gst

import program
from stylising.pipelines import get_fields

RATE = 48000
LOUD = 3000

# WebM counts milliseconds; the times of films may differ by rounding alone.
ROUNDING = 0.0011

SMALL = "pattern=ball ! video/x-raw,format=I420,width=64,height=48,framerate=30/1"
SOUND = ("audiotestsrc wave=ticks num-buffers={} ! audio/x-raw,rate=48000,channels=2"
         " ! queue max-size-time=0 max-size-buffers=0 ! {} ! muxer. ")


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
        program.TIMEOUT * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
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


def make_film(path, encoder, muxer, shape=SMALL, n_frames=10, sound="", left_out=()):
    make(path, f"{sound} videotestsrc num-buffers={n_frames} {shape}"
               f" ! identity name=frames ! {encoder} ! queue ! muxer."
               f" {muxer} name=muxer", left_out)


def make_irregular(path, encoder="vp8enc timebase=1/1000"):
    """Of odd size, with a long sound, and frames often nearer than its frame rate says."""
    kept = 0, 2, 5, 9, 11, 16, 18, 23, 26, 30, 36, 38, 42, 45, 50
    make_film(path, encoder, "webmmux",
              "! video/x-raw,format=I420,width=65,height=49,framerate=100/1"
              " ! capssetter caps=video/x-raw,framerate=30/1", 51,
              SOUND.format(60, "opusenc"), set(range(51)) - set(kept))


def read(path):
    """Returns its streams: "video", in RGB, and "audio", in one channel."""
    pipeline = Gst.parse_launch(f"filesrc location={path} ! decodebin name=decoder")
    streams = {}

    def add(_, pad):
        kind = get_fields(pad.query_caps()).get_name().partition("/")[0]
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
    caps = get_fields(pad.get_current_caps())
    stream.size = caps.get_value("width"), caps.get_value("height")
    return Gst.PadProbeReturn.OK


def check_times(film, other):
    assert len(film.times) == len(other.times), (film.times, other.times)
    for found, expected in zip(film.times, other.times):
        assert abs(found - expected) < ROUNDING, (film.times, other.times)


def check_sounds(sound, other):
    """Encoded again, it is as long, and its sounds are in the same places."""
    found, expected = find_sounds(sound), find_sounds(other)
    assert len(b"".join(sound.data)) == len(b"".join(other.data))
    assert len(found) >= 1 and len(expected) - len(found) <= 1, (found, expected)
    for begin, place in zip(reversed(found), reversed(expected)):
        assert abs(begin - place) < ROUNDING, (found, expected)
