# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From IN to OUT: one pipeline, which decodes, filters, encodes and writes.

import itertools

from gi.repository import Gst, GstPbutils

from stylising import (elements, formats, gif, hdr, pictures, samples, size, sound,
                       tracks)
from stylising.durations import Durations
from stylising.failure import Failure
from stylising.progress import Progress
from stylising.running import Running
from stylising.source import Source

# Stages run in threads of their own, with few frames between them.
HANDOVER = "queue max-size-buffers=4 max-size-bytes=0 max-size-time=0"


class Film:
    """target: the path to write to."""

    def __init__(self, settings, target):
        self.settings = settings
        self.format = settings.format
        self.input = Source(settings.source)
        self.pipeline = elements.make_pipeline(self.describe())
        self.running = Running(self.pipeline, settings.source, settings.out)
        self.durations = Durations(self._get_pad("size", "src"))
        self.tracks = []
        self.writer = None
        elements.choose_device(self.pipeline, settings.device)
        self._prepare_input()
        self._prepare_output(target)

    def describe(self):
        """Chains of elements. The decoder is linked to the others when it has pads."""
        end = self.format.sink
        chains = [self.describe_source()]
        if self.format.muxer:
            end = f"{sound.WAITING} ! muxer."
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
        return gif.Writer(target)

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
        size.fit(self._get_pad("upright", "src"), self._get("size"), self.settings,
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
            samples.connect(sink, self.writer.add, self.running)
        elif kind == "multifilesink":
            sink.set_property("location", formats.to_printf(target))
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
        name = elements.get_name(caps)
        if name in pictures.NAMES:
            what = ("the picture is damaged" if self.settings.source.is_file() else
                    "such a picture cannot come from a pipe: write it to a file")
            self.running.fail(Failure(f"{self.settings.source}: {what}"))
            return False
        if name.startswith(tracks.PICTURES):
            self.durations.watch(pad)
        return not name.startswith("audio/") or sound.must_be_decoded(self.format, caps)

    def _on_unknown(self, _, pad, caps):
        if elements.get_name(caps).startswith(("video/", "image/", "audio/")):
            what = GstPbutils.pb_utils_get_codec_description(caps)
            self.running.fail(Failure(
                f"{self.settings.source}: there is no decoder for {what}: install"
                " gstreamer1.0-libav or gstreamer1.0-plugins-bad"))

    def _on_stream(self, _, pad):
        name = elements.get_name(pad.query_caps())
        try:
            if name == "video/x-raw":
                self.tracks.append(pad)
            elif name.startswith("audio/") and self.format.muxer:
                sound.add(self.pipeline, self.settings, pad, sound.WAITING)
        except Failure as failure:
            self.running.fail(failure)

    def _on_all_streams(self, _):
        try:
            self._take(tracks.choose(self.tracks, self.settings.source))
        except Failure as failure:
            self.running.fail(failure)

    def _take(self, pad):
        self.durations.stream = pad.get_stream_id()
        elements.link(pad, self._get_pad("frames", "sink"), self.settings.out)
        if not self.format.codecs and hdr.is_hdr(pad.get_current_caps()):
            hdr.insert(self._get_pad("size", "src"), self.running)

    def _get(self, name):
        return self.pipeline.get_by_name(name)

    def _get_pad(self, name, pad):
        return self._get(name).get_static_pad(pad)
