# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From IN to OUT: one pipeline, which decodes, filters, encodes and writes. The extension of
# OUT says what becomes of frames and of sound.

import itertools
import math
import re
from dataclasses import dataclass, replace

from gi.repository import Gst, GstPbutils

from stylising import inputs, pictures, pipelines
from stylising.inputs import Durations, Source
from stylising.pipelines import Failure, Progress, Running, get_fields


# --- formats ---

# All elements are written as for gst-launch-1.0.

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

# No sink waits in PAUSED: where frames come by way of another one (for HDR), each would
# wait for the other.
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


def choose_format(out, codec):
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


# --- sound ---

# From the sound of IN to the muxer of OUT: copied, or encoded.

# A muxer waits for all streams, and an encoder may hold back seconds of one of them.
WAITING_SOUND = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"


def sound_must_be_decoded(format, caps):
    """Not sound that is copied or left out."""
    copied = Gst.Caps.from_string(format.copied)
    return bool(format.muxer) and not caps.is_subset(copied)


def add_sound(pipeline, settings, pad, queue):
    """pad: of the decoder. queue: a description of what the sound waits in."""
    format = settings.format
    is_decoded = pipelines.get_caps_name(pad.query_caps()) == "audio/x-raw"
    sound = pipelines.make_bin(f"{queue} ! {format.sound}" if is_decoded else queue)
    encoded = sound.get_static_pad("src")
    if is_decoded:
        encoded.set_offset(-format.sound_delay)
    pipeline.add(sound)
    muxer = pipeline.get_by_name("muxer")
    pipelines.link(encoded, muxer.request_pad_simple("audio_%u"), settings.out)
    sound.sync_state_with_parent()
    pipelines.link(pad, sound.get_static_pad("sink"), settings.out)


# --- the size of frames ---

def fit_size(pad, capsfilter, settings, running):
    """Sets the capsfilter by the caps of the pad, for the size of the first frame."""
    def on_data(pad, info):
        if info.type & Gst.PadProbeType.BUFFER:
            return Gst.PadProbeReturn.REMOVE
        event = info.get_event()
        # Several come before the first frame if that is to be turned upright.
        if event.type == Gst.EventType.CAPS:
            width, height = choose_size(get_fields(event.parse_caps()), settings.size,
                                        settings.format.even)
            capsfilter.set_property("caps", Gst.Caps.from_string(
                f"video/x-raw,width={width},height={height},pixel-aspect-ratio=1/1"))
            if min(width, height) < settings.format.min_side:
                running.fail(Failure(describe_too_small(width, height, settings)))
        return Gst.PadProbeReturn.OK

    pad.add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM | Gst.PadProbeType.BUFFER, on_data)


def describe_too_small(width, height, settings):
    smallest = settings.format.min_side
    scale = smallest / min(width, height)
    return (f"{settings.source}: {width} x {height} pixels are too few for"
            f" {settings.out.suffix}, which needs {smallest} x {smallest}: enlarge them"
            f" with --size {math.ceil(width * scale)}x{math.ceil(height * scale)}")


