#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""usage: regions.py [SINK]

regions.c in Python: pixelates what a detector finds. The detector is an element here. A
probe in Python cannot add a meta, as the object for a buffer holds it: a buffer is writable
only if nothing else does.

SINK is what a pipeline of gst-launch-1.0 can end with. It needs Debian's packages
python3-gst-1.0, python3-numpy and gir1.2-gst-plugins-base-1.0.
"""
import sys

import gi
import numpy
gi.require_version("Gst", "1.0")
gi.require_version("GstBase", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstBase, GstVideo

# Before the class of an element, whose caps are GStreamer's.
Gst.init(None)

# In these sizes, rows of I420 have no padding, as the detector does not ask for any.
WIDTH = 320
HEIGHT = 240
CAPS = f"video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate=30/1"

# Regions of other types, which other elements may have added, are left alone.
TYPE = "ball"
PIPELINE = f"""
    videotestsrc name=source pattern=ball num-buffers=300
    gpublur name=blur roi-source=meta roi-types={TYPE} roi-action=pixelate !
"""
WINDOW = "videoconvert ! autovideosink"

# The code of black in I420.
BLACK = 16


def detect(luma):
    """Stands for a detector of faces, say: it finds what is not black. Returns x, y, width
    and height, or None."""
    rows, columns = (luma > BLACK).nonzero()
    if rows.size == 0:
        return None
    x, y = int(columns.min()), int(rows.min())
    return x, y, int(columns.max()) + 1 - x, int(rows.max()) + 1 - y


class Detector(GstBase.BaseTransform):
    __gsttemplates__ = tuple(
        Gst.PadTemplate.new(name, direction, Gst.PadPresence.ALWAYS,
                            Gst.Caps.from_string(CAPS))
        for name, direction in (("sink", Gst.PadDirection.SINK),
                                ("src", Gst.PadDirection.SRC)))

    def do_transform_ip(self, buffer):
        """The base class has made the buffer writable."""
        luma = buffer.extract_dup(0, WIDTH * HEIGHT)
        box = detect(numpy.frombuffer(luma, numpy.uint8).reshape(HEIGHT, WIDTH))
        if box:
            GstVideo.buffer_add_video_region_of_interest_meta(buffer, TYPE, *box)
            x, y, width, height = box
            print(f"{buffer.pts / 1e9:.3f} s: {x},{y} {width}x{height}")
        return Gst.FlowReturn.OK


def make_pipeline(sink):
    pipeline = Gst.parse_launch(PIPELINE + sink)
    detector = Detector()
    pipeline.add(detector)
    pipeline.get_by_name("source").link(detector)
    detector.link(pipeline.get_by_name("blur"))
    return pipeline


def play(pipeline):
    try:
        pipeline.set_state(Gst.State.PLAYING)  # errors are messages
        message = pipeline.get_bus().timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        if message.type == Gst.MessageType.ERROR:
            raise message.parse_error()[0]
    finally:
        # Else the pipeline would be freed while it plays.
        pipeline.set_state(Gst.State.NULL)


def main():
    try:
        play(make_pipeline(sys.argv[1] if len(sys.argv) > 1 else WINDOW))
    except GLib.Error as error:
        sys.exit(error.message)


main()
