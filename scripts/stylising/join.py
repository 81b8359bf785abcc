# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From the files of all parts, and the sound of IN, to OUT. Nothing is encoded but sound.

import json
import zipfile

from gi.repository import Gst

from stylising import elements, formats, packets, part_files, samples, sound
from stylising.caps import get_fields
from stylising.failure import Failure
from stylising.progress import Progress
from stylising.running import Running

# Sound waits for frames, which never wait for sound.
WAITING = "queue"


class Join:
    """target: the path to write to."""

    def __init__(self, settings, target):
        self.settings = settings
        self.format = settings.format
        self.parts = open_parts(settings)
        self.pipeline = elements.make_pipeline(self._describe())
        self.running = Running(self.pipeline, settings.source, settings.out)
        self._prepare_frames()
        if self.format.muxer:
            self._prepare_sound()
        sink = self.pipeline.get_by_name("sink")
        sink.set_property("location", str(target) if self.format.muxer
                          else formats.to_printf(target))

    def make(self):
        """Returns the number of frames, and their time in seconds."""
        done = self.pipeline.get_by_name("frames").get_static_pad("src")
        with Progress(self.pipeline, done) as progress:
            self.running.run()
        return progress.n_frames, progress.seconds

    def _describe(self):
        if not self.format.muxer:
            return f"appsrc name=frames ! {self.format.sink}"
        return (f"{self.format.describe_muxer()}\n"
                "appsrc name=frames ! queue ! muxer.video_0\n"
                "filesrc name=source ! decodebin name=decoder")

    def _prepare_frames(self):
        source = self.pipeline.get_by_name("frames")
        source.set_property("caps", Gst.Caps.from_string(self.parts[0].about["caps"]))
        samples.feed(source, self._read(), self.running)

    def _read(self):
        for part in self.parts:
            try:
                yield from part.read()
            except (zipfile.BadZipFile, KeyError):
                raise Failure(say_damaged(part.path)) from None

    def _prepare_sound(self):
        self.pipeline.get_by_name("source").set_property(
            "location", str(self.settings.source))
        decoder = self.pipeline.get_by_name("decoder")
        decoder.connect("autoplug-continue", self._must_be_decoded)
        decoder.connect("pad-added", self._on_stream)
        # A muxer must know all streams before it gets the first frame.
        pad = self.pipeline.get_by_name("frames").get_static_pad("src")
        block = pad.add_probe(Gst.PadProbeType.BLOCK_DOWNSTREAM,
                              lambda *_: Gst.PadProbeReturn.OK)
        decoder.connect("no-more-pads", lambda _: pad.remove_probe(block))

    def _must_be_decoded(self, _, pad, caps):
        """Not pictures. Containers such as video/webm have no width."""
        if elements.get_name(caps).startswith("audio/"):
            return sound.must_be_decoded(self.format, caps)
        return not get_fields(caps).has_field("width")

    def _on_stream(self, _, pad):
        try:
            if elements.get_name(pad.query_caps()).startswith("audio/"):
                sound.add(self.pipeline, self.settings, pad, WAITING)
            else:
                elements.discard(self.pipeline, pad)
        except Failure as failure:
            self.running.fail(failure)


def open_parts(settings):
    """Returns readers. All parts must be there, of this film, and made alike."""
    paths = [part_files.get_path(settings.out, part, settings.n_parts)
             for part in range(1, settings.n_parts + 1)]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise Failure(f"{', '.join(missing)}: there is no such file: make what is missing"
                      " with --part")
    parts = [open_part(path) for path in paths]
    for part in parts:
        if part.about != parts[0].about:
            raise Failure(f"{part.path}: was made with other options or of another film"
                          f" than {parts[0].path.name}: make one of them again")
    if parts[0].about["film"] != packets.read(settings.source).hash.hexdigest():
        raise Failure(f"{parts[0].path}: was made of another film than {settings.source}")
    return parts


def open_part(path):
    try:
        return part_files.Reader(path)
    except (zipfile.BadZipFile, KeyError, json.JSONDecodeError):
        raise Failure(say_damaged(path)) from None


def say_damaged(path):
    return f"{path}: is not whole: make this part again"
