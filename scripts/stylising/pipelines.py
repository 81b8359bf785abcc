# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Pipelines of GStreamer: the elements they are made of, their run from start to end, error
# or Ctrl-C, what a terminal shows meanwhile, and frames that Python takes out or puts in.

import os
import pathlib
import re
import shutil
import signal
import sys
import time
from dataclasses import dataclass

from gi.repository import GLib, Gst


# --- failures ---

# Why there is no film: a line for the user, and the exit status.

class Failure(Exception):
    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


class Unreadable(Failure):
    """There is no picture in a file, or none that can be decoded."""


# --- signals ---

# Ctrl-C and the like. The first one is a failure. Further ones are ignored, so that what
# was begun is removed.

# nohup, for one, starts programs with signals that they are to ignore.
SIGNALS = [number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
           if signal.getsignal(number) != signal.SIG_IGN]


class Stopped(Failure):
    pass


def ignore_signals():
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def give_signals_to(fail):
    """fail(failure) is called at the first signal."""
    def handle(number, _):
        ignore_signals()
        fail(Stopped("stopped", 128 + number))

    for number in SIGNALS:
        signal.signal(number, handle)


def raise_at_signal():
    """Wherever the program is at the first signal."""
    def fail(failure):
        raise failure

    give_signals_to(fail)


# --- elements ---

# GStreamer's elements, those of this project among them, and what to install if one is
# missing.

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / os.environ.get("BUILD_DIR", "build") / "gst"

OURS = "meanshiftpalette", "gpublur"
# Debian's packages; all other elements are in gstreamer1.0-plugins-base.
PACKAGES = {
    "gstreamer1.0-plugins-good": ("videoflip", "vp8enc", "vp9enc", "webmmux", "mp4mux",
                                  "pngenc", "multifilesink"),
    "gstreamer1.0-plugins-ugly": ("x264enc",),
    "gstreamer1.0-libav": ("avenc_aac",),
}


def find_plugins():
    """Starts GStreamer. What is built here goes before what is installed."""
    variable = "GST_PLUGIN_PATH_1_0"
    if variable not in os.environ:
        variable = "GST_PLUGIN_PATH"
    if BUILT.is_dir():
        folders = [str(BUILT), *filter(None, [os.environ.get(variable)])]
        os.environ[variable] = os.pathsep.join(folders)
    Gst.init(None)


def require(description):
    """Fails unless all elements of a description for gst-launch-1.0 are there."""
    for name in re.findall(r"(?:^|! )(\w+)(?![\w/.])", description, re.MULTILINE):
        if not Gst.ElementFactory.find(name):
            raise Failure(f"there is no element {name}: {say_how_to_get(name)}")


def say_how_to_get(name):
    if name in OURS:
        return "run scripts/setup, which builds it"
    package = next((package for package, names in PACKAGES.items() if name in names),
                   "gstreamer1.0-plugins-base")
    return f"install {package}"


def make_pipeline(description):
    require(description)
    return Gst.parse_launch(description)


def make_bin(description):
    """Its first and last pads are those of the bin."""
    require(description)
    return Gst.parse_bin_from_description(description, True)


def choose_device(pipeline, device):
    """For the elements of this project in the pipeline, if a device is named."""
    for name in OURS:
        element = pipeline.get_by_name(name)
        if device and element:
            element.set_property("device", device)


def get_caps_name(caps):
    return get_fields(caps).get_name()


def link(source, sink, out):
    """As Gst.Pad.link(), which python3-gst-1.0 changes. out: for messages."""
    source.link_full(sink, Gst.PadLinkCheck.DEFAULT)
    if not source.is_linked():
        raise Failure(f"{out}: cannot hold {source.query_caps().to_string()}")


def discard(pipeline, pad):
    """Lets a stream that nobody needs pass, so that its demuxer goes on."""
    sink = make_bin("fakesink sync=false async=false")
    pipeline.add(sink)
    sink.sync_state_with_parent()
    pad.link_full(sink.get_static_pad("sink"), Gst.PadLinkCheck.DEFAULT)


