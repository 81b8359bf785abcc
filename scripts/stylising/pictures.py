# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Pictures, by Pillow: those that GStreamer decodes not at all, or only the first frame of,
# and how all of them are to be turned. GStreamer's own decoder of GIF does not give the
# times of frames, and never ends.

import itertools
import warnings

from gi.repository import Gst
from PIL import Image, ImageSequence, UnidentifiedImageError

from stylising import gif
from stylising.failure import Unreadable

# A JPEG can turn out to be an MPO, of several pictures.
FORMATS = "BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP"
# Of GStreamer, which keeps all bits of a PNG, and the chroma samples of a JPEG.
DECODED_BY_GSTREAMER = "JPEG", "MPO", "PNG"
# Caps of others, which come here unless they are in a pipe.
NAMES = "image/gif", "image/webp", "image/bmp", "image/tiff", "image/x-portable-pixmap"

# By the number that EXIF gives an orientation, from 1; as videoflip calls them.
DIRECTIONS = dict(enumerate(
    ("identity", "horiz", "180", "vert", "ul-lr", "90r", "ur-ll", "90l"), 1))
ORIENTATION = 0x112

# Pillow says much about damaged files, and refuses large ones, which might be an attack on
# a server.
warnings.filterwarnings("ignore", module="PIL")
Image.MAX_IMAGE_PIXELS = None
# Else it knows only some of the formats when it is asked for others.
Image.init()


def find(path):
    """Returns the picture in a file, or None if there is a film, or nothing known."""
    image = attempt(path, identify, path)
    return Picture(path, image) if image else None


def identify(path):
    try:
        return Image.open(path, formats=FORMATS)
    except UnidentifiedImageError:
        return None


def attempt(path, function, *arguments):
    """Pillow raises exceptions of many kinds if a file is damaged."""
    try:
        return function(*arguments)
    except Exception as error:
        if getattr(error, "errno", None):
            raise
        raise Unreadable(f"{path}: the picture is damaged: {error}") from None


class Picture:
    def __init__(self, path, image):
        self.path = path
        self.image = image
        self.is_film = image.format == "GIF" or (
            image.format in ("PNG", "WEBP") and image.is_animated)
        self.is_for_gstreamer = (image.format in DECODED_BY_GSTREAMER
                                 and image.mode != "CMYK" and not self.is_film)

    def get_direction(self):
        """Pillow itself may turn a TIFF, when it decodes it: then it also says so."""
        if not self.is_for_gstreamer:
            self._try(self.image.load)
        return DIRECTIONS.get(self._try(self.image.getexif).get(ORIENTATION), "identity")

    def get_caps(self):
        width, height = self.image.size
        # Times are hundredths of a second.
        return Gst.Caps.from_string(
            f"video/x-raw,format=RGBA,width={width},height={height},framerate=100/1")

    def read(self):
        """Yields each frame once, however often the film says it is repeated. Of pages of a
        TIFF it is the first. A PNG can have a picture before the film, for programs that
        cannot show films."""
        begin = 1 if self.image.info.get("default_image") else 0
        end = None if self.is_film else 1
        images = itertools.islice(ImageSequence.Iterator(self.image), begin, end)
        time = 0
        while image := self._try(next, images, None):
            frame = Gst.Buffer.new_wrapped(self._try(to_rgba, image).tobytes())
            frame.pts = time
            if self.is_film:
                # Only known when the frame is decoded.
                frame.duration = get_duration(image)
                time += frame.duration
            yield frame

    def _try(self, function, *arguments):
        return attempt(self.path, function, *arguments)


def to_rgba(image):
    """Grey of 16 bits, of mode I, would be cut off at 255."""
    if image.mode.startswith("I"):
        image = image.convert("I").point([code >> 8 for code in range(1 << 16)], "L")
    return image.convert("RGBA")


def get_duration(image):
    """As viewers show it."""
    delay = round(image.info.get("duration", 0) * Gst.MSECOND / gif.TICK)
    return (delay if delay >= gif.MIN_DELAY else gif.DEFAULT_DELAY) * gif.TICK
