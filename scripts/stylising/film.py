# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From IN to OUT: one pipeline, which decodes, filters, encodes and writes.

from gi.repository import Gst, GstPbutils

from stylising import elements, formats, gif, samples, size
from stylising.failure import Failure
from stylising.progress import Progress
from stylising.running import Running

# Stages run in threads of their own, with few frames between them.
HANDOVER = "queue max-size-buffers=4 max-size-bytes=0 max-size-time=0"

# A muxer waits for all streams, and an encoder may hold back seconds of one of them.
WAITING = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"


class Film:
    """target: the path to write to."""

    def __init__(self, settings, target):
        self.settings = settings
        self.format = settings.format
        self.pipeline = elements.make_pipeline(describe(settings))
        self.running = Running(self.pipeline, settings.source)
        self.has_picture = False
        self.gif = None
        self._prepare_input()
        self._prepare_output(target)

    def make(self):
        """Returns the number of frames, and their time in seconds."""
        with Progress(self._get_last_pad(), self._get_pad("frames", "sink")) as progress:
            self.running.run()
        if self.gif:
            self.gif.close()
        if not progress.n_frames:
            raise Failure(f"{self.settings.source}: there is no picture in it")
        return progress.n_frames, progress.seconds

    def _prepare_input(self):
        self._get("source").set_property("location", str(self.settings.source))
        decoder = self._get("decoder")
        decoder.connect("autoplug-continue", self._must_be_decoded)
        decoder.connect("unknown-type", self._on_unknown)
        decoder.connect("pad-added", self._on_stream)
        decoder.connect("no-more-pads", self._on_all_streams)
        size.fit(self._get_pad("upright", "src"), self._get("size"),
                 self.settings.size, self.format.even)

    def _prepare_output(self, target):
        sink = self._get("sink")
        kind = sink.get_factory().get_name()
        if kind == "appsink":
            self.gif = gif.Writer(target)
            samples.connect(sink, self._add_to_gif)
        elif kind == "multifilesink":
            sink.set_property("location", formats.to_printf(target))
        else:
            sink.set_property("location", str(target))

    def _add_to_gif(self, sample):
        try:
            self.gif.add(sample)
        except Exception as error:
            # In this thread it would only be printed.
            self.running.fail(error)

    def _get_last_pad(self):
        """The last one where buffers are frames, with the times of frames."""
        if self.format.muxer:
            return self._get_pad("meanshiftpalette", "src")
        return self._get_pad("sink", "sink")

    # --- streams, as they are found, in a thread of GStreamer ---

    def _must_be_decoded(self, _, pad, caps):
        """Not sound that is copied or left out."""
        if not get_name(caps).startswith("audio/"):
            return True
        copied = Gst.Caps.from_string(self.format.copied)
        return bool(self.format.muxer) and not caps.is_subset(copied)

    def _on_unknown(self, _, pad, caps):
        if get_name(caps).startswith(("video/", "image/", "audio/")):
            what = GstPbutils.pb_utils_get_codec_description(caps)
            self.running.fail(Failure(
                f"{self.settings.source}: there is no decoder for {what}: install"
                " gstreamer1.0-libav or gstreamer1.0-plugins-bad"))

    def _on_stream(self, _, pad):
        name = get_name(pad.query_caps())
        try:
            if name == "video/x-raw" and not self.has_picture:
                self.has_picture = True
                link(pad, self._get_pad("frames", "sink"))
            elif name.startswith("audio/") and self.format.muxer:
                self._add_sound(pad, is_decoded=name == "audio/x-raw")
        except Failure as failure:
            self.running.fail(failure)

    def _add_sound(self, pad, is_decoded):
        sound = elements.make_bin(
            f"{WAITING} ! {self.format.sound}" if is_decoded else WAITING)
        encoded = sound.get_static_pad("src")
        if is_decoded:
            encoded.set_offset(-self.format.sound_delay)
        self.pipeline.add(sound)
        link(encoded, self._get("muxer").request_pad_simple("audio_%u"))
        sound.sync_state_with_parent()
        link(pad, sound.get_static_pad("sink"))

    def _on_all_streams(self, _):
        if not self.has_picture:
            self.running.fail(Failure(f"{self.settings.source}: there is no picture in it"))

    def _get(self, name):
        return self.pipeline.get_by_name(name)

    def _get_pad(self, name, pad):
        return self._get(name).get_static_pad(pad)


def get_name(caps):
    return caps.get_structure(0).get_name()


def link(source, sink):
    """As Gst.Pad.link(), which python3-gst-1.0 changes."""
    source.link_full(sink, Gst.PadLinkCheck.DEFAULT)
    if not source.is_linked():
        raise Failure(f"{source.query_caps().to_string()} does not fit OUT")


def describe(settings):
    """Chains of elements. The decoder is linked to the others when it has pads."""
    write = settings.format.frames
    chains = ["filesrc name=source ! decodebin name=decoder"]
    if settings.format.muxer:
        write += f" ! {WAITING} ! muxer."
        chains.append(f"{settings.format.muxer} name=muxer ! filesink name=sink")
    chains.append(f"{HANDOVER} name=frames ! videoflip name=upright video-direction=auto"
                  " ! videoconvertscale add-borders=false ! capsfilter name=size"
                  f" ! {settings.filters} ! {HANDOVER} ! {write}")
    return "\n".join(chains)
