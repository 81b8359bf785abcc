#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: webrtc_viewer.py PORT SHOW

Does what the page of the recipe WebRTC does in a browser: fetches the offer, answers it,
and shows the frames with the elements SHOW, until these end the pipeline.
"""
import queue
import sys
import urllib.request

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import Gst, GstSdp, GstWebRTC

PORT, SHOW = sys.argv[1:]
TIMEOUT = 60


def request(path, body=None):
    url = f"http://127.0.0.1:{PORT}{path}"
    with urllib.request.urlopen(url, body, TIMEOUT) as reply:
        return reply.read().decode()


def wait_for(peer, action, *arguments):
    promise = Gst.Promise.new()
    peer.emit(action, *arguments, promise)
    promise.wait()
    return promise.get_reply()


def show(peer, pad, pipeline):
    sink = Gst.parse_bin_from_description(
        f"rtpvp8depay ! vp8dec ! videoconvert ! video/x-raw,format=BGRx ! {SHOW}", True)
    pipeline.add(sink)
    sink.sync_state_with_parent()
    pad.link(sink.get_static_pad("sink"))


def answer(peer, offer):
    """Returns the answer, when all ways to reach this side are in it."""
    gathered = queue.Queue()
    peer.connect("notify::ice-gathering-state", lambda *_: gathered.put(
        peer.get_property("ice-gathering-state")))
    _, sdp = GstSdp.SDPMessage.new_from_text(offer)
    wait_for(peer, "set-remote-description", GstWebRTC.WebRTCSessionDescription.new(
        GstWebRTC.WebRTCSDPType.OFFER, sdp))
    reply = wait_for(peer, "create-answer", None)
    wait_for(peer, "set-local-description", reply.get_value("answer"))
    while gathered.get(timeout=TIMEOUT) != GstWebRTC.WebRTCICEGatheringState.COMPLETE:
        pass
    return peer.get_property("local-description").sdp.as_text()


def wait_for_end(pipeline):
    """Of the frames alone: webrtcbin does not end."""
    bus = pipeline.get_bus()
    while True:
        message = bus.timed_pop_filtered(TIMEOUT * Gst.SECOND,
                                         Gst.MessageType.ELEMENT | Gst.MessageType.ERROR)
        if not message:
            raise SystemExit("no frames came")
        if message.type == Gst.MessageType.ERROR:
            raise SystemExit(message.parse_error())
        forwarded = message.get_structure().get_value("message")
        if forwarded and forwarded.type == Gst.MessageType.EOS:
            return


Gst.init(None)
pipeline = Gst.Pipeline()
pipeline.set_property("message-forward", True)
peer = Gst.ElementFactory.make("webrtcbin")
peer.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
pipeline.add(peer)
peer.connect("pad-added", show, pipeline)
pipeline.set_state(Gst.State.PLAYING)
request("/answer", answer(peer, request("/offer")).encode())
wait_for_end(pipeline)
pipeline.set_state(Gst.State.NULL)
