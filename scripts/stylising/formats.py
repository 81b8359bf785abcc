# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What becomes of the frames and of the sound, by the extension of OUT. All elements are
# written as for gst-launch-1.0.

import re
from dataclasses import dataclass

from stylising.failure import Failure

# Constant quality: flat areas need few bits, and their edges many. For VP8 and VP9 it is
# a single quantizer, with a bit rate that never limits it. At the end of a film their
# encoders may lose frames that they hold back, so they hold back none.
VPX = "target-bitrate=200000000 lag-in-frames=0 threads=8"
VIDEO_ENCODERS = {
    "vp9": f"vp9enc {VPX} min-quantizer=14 max-quantizer=14 cpu-used=2 row-mt=true",
    "vp8": f"vp8enc {VPX} min-quantizer=10 max-quantizer=10 cpu-used=2",
    # With B-frames, mp4mux cuts off the last frame if frames are not evenly spaced.
    "h264": "x264enc pass=qual quantizer=18 psy-tune=animation bframes=0",
}

# The frame that AAC encoders put first, which holds no sound yet.
AAC_DELAY = 1024 * 10**9 // 48000


@dataclass
class Format:
    """What follows the palette. A format without a muxer has no sound.

    copied: caps of sound that need not be encoded. sound_delay: by how much the encoder of
    sound is late, in nanoseconds."""
    frames: str
    muxer: str = ""
    copied: str = ""
    sound: str = ""
    sound_delay: int = 0
    even: bool = False


@dataclass
class Container:
    """A format for films. Its first codec is the default."""
    codecs: tuple
    muxer: str
    copied: str
    sound: str
    sound_delay: int = 0

    def encode(self, codec):
        return Format("videoconvert ! video/x-raw,format=I420 ! " + VIDEO_ENCODERS[codec],
                      self.muxer, self.copied,
                      "audioconvert ! audioresample ! " + self.sound,
                      self.sound_delay, even=codec == "h264")


CONTAINERS = {
    ".webm": Container(("vp9", "vp8"), "webmmux", "audio/x-opus; audio/x-vorbis",
                       "opusenc bitrate=128000"),
    ".mp4": Container(("h264",), "mp4mux",
                      "audio/mpeg,mpegversion=4,stream-format=raw",
                      "audio/x-raw,rate=48000 ! avenc_aac bitrate=192000",
                      AAC_DELAY),
}
GIF = Format("video/x-raw,format=RGB8P ! appsink name=sink sync=false")
STILL = Format("pngenc snapshot=true ! filesink name=sink")
SEQUENCE = Format("pngenc ! multifilesink name=sink index=1")

NUMBER = re.compile(r"%(0\d+)?d")


def is_sequence(out):
    return out.suffix.lower() == ".png" and len(NUMBER.findall(out.name)) == 1


def find_pictures(out):
    """The pictures that are there of a sequence."""
    before, after = (re.escape(part) for part in
                     (out.name[:NUMBER.search(out.name).start()],
                      out.name[NUMBER.search(out.name).end():]))
    return [file for file in out.parent.iterdir()
            if re.fullmatch(rf"{before}\d+{after}", file.name)]


def choose(out, codec):
    """Returns the format for a path and the name of a codec, or None for the default."""
    extension = out.suffix.lower()
    container = CONTAINERS.get(extension)
    if codec and (not container or codec not in container.codecs):
        raise Failure(f"{extension} does not go with --codec {codec}")
    if container:
        return container.encode(codec or container.codecs[0])
    if extension == ".gif":
        return GIF
    if extension == ".png":
        return SEQUENCE if is_sequence(out) else STILL
    raise Failure(f"{out}: end it with .webm, .mp4, .gif or .png")
