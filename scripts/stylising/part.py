# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From a part of IN to the file of a part: frames without sound.

import itertools

from gi.repository import Gst

from stylising import cuts, elements, packets, part_files
from stylising.failure import Failure
from stylising.film import Film
from stylising.progress import Progress


class Part(Film):
    """Decodes only the packets that it needs. Until the part begins, frames go as far as
    the palette, which has to have seen them."""

    def __init__(self, settings, target):
        film = packets.read(settings.source)
        self.film = film
        self.range = cuts.choose_range(film, *settings.part, settings.warm_up,
                                       settings.source)
        self.numbers = itertools.count()
        super().__init__(settings, target)

    def make(self):
        n_frames, end = super().make()
        expected = self.range.n_frames
        if n_frames != expected:
            raise Failure(f"{self.settings.source}: {n_frames} of {expected} frames could"
                          " be decoded in this part: make the film in one run")
        begin, _, _ = self.writer.frames[0]
        return n_frames, end - begin / Gst.SECOND

    def describe_source(self):
        return "filesrc name=source ! parsebin name=parser\ndecodebin name=decoder"

    def show_progress(self):
        """Of a part, not of the film."""
        return Progress(self.pipeline, self._get_last_pad())

    def make_writer(self, target):
        return part_files.Writer(target, {
            "film": self.film.hash.hexdigest(), "filters": self.settings.filters,
            "size": str(self.settings.size), "format": self.format.frames})

    def _prepare_input(self):
        super()._prepare_input()
        parser = self._get("parser")
        parser.connect("autoplug-continue", self._must_be_decoded)
        parser.connect("pad-added", self._on_parsed)
        self._keep(self._get_pad("frames", "sink"), self.range.warm)
        self._keep(self._get_pad("meanshiftpalette", "src"), self.range.begin)

    def _keep(self, pad, begin):
        """Frames from begin to the end of the part pass."""
        def choose(_, info):
            if begin <= info.get_buffer().pts < self.range.end:
                return Gst.PadProbeReturn.OK
            return Gst.PadProbeReturn.DROP

        pad.add_probe(Gst.PadProbeType.BUFFER, choose)

    def _on_parsed(self, _, pad):
        if pad.get_stream_id() == self.film.stream:
            pad.add_probe(Gst.PadProbeType.BUFFER, self._choose_packet)
            elements.link(pad, self._get_pad("decoder", "sink"), self.settings.out)

    def _choose_packet(self, pad, _):
        number = next(self.numbers)
        if number == self.range.stop:
            # The pipeline ends, although there is more to read.
            pad.get_peer().send_event(Gst.Event.new_eos())
        is_needed = self.range.first <= number < self.range.stop
        return Gst.PadProbeReturn.OK if is_needed else Gst.PadProbeReturn.DROP
