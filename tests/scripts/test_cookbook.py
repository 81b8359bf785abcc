#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_cookbook.py PAGE BUILD

Runs all code blocks of docs/cookbook.md, with small pictures, and with what replaces
devices, windows and ports. Prints TAP.
"""
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import sys
import tempfile
import time
import unittest

import gi
gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst
from PIL import Image

import media
import program
import tap

PAGE, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
ROOT = PAGE.parent.parent
VIEWER = pathlib.Path(__file__).resolve().with_name("webrtc_viewer.py")

# The camera never ends, so a sender outlives its receiver. A window ends the pipeline
# after some frames, which become pictures.
CAMERA = ("videotestsrc is-live=true"
          " ! capsfilter caps=video/x-raw,format=YUY2,width=64,height=48,framerate=30/1")
SCREEN = "videotestsrc is-live=true num-buffers=8 ! capsfilter caps=video/x-raw,format=BGRx"
SHOW_ALL = "videoconvert ! pngenc ! multifilesink location=shown-%d.png"
SHOW = f"identity eos-after=5 ! {SHOW_ALL}"
IN_WINDOW = "capsfilter caps=video/x-raw,format=BGRx"
WINDOW = f"{IN_WINDOW} ! {SHOW}"
VIRTUAL_CAMERA = f"capsfilter caps=video/x-raw,format=YUY2 ! {SHOW}"


def get_tenth(match):
    return f"{match[1]}{int(match[2]) // 10}"


def get_tenth_of_size(match):
    return f"--size {int(match[1]) // 10}x{int(match[2]) // 10}"


def get_free_port(match):
    """The same one wherever a recipe has this number."""
    if match[0] not in ports:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            ports[match[0]] = str(probe.getsockname()[1])
    return ports[match[0]]


ports = {}

SUBSTITUTIONS = (
    # With cameras it would go on without an input that is late.
    (r"\bcompositor\b", "compositor latency=60000000000"),
    (r"\b((?:width|height|xpos|roi-x|roi-y)=)(\d+)", get_tenth),
    (r"--size (\d+)x(\d+)", get_tenth_of_size),
    (r"\b(?:5004|8080|8554)\b", get_free_port),
    (r"\bv4l2src\b", CAMERA),
    (r"\bximagesrc use-damage=false\b", SCREEN),
    (r"\bautovideosink\b", WINDOW),
    (r"\bplaybin\b", f'playbin audio-sink=fakesink video-sink="{WINDOW}"'),
    (r"\bv4l2sink device=\S+", VIRTUAL_CAMERA),
    (r'\bpipewiresink mode=provide stream-properties="\S+"', VIRTUAL_CAMERA),
    (r"(?<= )video\.$", WINDOW),
)

# What not all systems have, and how to find it. Anything else that is missing is an error
# of the recipe.
OPTIONAL = {
    **dict.fromkeys(("alphacombine", "avenc_png", "facedetect", "pipewiresink",
                     "webrtcbin"),
                    lambda name: Gst.ElementFactory.find(name)),
    **dict.fromkeys(("GstRtspServer", "GstWebRTC"),
                    gi.Repository.get_default().enumerate_versions),
    "ges-launch-1.0": shutil.which,
}


# --- reading the page ---

def read_recipes():
    """Returns the code blocks below each heading that has some."""
    recipes, title, fence, inside = {}, None, False, False
    for line in PAGE.read_text().splitlines():
        heading = re.match(r"#+ (.*)", line)
        if line.startswith("```"):
            fence = not fence
            if fence:
                recipes.setdefault(title, []).append("")
        elif fence:
            recipes[title][-1] += line + "\n"
        elif heading:
            title, inside = heading[1], False
        elif line.startswith("    "):
            if not inside:
                recipes.setdefault(title, []).append("")
            inside = True
            recipes[title][-1] += line[4:] + "\n"
        elif line:
            inside = False
    return recipes


def substitute(block):
    block = block.replace("\\\n", " ").strip()
    if not block.startswith("import"):
        block = " ".join(block.split())
    for pattern, replacement in SUBSTITUTIONS:
        block = re.sub(pattern, replacement, block)
    return block


# --- running it ---

def get_command(block):
    text = substitute(block)
    for name, find in OPTIONAL.items():
        if name in text and not find(name):
            raise unittest.SkipTest(f"{name} is not installed")
    if text.startswith("import"):
        pathlib.Path("program.py").write_text(text)
        text = "/usr/bin/python3 program.py"
    return ["bash", "-c", f"{RECIPES['Cookbook'][0]}{text}"]


def check_status(command, status, output):
    """GLib's warnings count, too: of a property that does not exist, for instance."""
    assert status == 0 and not re.search(r"(CRITICAL|WARNING) \*\*", output), (
        f"{command[-1]}\nstatus {status}\n{output}")


