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
  scripts/stylise holiday.mp4 calm.webm --preset calm
  scripts/stylise holiday.mp4 flat.webm --colors 16 --chroma 1 --blur 2.5 --range 0.05
  scripts/stylise holiday.mp4 painted.webm --palette painting.jpg --colors 24
  scripts/stylise holiday.mp4 %05d.png --palette sweetie-16.hex"""

# argparse takes these for values.
NEGATIVE_NUMBER = re.compile(r"-[\d.]+(e[-+]?\d+)?", re.IGNORECASE)
# What does not matter to the look.
BESIDE_PRESET = "source", "out", "preset", "size", "codec", "device", "part", "join"
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
    parser.add_argument("--preset", metavar="NAME",
                        help="a look of docs/presets.md: poster, retro-16, calm or detail")
    how_many = parser.add_mutually_exclusive_group()
    how_many.add_argument("--colors", metavar="N", type=number(1, 256, int),
                          help="number of colours, 1 to 256")
    how_many.add_argument("--radius", metavar="R", type=number(0, math.sqrt(3), float),
                          help="colours nearer than this become one; 0.02 by default")
    parser.add_argument("--chroma", metavar="C", type=number(0.5, 3, float),
                        help="weight of hue and saturation against lightness;"
                        " 2 by default with --colors, else 1")
    parser.add_argument("--blur", metavar="S", type=number(0, 1000, float),
                        help="standard deviation of a blur before, in pixels")
    parser.add_argument("--range", metavar="R", type=number(0, 1, float),
                        help="makes the blur a bilateral filter, which keeps edges between"
                        " colours that differ by more than about R")
    parser.add_argument("--rounds", metavar="N", type=number(1, 4, int), default=1,
                        help="how often the bilateral filter is applied; once by default")
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


def check_left_out(parser, given, allowed, reason):
    for name, value in vars(given).items():
        if name not in allowed and value != parser.get_default(name):
            raise Failure(f"leave out --{name}: {reason}")


def check_filters(parser, given):
    if given.preset is not None:
        check_left_out(parser, given, BESIDE_PRESET, "--preset sets all that makes the look")
    if given.range is not None and not given.blur:
        raise Failure("--range needs --blur: it makes the blur a bilateral filter")
    if given.rounds > 1 and given.range is None:
        raise Failure("--rounds needs --range: only the bilateral filter has rounds")


def check(parser, given):
    check_names(given)
    check_files(given)
    check_filters(parser, given)
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
    if given.preset is not None:
        return " ! ".join(describe_preset(given.preset))
    return " ! ".join(filter(None, (describe_blur(given), describe_palette(given))))


def describe_preset(preset):
    """Yields the elements with the preset. gpublur may lack a preset of the user's own."""
    for name in "gpublur", "meanshiftpalette":
        # A description of one element makes that element.
        presets = pipelines.make_pipeline(name).get_preset_names()
        if preset in presets:
            # In quotes it would not be found.
            yield f"{name} name={name} @preset={re.escape(preset)}"
        elif name == "meanshiftpalette":
            raise Failure(f"there is no preset {preset} of {name}: there are"
                          f" {', '.join(presets)}")


def describe_blur(given):
    if not given.blur:
        return ""
    blur = f"gpublur name=gpublur sigma={given.blur}"
    if given.range is not None:
        blur += f" kernel=bilateral range={given.range} rounds={given.rounds}"
    return blur


def describe_palette(given):
    palette = (f"meanshiftpalette name=meanshiftpalette quality={given.quality}"
               f" stability={given.stability}")
    if given.chroma is not None:
        palette += f" chroma={given.chroma}"
    if given.palette:
        colours = palettes.load(given.palette, given.colors, given.radius,
                                given.device)
        palette += f" palette={palettes.to_property(colours)}"
    elif given.colors:
        palette += f" colors={given.colors}"
    elif given.radius is not None:
        palette += f" radius={given.radius}"
    return palette


def choose_warm_up(filters):
    """Returns for how long the palette has to have seen a film, in nanoseconds: what it
    keeps then hardly depends on what was before. The longest time constant of
    docs/internals/temporal.md is that of noise, or of modes if colors limits them."""
    palette = pipelines.make_bin(filters).get_by_name("meanshiftpalette")
    quality, stability, colours, given = (
        palette.get_property(name) for name in ("quality", "stability", "colors", "palette"))
    if quality.value_nick == "exact" or not (stability or given):
        return 0
    longest = max(1, 2 * stability) if colours else 1
    return round(TIME_CONSTANTS * longest * 1e9)


def check_join(parser, given):
    """The parts were made with options."""
    check_left_out(parser, given, ("source", "out", "join"),
                   "--join takes the parts as they were made")


def parse(arguments):
    parser = make_parser()
    check_options(parser, arguments)
    given = parser.parse_args(arguments)
    check(parser, given)
    pipelines.find_plugins()
    format = film.choose_format(given.out, given.codec)
    if given.join:
        check_join(parser, given)
        film.check_parts(format, given.out)
    if given.part:
        format = film.to_part(format, given.out)
    filters = describe_filters(given)
    return Settings(given.source, given.out, format, filters, given.size, given.device,
                    choose_warm_up(filters), given.part, given.join)


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
