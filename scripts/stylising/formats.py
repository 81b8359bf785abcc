# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What becomes of the frames and of the sound, by the extension of OUT. All elements are
# written as for gst-launch-1.0.

import re
from dataclasses import dataclass, replace

from stylising.failure import Failure

# Constant quality: flat areas need few bits, and their edges many. For VP8 and VP9 it is
# a single quantizer, with a bit rate that never limits it. At the end of a film their
# encoders may lose frames that they hold back, so they hold back none.
VPX = "target-bitrate=200000000 lag-in-frames=0 threads=8"
VIDEO_ENCODERS = {
    "vp9": f"vp9enc {VPX} min-quantizer=14 max-quantizer=14 cpu-used=2 row-mt=true",
    "vp8": f"vp8enc {VPX} min-quantizer=10 max-quantizer=10 cpu-used=2",
    # With B-frames, mp4mux cuts off the last frame if frames are not evenly spaced.
    "h264": "x264enc pass=qual quantizer=18 psy-tune=animation bframes=0"
            " ! video/x-h264,stream-format=avc,alignment=au",
}

# The frame that AAC encoders put first, which holds no sound yet.
AAC_DELAY = 1024 * 10**9 // 48000
# Containers round times to milliseconds. So the next frame, the first one with sound, might
# seem to begin before the film, where mp4mux cuts it off. Holes become silence.
EVEN_TIMES = "audiorate tolerance=5000000"


@dataclass
class Format:
    """What follows the palette, and what becomes of sound.

    frames: elements, which a muxer or sink follows. codecs: of films; the first one is the
    default. A format without a muxer has no sound. copied: caps of sound that need not be
    encoded. sound_delay: by how much the encoder of sound is late, in nanoseconds.
    min_side: rows and columns that the muxer demands. even: sides are even numbers.
    is_still: only the first frame is kept."""
    frames: str = ""
    codecs: tuple = ()
    muxer: str = ""
    sink: str = ""
    copied: str = ""
    sound: str = ""
    sound_delay: int = 0
    min_side: int = 1
    even: bool = False
    is_still: bool = False

    def describe_muxer(self):
        return f"{self.muxer} name=muxer ! filesink name=sink"


FILMS = {
    ".webm": Format(codecs=("vp9", "vp8"), muxer="webmmux", min_side=16,
                    copied="audio/x-opus; audio/x-vorbis",
                    sound="audioconvert ! audioresample ! opusenc bitrate=128000"),
    ".mp4": Format(codecs=("h264",), muxer="mp4mux", min_side=16, even=True,
                   copied="audio/mpeg,mpegversion=4,stream-format=raw",
                   sound="audioconvert ! audioresample ! audio/x-raw,rate=48000"
                   f" ! {EVEN_TIMES} ! avenc_aac bitrate=192000", sound_delay=AAC_DELAY),
}
# Behind the palette: what is grey in front must not stay grey if the palette has colours.
COLOURED = "video/x-raw,format={RGB,RGBA,I420,NV12}"
PNG = "video/x-raw,format={RGB,RGBA} ! pngenc"

# No sink waits in PAUSED: where frames come by way of another one (hdr.py), each would wait
# for the other.
SINK = "name=sink async=false"
GIF = Format("video/x-raw,format=RGB8P", sink=f"appsink {SINK} sync=false")
STILL = Format(PNG, sink=f"filesink {SINK}", is_still=True)
SEQUENCE = Format(PNG, sink=f"multifilesink {SINK} index=1")


def to_part(format, out):
    """Frames of a part go to its file, and sound waits for the join. The frames of a GIF
    do not stand alone: they hold what differs from the one before."""
    check_parts(format, out)
    return replace(format, muxer="", copied="", sink=GIF.sink)


def check_parts(format, out):
    if not format.muxer and format is not SEQUENCE:
        raise Failure(f"{out}: only films and sequences are made in parts: end it with"
                      " .webm, .mp4 or %05d.png")


# In the name of a sequence, as for printf().
NUMBER = re.compile(r"(%(?:0\d)?d)")


def is_sequence(out):
    return out.suffix.lower() == ".png" and len(NUMBER.findall(out.name)) == 1


def find_pictures(out):
    """The pictures that are there of a sequence."""
    before, _, after = NUMBER.split(out.name)
    return [file for file in out.parent.iterdir()
            if re.fullmatch(rf"{re.escape(before)}\d+{re.escape(after)}", file.name)]


def to_printf(sequence):
    """A path where only the number is special: multifilesink gives paths to printf()."""
    before, number, after = NUMBER.split(sequence.name)
    folder, before, after = (part.replace("%", "%%")
                             for part in (str(sequence.parent), before, after))
    return f"{folder}/{before}{number}{after}"


def choose(out, codec):
    """Returns the format for a path and the name of a codec, or None for the default."""
    extension = out.suffix.lower()
    film = FILMS.get(extension)
    if codec and (not film or codec not in film.codecs):
        raise Failure(f"{out}: --codec {codec} does not go with {extension}")
    if film:
        encoder = VIDEO_ENCODERS[codec or film.codecs[0]]
        return replace(film, frames=f"{COLOURED} ! videoconvert"
                       f" ! video/x-raw,format=I420 ! {encoder}")
    if extension == ".gif":
        return GIF
    if extension == ".png" and is_sequence(out):
        return SEQUENCE
    if extension == ".png" and "%" in out.name:
        raise Failure(f"{out}: write the number of each picture as %05d, or leave out"
                      " the %")
    if extension == ".png":
        return STILL
    raise Failure(f"{out}: end it with .webm, .mp4, .gif or .png")
