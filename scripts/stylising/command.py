# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From a command line to the film, or the part of it, that it asks for.

import argparse
import contextlib
import difflib
import itertools
import math
import os
import pathlib
import re
import tempfile
from dataclasses import dataclass

from stylising import film, palettes, pictures, pipelines
from stylising.film import Film
from stylising.parts import Join, Part, get_part_path
from stylising.pipelines import Failure


# --- options ---

DESCRIPTION = """\
Reduces a film or a picture IN to few colours, with the element meanshiftpalette.
OUT says what is made:

  NAME.webm   film, VP9, or with --codec vp8; sound in Opus or Vorbis
  NAME.mp4    film, H.264; sound in AAC
  NAME.gif    film without sound, of at most 256 colours a frame
  %05d.png    a picture for each frame, 00001.png and so on
  NAME.png    the first frame

Sound that OUT can hold as it is, is copied; other sound is encoded. Time stamps stay,
and the picture is turned upright. An OUT that exists is replaced when the new one is
whole; after an error or Ctrl-C it is as it was. Pictures of a sequence are not
replaced."""

EXAMPLES = """\
examples:
  scripts/stylise holiday.mp4 poster.mp4 --colors 12 --blur 1.5
  scripts/stylise holiday.mp4 small.gif --colors 32 --size 480x480
  scripts/stylise holiday.mp4 look.png --radius 0.03
  scripts/stylise holiday.mp4 painted.webm --palette painting.jpg --colors 24
  scripts/stylise holiday.mp4 %05d.png --palette sweetie-16.hex"""

# argparse takes these for values.
NEGATIVE_NUMBER = re.compile(r"-[\d.]+(e[-+]?\d+)?", re.IGNORECASE)
# After so many, a hundredth of what was before is left.
TIME_CONSTANTS = 5


@dataclass
class Settings:
    source: pathlib.Path
    out: pathlib.Path
    format: film.Format
    filters: str
    size: tuple
    device: str
    warm_up: int
    part: tuple
    n_parts: int


def number(low, high, kind):
    def parse(text):
        value = kind(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not within {low} and {high:g}")
        return value
    parse.__name__ = "number"
    return parse


def size(text):
    found = re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text} is not like 640x360")
    return int(found[1]), int(found[2])


def part(text):
    found = re.fullmatch(r"([1-9]\d{0,4})/([1-9]\d{0,4})", text)
    if not found or int(found[1]) > int(found[2]):
        raise argparse.ArgumentTypeError(f"{text} is not like 3/8")
    return int(found[1]), int(found[2])


def make_parser():
    parser = argparse.ArgumentParser(
        prog="stylise", description=DESCRIPTION, epilog=EXAMPLES, allow_abbrev=False,
        usage="%(prog)s IN OUT [OPTION...]",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="IN", type=pathlib.Path,
                        help="what GStreamer can decode")
    parser.add_argument("out", metavar="OUT", type=pathlib.Path)
    how_many = parser.add_mutually_exclusive_group()
    how_many.add_argument("--colors", metavar="N", type=number(1, 256, int),
                          help="number of colours, 1 to 256")
    how_many.add_argument("--radius", metavar="R", type=number(0, math.sqrt(3), float),
                          help="colours nearer than this become one; 0.02 by default")
    parser.add_argument("--blur", metavar="S", type=number(0, 1000, float),
                        help="standard deviation of a blur before, in pixels")
    parser.add_argument("--palette", metavar="FILE", type=pathlib.Path,
                        help="use the colours of a .gpl (GIMP) or .hex (Lospec) file,"
                        " or of a picture")
    parser.add_argument("--quality", choices=("live", "exact"), default="live",
                        help="exact: mean shift by its formula, which is slow")
    parser.add_argument("--stability", metavar="S", type=number(0, 1, float), default=0.5,
                        help="how much colours stay from frame to frame; 0.5 by default")
    parser.add_argument("--size", metavar="WxH", type=size,
                        help="scale to fit into W by H pixels")
    parser.add_argument("--codec", choices=tuple(film.VIDEO_ENCODERS),
                        help="of films: vp9 (default) or vp8 in .webm, h264 in .mp4")
    parser.add_argument("--device", metavar="D", default="",
                        help="Vulkan device: its index, its UUID or a part of its name")
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--part", metavar="K/N", type=part,
                       help="makes the K-th of N parts of a film, in a file beside OUT")
    parts.add_argument("--join", metavar="N", type=number(1, 99999, int),
                       help="puts N parts together to OUT, with the sound of IN")
    return parser


def check_options(parser, arguments):
    """argparse takes the value of an unknown option for a file, or says that a file is
    missing."""
    # argparse writes names of values with "_".
    values = vars(parser.parse_args(["IN", "OUT"]))
    names = {"help", *(name.replace("_", "-") for name in values)} - {"source", "out"}
    known = {"-h", "-", *(f"--{name}" for name in names)}
    for argument in itertools.takewhile(lambda argument: argument != "--", arguments):
        option = argument.partition("=")[0]
        if (argument.startswith("-") and option not in known
                and not NEGATIVE_NUMBER.fullmatch(argument)):
            parser.error(f"there is no option {option}: {advise(option, names)}")


def advise(option, names):
    near = difflib.get_close_matches(option.strip("-"), names, n=1)
    if near and "." not in option:
        return f"did you mean --{near[0]}?"
    return f"see stylise --help, or if it is a file, write ./{option}"


