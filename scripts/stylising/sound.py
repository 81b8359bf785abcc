# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From the sound of IN to the muxer of OUT: copied, or encoded.

from gi.repository import Gst

from stylising import elements

# A muxer waits for all streams, and an encoder may hold back seconds of one of them.
WAITING = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"


def must_be_decoded(format, caps):
    """Not sound that is copied or left out."""
    copied = Gst.Caps.from_string(format.copied)
    return bool(format.muxer) and not caps.is_subset(copied)


def add(pipeline, settings, pad, queue):
    """pad: of the decoder. queue: a description of what the sound waits in."""
    format = settings.format
    is_decoded = elements.get_name(pad.query_caps()) == "audio/x-raw"
    sound = elements.make_bin(f"{queue} ! {format.sound}" if is_decoded else queue)
    encoded = sound.get_static_pad("src")
    if is_decoded:
        encoded.set_offset(-format.sound_delay)
    pipeline.add(sound)
    muxer = pipeline.get_by_name("muxer")
    elements.link(encoded, muxer.request_pad_simple("audio_%u"), settings.out)
    sound.sync_state_with_parent()
    elements.link(pad, sound.get_static_pad("sink"), settings.out)
