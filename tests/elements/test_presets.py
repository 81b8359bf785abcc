# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_presets.py PAGE PLUGIN EFFECT...

Loads and saves presets of both elements, and runs the effects for GNOME. The values of
presets are those of the table in PAGE, docs/presets.md. Prints TAP.
"""
import concurrent.futures
import configparser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

# GStreamer saves presets here. It reads the variable once.
HOME = tempfile.TemporaryDirectory()
os.environ['XDG_DATA_HOME'] = HOME.name

import gi  # noqa: E402
gi.require_version('Gst', '1.0')
from gi.repository import GLib, Gst  # noqa: E402

import tap  # noqa: E402

PAGE, PLUGIN, *EFFECTS = (pathlib.Path(path).resolve() for path in sys.argv[1:])
ELEMENTS = 'gpublur', 'meanshiftpalette'

# What presets leave as it is: what describes the input, which parts of it are treated, what
# suits the device or the application, and what cannot be set.
KEPT = {'gpublur': {'method', 'precision', 'roi-source', 'roi-unit', 'roi-x', 'roi-y', 'roi-width',
                    'roi-height', 'roi-types', 'roi-shape', 'roi-invert', 'roi-action',
                    'roi-block', 'roi-color', 'roi-scale', 'feather', 'roi-hold',
                    'on-missing', 'mask'},
        'meanshiftpalette': {'transfer', 'post-messages'}}

# Values that no preset has, of properties of all kinds.
OTHER = {'gpublur': 'sigma=7 sigma-x=5 sigma-y=2 kernel=box radius=9 range=0.3 rounds=4'
                    ' edge-mode=wrap linear-light=true amount=0.5 planes=luma',
         'meanshiftpalette': 'quality=exact radius=0.04 max-shift=5 chroma=2.5 weighting=palette'
                             ' iteration-limit=3 history=2 min-frequency=5'
                             ' alpha-threshold=9 stability=0.1 scene-cut-threshold=0.5'
                             ' hold=true update-interval=4 palette="#1a1c2c,#5d275d" colors=77'
                             ' coherence=0.9'}


def read_table():
    """Returns the properties of each preset of each element, as in a launch line."""
    table = {name: {} for name in ELEMENTS}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.split('|')[1:-1]]
        if len(cells) == 3 and re.fullmatch('`[a-z0-9-]+`', cells[0]):
            for name, cell in zip(ELEMENTS, cells[1:]):
                if cell:
                    table[name][cells[0].strip('`')] = cell.strip('`')
    return table


def make(name, properties=''):
    return Gst.parse_launch(f'{name} {properties}')


def own_properties(element):
    return {pspec.name for pspec in element.list_properties()
            if pspec.owner_type == element.__gtype__}


def read(element):
    return {name: element.get_property(name) for name in own_properties(element)}


def saved(element):
    """Returns the file of presets that users saved."""
    file = GLib.KeyFile()
    file.load_from_file(os.path.join(HOME.name, 'gstreamer-1.0/presets',
                                     element.__gtype__.name + '.prs'),
                        GLib.KeyFileFlags.NONE)
    return file


def make_playing(description):
    pipeline = Gst.parse_launch(description)
    if pipeline.set_state(Gst.State.READY) == Gst.StateChangeReturn.FAILURE:
        raise unittest.SkipTest('no device')
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    assert message.type == Gst.MessageType.EOS, message.parse_error()
    return pipeline


def test_names():
    for name, presets in read_table().items():
        element = make(name)
        assert presets and element.get_preset_names() == list(presets)
        for preset in presets:
            found, comment = element.get_meta(preset, 'comment')
            assert found and comment


def test_values():
    for name, presets in read_table().items():
        for preset, properties in presets.items():
            assert read(make(name, f'@preset={preset}')) == read(make(name, properties))


def test_nothing_is_left():
    for name, presets in read_table().items():
        element = make(name, OTHER[name])
        defaults, others = read(make(name)), read(element)
        assert {key for key in others if others[key] == defaults[key]} == KEPT[name]
        for preset in presets:
            for values in (OTHER[name], *presets.values()):
                element = make(name, values)
                assert element.load_preset(preset)
                assert read(element) == read(make(name, presets[preset]))


def test_properties():
    for name in ELEMENTS:
        element = make(name)
        assert set(element.get_property_names()) == own_properties(element) - KEPT[name]


def test_unknown():
    for name in ELEMENTS:
        assert not make(name).load_preset('nothing')
        assert not make(name).set_meta('nothing', 'comment', 'text')
        try:
            make(name, '@preset=nothing')
        except GLib.Error as error:
            assert 'nothing' in error.message
        else:
            raise AssertionError('gst-launch-1.0 takes it')


def test_saved():
    for name in ELEMENTS:
        element = make(name, OTHER[name] + ' device=none async-depth=7 qos=false')
        names = element.get_preset_names()
        assert element.save_preset('mine')
        assert set(saved(element).get_keys('mine')[0]) == set(element.get_property_names())
        assert element.get_preset_names() == names + ['mine']
        assert read(make(name, '@preset=mine')) == read(element)
        assert element.delete_preset('mine')
        assert element.get_preset_names() == names


def test_replaced():
    """A saved preset has the name of a built-in one, until it is deleted."""
    for name in ELEMENTS:
        element = make(name, OTHER[name])
        assert element.save_preset('poster')
        assert sorted(element.get_preset_names()).count('poster') == 1
        assert read(make(name, '@preset=poster')) == read(element)
        assert element.set_meta('poster', 'comment', 'my own')
        assert element.get_meta('poster', 'comment') == (True, 'my own')
        assert element.delete_preset('poster')
        assert read(make(name, '@preset=poster')) != read(element)


def test_palette_of_frames():
    """It can be read, but is not saved."""
    pipeline = make_playing('videotestsrc num-buffers=1 ! video/x-raw,width=16,height=16'
                            ' ! meanshiftpalette name=palette colors=2 post-messages=true ! fakesink')
    element = pipeline.get_by_name('palette')
    palette = element.get_property('palette')
    assert palette
    with concurrent.futures.ThreadPoolExecutor() as other_thread:
        saved_often = other_thread.submit(
            lambda: all([element.save_preset('two') for _ in range(20)]))
        # Other threads can read it meanwhile.
        while not saved_often.done():
            assert element.get_property('palette') == palette
    assert saved_often.result()
    pipeline.set_state(Gst.State.NULL)
    loaded = make('meanshiftpalette', '@preset=two')
    assert loaded.get_property('palette') == ''
    assert loaded.get_property('colors') == 2
    assert loaded.delete_preset('two')


def test_plugin_alone():
    """Wherever the plugin is installed, its presets are."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(PLUGIN, folder)
        environment = {**os.environ, 'GST_PLUGIN_PATH_1_0': folder,
                       'GST_REGISTRY_1_0': f'{folder}/registry.bin'}
        for name, presets in read_table().items():
            output = subprocess.run(['gst-inspect-1.0', name], env=environment, check=True,
                                    stdout=subprocess.PIPE, text=True).stdout
            assert folder in output
            assert all(f'"{preset}":' in output for preset in presets)


def test_effects():
    """In the converters that Cheese puts around them."""
    assert EFFECTS
    for path in EFFECTS:
        file = configparser.ConfigParser()
        file.read(path)
        effect = file['Effect']
        assert effect['Name'] and effect['Comment'] and effect['Category']
        make_playing('videotestsrc num-buffers=1 ! video/x-raw,width=32,height=32'
                     f' ! videoconvert ! {effect["PipelineDescription"]}'
                     ' ! videoconvert ! fakesink').set_state(Gst.State.NULL)


Gst.init(None)
with HOME:
    tap.run(tap.find(globals()))