def check_names(given):
    """GStreamer takes UTF-8 from Python."""
    for path in filter(None, (given.source, given.out, given.palette)):
        try:
            str(path).encode()
        except UnicodeEncodeError:
            raise Failure(f"{path}: the name is not in UTF-8: rename it") from None


def check_files(given):
    for path in filter(None, (given.source, given.palette)):
        if not path.exists():
            raise Failure(f"{path}: there is no such file")
        if path.is_dir():
            raise Failure(f"{path}: is a folder")
    if not given.out.parent.is_dir():
        raise Failure(f"{given.out.parent}: there is no such folder")
    if given.out.is_dir():
        raise Failure(f"{given.out}: is a folder")


def check_can_be_cut(source):
    if not source.is_file():
        raise Failure(f"{source}: is no file: --part and --join read it more than once")
    if pictures.find_picture(source):
        raise Failure(f"{source}: is a picture, which has no parts: make OUT in one run")


def check(given):
    check_names(given)
    check_files(given)
    if given.out.exists() and given.out.samefile(given.source):
        raise Failure(f"{given.out}: is the same file as {given.source}")
    if given.part or given.join:
        check_can_be_cut(given.source)
    if film.is_sequence(given.out) and film.find_pictures(given.out):
        raise Failure(f"{given.out}: the folder has such pictures already, which would mix"
                      " with the new ones: remove them, or take another folder")
    if given.quality == "exact":
        for name, used in (("--colors", given.colors), ("--palette", given.palette),
                           (".gif", given.out.suffix.lower() == ".gif")):
            if used:
                raise Failure(f"--quality exact does not limit the number of colours:"
                              f" leave it out for {name}")


def describe_filters(given):
    """Returns the elements that change the picture, as for gst-launch-1.0."""
    palette = (f"meanshiftpalette name=meanshiftpalette quality={given.quality}"
               f" stability={given.stability}")
    if given.palette:
        colours = palettes.load(given.palette, given.colors, given.radius,
                                given.device)
        palette += f" palette={palettes.to_property(colours)}"
    elif given.colors:
        palette += f" colors={given.colors}"
    elif given.radius is not None:
        palette += f" radius={given.radius}"
    return f"gpublur name=gpublur sigma={given.blur} ! {palette}" if given.blur else palette


def choose_warm_up(given):
    """Returns for how long the palette has to have seen a film, in nanoseconds: what it
    keeps then hardly depends on what was before. The longest time constant of
    docs/internals/temporal.md is that of noise, or of modes if colors limits them."""
    if given.quality == "exact" or not (given.stability or given.palette):
        return 0
    longest = max(1, 2 * given.stability) if given.colors else 1
    return round(TIME_CONSTANTS * longest * 1e9)


def check_join(parser, given):
    """The parts were made with options."""
    for name, value in vars(given).items():
        if (name not in ("source", "out", "join") and value != parser.get_default(name)):
            raise Failure(f"leave out --{name}: --join takes the parts as they were made")


def parse(arguments):
    parser = make_parser()
    check_options(parser, arguments)
    given = parser.parse_args(arguments)
    check(given)
    pipelines.find_plugins()
    format = film.choose_format(given.out, given.codec)
    if given.join:
        check_join(parser, given)
        film.check_parts(format, given.out)
    if given.part:
        format = film.to_part(format, given.out)
    return Settings(given.source, given.out, format, describe_filters(given), given.size,
                    given.device, choose_warm_up(given), given.part, given.join)


# --- OUT ---

# OUT appears when it is whole: until then it is in a hidden folder beside it.

@contextlib.contextmanager
def begin_result(out):
    """Gives the path to write to. OUT stays as it was if there is an exception."""
    try:
        hidden = tempfile.TemporaryDirectory(prefix=".stylise-", dir=out.parent)
    except OSError as error:
        raise Failure(f"{out}: its folder cannot be written to: {error.strerror}") from None
    with hidden as name:
        folder = pathlib.Path(name)
        try:
            yield folder / out.name
            pipelines.ignore_signals()
            for file in sorted(os.listdir(folder)):
                os.replace(folder / file, out.parent / file)
        except pipelines.Stopped as stopped:
            state = "is as it was" if out.exists() else "was not made"
            raise Failure(f"{stopped}; {out} {state}", stopped.status) from None
        except Failure as failure:
            raise Failure(name_seen(failure, folder, out)) from None
        except OSError as error:
            # Of a file that is open, it does not say the name.
            name = name_seen(error.filename or out, folder, out)
            raise Failure(f"{name}: {error.strerror}") from None
        finally:
            # The folder is now removed.
            pipelines.ignore_signals()


def name_seen(text, folder, out):
    """The user looks for files where they are to be."""
    return str(text).replace(str(folder), str(out.parent))


def measure_result(target):
    """The bytes that were written, for people."""
    n_bytes = sum(file.stat().st_size for file in target.parent.iterdir())
    if n_bytes >= 1e6:
        return f"{n_bytes / 1e6:.1f} MB"
    return f"{n_bytes / 1e3:.0f} kB" if n_bytes >= 1e3 else f"{n_bytes} bytes"


def run(arguments):
    """Returns what there is at the end, in a line."""
    settings = parse(arguments)
    out, kind = settings.out, Join if settings.n_parts else Film
    if settings.part:
        out, kind = get_part_path(out, *settings.part), Part
    with begin_result(out) as target:
        n_frames, seconds = kind(settings, target).make()
        size = measure_result(target)
    frames = "1 frame" if n_frames == 1 else f"{n_frames} frames, {seconds:.1f} s"
    return f"{out}: {frames}, {size}"
