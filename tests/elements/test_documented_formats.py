# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_documented_formats.py ROOT

The formats that an element's page names, those of its pad templates, as gst-inspect-1.0 shows
them, and those that its pads offer are the same.
"""
import pathlib
import re
import subprocess
import sys

import gi

gi.require_version('Gst', '1.0')
from gi.repository import Gst  # noqa: E402

ROOT = pathlib.Path(sys.argv[1])
ELEMENTS = ['gpublur', 'meanshiftpalette']


def documented(element, pad):
    """The names in the table of the section "Formats" that hold for the pad."""
    section = (ROOT / 'docs' / f'{element}.md').read_text().split('\n## Formats\n')[1]
    rows = re.findall(r'^\| (?!bits|samples|-)([^|]+)\| ([^|]+) \|$', section.split('\n## ')[0],
                      re.MULTILINE)
    return {name for label, row in rows for name in re.findall(r'\w+', row)
            if label != 'output only ' or pad == 'src'}


def inspected(element, pad):
    shown = subprocess.run(['gst-inspect-1.0', element], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    template = shown.split(f"{pad.upper()} template: '{pad}'")[1]
    return set(re.findall(r'\(string\)(\w+)',
                          re.search(r'format: \{(.*)\}', template)[1]))


def offered(element, pad):
    made = Gst.ElementFactory.make(element)
    caps = made.get_static_pad(pad).query_caps(None)
    # Lists have formats that can be worked on; caps with others, which follow only if they
    # would pass, have no list.
    lists = re.findall(r'format=\(string\)(?:\{([^}]*)\}|(\w+))', caps.to_string())
    return set(re.findall(r'\w+', ' '.join(''.join(names) for names in lists)))


def main():
    Gst.init(None)
    print(f'1..{4 * len(ELEMENTS)}')
    number = 0
    for element in ELEMENTS:
        for pad in 'sink', 'src':
            expected = documented(element, pad)
            for source in inspected, offered:
                number += 1
                found = source(element, pad)
                result = 'ok' if found == expected else 'not ok'
                print(f'{result} {number} {element}, {pad}, {source.__name__}: '
                      f'{len(found)} formats, differ: {sorted(found ^ expected)}')


main()
