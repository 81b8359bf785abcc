# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Functions for the scripts that make pictures. A clip is its frames, bare R, G, B, A,
# their width and their height.

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image
except ModuleNotFoundError as error:
    # Debian names the package of a module after it.
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: no module {error.name}; install"
             f" python3-{error.name.lower()}")

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / os.environ.get("BUILD_DIR", "build")

# The size of clips of tests/bench/films.py.
SCENE_SIZE = 320, 180

# Differences in code values are multiplied by this factor; black: no difference.
AMPLIFIED = 8

# Pixels between the panels of a sheet, and their level.
GAP, GAP_LEVEL = 4, 255


def set_up():
    """Builds the elements."""
    setup = subprocess.run([ROOT / "scripts/setup", "-Dtests=true"], check=False,
                           stdout=sys.stderr)
    if setup.returncode != 0:
        sys.exit(1)


# --- clips ---

def launch(elements, frames=b"", build=BUILD):
    environment = {**os.environ, "GST_PLUGIN_PATH": str(build / "gst"),
                   "GST_REGISTRY": str(build / "registry.bin")}
    return subprocess.run(["gst-launch-1.0", "-q", *elements.split()], cwd=ROOT,
                          env=environment, input=frames, check=True,
                          stdout=subprocess.PIPE).stdout


def to_frames(rgba, width, height):
    frames = numpy.frombuffer(rgba, numpy.uint8).reshape(-1, height, width, 4)
    return frames[..., :3]


def run(clip, elements, build=BUILD):
    """Runs elements of a build on the clip."""
    rgba, width, height = clip
    return launch(f"fdsrc blocksize={4 * width * height} ! rawvideoparse"
                  f" format=rgba width={width} height={height} framerate=30/1"
                  f" ! {elements} ! video/x-raw,format=RGBA ! fdsink",
                  rgba, build), width, height


def cut(clip, n_frames):
    rgba, width, height = clip
    return rgba[:4 * width * height * n_frames], width, height


def make_noisy(picture):
    """Makes a clip like that of a camera: noise of two levels, different in every frame."""
    with tempfile.TemporaryDirectory() as folder:
        still, noisy = f"{folder}/still.ppm", f"{folder}/noisy.rgba"
        picture.save(still)
        subprocess.run([ROOT / "tests/bench/measure-films", "make", "noise", still, noisy],
                       check=True)
        return pathlib.Path(noisy).read_bytes(), *picture.size


def make_scenes(*names):
    """Builds, and makes clips of tests/bench/films.py."""
    subprocess.run([ROOT / "scripts/measure-pictures", "--clips", ",".join(names)],
                   check=True)
    return {name: ((BUILD / f"pictures/{name}.rgba").read_bytes(), *SCENE_SIZE)
            for name in names}


# --- panels ---

def amplify(a, b):
    apart = abs(a.astype(int) - b.astype(int))
    return (apart * AMPLIFIED).clip(0, 255).astype(numpy.uint8)


def count_colours(panel):
    return len(numpy.unique(panel.reshape(-1, 3), axis=0))


def crop(panel, left, top, width, height):
    return panel[top:top + height, left:left + width]


def enlarge(panel, factor):
    """Repeats each pixel, so that no colour is added."""
    return panel.repeat(factor, axis=0).repeat(factor, axis=1)


def join(panels, axis, gap):
    """Puts panels beside each other (axis 1) or below each other (axis 0)."""
    if gap == 0:
        return numpy.concatenate(panels, axis)
    shape = list(panels[0].shape)
    shape[axis] = gap
    between = numpy.full(shape, GAP_LEVEL, numpy.uint8)
    parts = [part for panel in panels for part in (between, panel)]
    return numpy.concatenate(parts[1:], axis)


def save(path, rows, gap=GAP):
    sheet = join([join(row, 1, gap) for row in rows], 0, gap)
    Image.fromarray(sheet).save(path, optimize=True)
    for row in rows:
        print(path.name, *(count_colours(panel) for panel in row))
