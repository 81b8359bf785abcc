# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The file of a part: a zip of its encoded frames, 000000 and so on, and of what is known
# about them. The index of a zip is at its end, so a file that was cut off has none.

import json
import zipfile

from gi.repository import Gst

ABOUT = "about.json"


def get_path(out, part, n_parts):
    return out.with_name(f"{out.name}.part-{part}-of-{n_parts}")


class Writer:
    """about: what the join compares, by name. Adds the caps of the frames, and the running
    time, the duration, and whether it is a keyframe, of each."""

    def __init__(self, path, about):
        self.about = about
        self.frames = []
        self.file = zipfile.ZipFile(path, "w")

    def add(self, sample):
        frame = sample.get_buffer()
        time = sample.get_segment().to_running_time(Gst.Format.TIME, frame.pts)
        is_key = not frame.has_flags(Gst.BufferFlags.DELTA_UNIT)
        self.about["caps"] = sample.get_caps().to_string()
        self.file.writestr(name(len(self.frames)), frame.extract_dup(0, frame.get_size()))
        self.frames.append((time, frame.duration, is_key))

    def close(self):
        self.file.writestr(ABOUT, json.dumps({**self.about, "frames": self.frames}))
        self.file.close()


class Reader:
    """Raises zipfile.BadZipFile or KeyError, here or later, if the file is not whole."""

    def __init__(self, path):
        self.path = path
        self.file = zipfile.ZipFile(path)
        self.about = json.loads(self.file.read(ABOUT))
        self.frames = self.about.pop("frames")

    def read(self):
        """Yields the frames as they were encoded: each was decoded in the order shown."""
        for number, (time, duration, is_key) in enumerate(self.frames):
            frame = Gst.Buffer.new_wrapped(self.file.read(name(number)))
            frame.pts = frame.dts = time
            frame.duration = duration
            if not is_key:
                frame.set_flags(Gst.BufferFlags.DELTA_UNIT)
            yield frame


def name(number):
    return f"{number:06}"