def choose_size(caps, box, even):
    """Pixels become square. An encoder of 4:2:0 may need even sizes. box: the largest size,
    or None."""
    width, height = caps.get_value("width"), caps.get_value("height")
    found, across, down = caps.get_fraction("pixel-aspect-ratio")
    if found:
        width *= across / down
    scale = min(box[0] / width, box[1] / height) if box else 1
    unit = 2 if even else 1
    return tuple(max(round(side * scale) // unit, 1) * unit for side in (width, height))


# --- the film ---

# Stages run in threads of their own, with few frames between them.
HANDOVER = "queue max-size-buffers=4 max-size-bytes=0 max-size-time=0"


class Film:
    """target: the path to write to."""

    def __init__(self, settings, target):
        self.settings = settings
        self.format = settings.format
        self.input = Source(settings.source)
        self.pipeline = pipelines.make_pipeline(self.describe())
        self.running = Running(self.pipeline, settings.source, settings.out)
        self.durations = Durations(self._get_pad("size", "src"))
        self.tracks = []
        self.writer = None
        pipelines.choose_device(self.pipeline, settings.device)
        self._prepare_input()
        self._prepare_output(target)

    def describe(self):
        """Chains of elements. The decoder is linked to the others when it has pads."""
        end = self.format.sink
        chains = [self.describe_source()]
        if self.format.muxer:
            end = f"{WAITING_SOUND} ! muxer."
            chains.append(self.format.describe_muxer())
        chains.append(
            # videoflip takes fewer formats than there are.
            f"{HANDOVER} name=frames ! videoconvert"
            f" ! videoflip name=upright video-direction={self.input.direction}"
            " ! videoconvertscale add-borders=false ! capsfilter name=size"
            f" ! {self.settings.filters} ! {HANDOVER} ! {self.format.frames} ! {end}")
        return "\n".join(chains)

    def describe_source(self):
        return f"{self.input.describe()} ! decodebin name=decoder"

    def make_writer(self, target):
        """For frames that come to an appsink: it has add(sample) and close()."""
        return pictures.GifWriter(target)

    def show_progress(self):
        return Progress(self.pipeline, self._get_last_pad(),
                        self._get_pad("frames", "sink"))

    def make(self):
        """Returns the number of frames, and their time in seconds."""
        with self.show_progress() as progress:
            self.running.run()
        if self.writer:
            self.writer.close()
        if not progress.n_frames:
            raise Failure(f"{self.settings.source}: there is no picture in it")
        if self.format.muxer and not progress.seconds:
            raise Failure(f"{self.settings.source}: is one picture, which lasts no time:"
                          " end OUT with .png or .gif")
        return progress.n_frames, progress.seconds

    def _prepare_input(self):
        self.input.open(self.pipeline, self.running)
        decoder = self._get("decoder")
        decoder.connect("autoplug-continue", self._must_be_decoded)
        decoder.connect("unknown-type", self._on_unknown)
        decoder.connect("pad-added", self._on_stream)
        decoder.connect("no-more-pads", self._on_all_streams)
        fit_size(self._get_pad("upright", "src"), self._get("size"), self.settings,
                 self.running)
        if self.format.is_still:
            self._keep_first(self._get_pad("upright", "src"))

    def _keep_first(self, pad):
        """The film ends with its first frame. (With pngenc snapshot=true, it is the source
        that must end it, and a new segment lets another frame pass.)"""
        def choose(pad, _):
            if next(numbers) == 0:
                return Gst.PadProbeReturn.OK
            pad.get_peer().send_event(Gst.Event.new_eos())
            return Gst.PadProbeReturn.DROP

        numbers = itertools.count()
        pad.add_probe(Gst.PadProbeType.BUFFER, choose)

    def _prepare_output(self, target):
        sink = self._get("sink")
        kind = sink.get_factory().get_name()
        if kind == "appsink":
            self.writer = self.make_writer(target)
            pipelines.connect_sink(sink, self.writer.add, self.running)
        elif kind == "multifilesink":
            sink.set_property("location", to_printf(target))
        else:
            sink.set_property("location", str(target))

    def _get_last_pad(self):
        """The last one where buffers are frames, with the times of frames."""
        if self.format.muxer:
            return self._get_pad("meanshiftpalette", "src")
        return self._get_pad("sink", "sink")

    # --- streams, as they are found, in a thread of GStreamer ---

    def _must_be_decoded(self, _, pad, caps):
        """Not sound that is copied or left out, nor a picture for Pillow, from a pipe."""
        name = pipelines.get_caps_name(caps)
        if name in pictures.CAPS_NAMES:
            what = ("the picture is damaged" if self.settings.source.is_file() else
                    "such a picture cannot come from a pipe: write it to a file")
            self.running.fail(Failure(f"{self.settings.source}: {what}"))
            return False
        if name.startswith(inputs.PICTURES):
            self.durations.watch(pad)
        return not name.startswith("audio/") or sound_must_be_decoded(self.format, caps)

    def _on_unknown(self, _, pad, caps):
        if pipelines.get_caps_name(caps).startswith(("video/", "image/", "audio/")):
            what = GstPbutils.pb_utils_get_codec_description(caps)
            self.running.fail(Failure(
                f"{self.settings.source}: there is no decoder for {what}: install"
                " gstreamer1.0-libav or gstreamer1.0-plugins-bad"))

    def _on_stream(self, _, pad):
        name = pipelines.get_caps_name(pad.query_caps())
        try:
            if name == "video/x-raw":
                self.tracks.append(pad)
            elif name.startswith("audio/") and self.format.muxer:
                add_sound(self.pipeline, self.settings, pad, WAITING_SOUND)
        except Failure as failure:
            self.running.fail(failure)

    def _on_all_streams(self, _):
        try:
            self._take(inputs.choose_track(self.tracks, self.settings.source))
        except Failure as failure:
            self.running.fail(failure)

    def _take(self, pad):
        self.durations.stream = pad.get_stream_id()
        pipelines.link(pad, self._get_pad("frames", "sink"), self.settings.out)
        if not self.format.codecs and pictures.is_hdr(pad.get_current_caps()):
            pictures.insert_hdr_to_sdr(self._get_pad("size", "src"), self.running)

    def _get(self, name):
        return self.pipeline.get_by_name(name)

    def _get_pad(self, name, pad):
        return self._get(name).get_static_pad(pad)
