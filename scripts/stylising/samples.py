# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Frames that reach an appsink, or come from an appsrc.

from dataclasses import dataclass

from gi.repository import Gst

from stylising.caps import get_fields


def connect(sink, take, running=None):
    """take(sample) is called for each frame, in a thread of GStreamer. If it fails, so does
    running; without that, it is printed."""
    def pull(sink):
        sample = sink.emit("pull-sample")
        # None while the pipeline stops.
        if sample:
            try:
                take(sample)
            except Exception as error:
                if not running:
                    raise
                running.fail(error)
        return Gst.FlowReturn.OK

    sink.set_property("emit-signals", True)
    sink.connect("new-sample", pull)


def feed(source, frames, running):
    """An appsrc gets a frame of the iterator whenever it needs one."""
    def push(source, _):
        try:
            frame = next(frames, None)
        except Exception as error:
            # In this thread it would only be printed.
            running.fail(error)
            return
        if frame:
            source.emit("push-buffer", frame)
        else:
            source.emit("end-of-stream")

    source.set_property("format", Gst.Format.TIME)
    source.connect("need-data", push)


def get_data(sample):
    buffer = sample.get_buffer()
    return buffer.extract_dup(0, buffer.get_size())


@dataclass
class Indexed:
    """A frame in RGB8P: an index for each pixel, and 256 colours 0xAARRGGBB."""
    size: tuple
    indexes: bytes
    palette: memoryview


def get_indexed(sample):
    fields = get_fields(sample.get_caps())
    width, height = (fields.get_value(side) for side in ("width", "height"))
    data = get_data(sample)
    # Rows are of whole words. The palette is behind them.
    stride = (width + 3) // 4 * 4
    indexes = b"".join(data[y * stride:y * stride + width] for y in range(height))
    palette = memoryview(data)[height * stride:].cast("I")
    return Indexed((width, height), indexes, palette)