def get_fields(caps):
    """Returns the first structure of the caps, with every version of python3-gst-1.0, and
    without it."""
    structure = caps.get_structure(0)
    if isinstance(structure, Gst.Structure):
        return structure
    # With newer versions it belongs to the caps, and is lent to a "with".
    with structure as lent:
        return lent.copy()


# --- running ---

# A pipeline, from its start to its end, to an error, or to a signal.

class Running:
    """source, out: the files that are read and written, for messages. said: the warnings
    of all pipelines."""
    said = set()

    def __init__(self, pipeline, source, out=None):
        self.pipeline = pipeline
        self.source = source
        self.out = out
        self.loop = GLib.MainLoop()
        self.failure = None

    def end(self):
        """Ends run(), from any thread, even before its loop runs."""
        GLib.idle_add(self.loop.quit)

    def fail(self, failure):
        """Ends run(), which raises the first failure."""
        self.failure = self.failure or failure
        self.end()

    def run(self):
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self._on_message)
        # An exception would not leave the loop.
        give_signals_to(self.fail)
        try:
            self.pipeline.set_state(Gst.State.PLAYING)
            self.loop.run()
        finally:
            self.pipeline.set_state(Gst.State.NULL)
            bus.remove_signal_watch()
        if not self.failure:
            raise_at_signal()
        if self.failure:
            raise self.failure

    def _on_message(self, _, message):
        if message.type == Gst.MessageType.ERROR:
            self.fail(self._to_failure(message))
        elif message.type == Gst.MessageType.WARNING:
            self._warn(message)
        elif message.type == Gst.MessageType.EOS:
            self.loop.quit()

    def _to_failure(self, message):
        name, (error, debug) = message.src.get_name(), message.parse_error()
        text = describe_error(error, debug)
        if name == "sink":
            return Failure(f"{self.out}: {text}")
        if name in OURS:
            return Failure(name_options(text))
        is_of_stream = error.domain == GLib.quark_to_string(Gst.StreamError.quark())
        kind = Unreadable if is_of_stream else Failure
        return kind(f"{self.source}: {text}")

    def _warn(self, message):
        """Says once what may be wrong with the file, or with the device."""
        text = describe_error(*message.parse_warning())
        if message.src.get_name() in OURS:
            text = name_options(text)
        else:
            text = f"{self.source}: {text}"
        if text not in self.said:
            self.said.add(text)
            say(text)


def name_options(text):
    """The elements speak of their properties."""
    return text.replace('the property "device"', "--device")


def describe_error(error, debug):
    """One line. GStreamer names the cause, if at all, after the place in the source."""
    cause = (debug or "").partition("\n")[2].replace("\n", " ").strip()
    return f"{error.message} ({cause})" if cause else error.message


# --- progress ---

# Counts frames and, on a terminal, shows how far the film is, or what it waits for.

BAR = 30
PERIOD_MS = 200
ERASE_LINE = "\r\x1b[K"
# The code of the elements' messages of progress.
SHADERS = "shaders"


@dataclass
class Start:
    """The frame from which on it is measured how fast frames are."""
    number: int
    seconds: float
    time: float


