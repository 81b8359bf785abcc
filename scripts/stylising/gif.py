# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Writes a GIF. GStreamer has no encoder for it, and Pillow keeps all frames of a film in
# memory. So of Pillow only the compression of one picture is used.

import struct

from gi.repository import Gst

from stylising import samples
from stylising.failure import Failure

try:
    from PIL import Image, ImageChops, ImageSequence
except ImportError:
    Image = None

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


def require_pillow():
    if not Image:
        raise Failure("a GIF needs Pillow: install python3-pil")


class Writer:
    """A frame waits for the next one, which ends it."""

    def __init__(self, path):
        require_pillow()
        self.file = open(path, "wb")
        self.shown = None
        self.waiting = None
        self.begin = 0
        self.delay = DEFAULT_DELAY

    def add(self, sample):
        begin = round(get_time(sample) / TICK)
        if self.waiting:
            if begin - self.begin < MIN_DELAY:
                return
            self.delay = min(begin - self.begin, MAX_DELAY)
            self._write_waiting()
        self.waiting, self.begin = to_picture(samples.get_indexed(sample)), begin

    def close(self):
        """The last frame is shown as long as the one before."""
        if self.waiting:
            self._write_waiting()
            self.file.write(END)
        self.file.close()

    def _write_waiting(self):
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
        self.file.write(DELAY.pack(KEEP_WHAT_IS_BELOW, self.delay, 0, 0))
        self.file.write(PART.pack(PART_BEGINS, *box[:2], *part.size, HAS_PALETTE))
        self.file.write(bytes(picture.getpalette()))
        self.file.write(bytes([BITS]) + part.tobytes("gif", "P", BITS, 0) + END_OF_BLOCKS)


def get_time(sample):
    """The running time of a frame; a still picture has none."""
    time = sample.get_buffer().pts
    if time == Gst.CLOCK_TIME_NONE:
        return 0
    return sample.get_segment().to_running_time(Gst.Format.TIME, time)


def to_picture(frame):
    picture = Image.frombytes("P", frame.size, frame.indexes)
    picture.putpalette(bytes(code >> shift & 0xff for code in frame.palette
                             for shift in (16, 8, 0)))
    return picture
