# SPDX-License-Identifier: LGPL-2.1-or-later
#
# GStreamer's elements, those of this project among them, and what to install if one is
# missing.

import os
import pathlib
import re

from gi.repository import Gst

from stylising.failure import Failure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / os.environ.get("BUILD_DIR", "build") / "gst"

OURS = "meanshiftpalette", "gpublur"
# Debian's packages; all other elements are in gstreamer1.0-plugins-base.
PACKAGES = {
    "gstreamer1.0-plugins-good": ("videoflip", "vp8enc", "vp9enc", "webmmux", "mp4mux",
                                  "pngenc", "multifilesink"),
    "gstreamer1.0-plugins-ugly": ("x264enc",),
    "gstreamer1.0-libav": ("avenc_aac",),
}


def find_plugins():
    """Starts GStreamer. What is built here goes before what is installed."""
    variable = "GST_PLUGIN_PATH_1_0"
    if variable not in os.environ:
        variable = "GST_PLUGIN_PATH"
    if BUILT.is_dir():
        folders = [str(BUILT), *filter(None, [os.environ.get(variable)])]
        os.environ[variable] = os.pathsep.join(folders)
    Gst.init(None)


def require(description):
    """Fails unless all elements of a description for gst-launch-1.0 are there."""
    for name in re.findall(r"(?:^|! )(\w+)(?![\w/.])", description, re.MULTILINE):
        if not Gst.ElementFactory.find(name):
            raise Failure(f"there is no element {name}: {say_how_to_get(name)}")


def say_how_to_get(name):
    if name in OURS:
        return "run scripts/setup, which builds it"
    package = next((package for package, names in PACKAGES.items() if name in names),
                   "gstreamer1.0-plugins-base")
    return f"install {package}"


def make_pipeline(description):
    require(description)
    return Gst.parse_launch(description)


def make_bin(description):
    """Its first and last pads are those of the bin."""
    require(description)
    return Gst.parse_bin_from_description(description, True)
