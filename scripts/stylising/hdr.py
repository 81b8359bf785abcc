# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From PQ and HLG to sRGB, for what cannot say that it is PQ or HLG. videoconvert takes
# 10 000 cd/m² for white, or the largest code of HLG, and gives pictures that are dark.

import functools

from gi.repository import Gst, GstVideo
from PIL import Image

from stylising import elements, samples
from stylising.caps import get_fields

FUNCTIONS = GstVideo.VideoTransferFunction
# The light of diffuse white (ITU-R BT.2408), where the largest is 1: 203 cd/m² of PQ, and
# 75 % of the signal of HLG. It becomes white, and so does brighter light.
WHITES = {
    FUNCTIONS.SMPTE2084: 203 / 10000,
    FUNCTIONS.ARIB_STD_B67: GstVideo.video_transfer_function_decode(
        FUNCTIONS.ARIB_STD_B67, 0.75),
}
BITS = 12
# The elements between two pads. convert() is between appsink and appsrc.
CHAINS = """\
videoconvert ! video/x-raw,format=GBR_12LE ! appsink name=hdr sync=false async=false
appsrc name=sdr format=time handle-segment-change=true block=true \
! videoconvert gamma-mode=remap primaries-mode=fast \
! capsfilter caps=video/x-raw,format=RGBx,colorimetry=sRGB"""


def insert(pad, running):
    """Behind a pad of a pipeline in which nothing flows yet."""
    chains = elements.make_bin(CHAINS)
    sink, source = (chains.get_by_name(name) for name in ("hdr", "sdr"))
    samples.connect(sink, lambda sample: source.emit("push-sample", convert(sample)),
                    running)
    sink.connect("eos", lambda _: source.emit("end-of-stream"))
    running.pipeline.add(chains)
    after = pad.get_peer()
    pad.unlink(after)
    for ends in (pad, chains.get_static_pad("sink")), (chains.get_static_pad("src"), after):
        elements.link(*ends, running.out)
    chains.sync_state_with_parent()


def is_hdr(caps):
    return get_function(caps) in WHITES


def get_function(caps):
    return get_colorimetry(caps).transfer


def get_colorimetry(caps):
    colorimetry = GstVideo.VideoColorimetry()
    colorimetry.from_string(get_fields(caps).get_value("colorimetry") or "")
    return colorimetry


@functools.cache
def make_table(function):
    """Returns a code of sRGB for each word of 16 bits, the largest index of a table of
    Pillow."""
    largest = (1 << BITS) - 1

    def convert(code):
        light = GstVideo.video_transfer_function_decode(function, code / largest)
        white = min(light / WHITES[function], 1)
        return round(255 * GstVideo.video_transfer_function_encode(FUNCTIONS.SRGB, white))

    codes = [convert(code) for code in range(largest + 1)]
    return codes + codes[-1:] * ((1 << 16) - len(codes))


def convert(sample):
    """From 12 bits of PQ or HLG to sRGB, of the same primaries."""
    caps, source = sample.get_caps(), sample.get_buffer()
    colorimetry = get_colorimetry(caps)
    table = make_table(colorimetry.transfer)
    green, blue, red = (plane.convert("I").point(table, "L") for plane in split(sample))
    picture = Image.merge("RGB", (red, green, blue))
    frame = Gst.Buffer.new_wrapped(picture.tobytes("raw", "RGBX"))
    frame.pts, frame.duration = source.pts, source.duration
    colorimetry.transfer = FUNCTIONS.SRGB
    caps = caps.copy()
    caps.set_value("format", "RGBx")
    caps.set_value("colorimetry", colorimetry.to_string())
    return Gst.Sample.new(frame, caps, sample.get_segment())


def split(sample):
    """Returns the planes of a frame."""
    fields, data = get_fields(sample.get_caps()), samples.get_data(sample)
    width, height = (fields.get_value(side) for side in ("width", "height"))
    # Rows are of whole words.
    stride = (2 * width + 3) // 4 * 4
    n_bytes = stride * height
    return [Image.frombytes("I;16", (width, height), data[i * n_bytes:(i + 1) * n_bytes],
                            "raw", "I;16", stride) for i in range(3)]
