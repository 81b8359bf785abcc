# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A source, gpublur and meanshiftpalette in a pipeline: its frames before and after both
# elements, in pairs, and the command that shows the same without this program.

import collections
import mimetypes
import os
import pathlib
import re
import shlex
import threading
from dataclasses import dataclass

from gi.repository import Gio, GLib, Gst, GstVideo

from stylising.pipelines import Failure, connect_sink, get_awaited, get_fields, require

ELEMENTS = "gpublur", "meanshiftpalette"
CONVERT = "! videoconvertscale !".split()
# The command does not need the name.
NAMED_CONVERT = "! videoconvertscale name=convert !".split()
CAPS = "video/x-raw,format=RGBA"
SHOW = "! videoconvert ! autovideosink".split()
# Here the frames that arrive are those of meanshiftpalette, in the format of Picture. It
# posts and counts its palette, so that the palette can be read.
FILTER = ("! gpublur name=gpublur ! meanshiftpalette name=meanshiftpalette"
          " post-messages=true ! video/x-raw,format=RGBA ! appsink name=shown").split()


@dataclass
class Picture:
    """A frame in RGBA. shape is its width by its height on the screen."""
    size: tuple
    shape: float
    stride: int
    data: GLib.Bytes


def get_size(caps):
    fields = get_fields(caps)
    return tuple(fields.get_value(side) for side in ("width", "height"))


def get_picture(buffer, caps):
    fields = get_fields(caps)
    width, height = get_size(caps)
    has_ratio, *ratio = fields.get_fraction("pixel-aspect-ratio")
    numerator, denominator = ratio if has_ratio else (1, 1)
    meta = GstVideo.buffer_get_video_meta(buffer)
    offset, stride = (meta.offset[0], meta.stride[0]) if meta else (0, 4 * width)
    data = buffer.extract_dup(offset, buffer.get_size() - offset)
    return Picture((width, height), width * numerator / (height * denominator), stride,
                   GLib.Bytes.new(data))


def describe(source):
    """Returns the words of its description for gst-launch-1.0, and whether it is one
    picture, which is then repeated."""
    # pathlib raises exceptions for names that no file can have, as descriptions may be.
    if os.path.isdir(source):
        raise Failure(f"{source} is a folder: name a file")
    if os.path.isfile(source):
        source = pathlib.Path(source).resolve().as_uri()
    if not Gst.uri_is_valid(source):
        return split(source), False
    if (Gst.uri_get_protocol(source) == "file"
            and not Gio.File.new_for_uri(source).query_exists()):
        raise Failure(f"{source}: there is no such file")
    words = ["uridecodebin", f"uri={source}"]
    kind = mimetypes.guess_type(source)[0] or ""
    is_still = kind.startswith("image/") and kind != "image/gif"
    return words + ["!", "imagefreeze"] if is_still else words, is_still


