#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_stylise_parts.py SCRIPT

Makes small films in parts with scripts/stylise, and compares them with those of one run.
Prints TAP.
"""
import os
import pathlib
import signal
import unittest

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstPbutils", "1.0")
from gi.repository import Gst

import harness
import media
from harness import fail, interrupted, refuse, run_here, stylise
from stylising import command, inputs, parts
from stylising.pipelines import Failure

KEYFRAMES = "vp8enc timebase=1/1000 keyframe-max-dist=4"
OPEN_GOP = ("x264enc bframes=3 b-adapt=false key-int-max=8 option-string=open-gop=1"
            " ! video/x-h264,profile=main")
TINY = media.SMALL.replace("=64", "=32").replace("=48", "=24")
NOISE = TINY.replace("=ball", "=snow")


def make_parts(source, out, n_parts, *options):
    """Returns the numbers of frames."""
    said = [run_here(source, out, "--part", f"{part}/{n_parts}", *options)
            for part in reversed(range(1, n_parts + 1))]
    return [int(line.split()[1]) for line in said]


def read_folder(name):
    return {path.name: path.read_bytes() for path in pathlib.Path(name).iterdir()
            if path.suffix == ".png"}


def compare_with_one_run(source, n_parts, *options):
    os.mkdir("one")
    os.mkdir("parts")
    run_here(source, "one/%02d.png", *options)
    n_frames = make_parts(source, "parts/%02d.png", n_parts, *options)
    run_here(source, "parts/%02d.png", "--join", str(n_parts))
    one, joined = read_folder("one"), read_folder("parts")
    assert sum(n_frames) == len(one) and min(n_frames) > 0, n_frames
    assert sorted(one) == sorted(joined), (sorted(one), sorted(joined))
    assert one == joined, [name for name in one if one[name] != joined[name]]
    assert len(set(one.values())) > 1


# --- the same frames ---

def decoder_loses_keyframe(path, key):
    """Whether H.264 that begins with this keyframe is decoded without its frame, as by
    libavcodec 7.1 where the GOP before it is open."""
    pipeline = Gst.parse_launch(f"filesrc location={path} ! matroskademux ! h264parse"
                                " name=parser ! avdec_h264 ! fakesink name=sink")
    packet_times, frame_times = [], []

    def choose(_, info):
        packet_times.append(info.get_buffer().pts)
        return (Gst.PadProbeReturn.OK if len(packet_times) > key
                else Gst.PadProbeReturn.DROP)

    def note(_, info):
        frame_times.append(info.get_buffer().pts)
        return Gst.PadProbeReturn.OK

    for name, pad, probe in ("parser", "src", choose), ("sink", "sink", note):
        pipeline.get_by_name(name).get_static_pad(pad).add_probe(
            Gst.PadProbeType.BUFFER, probe)
    media.run(pipeline)
    return packet_times[key] not in frame_times


def test_open_gop():
    """Frames before a keyframe are stored behind it."""
    media.make_film("in.mkv", OPEN_GOP, "matroskamux", n_frames=30)
    film = inputs.read_packets("in.mkv")
    assert any(time < film.times[key] for key in film.keys
               for time in film.times[key:]), "there is no open GOP"
    try:
        compare_with_one_run("in.mkv", 3, "--stability", "0")
    except Failure as failure:
        if decoder_loses_keyframe("in.mkv", film.keys[1]):
            raise unittest.SkipTest(f"avdec_h264 loses the keyframe: {failure}")
        raise


def test_exact():
    media.make_film("in.webm", KEYFRAMES, "webmmux", TINY, n_frames=8)
    compare_with_one_run("in.webm", 2, "--quality", "exact", "--radius", "0.05")


def test_stability():
    """The warm-up is longer than this film, so the palette has seen the same frames."""
    media.make_film("in.webm", KEYFRAMES, "webmmux", NOISE, n_frames=12)
    compare_with_one_run("in.webm", 2)


def test_irregular_times_and_sound():
    media.make_irregular("in.webm", KEYFRAMES)
    make_parts("in.webm", "out.mp4", 2, "--stability", "0")
    stylise("in.webm", "out.mp4", "--join", "2")
    joined = media.read("out.mp4")
    run_here("in.webm", "out.mp4", "--stability", "0")
    one = media.read("out.mp4")
    media.check_times(joined["video"], one["video"])
    assert joined["video"].times == one["video"].times
    assert joined["audio"].times == one["audio"].times
    assert joined["audio"].data == one["audio"].data


# --- cuts ---

def make_packets(times, keys):
    return inputs.Packets(times, [True] * len(times), keys)


def test_ranges():
    """Each frame lies in one part. Decoding begins at a keyframe that is early enough."""
    times = [0, 30, 10, 20, 60, 40, 50, 70, 100, 80, 90, 110, 120]
    keys = [0, 4, 7, 8, 12]
    film = make_packets(times, keys)
    for n_parts in range(1, 6):
        for warm_up in 0, 15, 1000:
            ranges = [parts.choose_range(film, part, n_parts, warm_up, "in")
                      for part in range(1, n_parts + 1)]
            for time in times:
                assert sum(part.begin <= time < part.end for part in ranges) == 1
            assert sum(part.n_frames for part in ranges) == len(times)
            for part in ranges:
                assert part.first in keys and part.n_frames > 0
                assert times[part.first] <= part.warm == max(part.begin - warm_up, 0)
                assert all(time >= part.end for time in times[part.stop:])
    try:
        parts.choose_range(film, 1, 6, 0, "in")
    except Failure as failure:
        assert "5 parts" in str(failure), failure
    else:
        raise AssertionError("6 parts of 5 keyframes")


def test_keyframes_out_of_order():
    """No cut where frames after it come before it."""
    film = make_packets([0, 10, 40, 30, 20, 50], [0, 3, 5])
    assert [cut.packet for cut in parts.find_cuts(film)] == [0, 5]


def test_warm_up():
    for arguments, seconds in (((), 5), (("--stability", "0"), 0),
                               (("--quality", "exact"), 0), (("--colors", "4"), 5),
                               (("--stability", "1"), 5),
                               (("--stability", "1", "--colors", "4"), 10),
                               (("--preset", "calm"), 8), (("--preset", "retro-16"), 5)):
        pathlib.Path("in.webm").touch()
        settings = command.parse(["in.webm", "out.webm", "--part", "1/2", *arguments])
        assert settings.warm_up == seconds * 10**9, (arguments, settings.warm_up)


# --- what is refused ---

def damage(path, data):
    """The same size, with another byte in the middle."""
    at = len(data) // 3
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])


def test_parts_that_do_not_fit():
    media.make_film("in.webm", KEYFRAMES, "webmmux")
    make_parts("in.webm", "out.webm", 2, "--codec", "vp8")
    part = pathlib.Path("out.webm.part-2-of-2")
    whole = part.read_bytes()
    part.unlink()
    message = fail("in.webm", "out.webm", "--join", "2")
    assert f"{part}: there is no such file" in message, message
    part.write_bytes(whole[:-40])
    message = fail("in.webm", "out.webm", "--join", "2")
    assert "not whole" in message and part.name in message, message
    damage(part, whole)
    message = fail("in.webm", "out.webm", "--join", "2")
    assert "not whole" in message and part.name in message, message
    run_here("in.webm", "out.webm", "--part", "2/2", "--codec", "vp8", "--radius", "0.03")
    message = fail("in.webm", "out.webm", "--join", "2")
    assert "other options" in message and part.name in message, message
    part.write_bytes(whole)
    media.make_film("in.webm", KEYFRAMES, "webmmux", NOISE)
    assert "another film" in fail("in.webm", "out.webm", "--join", "2")


def test_refusals():
    pathlib.Path("in.webm").touch()
    assert "more than once" in refuse("/dev/null", "out.webm", "--part", "1/2")
    for arguments, word in ((("out.gif", "--part", "1/2"), "only films"),
                            (("out.png", "--join", "2"), "only films"),
                            (("out.webm", "--part", "3/2"), "3/8"),
                            (("out.webm", "--part", "0/2"), "3/8"),
                            (("out.webm", "--part", "1/2", "--join", "2"), "--part"),
                            (("out.webm", "--join", "2", "--colors", "3"), "--colors")):
        message = refuse("in.webm", *arguments)
        assert word in message, (arguments, message)


def test_signal():
    """A part that is stopped leaves nothing."""
    media.make_film("in.webm", KEYFRAMES, "webmmux")
    try:
        with interrupted(parts.PartWriter, "add"):
            command.run(["in.webm", "out.webm", "--codec", "vp8", "--part", "1/2"])
    except Failure as failure:
        assert failure.status == 128 + signal.SIGINT
        assert str(failure) == "stopped; out.webm.part-1-of-2 was not made"
    else:
        raise AssertionError("it was not stopped")
    assert os.listdir() == ["in.webm"]


harness.run(globals())
