# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A palette that exists: of a picture, or of a file of GIMP or Lospec. A palette is a list
# of colours, 0xRRGGBB each, without repetition.

import re
import sys

from stylising import pipelines
from stylising.inputs import Source
from stylising.pipelines import Failure, Progress, Running, Unreadable


MAX_COLOURS = 256


def load(path, n_colours, radius, device=""):
    """n_colours and radius, or None: for pictures with more colours than a palette has."""
    parse = {".gpl": parse_gpl, ".hex": parse_hex}.get(path.suffix.lower())
    if not parse:
        colours = load_picture(path, n_colours, radius, device)
    elif n_colours is not None or radius is not None:
        raise Failure(f"{path} says all its colours: leave out --colors and --radius")
    else:
        lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
        colours = list(dict.fromkeys(parse(path, lines)))
    if not 0 < len(colours) <= MAX_COLOURS:
        raise Failure(f"{path}: has {len(colours)} colours instead of 1 to {MAX_COLOURS}")
    return colours


def to_property(colours):
    """The value of the property palette of meanshiftpalette."""
    return '"<' + ",".join(f"0x{colour:06x}" for colour in colours) + '>"'


# --- files ---


def parse_hex(path, lines):
    """A colour a line: RRGGBB."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not re.fullmatch("[0-9a-fA-F]{6}", line.strip()):
            raise Failure(f'{path}, line {number}: "{line}" is not a colour RRGGBB')
        yield int(line, 16)


def parse_gpl(path, lines):
    """A colour a line: R G B and a name. Before them, a title and fields such as Name:. If
    Channels: is RGBA, as Aseprite writes, a colour has alpha."""
    if not lines or lines[0].strip() != "GIMP Palette":
        raise Failure(f'{path}, line 1: "GIMP Palette" is missing')
    has_alpha = False
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or re.match(r"#|[a-z]+:", line, re.IGNORECASE):
            has_alpha |= bool(re.match(r"channels:\s*rgba", line, re.IGNORECASE))
            continue
        codes = re.match(r"\s*(\d{1,3})\s+(\d{1,3})\s+(\d{1,3})(?!\S)", line)
        if not codes or max(map(int, codes.groups())) > 255:
            raise Failure(f'{path}, line {number}: "{line}" is not a colour R G B')
        red, green, blue = map(int, codes.groups())
        if not has_alpha or re.match(r"\s*0*[1-9]", line[codes.end():]):
            yield red << 16 | green << 8 | blue


# --- pictures ---


def load_picture(path, n_colours, radius, device):
    try:
        return find_colours(path, n_colours, radius, device)
    except Unreadable as failure:
        raise Failure(f"{str(failure).rstrip('.')}; this is no palette: take a .gpl file"
                      " (GIMP), a .hex file (Lospec) or a picture") from None


def find_colours(path, n_colours, radius, device):
    """All colours of a picture if a palette can hold them, else its modes."""
    if not n_colours:
        pixels = pipelines.get_data(read_first(path, "video/x-raw,format=RGBA"))
        colours = {red << 16 | green << 8 | blue
                   for red, green, blue, alpha in find_different(pixels) if alpha}
        if len(colours) <= MAX_COLOURS:
            return sorted(colours)
    reduce = "meanshiftpalette name=meanshiftpalette"
    if n_colours:
        reduce += f" colors={n_colours}"
    elif radius is not None:
        reduce += f" radius={radius}"
    frame = pipelines.get_indexed(
        read_first(path, f"{reduce} ! video/x-raw,format=RGB8P", device))
    modes = {frame.palette[index] for index in set(frame.indexes)}
    return sorted(mode & 0xffffff for mode in modes if mode >> 24)


def read_first(path, description, device=""):
    """The first frame of a file behind the elements that are described."""
    source = Source(path)
    pipeline = pipelines.make_pipeline(
        f"{source.describe()} ! decodebin ! videoconvert ! {description}"
        " ! appsink name=sink sync=false")
    pipelines.choose_device(pipeline, device)
    running = Running(pipeline, path)
    source.open(pipeline, running)
    found = []

    def take(sample):
        found.append(sample)
        running.end()

    sink = pipeline.get_by_name("sink")
    pipelines.connect_sink(sink, take, running)
    with Progress(pipeline, sink.get_static_pad("sink")):
        running.run()
    if not found:
        raise Unreadable(f"{path}: there is no picture in it")
    return found[0]


def find_different(pixels):
    """pixels: of four bytes. As words, millions of them are compared in a moment."""
    return [word.to_bytes(4, sys.byteorder) for word in set(memoryview(pixels).cast("I"))]