def run(block):
    run_command(get_command(block))


def run_command(command):
    done = program.run(*command)
    check_status(command, done.returncode, done.stdout + done.stderr)


@contextlib.contextmanager
def running(block, log="log"):
    """Runs a recipe that ends with Ctrl-C. log: the file for what it prints."""
    command = get_command(block)
    try:
        with (open(log, "w") as file,
              program.running(*command, stdout=file, stderr=file) as process):
            yield process
    except Exception as error:
        printed = pathlib.Path(log).read_text()
        raise AssertionError(f"{command[-1]}\n{printed}") from error
    assert process.returncode in (0, 128 + signal.SIGINT, -signal.SIGINT), process


def wait_for_port(process, number):
    """Until a server listens there, or ends."""
    limit = program.Limit()
    while process.poll() is None:
        limit.check("no server listens")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", int(ports[number]))) == 0:
                return
        time.sleep(0.05)


def wait_for_play(process, log):
    """Until rtspsrc has the answer to PLAY, and the window has shown frames. If a pipeline
    ends before the answer, rtspsrc of GStreamer 1.28 reports an error."""
    limit = program.Limit()
    while process.poll() is None:
        printed = pathlib.Path(log).read_text()
        limit.check(printed)
        if "Sent PLAY request" in printed and len(find_shown()) > 3:
            return
        time.sleep(0.05)


# --- what a recipe must do ---

def check_picture(picture):
    extrema = picture.convert("RGB").getextrema()
    assert any(least < greatest for least, greatest in extrema), "a single colour"


def find_shown():
    return sorted(pathlib.Path().glob("shown-*.png"))


def check_window(size=None):
    pictures = find_shown()
    assert len(pictures) >= 3, pictures
    for path in pictures:
        with Image.open(path) as picture:
            check_picture(picture)
            assert size in (None, picture.size), picture.size


def check_film(path, *kinds):
    streams = media.read(path)
    assert sorted(streams) == sorted(kinds), streams.keys()
    for stream in streams.values():
        assert len(stream.times) >= 6, stream.times
    assert len(set(streams["video"].data[-1])) > 1, "a single colour"


def show(block):
    run(block)
    check_window()


def show_two(block):
    run(block)
    check_window((128, 36))


def make_film(path, *kinds):
    def check(block):
        run(block)
        check_film(path, *kinds)
    return check


def stream(sender, receiver):
    with running(sender):
        show(receiver)


def stream_on_request(receiver, server):
    with running(server) as process:
        wait_for_port(process, "8554")
        if process.poll() is None:
            receiver = receiver.replace("autovideosink", f"{IN_WINDOW} ! {SHOW_ALL}")
            with running(receiver, "log of receiver") as viewer:
                wait_for_play(viewer, "log of receiver")
            check_window()


def stream_to_browser(server):
    with running(server) as process:
        wait_for_port(process, "8080")
        if process.poll() is None:
            run_command(["/usr/bin/python3", VIEWER, ports["8080"], SHOW])
            check_window()


def make_gif(block):
    run(block)
    with Image.open("bunny.gif") as film:
        assert film.format == "GIF" and film.n_frames >= 6, film.n_frames
        check_picture(film)


def make_still(block):
    run(block)
    with Image.open("coffee8.png") as picture:
        assert (picture.format, picture.mode) == ("PNG", "P"), picture
        assert len(picture.getcolors()) == 32, picture.getcolors()


def make_project(block):
    run(block)
    check_film("edited.webm", "video")
    assert "meanshiftpalette" in pathlib.Path("bunny.xges").read_text()


