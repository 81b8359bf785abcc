# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The first elements of a pipeline, which read a file or pipe: for GStreamer's decoders, or
# with Pillow.

from stylising import pictures, samples


class Source:
    """direction: how frames are to be turned, for videoflip."""

    def __init__(self, path):
        self.path = path
        self.picture = pictures.find(path) if path.is_file() else None
        self.direction = self.picture.get_direction() if self.picture else "auto"
        self.kind = self._choose_kind()

    def describe(self):
        return f"{self.kind} name=source"

    def open(self, pipeline, running):
        """pipeline: with the element that was described."""
        source = pipeline.get_by_name("source")
        if self.kind == "filesrc":
            source.set_property("location", str(self.path))
        elif self.kind == "appsrc":
            source.set_property("caps", self.picture.get_caps())
            samples.feed(source, self.picture.read(), running)
        else:
            self.pipe = open(self.path, "rb")
            source.set_property("fd", self.pipe.fileno())

    def _choose_kind(self):
        """filesrc opens a file twice, and reads it without heeding that the pipeline stops.
        What is in a pipe comes only once, and may never come."""
        if not self.path.is_file():
            return "fdsrc"
        return "appsrc" if self.picture and not self.picture.is_for_gstreamer else "filesrc"