class Progress:
    """done: the pad of the pipeline where finished frames pass. decoded: a pad that decoded
    ones of a whole film reach, which tells how long it is."""

    def __init__(self, pipeline, done, decoded=None):
        self.decoded = decoded
        self.n_frames = 0
        self.seconds = 0
        self.start = None
        self.awaited = ""
        self.timer = 0
        done.add_probe(Gst.PadProbeType.BUFFER, self._count)
        bus = pipeline.get_bus()
        # In the thread of the frames, so that a message comes before those that waited.
        bus.enable_sync_message_emission()
        bus.connect("sync-message::progress", self._on_progress)

    def __enter__(self):
        if sys.stderr.isatty():
            self.timer = GLib.timeout_add(PERIOD_MS, self._show)
        return self

    def __exit__(self, *_):
        if self.timer:
            GLib.source_remove(self.timer)
            sys.stderr.write(ERASE_LINE)

    def _count(self, pad, info):
        self.n_frames += 1
        segment = pad.get_sticky_event(Gst.EventType.SEGMENT, 0).parse_segment()
        _, end = get_times(segment, info.get_buffer())
        self.seconds = end / Gst.SECOND or self.seconds
        self.start = self.start or Start(self.n_frames, self.seconds, time.monotonic())
        return Gst.PadProbeReturn.OK

    def _on_progress(self, _, message):
        """A frame waits for shaders, or for the colours of --quality exact."""
        self.awaited = get_awaited(message)
        if message.parse_progress()[1] == SHADERS:
            # Few frames wait for them: this is not how fast frames are.
            self.start = None

    def _show(self):
        columns = shutil.get_terminal_size().columns
        sys.stderr.write(ERASE_LINE + self.describe()[:columns - 1])
        sys.stderr.flush()
        return GLib.SOURCE_CONTINUE

    def describe(self):
        start = self.start
        n_more = self.n_frames - start.number if start else 0
        if not n_more:
            return self.awaited or "Waiting for frames"
        took = time.monotonic() - start.time
        text = f"{self.n_frames} frames, {n_more / took:.1f} frames/s"
        duration, gained = self._find_duration(), self.seconds - start.seconds
        if not duration or gained <= 0:
            return text
        part = min(self.seconds / duration, 1)
        left = took * duration * (1 - part) / gained
        bar = "#" * round(BAR * part)
        return f"[{bar:-<{BAR}}] {part:4.0%}  {text}, {say_time(left)} left"

    def _find_duration(self):
        """Of the film in seconds; 0 if it is not known."""
        known, duration = (self.decoded.peer_query_duration(Gst.Format.TIME)
                           if self.decoded else (False, 0))
        return max(duration, 0) / Gst.SECOND if known else 0


def get_awaited(message):
    """What a message of progress says is going on; "" where it has ended."""
    kind, _, text = message.parse_progress()
    is_going_on = kind in (Gst.ProgressType.START, Gst.ProgressType.CONTINUE)
    return text if is_going_on else ""


def say(text):
    """A line for the user, in place of the progress."""
    erase = ERASE_LINE if sys.stderr.isatty() else ""
    print(f"{erase}stylise: {text}", file=sys.stderr)


def say_time(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


# --- frames for Python, and from it ---

# Frames that reach an appsink, or come from an appsrc.

def connect_sink(sink, take, running=None):
    """take(sample) is called for each frame, in a thread of GStreamer. If it fails, so does
    running; without that, it is printed."""
    def pull(sink):
        sample = sink.emit("pull-sample")
        # None while the pipeline stops.
        if sample:
            try:
                take(sample)
            except Exception as error:
                if not running:
                    raise
                running.fail(error)
        return Gst.FlowReturn.OK

    sink.set_property("emit-signals", True)
    sink.connect("new-sample", pull)


def feed_source(source, frames, running):
    """An appsrc gets a frame of the iterator whenever it needs one."""
    def push(source, _):
        try:
            frame = next(frames, None)
        except Exception as error:
            # In this thread it would only be printed.
            running.fail(error)
            return
        if frame:
            source.emit("push-buffer", frame)
        else:
            source.emit("end-of-stream")

    source.set_property("format", Gst.Format.TIME)
    source.connect("need-data", push)


def get_times(segment, frame):
    """Returns the running times at which a frame begins and ends, as far as it says: 0 for
    a still picture, which has none."""
    begin = segment.to_running_time(Gst.Format.TIME, frame.pts)
    if begin == Gst.CLOCK_TIME_NONE:
        return 0, 0
    has_duration = frame.duration != Gst.CLOCK_TIME_NONE
    return begin, begin + (frame.duration if has_duration else 0)


def get_data(sample):
    buffer = sample.get_buffer()
    return buffer.extract_dup(0, buffer.get_size())


@dataclass
class Indexed:
    """A frame in RGB8P: an index for each pixel, and 256 colours 0xAARRGGBB."""
    size: tuple
    indexes: bytes
    palette: memoryview


def get_indexed(sample):
    fields = get_fields(sample.get_caps())
    width, height = (fields.get_value(side) for side in ("width", "height"))
    data = get_data(sample)
    # Rows are of whole words. The palette is behind them.
    stride = (width + 3) // 4 * 4
    indexes = b"".join(data[y * stride:y * stride + width] for y in range(height))
    palette = memoryview(data)[height * stride:].cast("I")
    return Indexed((width, height), indexes, palette)
