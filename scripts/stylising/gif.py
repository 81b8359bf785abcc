# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Writes a GIF. GStreamer has no encoder for it, and Pillow keeps all frames of a film in
# memory. So of Pillow only the compression of one picture is used.

import struct

from gi.repository import Gst

from PIL import Image, ImageChops

from stylising import samples

# GIF counts hundredths of a second. Viewers show frames of one or none for ten.
TICK = Gst.SECOND // 100
MIN_DELAY, MAX_DELAY = 2, 0xffff
DEFAULT_DELAY = 10

BITS = 8
HEADER = struct.Struct("<6sHHBBB")
REPEAT_FOREVER = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
DELAY = struct.Struct("<4sHBB")
KEEP_WHAT_IS_BELOW = b"\x21\xf9\x04\x04"
PART = struct.Struct("<BHHHHB")
PART_BEGINS = 0x2c
HAS_PALETTE = 0x80 | BITS - 1
END_OF_BLOCKS = b"\x00"
END = b"\x3b"


class Writer:
    """A frame waits for the next one, which ends it."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.shown = None
        self.waiting = None
        self.begin = self.end = 0
        self.delay = DEFAULT_DELAY

    def add(self, sample):
        begin, end = (round(time / TICK) for time in get_times(sample))
        self.end = max(self.end, end)
        if self.waiting:
            if begin - self.begin < MIN_DELAY:
                return
            self._write_waiting(begin)
        self.waiting, self.begin = to_picture(samples.get_indexed(sample)), begin

    def close(self):
        """If the film does not say when it ends, the last frame is shown as long as the one
        before."""
        if self.waiting:
            has_end = self.end > self.begin
            self._write_waiting(self.end if has_end else self.begin + self.delay)
            self.file.write(END)
        self.file.close()

    def _write_waiting(self, end):
        """Again and again if a GIF cannot show the frame for so long."""
        self.delay = left = max(end - self.begin, MIN_DELAY)
        while left > MAX_DELAY:
            self._write_frame(MAX_DELAY - MIN_DELAY)
            left -= MAX_DELAY - MIN_DELAY
        self._write_frame(left)

    def _write_frame(self, delay):
        """Writes the part of the frame that differs from what is shown."""
        picture, colours = self.waiting, self.waiting.convert("RGB")
        if not self.shown:
            self.file.write(HEADER.pack(b"GIF89a", *picture.size, 0, 0, 0))
            self.file.write(REPEAT_FOREVER)
            box = 0, 0, *picture.size
        else:
            box = ImageChops.difference(self.shown, colours).getbbox() or (0, 0, 1, 1)
        self.shown = colours
        part = picture.crop(box)
        self.file.write(DELAY.pack(KEEP_WHAT_IS_BELOW, delay, 0, 0))
        self.file.write(PART.pack(PART_BEGINS, *box[:2], *part.size, HAS_PALETTE))
        self.file.write(bytes(picture.getpalette()))
        self.file.write(bytes([BITS]) + part.tobytes("gif", "P", BITS, 0) + END_OF_BLOCKS)


def get_times(sample):
    """The running times at which a frame begins and ends, as far as it says; a still
    picture has none."""
    frame, segment = sample.get_buffer(), sample.get_segment()
    if frame.pts == Gst.CLOCK_TIME_NONE:
        return 0, 0
    begin = segment.to_running_time(Gst.Format.TIME, frame.pts)
    has_duration = frame.duration != Gst.CLOCK_TIME_NONE
    return begin, begin + (frame.duration if has_duration else 0)


def to_picture(frame):
    picture = Image.frombytes("P", frame.size, frame.indexes)
    picture.putpalette(bytes(code >> shift & 0xff for code in frame.palette
                             for shift in (16, 8, 0)))
    return picture
