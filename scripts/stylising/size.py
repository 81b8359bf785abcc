# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The size of frames, which stays that of the first one.

import math

from gi.repository import Gst

from stylising.caps import get_fields
from stylising.failure import Failure


def fit(pad, capsfilter, settings, running):
    """Sets the capsfilter by the caps of the pad."""
    def on_data(pad, info):
        if info.type & Gst.PadProbeType.BUFFER:
            return Gst.PadProbeReturn.REMOVE
        event = info.get_event()
        # Several come before the first frame if that is to be turned upright.
        if event.type == Gst.EventType.CAPS:
            width, height = choose(get_fields(event.parse_caps()), settings.size,
                                   settings.format.even)
            capsfilter.set_property("caps", Gst.Caps.from_string(
                f"video/x-raw,width={width},height={height},pixel-aspect-ratio=1/1"))
            if min(width, height) < settings.format.min_side:
                running.fail(Failure(describe_too_small(width, height, settings)))
        return Gst.PadProbeReturn.OK

    pad.add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM | Gst.PadProbeType.BUFFER, on_data)


def describe_too_small(width, height, settings):
    smallest = settings.format.min_side
    scale = smallest / min(width, height)
    return (f"{settings.source}: {width} x {height} pixels are too few for"
            f" {settings.out.suffix}, which needs {smallest} x {smallest}: enlarge them"
            f" with --size {math.ceil(width * scale)}x{math.ceil(height * scale)}")


def choose(caps, box, even):
    """Pixels become square. An encoder of 4:2:0 may need even sizes. box: the largest size,
    or None."""
    width, height = caps.get_value("width"), caps.get_value("height")
    found, across, down = caps.get_fraction("pixel-aspect-ratio")
    if found:
        width *= across / down
    scale = min(box[0] / width, box[1] / height) if box else 1
    unit = 2 if even else 1
    return tuple(max(round(side * scale) // unit, 1) * unit for side in (width, height))
