#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_examples.py PLAYER EMBEDDING EMBEDDING-PY REGIONS REGIONS-PY

Runs the examples without a window. A film comes to the player through a pipe, so that
it plays for as long as keys are tested, however fast that is. Prints TAP.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import termios
import time

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst
from PIL import Image

import program
import tap

PLAYER, EMBEDDING, EMBEDDING_PY, REGIONS, REGIONS_PY = map(os.path.abspath, sys.argv[1:])
N_FRAMES = 12
FILM = ("videotestsrc num-buffers=20 pattern=snow"
        " ! video/x-raw,format=I420,width=64,height=48 ! vp8enc ! webmmux"
        " ! filesink location=film.webm")


# --- the player ---

class Terminal:
    """The player in a terminal of its own."""

    def __init__(self, *arguments):
        self.keyboard, terminal = pty.openpty()
        self.mode = termios.tcgetattr(self.keyboard)
        self.shown = ""

        def take_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [PLAYER, *arguments], stdin=terminal, stdout=terminal, stderr=terminal,
            start_new_session=True, preexec_fn=take_terminal,
            env={**os.environ, "G_DEBUG": "fatal-warnings"})
        self.terminal = terminal

    def press(self, keys):
        os.write(self.keyboard, keys.encode())

    def read(self, limit):
        if select.select([self.keyboard], [], [], 0.05)[0]:
            self.shown += os.read(self.keyboard, 10000).decode()
            limit.restart()
        limit.check(self.shown)

    def wait_for(self, pattern):
        """Returns the match, and forgets what was shown up to its end."""
        limit = program.Limit()
        while not (match := re.search(pattern, self.shown)):
            self.read(limit)
        self.shown = self.shown[match.end():]
        return match

    def wait_for_palette(self, least, most):
        """Messages come a frame or two late, so a palette may still be the one before.
        Anything else than the same palette again shows that the film goes on."""
        before, n_colours = "", 0
        limit = program.Limit()
        while not least <= n_colours <= most:
            time.sleep(0.1)
            self.press("p")
            line = self.wait_for(r"(.*)\b(\d+) colours")
            n_colours = int(line[2])
            assert len(re.findall(r"#[0-9a-f]{6}\b", line[1])) == n_colours, line[0]
            shown = line.string[:line.end()]
            if shown != before:
                limit.restart()
            before = shown
            limit.check(before)

    def wait_for_old_mode(self):
        limit = program.Limit()
        while termios.tcgetattr(self.keyboard) != self.mode:
            self.read(limit)

    def end(self):
        """Returns the exit status. The terminal must be as before."""
        try:
            limit = program.Limit()
            while (status := self.process.poll()) is None:
                self.read(limit)
            assert termios.tcgetattr(self.keyboard) == self.mode
        finally:
            self.process.kill()
            os.close(self.terminal)
            os.close(self.keyboard)
        return status


