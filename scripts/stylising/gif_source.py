# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Reads a GIF. GStreamer's decoder does not give the times of frames, and never ends.

from gi.repository import Gst

from stylising import gif
from stylising.failure import Failure

MAGIC = b"GIF87a", b"GIF89a"


def is_gif(path):
    with open(path, "rb") as file:
        return file.read(len(MAGIC[0])) in MAGIC


class Reader:
    def __init__(self, path):
        gif.require_pillow()
        self.path = path
        self.film = self._try(gif.Image.open, path)

    def get_caps(self):
        width, height = self.film.size
        # Times are hundredths of a second.
        return Gst.Caps.from_string(
            f"video/x-raw,format=RGBA,width={width},height={height},framerate=100/1")

    def read(self):
        """Yields each frame once, however often the GIF says it is repeated."""
        time = 0
        pictures = gif.ImageSequence.Iterator(self.film)
        while picture := self._try(next, pictures, None):
            pixels = self._try(picture.convert, "RGBA").tobytes()
            frame = Gst.Buffer.new_wrapped(pixels)
            frame.pts, frame.duration = time, get_duration(picture)
            time += frame.duration
            yield frame

    def _try(self, function, *arguments):
        """Pillow raises exceptions of many kinds if a file is damaged."""
        try:
            return function(*arguments)
        except Exception as error:
            raise Failure(f"{self.path}: the GIF is damaged: {error}") from None


def get_duration(picture):
    """As viewers show it."""
    delay = round(picture.info.get("duration", 0) * Gst.MSECOND / gif.TICK)
    return (delay if delay >= gif.MIN_DELAY else gif.DEFAULT_DELAY) * gif.TICK
