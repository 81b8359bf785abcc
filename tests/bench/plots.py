# SPDX-License-Identifier: LGPL-2.1-or-later
"""What scripts that draw rows of benchmarks share. Needs Debian's
python3-matplotlib."""
import csv
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(f'{pathlib.Path(sys.argv[0]).name}: '
             'no plots without Debian\'s python3-matplotlib')
matplotlib.use('svg')
# As text, which takes a third of what outlines do, and can be searched.
matplotlib.rcParams['svg.fonttype'] = 'none'


def read(path):
    with path.open(encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines))


def distinct(rows, *columns):
    """In the order in which they come."""
    return list(dict.fromkeys(tuple(row[c] for c in columns) for row in rows))


def save(figure, path):
    figure.savefig(path)
    print(path)
