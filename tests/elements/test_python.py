# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_python.py [--without-overrides]

Sets and reads palettes of meanshiftpalette from Python. GStreamer has a package for
Python (overrides) that adds conversions, such as those of Gst.ValueArray. Not every
system has it, so the tests also run without it.
"""
import sys
import unittest

WITHOUT_OVERRIDES = '--without-overrides' in sys.argv
if WITHOUT_OVERRIDES:
    sys.modules['gi.overrides.Gst'] = None  # PyGObject then does not find it

import gi  # noqa: E402
gi.require_version('Gst', '1.0')
from gi.repository import Gst  # noqa: E402

import tap  # noqa: E402

TWO = '#1a1c2c,#5d275d'


def read_after(values):
    """Sets each of the values, and returns what is read after each."""
    element = Gst.ElementFactory.make('meanshiftpalette')
    for value in values:
        element.set_property('palette', value)
        yield element.get_property('palette')


def test_text():
    texts = [TWO, '1a1c2c,#5d275d', '0x1a1c2c,0x5d275d', '<0x1a1c2c, 0x5d275d>']
    assert list(read_after(texts)) == [TWO] * len(texts)


def test_sequences():
    sequences = [[0x1a1c2c, 0x5d275d], (0x1a1c2c, 0x5d275d), ['#1a1c2c', '5d275d']]
    assert list(read_after(sequences)) == [TWO] * len(sequences)


def test_value_arrays():
    arrays = [Gst.ValueArray([0x1a1c2c, 0x5d275d]), Gst.ValueArray(TWO.split(',')),
              Gst.ValueList([0x1a1c2c, 0x5d275d])]
    assert list(read_after(arrays)) == [TWO] * len(arrays)


def test_nothing():
    assert list(read_after([TWO, None, TWO, [], TWO, ''])) == [TWO, ''] * 3


def test_wrong():
    assert list(read_after([TWO, 'red', [-1], [0.5], 5])) == [TWO] * 5


def check_structure(structure):
    """Returns the palette, which another element takes as it is."""
    palette = structure.get_value('palette-text')
    shares = [float(share) for share in structure.get_value('shares-text').split(',')]
    assert list(read_after([palette])) == [palette]
    assert len(shares) == len(palette.split(',')) == 2
    assert abs(sum(shares) - 1) < 1e-5
    return palette


def test_message():
    pipeline = Gst.parse_launch(
        'videotestsrc num-buffers=1 ! video/x-raw,format=RGBA,width=16,height=16 '
        '! meanshiftpalette name=palette colors=2 post-messages=true ! fakesink')
    if pipeline.set_state(Gst.State.READY) == Gst.StateChangeReturn.FAILURE:
        raise unittest.SkipTest('no device')
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.ELEMENT | Gst.MessageType.ERROR)
    element = pipeline.get_by_name('palette')
    palette = check_structure(message.get_structure())
    stats = element.get_property('stats')  # owns the structure in it
    assert element.get_property('palette') == palette
    assert check_structure(stats.get_value('palette')) == palette
    pipeline.set_state(Gst.State.NULL)


def main():
    Gst.init(None)
    tests = [test_text, test_sequences, test_nothing, test_wrong, test_message]
    if not WITHOUT_OVERRIDES:
        tests.append(test_value_arrays)
    tap.run(tests)


main()
