# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The size of frames, which stays that of the first one.

from gi.repository import Gst

from stylising.caps import get_fields


def fit(pad, capsfilter, box, even):
    """Sets the capsfilter by the caps of the pad. box: the largest size, or None."""
    def on_data(pad, info):
        if info.type & Gst.PadProbeType.BUFFER:
            return Gst.PadProbeReturn.REMOVE
        event = info.get_event()
        # Several come before the first frame if that is to be turned upright.
        if event.type == Gst.EventType.CAPS:
            width, height = choose(get_fields(event.parse_caps()), box, even)
            capsfilter.set_property("caps", Gst.Caps.from_string(
                f"video/x-raw,width={width},height={height},pixel-aspect-ratio=1/1"))
        return Gst.PadProbeReturn.OK

    pad.add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM | Gst.PadProbeType.BUFFER, on_data)


def choose(caps, box, even):
    """Pixels become square. An encoder of 4:2:0 may need even sizes."""
    width, height = caps.get_value("width"), caps.get_value("height")
    found, across, down = caps.get_fraction("pixel-aspect-ratio")
    if found:
        width *= across / down
    scale = min(box[0] / width, box[1] / height) if box else 1
    unit = 2 if even else 1
    return tuple(max(round(side * scale) // unit, 1) * unit for side in (width, height))
