# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A film in parts: where it is cut, the file of each part, and how they are joined.

import itertools
import json
import math
import zipfile
from dataclasses import dataclass

from gi.repository import Gst

from stylising import inputs, pipelines
from stylising.film import Film, add_sound, sound_must_be_decoded, to_printf
from stylising.pipelines import Failure, Progress, Running, get_fields


# --- cuts ---

# Where a film is cut into parts. Each run finds the same cuts, as they follow from IN
# alone. A frame belongs to the part that its time lies in, so to exactly one, in whatever
# order packets come.

@dataclass
class Cut:
    """A packet from which decoding can begin, and the time of the first frame after."""
    packet: int
    time: int


@dataclass
class Range:
    """The packets to decode, from first up to but not including stop, and times between
    which frames lie: begin to end those of the part, warm to begin those before it that
    the palette has to have seen."""
    first: int
    stop: int
    warm: int
    begin: int
    end: float
    n_frames: int


def find_cuts(packets):
    """Yields the start, and each keyframe that comes after all frames of the packets before
    it. Frames that precede a keyframe may be stored behind it (an open GOP)."""
    yield Cut(0, min(packets.times))
    latest, keys = packets.times[0], set(packets.keys)
    for packet, time in enumerate(packets.times):
        if packet in keys and time > latest:
            yield Cut(packet, time)
        latest = max(latest, time)


def choose_cuts(cuts, n_packets, n_parts, path):
    """Returns where each part begins: nearest to equal numbers of packets, and so that no
    part is empty."""
    if len(cuts) < n_parts:
        raise Failure(f"{path}: can be cut at keyframes into {len(cuts)} parts, but not"
                      f" into {n_parts}")
    chosen = [0]
    for part in range(1, n_parts):
        ideal = part * n_packets / n_parts
        possible = range(chosen[-1] + 1, len(cuts) - (n_parts - part) + 1)
        chosen.append(min(possible, key=lambda i: abs(cuts[i].packet - ideal)))
    return [cuts[i] for i in chosen]


def choose_range(packets, part, n_parts, warm_up, path):
    """part: from 1. warm_up: in nanoseconds."""
    cuts = list(find_cuts(packets))
    chosen = choose_cuts(cuts, len(packets.times), n_parts, path)
    begin = chosen[part - 1].time
    end = chosen[part].time if part < n_parts else math.inf
    warm = max(begin - warm_up, cuts[0].time)
    first = next(cut for cut in reversed(cuts) if cut.time <= warm)
    in_time = [begin <= time < end for time in packets.times]
    stop = max(i for i, time in enumerate(packets.times) if time < end) + 1
    n_frames = sum(map(all, zip(in_time, packets.shown)))
    return Range(first.packet, stop, warm, begin, end, n_frames)


# --- files of parts ---

# The file of a part: a zip of its encoded frames, 000000 and so on, and of what is known
# about them. The index of a zip is at its end, so a file that was cut off has none.

ABOUT = "about.json"


def get_part_path(out, part, n_parts):
    return out.with_name(f"{out.name}.part-{part}-of-{n_parts}")


class PartWriter:
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
        self.file.writestr(name_frame(len(self.frames)), pipelines.get_data(sample))
        self.frames.append((time, frame.duration, is_key))

    def close(self):
        self.file.writestr(ABOUT, json.dumps({**self.about, "frames": self.frames}))
        self.file.close()


class PartReader:
    """Raises zipfile.BadZipFile or KeyError, here or later, if the file is not whole."""

    def __init__(self, path):
        self.path = path
        self.file = zipfile.ZipFile(path)
        self.about = json.loads(self.file.read(ABOUT))
        self.frames = self.about.pop("frames")

    def read(self):
        """Yields the frames as they were encoded: each was decoded in the order shown."""
        for number, (time, duration, is_key) in enumerate(self.frames):
            frame = Gst.Buffer.new_wrapped(self.file.read(name_frame(number)))
            frame.pts = frame.dts = time
            frame.duration = duration
            if not is_key:
                frame.set_flags(Gst.BufferFlags.DELTA_UNIT)
            yield frame


def name_frame(number):
    return f"{number:06}"


# --- making a part ---

# From a part of IN to the file of a part: frames without sound.

class Part(Film):
    """Decodes only the packets that it needs. Until the part begins, frames go as far as
    the palette, which has to have seen them."""

    def __init__(self, settings, target):
        film = inputs.read_packets(settings.source)
        self.film = film
        self.range = choose_range(film, *settings.part, settings.warm_up,
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
        return PartWriter(target, {
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
            pipelines.link(pad, self._get_pad("decoder", "sink"), self.settings.out)

    def _choose_packet(self, pad, _):
        number = next(self.numbers)
        if number == self.range.stop:
            # The pipeline ends, although there is more to read.
            pad.get_peer().send_event(Gst.Event.new_eos())
        is_needed = self.range.first <= number < self.range.stop
        return Gst.PadProbeReturn.OK if is_needed else Gst.PadProbeReturn.DROP


# --- joining parts ---

# From the files of all parts, and the sound of IN, to OUT. Nothing is encoded but sound.

# Sound waits for frames, which never wait for sound.
JOINED_SOUND = "queue"


class Join:
    """target: the path to write to."""

    def __init__(self, settings, target):
        self.settings = settings
        self.format = settings.format
        self.parts = open_parts(settings)
        self.pipeline = pipelines.make_pipeline(self._describe())
        self.running = Running(self.pipeline, settings.source, settings.out)
        self._prepare_frames()
        if self.format.muxer:
            self._prepare_sound()
        sink = self.pipeline.get_by_name("sink")
        sink.set_property("location", str(target) if self.format.muxer
                          else to_printf(target))

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
        pipelines.feed_source(source, self._read(), self.running)

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
        if pipelines.get_caps_name(caps).startswith("audio/"):
            return sound_must_be_decoded(self.format, caps)
        return not get_fields(caps).has_field("width")

    def _on_stream(self, _, pad):
        try:
            if pipelines.get_caps_name(pad.query_caps()).startswith("audio/"):
                add_sound(self.pipeline, self.settings, pad, JOINED_SOUND)
            else:
                pipelines.discard(self.pipeline, pad)
        except Failure as failure:
            self.running.fail(failure)


def open_parts(settings):
    """Returns readers. All parts must be there, of this film, and made alike."""
    paths = [get_part_path(settings.out, part, settings.n_parts)
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
    if parts[0].about["film"] != inputs.read_packets(settings.source).hash.hexdigest():
        raise Failure(f"{parts[0].path}: was made of another film than {settings.source}")
    return parts


def open_part(path):
    try:
        return PartReader(path)
    except (zipfile.BadZipFile, KeyError, json.JSONDecodeError):
        raise Failure(say_damaged(path)) from None


def say_damaged(path):
    return f"{path}: is not whole: make this part again"
