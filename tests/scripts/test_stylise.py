#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_stylise.py SCRIPT

Makes small films, runs scripts/stylise on them, and reads the results. Prints TAP.
"""
import os
import pathlib
import pty
import re
import select
import signal
import struct
import sys
import tempfile
from types import SimpleNamespace
from unittest import mock

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstPbutils", "1.0")
from gi.repository import Gst
from PIL import Image, ImageOps, ImageSequence

import harness
import media
import program
from harness import STYLISE, fail, fail_here, interrupted, refuse, run_here, stylise
from media import SMALL, SOUND, check_sounds, check_times, make_film, make_irregular
from stylising import command, inputs, palettes
from stylising.pipelines import Failure, Progress

FEW = "--colors", "6"

PALETTE = [0x1a1c2c, 0x5d275d, 0xb13e53, 0xef7d57, 0xffcd75]
HEX = "".join(f"{colour:06X}\n" for colour in PALETTE)


# --- sources ---

def make_mp4(path):
    make_film(path, "x264enc", "mp4mux", sound=SOUND.format(20, "avenc_aac"))


def turn(path):
    """Says in an MP4 that its picture is to be turned, as telephones do."""
    data = bytearray(pathlib.Path(path).read_bytes())
    matrix = data.index(b"tkhd") + 44
    struct.pack_into(">5i", data, matrix, 0, 1 << 16, 0, -1 << 16, 0)
    pathlib.Path(path).write_bytes(data)


def make_animation(path, delays):
    """Repeats forever, in milliseconds, from blue to red."""
    frames = [Image.new("RGB", (64, 48), (50 * i, 0, 250 - 50 * i))
              for i in range(len(delays))]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=delays, loop=0)


def make_flat(path, code, colorimetry):
    """A grey film of this code in R'G'B'."""
    make_film(path, "vp8enc min-quantizer=0 max-quantizer=4", "webmmux",
              "pattern=solid-color foreground-color=0xff" + 3 * f"{code:02x}"
              + " ! video/x-raw,format=I420,width=64,height=48,colorimetry="
              + colorimetry, 1)


# --- what is in a result ---

def get_colours(picture):
    return {red << 16 | green << 8 | blue
            for _, (red, green, blue) in picture.convert("RGB").getcolors(1 << 12)}


def get_delays(path):
    with Image.open(path) as film:
        return [frame.info["duration"] for frame in ImageSequence.Iterator(film)]


# --- films ---

def test_mp4_to_mp4():
    make_mp4("in.mp4")
    assert "10 frames" in stylise("in.mp4", "out.mp4", *FEW)
    source, result = media.read("in.mp4"), media.read("out.mp4")
    check_times(result["video"], source["video"])
    assert result["video"].size == (64, 48)
    assert result["audio"].data == source["audio"].data, "sound was not copied"


def test_mp4_to_webm():
    make_mp4("in.mp4")
    run_here("in.mp4", "out.webm", "--codec", "vp8", *FEW)
    source, result = media.read("in.mp4"), media.read("out.webm")
    check_times(result["video"], source["video"])
    check_sounds(result["audio"], source["audio"])


def test_irregular_times_odd_size_long_sound():
    make_irregular("in.webm")
    source = media.read("in.webm")
    run_here("in.webm", "out.webm", *FEW)
    result = media.read("out.webm")
    check_times(result["video"], source["video"])
    assert result["video"].size == (65, 49)
    assert result["audio"].data == source["audio"].data, "sound was not copied"
    run_here("in.webm", "out.mp4", *FEW)
    result = media.read("out.mp4")
    check_times(result["video"], source["video"])
    assert result["video"].size == (64, 48)
    check_sounds(result["audio"], source["audio"])


