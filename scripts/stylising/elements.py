# SPDX-License-Identifier: LGPL-2.1-or-later
#
# GStreamer's elements, those of this project among them, and what to install if one is
# missing.

import os
import pathlib
import re

from gi.repository import Gst

from stylising.caps import get_fields
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


def choose_device(pipeline, device):
    """For the elements of this project in the pipeline, if a device is named."""
    for name in OURS:
        element = pipeline.get_by_name(name)
        if device and element:
            element.set_property("device", device)


def get_name(caps):
    return get_fields(caps).get_name()


def link(source, sink, out):
    """As Gst.Pad.link(), which python3-gst-1.0 changes. out: for messages."""
    source.link_full(sink, Gst.PadLinkCheck.DEFAULT)
    if not source.is_linked():
        raise Failure(f"{out}: cannot hold {source.query_caps().to_string()}")


def discard(pipeline, pad):
    """Lets a stream that nobody needs pass, so that its demuxer goes on."""
    sink = make_bin("fakesink sync=false async=false")
    pipeline.add(sink)
    sink.sync_state_with_parent()
    pad.link_full(sink.get_static_pad("sink"), Gst.PadLinkCheck.DEFAULT)
