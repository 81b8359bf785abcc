#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_preview.py SCRIPT

Runs examples/preview on a screen in memory, moves the mouse, and looks at the screen.
Prints TAP.
"""
import contextlib
import pathlib
import sys
import time

PREVIEW = pathlib.Path(sys.argv[1]).resolve()
sys.path.append(str(PREVIEW.parent))

import screen

SCREEN = screen.start()

import gi
gi.require_version("Gdk", "4.0")
gi.require_version("Gst", "1.0")
gi.require_version("Gtk", "4.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst
from PIL import Image, ImageStat

import media
import options
import program
import tap
from film import Film, runs_on_cpu
from stylising.pipelines import Failure, find_plugins
from window import Window

SIZE = 160, 120
VIDEO = "videotestsrc ! video/x-raw,width=64,height=48"
SMALL = 560, 440


class Watched(Window):
    """Keeps the newest picture after the elements, and counts."""
    after = None
    n_shown = 0

    def show(self, before, after):
        super().show(before, after)
        self.after = after.data.get_data()
        self.n_shown += 1


# Of the main loop, which has the most urgent sources only in each: to show a frame may take
# a few. But where frames come faster than they are shown, there is always something to do.
MOST_ROUNDS = 50


def wait(is_done):
    """Runs the main loop until then."""
    limit = program.Limit()
    while not is_done():
        limit.check("nothing came")
        for _ in range(MOST_ROUNDS):
            if not GLib.MainContext.default().iteration(False):
                break
        time.sleep(0.002)


def run_pending():
    while GLib.MainContext.default().pending():
        GLib.MainContext.default().iteration(False)


@contextlib.contextmanager
def shown(source, cpu_size=None):
    film = Film(source, cpu_size)
    window = Watched(film, lambda: None)
    # Drawing without a GPU takes long.
    window.window.set_default_size(*SMALL)
    film.play(window)
    try:
        wait(lambda: window.n_shown)
        yield window
    finally:
        film.stop()
        window.window.destroy()
        run_pending()
    assert not window.failure, window.failure


def show_next(window):
    """Frames from before the last change are shown, and then another one."""
    run_pending()
    n_shown = window.n_shown
    wait(lambda: window.n_shown > n_shown)


def make_stripes():
    """Black and white stripes, above stripes of four colours."""
    picture = Image.new("RGB", SIZE)
    colours = (230, 60, 60), (60, 200, 60), (60, 60, 220), (230, 220, 60)
    for x in range(SIZE[0]):
        for y in range(SIZE[1]):
            grey = (255, 255, 255) if x // 4 % 2 else (0, 0, 0)
            picture.putpixel((x, y), grey if y < 60 else colours[x // 8 % 4])
    picture.save("stripes.png")
    return "stripes.png"


def enter(window, text):
    entry = window.controls["palette"].widget
    entry.set_text(text)
    entry.emit("activate")


def run_command(command):
    """Returns the first frame that it shows."""
    out = "video/x-raw,format=RGBA ! pngenc snapshot=true ! filesink location=frame.png"
    assert command.endswith(" ! autovideosink"), command
    done = program.run("sh", "-c", command.replace("autovideosink", out))
    assert done.returncode == 0, done.stderr
    with Image.open("frame.png") as frame:
        frame.load()
    return frame


def get_bounds(window, widget):
    found, bounds = widget.compute_bounds(window.window)
    assert found
    return bounds


def find_on_screen(window, x, y):
    """Where a place of the picture is, from 0 to 1 on both axes."""
    left, top, width, height = window.split.get_area()
    bounds = get_bounds(window, window.split)
    return (round(bounds.get_x() + left + x * width),
            round(bounds.get_y() + top + y * height))


def get_contrast(window, begin, end):
    """Of what is on the screen, between two places of the width, in the grey stripes."""
    area = *find_on_screen(window, begin, 0.1), *find_on_screen(window, end, 0.3)
    return ImageStat.Stat(SCREEN.read().crop(area).convert("L")).stddev[0]


def test_drag():
    """Sharp on the left of the line, blurred on its right, wherever the line is."""
    with shown(make_stripes()) as window:
        window.controls["sigma"].slider.set_value(0.4)
        show_next(window)
        assert " gpublur sigma=7.87 " in window.get_command(), window.get_command()
        for share in 0.3, 0.8:
            SCREEN.drag(find_on_screen(window, 0.5, 0.5),
                        find_on_screen(window, share, 0.5))
            wait(lambda: abs(window.split.share - share) < 0.01)
            wait(lambda: get_contrast(window, 0.05, share - 0.05) > 80
                 and get_contrast(window, share + 0.05, 0.95) < 10)


def test_command_shows_the_same():
    """With what is set, and with colours that are held."""
    with shown(make_stripes()) as window:
        window.controls["colors"].slider.set_value(4 / 256)
        # The colours of the first frame are known when there is a second one.
        show_next(window)
        show_next(window)
        seen = [(window.get_command(), window.after)]
        window.hold.emit("clicked")
        show_next(window)
        seen.append((window.get_command(), window.after))
    assert "colors=4" in seen[0][0], seen[0][0]
    assert seen[1][0].count("#") == 4, seen[1][0]
    for command, after in seen:
        assert run_command(command).tobytes() == after, command


def test_command_leaves_out_what_has_no_effect():
    with shown(VIDEO) as window:
        window.controls["range"].slider.set_value(0.5)
        assert "range=" not in window.get_command()
        assert not window.controls["range"].widget.get_sensitive()
        enter(window, "#1a1c2c")
        assert "palette=" in window.get_command()
        window.controls["quality"].widget.set_selected(0)
        assert "palette=" not in window.get_command()


def test_zeros_have_names():
    with shown(VIDEO) as window:
        for name, meaning in ("colors", "no limit"), ("chroma", "auto"):
            control = window.controls[name]
            assert control.number.get_text() == meaning
            control.slider.set_value(1)
            assert control.number.get_text() == control.text
            control.slider.set_value(0)
            assert control.number.get_text() == meaning and control.text == "0"


def test_small_on_cpu():
    """The command, too, and the shape stays. The window says so."""
    is_cpu = runs_on_cpu()
    size = (60, 20) if is_cpu else (120, 40)
    with shown("videotestsrc ! video/x-raw,width=120,height=40", (60, 60)) as window:
        wait(lambda: f"{size[0]} × {size[1]}" in window.state.get_text())
        assert ("scaled from 120 × 40" in window.state.get_text()) == is_cpu
        assert run_command(window.get_command()).size == size


def test_full_size():
    assert options.parse([]).cpu_size and not options.parse(["--full-size"]).cpu_size
    with shown("videotestsrc ! video/x-raw,width=120,height=40") as window:
        wait(lambda: "120 × 40  ·" in window.state.get_text())


def test_refused_palette():
    with shown(VIDEO) as window:
        enter(window, "#1a1c2c")
        enter(window, "#1a1c2c, blau")
        wait(lambda: "blau" in window.message.get_text())
        wait(lambda: window.message.get_height())
        covered, _ = get_bounds(window, window.message).intersection(
            get_bounds(window, window.split))
        assert not covered, "the message covers the picture"
        assert "palette=#1a1c2c'" in window.get_command()
        assert window.controls["palette"].widget.has_css_class("error")
        enter(window, "#ffffff")
        assert not window.message.get_visible()
        assert "palette=#ffffff'" in window.get_command()
        assert not window.controls["palette"].widget.has_css_class("error")


def test_progress():
    with shown(VIDEO) as window:
        for kind, text in ((Gst.ProgressType.CONTINUE, "Compiling shaders: 3 of 24"),
                           (Gst.ProgressType.COMPLETE, "")):
            window.film.pipeline.post_message(Gst.Message.new_progress(
                window.film.elements["gpublur"], kind, "shaders",
                "Compiling shaders: 3 of 24"))
            wait(lambda: window.progress.get_text() == text)
        wait(lambda: "64 × 48" in window.state.get_text())
        device = window.film.get_stats().get_value("device")
        assert device in window.state.get_text()


def test_film_begins_again():
    media.make("in.webm", "videotestsrc num-buffers=2 ! video/x-raw,width=64,height=48"
               " ! vp8enc ! webmmux")
    with shown("in.webm") as window:
        wait(lambda: window.n_shown >= 5)


def test_source_that_ends():
    with shown("videotestsrc num-buffers=2 ! video/x-raw,width=64,height=48") as window:
        wait(lambda: "ended" in window.message.get_text())


def test_prints_command():
    """When the user stops the program."""
    source = "videotestsrc pattern=ball ! video/x-raw,width=64,height=48"
    with (open("printed", "w") as out,
          program.running(PREVIEW, source, stdout=out) as process):
        SCREEN.wait_for_window()
    printed = program.LAYER_NOTE.sub("", pathlib.Path("printed").read_text())
    assert process.returncode == 0
    assert printed.count("\n") == 1 and source in printed, printed


def test_stops_before_the_main_loop():
    """The user sees the window before the main loop runs, and stops the program then."""
    code = """import os, runpy, signal, sys