def split(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise explain(text, error) from error


def explain(source, error):
    """Returns the failure of what is neither a file nor a URI."""
    first = re.match(r"[\w-]*", source)[0]
    if "!" in source or Gst.ElementFactory.find(first):
        return Failure(f"{source} is no source for gst-launch-1.0: {error}")
    return Failure(f"{source}: there is no such file, and no such URI or element")


def runs_on_cpu():
    """Where there is no device at all, the film fails, and says why."""
    element = Gst.ElementFactory.make("gpublur")
    element.set_state(Gst.State.READY)
    _, is_cpu = element.get_property("stats").get_boolean("on-cpu")
    element.set_state(Gst.State.NULL)
    return is_cpu


def choose_caps(cpu_size):
    """Of the frames before the elements. GStreamer keeps the shape within both ranges if
    pixels are square."""
    if not cpu_size or not runs_on_cpu():
        return CAPS
    width, height = cpu_size
    return f"{CAPS},width=[1,{width}],height=[1,{height}],pixel-aspect-ratio=1/1"


def join(words):
    return " ".join(word if word == "!" else shlex.quote(word) for word in words)


def get_plugin_path():
    """What a shell must set, if it has not, for GStreamer to find the same plugins."""
    for variable in "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_PATH":
        if variable in os.environ:
            folders = dict.fromkeys(os.environ[variable].split(os.pathsep))
            return [f"{variable}={shlex.quote(os.pathsep.join(folders))}"]
    return []


class Film:
    def __init__(self, source, cpu_size=None):
        """cpu_size: the size into which frames are fitted on the CPU, or None."""
        require(" ".join(CONVERT + FILTER))
        self.name = source
        self.source, self.is_still = describe(source)
        self.caps = choose_caps(cpu_size)
        try:
            self.pipeline = Gst.parse_launchv(
                self.source + NAMED_CONVERT + [self.caps] + FILTER)
        except GLib.Error as error:
            raise explain(source, error.message) from error
        self.elements = {name: self.pipeline.get_by_name(name) for name in ELEMENTS}
        self.befores = collections.deque()
        self.newest = collections.deque(maxlen=1)
        self.refusal = None
        self.n_frames = self.n_before_begin = 0

    def play(self, viewer):
        """Calls in the main loop: viewer.show(before, after) for each frame, or only for
        the newest of those that came while the loop was busy; tell(text) for a warning,
        show_progress(text) while frames wait, and fail(failure) if there are none."""
        self.viewer = viewer
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.enable_sync_message_emission()
        bus.connect("sync-message::warning", self._note_refusal)
        for kind in "warning", "progress", "error", "eos":
            bus.connect(f"message::{kind}", getattr(self, f"_on_{kind}"))
        self.elements["gpublur"].get_static_pad("sink").add_probe(
            Gst.PadProbeType.BUFFER, self._keep_before)
        connect_sink(self.pipeline.get_by_name("shown"), self._take_after)
        self.pipeline.set_state(Gst.State.PLAYING)

    def stop(self):
        self.pipeline.set_state(Gst.State.NULL)

    def set(self, element, name, text):
        """Returns what the element says if it refuses the text."""
        self.refusal = None
        Gst.util_set_object_arg(self.elements[element], name, text)
        if self.is_still:
            # Without a flush, the colours would depend on the settings before.
            self._begin()
        return self.refusal

    def get_palette(self):
        return self.elements["meanshiftpalette"].get_property("palette")

    def get_stats(self):
        return self.elements["meanshiftpalette"].get_property("stats")

    def get_source_size(self):
        """Of frames before they are made smaller."""
        convert = self.pipeline.get_by_name("convert")
        return get_size(convert.get_static_pad("sink").get_current_caps())

    def get_command(self, settings):
        """settings: for each element the text of each of its properties."""
        words = ["gst-launch-1.0", *self.source, *CONVERT, self.caps]
        for element, properties in settings.items():
            words += ["!", element]
            words += [f"{name}={text}" for name, text in properties.items()]
        return " ".join([*get_plugin_path(), join(words + SHOW)])

    def _begin(self):
        return self.pipeline.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH, 0)

    def _keep_before(self, pad, info):
        buffer = info.get_buffer()
        self.befores.append((buffer.pts, get_picture(buffer, pad.get_current_caps())))
        return Gst.PadProbeReturn.OK

    def _take_after(self, sample):
        buffer = sample.get_buffer()
        after = get_picture(buffer, sample.get_caps())
        # Frames keep their order, but the elements or a flush may have dropped some.
        while self.befores:
            pts, before = self.befores.popleft()
            if pts == buffer.pts:
                self.n_frames += 1
                self.newest.append((before, after))
                GLib.idle_add(self._show_newest)
                return

    def _show_newest(self):
        if self.newest:
            self.viewer.show(*self.newest.pop())

    def _note_refusal(self, bus, message):
        # An element refuses a value in the thread that sets it.
        if threading.current_thread() is threading.main_thread():
            self.refusal = message.parse_warning()[0].message

    def _on_warning(self, bus, message):
        self.viewer.tell(message.parse_warning()[0].message)

    def _on_progress(self, bus, message):
        self.viewer.show_progress(get_awaited(message))

    def _on_error(self, bus, message):
        error, _ = message.parse_error()
        self.viewer.fail(Failure(
            f"{self.name}: {message.src.get_name()}: {error.message}"))

    def _on_eos(self, bus, message):
        if not self.n_frames:
            self.viewer.fail(Failure(f"{self.name}: there is no picture in it"))
        elif self.n_frames == self.n_before_begin or not self._begin():
            self.viewer.tell("The source has ended.")
        self.n_before_begin = self.n_frames