def test_no_sound_and_many_frames():
    """More frames than an encoder may hold back and lose. Time stamps of MPEG-TS begin
    anywhere."""
    make_film("in.ts", "x264enc", "mpegtsmux", SMALL.replace("ball", "snow"), 30)
    said = run_here("in.ts", "out.webm", "--size", "160x160", *FEW)
    assert "30 frames, 1.0 s" in said, said
    source, result = media.read("in.ts"), media.read("out.webm")
    assert "audio" not in result
    check_times(result["video"], source["video"])
    assert result["video"].size == (160, 120)


def test_sound_with_a_hole():
    """As AAC it has all its frames, though Matroska rounds their times, and silence."""
    media.make("in.mkv", SOUND.format(60, "identity name=frames")
               + f"videotestsrc num-buffers=10 {SMALL} ! vp8enc ! queue ! muxer."
               " matroskamux name=muxer", set(range(20, 30)))
    run_here("in.mkv", "out.mp4", *FEW)
    source, result = (media.read(name)["audio"] for name in ("in.mkv", "out.mp4"))
    assert result.times[0] < media.ROUNDING, result.times
    assert len(b"".join(result.data)) // 2 == 60 * 1024
    late = media.find_sounds(result)[-1] - media.find_sounds(source)[-1]
    assert abs(late - 10 * 1024 / media.RATE) < media.ROUNDING, late


# --- GIF and pictures ---

def test_gif_and_sequence():
    make_irregular("in.webm")
    pathlib.Path("five.hex").write_text(HEX)
    run_here("in.webm", "out.gif", "--palette", "five.hex")
    run_here("in.webm", "%02d.png", "--palette", "five.hex")
    times = media.read("in.webm")["video"].times
    n_frames, begin = 0, 0
    with Image.open("out.gif") as film:
        assert film.info["loop"] == 0
        for n_frames, frame in enumerate(ImageSequence.Iterator(film), 1):
            assert abs(begin / 1000 - times[n_frames - 1]) < 0.006, (n_frames, begin, times)
            begin += frame.info["duration"]
            with Image.open(f"{n_frames:02}.png") as picture:
                assert frame.convert("RGB").tobytes() == picture.convert("RGB").tobytes()
                colours = get_colours(picture)
                assert colours <= set(PALETTE) and len(colours) > 1, colours
    assert n_frames == len(times)
    assert "mix" in refuse("in.webm", "%02d.png")


def test_gif_of_fast_film():
    """Viewers of GIF show at most 50 frames a second."""
    make_film("in.webm", "vp8enc", "webmmux", SMALL.replace("=30", "=100"), 21)
    run_here("in.webm", "out.gif", *FEW)
    assert get_delays("out.gif") == [20] * 11, get_delays("out.gif")


def test_from_gif():
    """A delay of 0 is shown as a tenth of a second. The last frame keeps its duration, also
    from the film that was made."""
    make_animation("in.gif", [50, 0, 300, 3000])
    assert "4 frames, 3.5 s" in run_here("in.gif", "out.webm", "--codec", "vp8")
    for source in "in.gif", "out.webm":
        assert "4 frames, 3.5 s" in run_here(source, "out.gif")
        assert get_delays("out.gif") == [50, 100, 300, 3000], get_delays("out.gif")
    film = media.read("out.webm")["video"]
    check_times(film, media.Stream([0, 0.05, 0.15, 0.45]))
    reds = [pixels[0] for pixels in film.data]
    assert all(abs(red - 50 * i) < 8 for i, red in enumerate(reds)), reds
    Image.new("RGB", (8, 8)).save("still.gif")
    assert "1 frame," in run_here("still.gif", "out.png", *FEW)


