#!/usr/bin/python3
# SPDX-License-Identifier: 0BSD
"""embedding.c in Python: frames go in as arrays of numpy, and results come out as arrays.

It needs Debian's packages python3-gi, python3-numpy and gir1.2-gstreamer-1.0, and works
with and without python3-gst-1.0.
"""
import hashlib
import sys
import time

import gi
import numpy
gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst

WIDTH = 160
HEIGHT = 90
RATE = 30
N_FRAMES = 12
CAPS = f"video/x-raw,format=RGBA,width={WIDTH},height={HEIGHT},framerate={RATE}/1"

# The device works on one frame while the application makes the next.
MAX_IN_FLIGHT = 2

# With sync=true, the default, appsink would give each frame out at the time at which it
# is to be shown. The caps behind the filter decide what it makes.
PIPELINE = f"""
    appsrc name=source format=time caps={CAPS}
    ! meanshiftpalette name=palette colors=8
    ! appsink name=sink sync=false caps=video/x-raw,format=RGBA
"""


def make_frame(n):
    """Stands for what the application renders, or gets from a camera."""
    y, x = numpy.mgrid[:HEIGHT, :WIDTH]
    frame = numpy.empty((HEIGHT, WIDTH, 4), numpy.uint8)
    frame[..., 0] = x * 255 // (WIDTH - 1)
    frame[..., 1] = y * 255 // (HEIGHT - 1)
    frame[..., 2] = (x + y + 4 * n) % 256
    frame[..., 3] = 255
    return frame


def to_buffer(frame, n):
    # This copies, so the array may be changed at once.
    buffer = Gst.Buffer.new_wrapped_bytes(GLib.Bytes.new(frame.tobytes()))
    # The filter keeps colours steady over time, so it needs to know the time.
    buffer.pts = n * Gst.SECOND // RATE
    buffer.duration = Gst.SECOND // RATE
    return buffer


def to_frame(buffer):
    # Reading waits until the device is done with the frame. A row of RGBA has no padding
    # here: only elements that understand GstVideoMeta get frames with other rows, and
    # appsink does not say that the application does.
    data = buffer.extract_dup(0, buffer.get_size())
    return numpy.frombuffer(data, numpy.uint8).reshape(HEIGHT, WIDTH, 4)


class Embedding:
    def __init__(self):
        self.pipeline = Gst.parse_launch(PIPELINE)
        self.source = self.pipeline.get_by_name("source")
        self.palette = self.pipeline.get_by_name("palette")
        self.sink = self.pipeline.get_by_name("sink")
        self.bus = self.pipeline.get_bus()
        self.checksum = hashlib.sha256()
        self.pushed_at = []
        self.waited = []

    def raise_errors(self):
        """Without a main loop, the application looks at the bus itself."""
        message = self.bus.pop_filtered(Gst.MessageType.ERROR)
        if message:
            raise message.parse_error()[0]

    def push(self):
        n = len(self.pushed_at)
        self.pushed_at.append(time.monotonic())
        self.source.emit("push-buffer", to_buffer(make_frame(n), n))

    def pull(self):
        """Waits for a result. Returns None after the last."""
        sample = None
        while not sample:
            sample = self.sink.emit("try-pull-sample", 100 * Gst.MSECOND)
            self.raise_errors()
            if not sample and self.sink.get_property("eos"):
                break
        return sample

    def use_result(self):
        """Returns whether there was a result."""
        sample = self.pull()
        if not sample:
            return False
        frame = to_frame(sample.get_buffer())
        self.waited.append(time.monotonic() - self.pushed_at[len(self.waited)])
        self.checksum.update(frame)
        colours = numpy.unique(frame[..., :3].reshape(-1, 3), axis=0)
        print(f"{sample.get_buffer().pts / Gst.SECOND:.3f} s: {len(colours)} colours")
        return True

    def run(self):
        for n in range(N_FRAMES):
            # A change takes effect with the next frame that the filter begins. So that
            # this is the next one pushed, wait for those before it.
            if n == N_FRAMES // 2:
                while len(self.waited) < n and self.use_result():
                    pass
                self.palette.set_property("colors", 4)
            self.push()
            if len(self.pushed_at) - len(self.waited) == MAX_IN_FLIGHT:
                self.use_result()
        self.source.emit("end-of-stream")
        while self.use_result():
            pass


def main():
    Gst.init(None)
    try:
        embedding = Embedding()
        try:
            embedding.pipeline.set_state(Gst.State.PLAYING)
            embedding.run()
        finally:
            # Else the pipeline would be freed while it plays.
            embedding.pipeline.set_state(Gst.State.NULL)
    except GLib.Error as error:
        sys.exit(error.message)
    print("SHA-256", embedding.checksum.hexdigest())
    waited = 1000 * sum(embedding.waited) / N_FRAMES
    print(f"{waited:.1f} ms from push to result", file=sys.stderr)


main()
