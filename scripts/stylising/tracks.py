# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Which of the pictures of a file is the film. A thumbnail can be a track, too, and the
# first one.

from gi.repository import Gst

from stylising import elements
from stylising.failure import Failure

# The names of caps begin so.
PICTURES = "video/", "image/"
# Of a film, as long as nothing has come from another track: this is a thumbnail then.
ENOUGH = 100


def choose_number(counts):
    """The first track with more than one packet, or else the first."""
    return next((i for i, count in enumerate(counts) if count > 1), 0)


def choose(pads, source):
    """pads: of a decoder of the file."""
    if not pads:
        raise Failure(f"{source}: there is no picture in it")
    if len(pads) == 1 or not source.is_file():
        return pads[0]
    counts = count_packets(source, [pad.get_stream_id() for pad in pads])
    return pads[choose_number(counts)]


def count_packets(source, names):
    """Of streams of these names, until it is known which one is the film. Packets come in
    the order of the file, in one thread."""
    pipeline = elements.make_pipeline("filesrc name=source ! parsebin name=parser")
    pipeline.get_by_name("source").set_property("location", str(source))
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
        elements.discard(pipeline, pad)

    pipeline.get_by_name("parser").connect("pad-added", add)
    pipeline.set_state(Gst.State.PLAYING)
    pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    return [counts[name] for name in names]