from gi.repository import GLib
run = GLib.MainLoop.run
def stop(loop):
    signal.raise_signal(signal.SIGINT)
    run(loop)
GLib.MainLoop.run = stop
del sys.argv[0]
sys.path.append(os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")"""
    done = program.run(sys.executable, "-c", code, str(PREVIEW), VIDEO)
    assert done.returncode == 0 and VIDEO in done.stdout, done


def fail(*arguments, **environment):
    """Returns the only line that it prints itself; libraries of a desktop print others."""
    done = program.run(PREVIEW, *arguments, **environment)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("preview: ")]
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_help():
    """Without a desktop. It says what becomes of large frames."""
    done = program.run(PREVIEW, "--help", DISPLAY="")
    assert done.returncode == 0, done.stderr
    assert "320 × 180" in done.stdout and "--full-size" in done.stdout, done.stdout
    done = program.run(PREVIEW, "--half-size", DISPLAY="")
    assert done.returncode == 2 and "--half-size" in done.stderr, done.stderr


def test_failures():
    pathlib.Path("noise.webm").write_bytes(bytes(range(256)) * 40)
    assert "noise.webm" in fail("noise.webm")
    assert "none.webm: there is no such file" in fail("none.webm")
    assert "desktop" in fail("videotestsrc", DISPLAY="")
    assert "scripts/setup" in fail("videotestsrc", BUILD_DIR="none", GST_PLUGIN_PATH_1_0="")


def test_bad_sources():
    missing = pathlib.Path("none.webm").absolute()
    for source, word in (("none.webm", "none.webm: there is no such file"),
                         (str(missing), f"{missing}: there is no such file"),
                         (missing.as_uri(), "none.webm: there is no such file"),
                         ("don't.webm", "don't.webm: there is no such file"),
                         (".", "is a folder"),
                         ("videotestsrc name='a", "quotation"),
                         ("videotestsrc pattern=none", "pattern")):
        try:
            Film(source)
            raise AssertionError(f"{source} is a source")
        except Failure as failure:
            assert word in str(failure), failure


find_plugins()
tap.run(tap.find(globals()))
SCREEN.stop()
