# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What is done with pixels in Python, by Pillow: pictures that GStreamer does not decode,
# GIF, and HDR.

import functools
import itertools
import struct
import warnings

from gi.repository import Gst, GstVideo
from PIL import Image, ImageChops, ImageSequence, UnidentifiedImageError

from stylising import pipelines
from stylising.pipelines import Unreadable, get_fields


# --- pictures ---

# Those that GStreamer decodes not at all, or only the first frame of,
# and how all of them are to be turned. GStreamer's own decoder of GIF does not give the
# times of frames, and never ends.

# A JPEG can turn out to be an MPO, of several pictures.
FORMATS = "BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP"
# Of GStreamer, which keeps all bits of a PNG, and the chroma samples of a JPEG.
DECODED_BY_GSTREAMER = "JPEG", "MPO", "PNG"
# Caps of others, which come here unless they are in a pipe.
CAPS_NAMES = "image/gif", "image/webp", "image/bmp", "image/tiff", "image/x-portable-pixmap"

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


def find_picture(path):
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
    delay = round(image.info.get("duration", 0) * Gst.MSECOND / TICK)
    return (delay if delay >= MIN_DELAY else DEFAULT_DELAY) * TICK


# --- GIF ---

# Writes a GIF. GStreamer has no encoder for it, and Pillow keeps all frames of a film in
# memory. So of Pillow only the compression of one picture is used.

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


class GifWriter:
    """A frame waits for the next one, which ends it."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.shown = None
        self.waiting = None
        self.begin = self.end = 0
        self.delay = DEFAULT_DELAY

    def add(self, sample):
        begin, end = (round(time / TICK) for time in
                      pipelines.get_times(sample.get_segment(), sample.get_buffer()))
        self.end = max(self.end, end)
        if self.waiting:
            if begin - self.begin < MIN_DELAY:
                return
            self._write_waiting(begin)
        self.waiting, self.begin = to_indexed(pipelines.get_indexed(sample)), begin

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


def to_indexed(frame):
    picture = Image.frombytes("P", frame.size, frame.indexes)
    picture.putpalette(bytes(code >> shift & 0xff for code in frame.palette
                             for shift in (16, 8, 0)))
    return picture


# --- HDR ---

# From PQ and HLG to sRGB, for what cannot say that it is PQ or HLG. videoconvert takes
# 10 000 cd/m² for white, or the largest code of HLG, and gives pictures that are dark.

FUNCTIONS = GstVideo.VideoTransferFunction
# The light of diffuse white (ITU-R BT.2408), where the largest is 1: 203 cd/m² of PQ, and
# 75 % of the signal of HLG. It becomes white, and so does brighter light.
HDR_WHITES = {
    FUNCTIONS.SMPTE2084: 203 / 10000,
    FUNCTIONS.ARIB_STD_B67: GstVideo.video_transfer_function_decode(
        FUNCTIONS.ARIB_STD_B67, 0.75),
}
HDR_BITS = 12
# The elements between two pads. convert() is between appsink and appsrc.
HDR_CHAINS = """\
videoconvert ! video/x-raw,format=GBR_12LE ! appsink name=hdr sync=false async=false
appsrc name=sdr format=time handle-segment-change=true block=true \
! videoconvert gamma-mode=remap primaries-mode=fast \
! capsfilter caps=video/x-raw,format=RGBx,colorimetry=sRGB"""


def insert_hdr_to_sdr(pad, running):
    """Behind a pad of a pipeline in which nothing flows yet."""
    chains = pipelines.make_bin(HDR_CHAINS)
    sink, source = (chains.get_by_name(name) for name in ("hdr", "sdr"))
    pipelines.connect_sink(
        sink, lambda sample: source.emit("push-sample", convert_hdr(sample)), running)
    sink.connect("eos", lambda _: source.emit("end-of-stream"))
    running.pipeline.add(chains)
    after = pad.get_peer()
    pad.unlink(after)
    for ends in (pad, chains.get_static_pad("sink")), (chains.get_static_pad("src"), after):
        pipelines.link(*ends, running.out)
    chains.sync_state_with_parent()


def is_hdr(caps):
    return get_function(caps) in HDR_WHITES


def get_function(caps):
    return get_colorimetry(caps).transfer


def get_colorimetry(caps):
    colorimetry = GstVideo.VideoColorimetry()
    colorimetry.from_string(get_fields(caps).get_value("colorimetry") or "")
    return colorimetry


@functools.cache
def make_hdr_table(function):
    """Returns a code of sRGB for each word of 16 bits, the largest index of a table of
    Pillow."""
    largest = (1 << HDR_BITS) - 1

    def convert_hdr(code):
        light = GstVideo.video_transfer_function_decode(function, code / largest)
        white = min(light / HDR_WHITES[function], 1)
        return round(255 * GstVideo.video_transfer_function_encode(FUNCTIONS.SRGB, white))

    codes = [convert_hdr(code) for code in range(largest + 1)]
    return codes + codes[-1:] * ((1 << 16) - len(codes))


def convert_hdr(sample):
    """From 12 bits of PQ or HLG to sRGB, of the same primaries."""
    caps, source = sample.get_caps(), sample.get_buffer()
    colorimetry = get_colorimetry(caps)
    table = make_hdr_table(colorimetry.transfer)
    green, blue, red = (plane.convert("I").point(table, "L")
                        for plane in split_planes(sample))
    picture = Image.merge("RGB", (red, green, blue))
    frame = Gst.Buffer.new_wrapped(picture.tobytes("raw", "RGBX"))
    frame.pts, frame.duration = source.pts, source.duration
    colorimetry.transfer = FUNCTIONS.SRGB
    caps = caps.copy()
    caps.set_value("format", "RGBx")
    caps.set_value("colorimetry", colorimetry.to_string())
    return Gst.Sample.new(frame, caps, sample.get_segment())


def split_planes(sample):
    """Returns the planes of a frame."""
    fields, data = get_fields(sample.get_caps()), pipelines.get_data(sample)
    width, height = (fields.get_value(side) for side in ("width", "height"))
    # Rows are of whole words.
    stride = (2 * width + 3) // 4 * 4
    n_bytes = stride * height
    return [Image.frombytes("I;16", (width, height), data[i * n_bytes:(i + 1) * n_bytes],
                            "raw", "I;16", stride) for i in range(3)]
