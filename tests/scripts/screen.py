# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A screen in memory, with a mouse.

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import program

SIZE = "1120x640x24"
# Where numbers are in the header of an XWD file, in words.
HEADER_SIZE, WIDTH, HEIGHT, STRIDE, N_COLOURS = 0, 4, 5, 12, 19
N_WORDS = 25
COLOUR_SIZE = 12
# Programs draw on it, without help from a GPU and a desktop.
ENVIRONMENT = {"GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
               "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1"}


def skip(reason):
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)


def start():
    """For this program and those that it starts. Skips the test if something is missing."""
    for name in "Xvfb", "xdotool":
        if not shutil.which(name):
            skip(f"{name} is not installed")
    try:
        import gi
        gi.require_version("Gtk", "4.0")
        from PIL import Image
    except (ImportError, ValueError) as error:
        skip(error)
    return Screen()


class Screen:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", SIZE, "-nolisten", "tcp",
             "-fbdir", self.folder.name], pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as numbers:
            os.environ["DISPLAY"] = ":" + numbers.readline().strip()
        os.environ.update(ENVIRONMENT)

    def stop(self):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()

    def read(self):
        from PIL import Image

        data = pathlib.Path(self.folder.name, "Xvfb_screen0").read_bytes()
        header = struct.unpack_from(f">{N_WORDS}I", data)
        begin = header[HEADER_SIZE] + COLOUR_SIZE * header[N_COLOURS]
        size, stride = (header[WIDTH], header[HEIGHT]), header[STRIDE]
        pixels = data[begin:begin + stride * size[1]]
        return Image.frombuffer("RGB", size, pixels, "raw", "BGRX", stride, 1)

    def drag(self, begin, end):
        """Moves the mouse there, presses its button, and releases it at the end."""
        run("mousemove", *begin, "mousedown", 1, "mousemove", *end, "mouseup", 1)

    def wait_for_window(self):
        run("search", "--sync", "--onlyvisible", "--name", "gpublur")


def run(*arguments):
    done = program.run("xdotool", *map(str, arguments))
    assert done.returncode == 0, done.stderr
