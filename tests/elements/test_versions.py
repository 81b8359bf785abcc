# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_versions.py ROOT

The plugin, as gst-inspect-1.0 shows it, has the version of each file below ROOT that
names the newest one.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
NEWEST = {
    'CHANGELOG.md': r'^## \[([0-9.]+)\]',
    'debian/changelog': r'^gst-gpu-video-filters \(([^)]+)\)',
    'gst/invalid.gst_gpu_video_filters.gpufilters.metainfo.xml': r'<release version="([^"]+)"',
}


def find(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    return match and match[1]


def main():
    shown = subprocess.run(['gst-inspect-1.0', 'gpufilters'], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    plugin = find(r'^ *Version +(\S+)$', shown)
    print(f'1..{len(NEWEST)}')
    for number, (name, pattern) in enumerate(NEWEST.items(), 1):
        version = find(pattern, (ROOT / name).read_text())
        result = 'ok' if version == plugin else 'not ok'
        print(f'{result} {number} {name}: {version}, the plugin: {plugin}')


main()