def test_gif_that_cannot_be_read():
    make_animation("in.gif", [50, 50])
    gif = pathlib.Path("in.gif").read_bytes()
    pathlib.Path("cut.gif").write_bytes(gif[:len(gif) // 2])
    assert "cut.gif: the picture is damaged" in fail_here("cut.gif", "out.webm")
    assert "no parts" in refuse("in.gif", "out.webm", "--part", "1/2")
    with program.open_pipe("pipe") as pipe:
        os.write(pipe, gif.ljust(8192))
        assert "write it to a file" in fail("pipe", "out.png")


def test_first_frame_upright():
    """Of a film in a format that GStreamer cannot turn."""
    make_film("in.mp4", "x264enc", "mp4mux", SMALL.replace("I420", "Y42B"), 30)
    turn("in.mp4")
    assert "1 frame," in run_here("in.mp4", "out.png", "--blur", "1", *FEW)
    assert pathlib.Path("out.png").read_bytes().count(b"IEND") == 1
    with Image.open("out.png") as picture:
        assert picture.size == (48, 64)


def test_orientation():
    """As EXIF says it of pictures."""
    picture = Image.new("RGB", (48, 32), "red")
    picture.paste("blue", (0, 0, 16, 8))
    kinds = "jpg", "png", "webp", "tiff", "webp", "png", "jpg"
    for orientation, kind in enumerate(kinds, 2):
        exif = Image.Exif()
        exif[0x112] = orientation
        picture.save(f"in.{kind}", exif=exif)
        with Image.open(f"in.{kind}") as turned:
            turned.load()
            expected = ImageOps.exif_transpose(turned).convert("RGB")
        run_here(f"in.{kind}", "out.png", "--colors", "2")
        with Image.open("out.png") as result:
            assert result.size == expected.size, (kind, orientation)
            for x, y in (1, 1), (-2, 1), (1, -2), (-2, -2):
                at = x % result.width, y % result.height
                differences = zip(result.convert("RGB").getpixel(at), expected.getpixel(at))
                assert all(abs(a - b) < 9 for a, b in differences), (kind, orientation, at)


def test_animations():
    """Those that GStreamer does not decode, or shows one frame of. A GIF can show a frame
    for 655 s; so a longer one is there twice."""
    make_animation("in.webp", [100, 700000, 200])
    assert "3 frames, 700.3 s" in run_here("in.webp", "out.gif")
    assert get_delays("out.gif") == [100, 655330, 44670, 200], get_delays("out.gif")
    make_animation("in.png", [100, 200, 300])
    assert "3 frames, 0.6 s" in run_here("in.png", "out.gif")
    assert get_delays("out.gif") == [100, 200, 300], get_delays("out.gif")
    assert "no parts" in refuse("in.png", "out.webm", "--part", "1/2")


def test_pictures_of_all_kinds():
    picture = Image.new("RGB", (41, 31), (255, 255, 0))
    picture.paste((0, 0, 0), (0, 0, 16, 31))
    picture.save("in.bmp")
    picture.save("in.tiff")
    picture.convert("CMYK").save("in.jpg", quality=100)
    Image.new("I;16", (40, 30), 0x80ff).save("grey.tiff")
    for name in "in.tiff", "in.bmp", "in.jpg":
        assert "1 frame," in run_here(name, "out.png", *FEW)
        with Image.open("out.png") as result:
            assert get_colours(result) == {0, 0xffff00}, (name, get_colours(result))
    assert palettes.load(pathlib.Path("in.bmp"), None, None) == [0, 0xffff00]
    run_here("grey.tiff", "out.png", *FEW)
    with Image.open("out.png") as result:
        assert get_colours(result) == {0x808080}


def test_hdr():
    """GIF and PNG cannot say that they are PQ or HLG, so they are sRGB: diffuse white is
    white, and grey as a camera sees a card of 18 % is that grey. Colours of a palette are
    those of its file."""
    for colorimetry, code, expected in (("bt2100-hlg", 97, 118), ("bt2100-hlg", 191, 255),
                                        ("bt2100-pq", 97, 102), ("bt2100-pq", 200, 255)):
        make_flat("in.webm", code, colorimetry)
        run_here("in.webm", "out.gif", *FEW)
        with Image.open("out.gif") as result:
            for found in result.convert("RGB").getpixel((9, 9)):
                assert abs(found - expected) < 4, (colorimetry, code, found)
    pathlib.Path("five.hex").write_text(HEX)
    run_here("in.webm", "%d.png", "--palette", "five.hex")
    with Image.open("1.png") as result:
        assert get_colours(result) == {max(PALETTE)}


def test_tiny():
    """The muxers of films take no less than 16 x 16 pixels."""
    Image.new("RGB", (7, 5)).save("in.gif")
    assert "1 frame," in run_here("in.gif", "out.png")
    for out, advice in ("out.mp4", "--size 24x16"), ("out.webm", "--size 23x16"):
        message = fail_here("in.gif", out)
        assert "too few" in message and advice in message, message
        run_here("in.gif", out, *advice.split())


def test_thumbnail_track():
    """The film is the track with frames, not the first one."""
    media.make("in.mkv", f"videotestsrc num-buffers=1 {SMALL} ! vp8enc ! queue ! muxer."
               f" videotestsrc num-buffers=9 {SMALL.replace('=64', '=32')} ! vp8enc"
               " ! queue ! muxer. matroskamux name=muxer")
    assert "9 frames" in run_here("in.mkv", "%d.png", *FEW)
    with Image.open("9.png") as picture:
        assert picture.size == (32, 48)
    assert len(inputs.read_packets("in.mkv").times) == 9


def test_still():
    Image.linear_gradient("L").convert("RGB").resize((61, 47)).save("in.png")
    assert "1 frame," in run_here("in.png", "out.png", *FEW)
    with Image.open("out.png") as picture:
        assert picture.size == (61, 47)
        assert len(get_colours(picture)) == 6


def test_still_is_no_film():
    """Players would find nothing to show."""
    for source, out in ("in.png", "out.mp4"), ("in.bmp", "out.webm"):
        Image.new("RGB", (32, 32)).save(source)
        assert "lasts no time" in fail_here(source, out, *FEW)


def test_size_has_no_borders():
    Image.new("RGB", (61, 47), (200, 100, 50)).save("in.png")
    run_here("in.png", "out.png", "--size", "40x40", *FEW)
    with Image.open("out.png") as picture:
        assert picture.size == (40, 31)
        assert get_colours(picture) == {0xc86432}


def test_percent_and_dash_in_names():
    Image.new("RGB", (8, 8)).save("-in.png")
    os.mkdir("%s")
    stylise(*FEW, "--", "-in.png", "%s/a%s%02d.png")
    assert os.listdir("%s") == ["a%s01.png"]


# --- palettes ---

def test_palettes():
    pathlib.Path("five.hex").write_text(HEX)
    pathlib.Path("five.gpl").write_text(
        "GIMP Palette\nName: five\nColumns: 5\n# a comment\n" + "".join(
            f"{colour >> 16:3} {colour >> 8 & 255:3} {colour & 255:3}\tone of five\n"
            for colour in PALETTE))
    pathlib.Path("alpha.gpl").write_text(
        "GIMP Palette\nchannels: RGBA\ncolumns:5\n0 255 0 0 transparent\n" + "".join(
            f"{colour >> 16} {colour >> 8 & 255} {colour & 255} 255 x\n"
            for colour in PALETTE))
    few = Image.new("RGBA", (6, 1))
    few.putdata([(*colour.to_bytes(3, "big"), 255) for colour in PALETTE])
    few.save("five.png")
    for name in "five.hex", "five.gpl":
        assert "--radius" in refuse("five.png", "out.png", "--palette", name,
                                    "--radius", "0.1")
    settings = command.parse(["five.png", "out.png", "--palette", "five.png",
                              "--radius", "0"])
    assert "radius" not in settings.filters, "colours of the palette need one"
    for name in "five.hex", "five.gpl", "alpha.gpl", "five.png":
        colours = palettes.load(pathlib.Path(name), None, None)
        assert set(colours) == set(PALETTE), (name, colours)


def test_grey_gets_colours():
    Image.linear_gradient("L").save("in.png")
    pathlib.Path("five.hex").write_text(HEX)
    stylise("in.png", "out.png", "--palette", "five.hex")
    with Image.open("out.png") as picture:
        colours = get_colours(picture)
    assert colours <= set(PALETTE) and len(colours) > 1, colours
    make_film("in.mkv", "jpegenc", "matroskamux",
              "pattern=gradient ! video/x-raw,format=GRAY8,width=64,height=48", 2)
    stylise("in.mkv", "out.webm", "--palette", "five.hex", "--codec", "vp8")
    pixels = media.read("out.webm")["video"].data[0]
    assert any(red - green > 50 for red, green in zip(pixels[::3], pixels[1::3]))


def test_palette_of_many_colours():
    """Of all colours near two."""
    centres = (40, 60, 90), (200, 150, 100)
    many = Image.new("RGB", (40, 40))
    many.putdata([tuple(code + pixel // step % 5 for code, step in zip(centre, (1, 5, 25)))
                  for pixel in range(800) for centre in centres])
    many.save("many.png")
    colours = palettes.load(pathlib.Path("many.png"), 2, None)
    assert len(colours) == 2, colours
    for colour, centre in zip(sorted(colours), centres):
        for code, expected in zip(colour.to_bytes(3, "big"), centre):
            assert 0 <= code - expected < 5, (colours, centres)
    message = refuse("many.png", "out.png", "--palette", "many.png", "--colors", "2",
                     "--device", "nothing")
    assert "nothing" in message and "no palette" not in message, message


def test_bad_palettes():
    pathlib.Path("in.png").touch()
    pathlib.Path("read.me").write_text("# no palette\n")
    for size in ("--colors", "3"), ("--radius", "0.1"), ():
        message = refuse("in.png", "out.png", "--palette", "read.me", *size)
        assert message.startswith("read.me: "), message
        assert "no palette" in message and ".gpl" in message and ".hex" in message, message
    Image.new("RGBA", (8, 8)).save("transparent.png")
    assert "0 colours" in refuse("in.png", "out.png", "--palette", "transparent.png")
    for name, text, place in (("a.hex", "1a1c2c\n#5d275d\n", "line 2"),
                              ("b.hex", "", "0 colours"),
                              ("c.hex", "".join(f"{i:06x}\n" for i in range(257)), "257"),
                              ("d.gpl", "1 2 3\n", "line 1"),
                              ("e.gpl", "GIMP Palette\n1 2 256 x\n", "line 2"),
                              ("f.gpl", "GIMP Palette\n#\n1 2\n", "line 3")):
        pathlib.Path(name).write_text(text)
        message = refuse("in.png", "out.png", "--palette", name)
        assert name in message and place in message, message


# --- looks ---

def make_photograph(path):
    photograph = pathlib.Path(STYLISE).parent.parent / "media/coffee.png"
    with Image.open(photograph) as picture:
        picture.resize((90, 60)).save(path)


def load_preset(name):
    palette = Gst.ElementFactory.make("meanshiftpalette")
    assert palette.load_preset(name)
    return palette


def test_preset():
    """One with a palette gives its colours."""
    make_photograph("in.png")
    run_here("in.png", "out.png", "--preset", "retro-16")
    palette = load_preset("retro-16").get_property("palette")
    with Image.open("out.png") as picture:
        colours = get_colours(picture)
    assert colours < {int(colour[1:], 16) for colour in palette.split(",")}, colours
    assert len(colours) > 4, colours


def test_look_without_preset():
    """As docs/presets.md describes it."""
    make_photograph("in.png")
    run_here("in.png", "preset.png", "--preset", "poster")
    run_here("in.png", "options.png", "--colors", "12", "--blur", "3", "--range", "0.05",
             "--rounds", "3")
    run_here("in.png", "chroma.png", "--colors", "12", "--chroma", "1", "--blur", "3",
             "--range", "0.05", "--rounds", "3")
    preset, options, chroma = (pathlib.Path(f"{name}.png").read_bytes()
                               for name in ("preset", "options", "chroma"))
    assert preset == options != chroma


def test_preset_of_user():
    """Of one element alone, and with a name of several words."""
    with tempfile.TemporaryDirectory() as folder:
        with mock.patch.dict(os.environ, XDG_DATA_HOME=folder):
            script = ("import gi; gi.require_version('Gst', '1.0');"
                      " from gi.repository import Gst; Gst.init(None);"
                      " palette = Gst.ElementFactory.make('meanshiftpalette');"
                      " palette.set_property('colors', 5);"
                      " assert palette.save_preset('my look')")
            done = program.run(sys.executable, "-c", script)
            assert done.returncode == 0, done
            make_photograph("in.png")
            stylise("in.png", "out.png", "--preset", "my look")
    with Image.open("out.png") as picture:
        assert len(get_colours(picture)) == 5


# --- what cannot be done ---

def test_refusals():
    pathlib.Path("in.png").touch()
    for arguments, word in (
            (("none.mp4", "out.mp4"), "no such file"),
            (("in.png", os.fsdecode(b"\xff.png")), "not in UTF-8"),
            (("in.png", "in.png"), "same file"),
            (("in.png", "./in.png"), "same file"),
            ((".", "out.png"), ".: is a folder"),
            (("in.png", "out.png", "--palette", "none.hex"), "none.hex: there is no such"),
            (("in.png", "out.png", "--palette", "none.png"), "none.png: there is no such"),
            (("in.png", "out.avi"), "end it with"),
            (("in.png", "a%20.png"), "%05d"),
            (("in.png", "%d%d.png"), "%05d"),
            (("in.png", "none/out.png"), "none: there is no such"),
            (("in.png", "out.mp4", "--codec", "vp9"), "--codec"),
            (("in.png", "out.png", "--codec", "vp9"), "--codec"),
            (("in.png", "out.png", "--colors", "0"), "--colors"),
            (("in.png", "out.png", "--colors", "2", "--radius", "1"), "--radius"),
            (("in.png", "out.png", "--size", "20"), "--size"),
            (("in.png", "out.png", "--chroma", "4"), "--chroma"),
            (("in.png", "out.png", "--preset", "none"), "poster, retro-16, calm, detail"),
            (("in.png", "out.png", "--preset", "poster", "--blur", "2"), "leave out --blur"),
            (("in.png", "out.png", "--range", "0.1"), "needs --blur"),
            (("in.png", "out.png", "--blur", "1", "--rounds", "2"), "needs --range"),
            (("in.png", "out.png", "--quality", "exact", "--colors", "2"), "exact"),
            (("in.png", "out.gif", "--quality", "exact"), "exact")):
        message = refuse(*arguments)
        assert word in message, (arguments, message)


def test_misspelt_options():
    for arguments, advice in ((("in.png", "out.png", "--colours", "3"), "--colors?"),
                              (("--colours", "3", "in.png", "out.png"), "--colors?"),
                              (("in.png", "--collors=3"), "--colors?"),
                              (("in.png", "out.png", "-size", "3x4"), "--size?"),
                              (("in.png", "out.png", "--xyz"), "--help"),
                              (("-size.mp4", "out.mp4"), "write ./-size.mp4"),
                              (("in.mp4", "-out.mp4"), "write ./-out.mp4"),
                              (("in.mp4", "out.mp4", "--palette", "-1.hex"), "./-1.hex")):
        message = refuse(*arguments)
        assert "there is no option" in message and advice in message, message
    assert "there is no option" not in refuse("in.png", "out.png", "--blur", "-3")


def test_nothing_to_decode():
    pathlib.Path("noise.mp4").write_bytes(bytes(range(256)) * 40)
    media.make("sound.webm", SOUND.format(5, "opusenc") + "webmmux name=muxer")
    assert "noise.mp4" in fail_here("noise.mp4", "out.mp4")
    assert "no picture" in fail_here("sound.webm", "out.webm")


class FullFolder(tempfile.TemporaryDirectory):
    """What is written to these files does not fit on the disk. multifilesink writes to a
    name of its own first, so a folder is in its way instead."""

    def __init__(self, **options):
        super().__init__(**options)
        for name in "out.png", "out.gif":
            pathlib.Path(self.name, name).symlink_to("/dev/full")
        pathlib.Path(self.name, "1.png").mkdir()


def test_full_disk():
    Image.effect_noise((99, 99), 50).save("in.png")
    for out in "out.png", "out.gif", "%d.png":
        with mock.patch.object(command.tempfile, "TemporaryDirectory", FullFolder):
            message = fail_here("in.png", out, "--colors", "16")
        assert f"{out}: " in message and ".stylise" not in message, message


def link_plugins(folder, elements):
    """Only what these elements need can be found there."""
    registry = Gst.Registry.get()
    plugins = [registry.find_plugin("typefindfunctions")]
    plugins += [registry.find_feature(element, Gst.ElementFactory).get_plugin()
                for element in elements]
    for file in {pathlib.Path(plugin.get_filename()) for plugin in plugins}:
        (folder / file.name).symlink_to(file)


def test_missing_packages():
    make_film("in.webm", "vp8enc", "webmmux")
    make_film("in.mp4", "x264enc", "mp4mux")
    with tempfile.TemporaryDirectory() as folder:
        link_plugins(pathlib.Path(folder), (
            "identity", "decodebin", "videoconvertscale", "qtdemux", "webmmux", "vp8enc",
            "videoflip", "pngdec"))
        environment = {"GST_PLUGIN_SYSTEM_PATH_1_0": folder,
                       "GST_REGISTRY_1_0": folder + "/registry"}
        encoder = fail("in.webm", "out.mp4", **environment)
        decoder = fail("in.mp4", "out.webm", **environment)
    assert "x264enc" in encoder and "gstreamer1.0-plugins-ugly" in encoder, encoder
    assert "H.264" in decoder and "gstreamer1.0-libav" in decoder, decoder


# --- what is said meanwhile ---

def is_cpu_warned_of():
    """Whether a pipeline posts that warning here."""
    pipeline = Gst.parse_launch("gpublur ! fakesink")
    pipeline.set_state(Gst.State.PAUSED)
    message = pipeline.get_bus().pop_filtered(Gst.MessageType.WARNING)
    pipeline.set_state(Gst.State.NULL)
    return bool(message)


def test_cpu_is_named_once():
    """Though a palette of a picture takes a pipeline of its own."""
    Image.effect_noise((32, 32), 50).save("in.png")
    with mock.patch.dict(os.environ, GST_GPU_ALLOW_CPU="0"):
        n_lines = int(is_cpu_warned_of())
        done = program.run(STYLISE, "in.png", "out.png", "--palette", "in.png", *FEW)
    assert done.stderr.count("\n") == done.stderr.count("which is the CPU") == n_lines, done
    assert 'the property "device"' not in done.stderr, done


def test_progress_without_shaders():
    """Frames that wait for shaders do not count for how fast frames are."""
    pipeline = Gst.parse_launch("identity name=frames ! fakesink async=false")
    frames = pipeline.get_by_name("frames")
    pad = frames.get_static_pad("sink")
    ten_seconds = SimpleNamespace(peer_query_duration=lambda _: (True, 10 * Gst.SECOND))
    progress = Progress(pipeline, pad, ten_seconds)
    segment = Gst.Segment()
    segment.init(Gst.Format.TIME)
    pipeline.set_state(Gst.State.PLAYING)
    pad.send_event(Gst.Event.new_stream_start("frames"))
    pad.send_event(Gst.Event.new_segment(segment))

    def tell(kind, text):
        frames.post_message(Gst.Message.new_progress(frames, kind, "shaders", text))

    def show(second, time):
        frame = Gst.Buffer()
        frame.pts, frame.duration = second * Gst.SECOND, Gst.SECOND
        with mock.patch("time.monotonic", lambda: time):
            pad.chain(frame)
            return progress.describe()

    assert progress.describe() == "Waiting for frames"
    for second, time in enumerate((30, 60)):
        tell(Gst.ProgressType.START, "Compiling shaders: 3 of 24")
        assert progress.describe() == "Compiling shaders: 3 of 24"
        tell(Gst.ProgressType.COMPLETE, "Compiled all shaders")
        assert show(second, time) == "Waiting for frames"
    assert show(2, 61).endswith("30%  3 frames, 1.0 frames/s, 0:07 left")
    assert show(3, 61.5).endswith("40%  4 frames, 1.3 frames/s, 0:04 left")
    pipeline.set_state(Gst.State.NULL)


# --- signals ---

def wait_for(terminal, text):
    """The progress is shown again and again: only its numbers say that the film goes on."""
    limit, shown, seen = program.Limit(), b"", set()
    while text not in shown:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 1000)
        numbers = set(re.findall(rb"\d+ (?:of \d+|frames)", shown))
        if numbers != seen:
            limit.restart()
        seen = numbers
        limit.check(shown)


def stop_in_the_middle(number):
    """Returns the exit status after a signal, sent when there is progress. The pipe does
    not end: the program would wait for more of the film, however fast it is."""
    film = pathlib.Path("in.webm").read_bytes()
    assert len(film) < 1 << 16, "a pipe does not hold the film"
    terminal, stderr = pty.openpty()
    with program.open_pipe("pipe") as pipe:
        os.write(pipe, film)
        process = program.start(STYLISE, "pipe", "out.webm", "--codec", "vp8", *FEW,
                                stderr=stderr)
        os.close(stderr)
        try:
            wait_for(terminal, b"frames/s")
            process.send_signal(number)
            wait_for(terminal, b"stopped; out.webm is as it was")
            return process.wait(program.TIMEOUT)
        finally:
            process.kill()
            os.close(terminal)


def test_signals():
    make_film("in.webm", "vp8enc", "webmmux", SMALL.replace("ball", "snow"))
    pathlib.Path("out.webm").write_text("what was there")
    before = sorted(os.listdir())
    for number in signal.SIGINT, signal.SIGTERM:
        assert stop_in_the_middle(number) == 128 + number
        assert sorted(os.listdir()) == before
        assert pathlib.Path("out.webm").read_text() == "what was there"


def test_signals_at_the_end():
    """The folder is removed, and OUT is either whole or as it was."""
    with interrupted(os, "replace"):
        with command.begin_result(pathlib.Path("%d.png").absolute()) as target:
            for i in range(3):
                (target.parent / f"{i}.png").touch()
    assert sorted(os.listdir()) == ["0.png", "1.png", "2.png"]
    with interrupted(tempfile.TemporaryDirectory, "cleanup"):
        try:
            with command.begin_result(pathlib.Path("out.png").absolute()) as target:
                target.touch()
                raise Failure("the disk is full")
        except Failure as failure:
            assert "full" in str(failure)
    assert sorted(os.listdir()) == ["0.png", "1.png", "2.png"]


def test_ignored_signals():
    """As nohup starts programs."""
    code = ("import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
            f" sys.path.append({os.path.dirname(STYLISE)!r});"
            " from stylising import pipelines; pipelines.raise_at_signal();"
            " signal.raise_signal(signal.SIGHUP)")
    done = program.run(sys.executable, "-c", code)
    assert done.returncode == 0, done


harness.run(globals())