def test_keys_change_palette():
    made = program.run("gst-launch-1.0", *FILM.split())
    assert made.returncode == 0, made.stderr
    film = pathlib.Path("film.webm").read_bytes()
    assert len(film) < 1 << 16, "a pipe does not hold the film"
    with program.open_pipe("pipe") as pipe:
        os.write(pipe, film[:len(film) // 2])
        player = Terminal("pipe", "fakesink")
        player.wait_for("Quit: q")
        player.wait_for_palette(3, 16)
        player.press("c" * 15)
        for n in [*range(15, 2, -1), 2, 2]:
            player.wait_for(rf"palette::colors {n}\r\n")
        os.write(pipe, film[len(film) // 2:])
        player.wait_for_palette(1, 2)
        player.press("SstT")
        for text in ("blur::sigma 1.5", "blur::sigma 1", "palette::stability 0.4",
                     "palette::stability 0.5"):
            player.wait_for(re.escape(text) + r"\r\n")
    # The pipe was closed: this is the end of the film.
    assert player.end() == 0


def test_quit():
    """Stopping waits for a read from the pipe, but the terminal is restored before. If the
    key did nothing, the end of an empty film would be an error."""
    for key in "q", "\x03":  # Ctrl-C
        with program.open_pipe("pipe"):
            player = Terminal("pipe", "fakesink")
            player.wait_for("Quit: q")
            player.press(key)
            player.wait_for_old_mode()
        assert player.end() == 0


def test_player_errors():
    player = Terminal("none.webm", "fakesink")
    player.wait_for("Error: .*not found")
    assert player.end() == 1
    player = Terminal("none.webm", "nosink")
    player.wait_for("no such sink")
    assert player.end() == 1


def test_no_playbin():
    """With no plugin but the one of fakesink, and that of the filters."""
    name = "libgstcoreelements.so"
    os.symlink(pathlib.Path(os.environ["GST_PLUGIN_SYSTEM_PATH_1_0"], name), name)
    done = program.run(PLAYER, "none.webm", "fakesink", GST_PLUGIN_SYSTEM_PATH_1_0=".",
                       GST_REGISTRY_1_0="registry.bin")
    assert done.returncode == 1 and "no playbin" in done.stderr, done


# --- an application's own frames ---

def embed(example):
    done = program.run(example)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_embedding():
    shown = embed(EMBEDDING)
    counts = [int(n) for n in re.findall(r"(\d+) colours", shown)]
    assert counts == [8] * (N_FRAMES // 2) + [4] * (N_FRAMES // 2), shown
    assert embed(EMBEDDING_PY) == shown




# --- regions of a detector ---

# The program ends with them.
N_PICTURES = 5
PICTURES = (f"identity eos-after={N_PICTURES + 1} ! videoconvert ! pngenc"
            " ! multifilesink location=%d.png")
BLOCK = 16


def check_hidden(path, box):
    """The ball, which is white, has become blocks, and none of them is white. They fill its
    box exactly; the last of a row or a column holds what does not fill another."""
    x, y, width, height = box
    edges = x, y, x + width, y + height
    with Image.open(path) as picture:
        frame = picture.convert("L")
    assert frame.getbbox() == edges, (frame.getbbox(), edges)
    inside = frame.crop(edges)
    assert len(inside.getcolors()) <= (width // BLOCK) * (height // BLOCK), box
    least, greatest = inside.getextrema()
    assert 0 < least and greatest < 255, (least, greatest)


def hide(example):
    """Returns the boxes that it prints, of the frames that become pictures."""
    done = program.run(example, PICTURES)
    assert done.returncode == 0, done.stderr
    boxes = [tuple(map(int, box)) for box in
             re.findall(r"s: (\d+),(\d+) (\d+)x(\d+)\n", done.stdout)]
    assert len(boxes) >= N_PICTURES, done
    for n, box in enumerate(boxes[:N_PICTURES]):
        check_hidden(f"{n}.png", box)
        os.remove(f"{n}.png")
    return boxes[:N_PICTURES]


def test_regions():
    boxes = hide(REGIONS)
    assert len(set(boxes)) == N_PICTURES, "the ball does not move"
    assert hide(REGIONS_PY) == boxes


# --- errors ---

def test_no_driver():
    for command in ([EMBEDDING], [EMBEDDING_PY], [REGIONS, "fakesink"],
                    [REGIONS_PY, "fakesink"]):
        done = program.run(*command, VK_DRIVER_FILES="/nonexistent")
        assert done.returncode == 1 and not done.stdout, done
        assert "no Vulkan driver" in done.stderr, done


# --- running ---

def has_device():
    element = Gst.ElementFactory.make("meanshiftpalette")
    result = element.set_state(Gst.State.READY)
    element.set_state(Gst.State.NULL)
    return result != Gst.StateChangeReturn.FAILURE


Gst.init(None)
if has_device():
    tap.run(tap.find(globals()))
else:
    print("1..0 # SKIP no device")