def set_up(block):
    run("gst-inspect-1.0 gpublur")


CHECKS = {
    "Cookbook": set_up,
    "Webcam in a window": show,
    "Film in a player": show,
    "Side by side": show_two,
    "Virtual camera with v4l2loopback": show,
    "Virtual camera with PipeWire": show,
    "OBS": lambda block: show("gst-launch-1.0 " + block),
    "RTP": stream,
    "RTSP": stream_on_request,
    "WebRTC": stream_to_browser,
    "Any film": make_film("blurred.webm", "video"),
    "Film with sound": make_film("holiday.webm", "video", "audio"),
    "Screen recording": make_film("screen.webm", "video"),
    "GIF": make_gif,
    "Still with a palette": make_still,
    "Presets": show,
    "Pixel art": show,
    "Comic": show,
    "Soft focus": show,
    "Less noise of colour": show,
    "Privacy": show,
    "Pixelate a rectangle": show,
    "Hide faces": show,
    "Background blur around an ellipse": show,
    "Background blur with a green screen": show,
    "Background blur with a mask": show,
    "A blur that changes": show,
    "Editing project": make_project,
}


# --- what is replaced ---

def check_replaced():
    """It exists, with these properties; it is made, but never started."""
    for title, blocks in RECIPES.items():
        for block in blocks:
            words = shlex.split(block)
            if words[0] != "gst-launch-1.0":
                continue
            try:
                Gst.parse_launchv([word for word in words[1:] if word[0] != "-"])
            except GLib.Error as error:
                assert any(f'no element "{name}"' == error.message
                           for name in OPTIONAL), f"{title}: {error.message}"


# --- programs ---

def check_interrupt():
    """Ctrl-C ends a recipe, even where a shell has the test ignore it: as a job of a
    script."""
    test = """import program
with program.running("sleep", "1000") as process:
    pass
print(process.returncode)"""
    done = program.run("sh", "-c", "trap '' INT; exec \"$@\"", "sh", sys.executable, "-c",
                       test)
    assert done.stdout == f"{-signal.SIGINT}\n", done


def check_hang():
    """A recipe that prints nothing any more is killed, and fails."""
    timeout, program.TIMEOUT = program.TIMEOUT, 0
    try:
        program.run("sleep", "1000")
    except AssertionError as error:
        assert "hangs" in str(error), error
    else:
        raise AssertionError("it was not killed")
    finally:
        program.TIMEOUT = timeout


# --- all of them ---

def make_sources():
    """What recipes read. The films are parts of the one in media/, with sound."""
    os.symlink(BUILD, "build")
    os.symlink(ROOT / "scripts", "scripts")
    os.mkdir("media")
    os.symlink(ROOT / "media/coffee.png", "media/coffee.png")
    Image.radial_gradient("L").resize((64, 36)).save("mask.png")
    film = (f"filesrc location={ROOT}/media/bunny.webm ! matroskademux ! vp8dec"
            " ! identity eos-after=9 ! videoconvertscale"
            " ! video/x-raw,format=I420,width=128,height=72 ! {} ! queue ! muxer."
            " audiotestsrc num-buffers=16 ! {} ! queue ! muxer. {} name=muxer")
    media.make("media/bunny.webm", film.format("vp8enc", "opusenc", "webmmux"))
    media.make("holiday.mp4", film.format("x264enc", "avenc_aac", "mp4mux"))


def make_test(title, sources):
    """Returns a test of a recipe, in a folder that has what recipes read."""
    def test():
        assert title in CHECKS, "this recipe has no check"
        assert title in RECIPES, "there is no such recipe"
        for source in pathlib.Path(sources).iterdir():
            os.symlink(source, source.name)
        CHECKS[title](*RECIPES[title])

    test.__name__ = title
    return test


os.environ["GST_PLUGIN_PATH_1_0"] = str(BUILD / "gst")
Gst.init(None)
RECIPES = read_recipes()
with tempfile.TemporaryDirectory() as sources:
    with contextlib.chdir(sources):
        make_sources()
    recipes = [make_test(title, sources) for title in dict.fromkeys([*RECIPES, *CHECKS])]
    tap.run([check_interrupt, check_hang, check_replaced, *recipes])
