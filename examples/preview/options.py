# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The command line, which needs neither GTK nor a desktop.

import argparse

# Two cores reduce the colours of live video of this size (docs/performance.md).
CPU_SIZE = 320, 180

DESCRIPTION = """\
Shows a film before and after gpublur and meanshiftpalette, with controls for both, and
prints the gst-launch-1.0 command that shows the same. SOURCE is a file, a URI, or in
quotation marks a source for gst-launch-1.0; without it, media/bunny.webm is shown.

Without a GPU, frames that do not fit into {} × {} pixels are made smaller, so that the
film moves; --full-size keeps their size.""".format(*CPU_SIZE)

EXAMPLES = """\
examples:
  examples/preview/preview holiday.mp4
  examples/preview/preview photograph.jpg --full-size
  examples/preview/preview 'videotestsrc pattern=ball ! video/x-raw,width=640,height=360'"""


def make_parser():
    parser = argparse.ArgumentParser(
        prog="preview", description=DESCRIPTION, epilog=EXAMPLES, allow_abbrev=False,
        usage="%(prog)s [SOURCE] [--full-size]",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="SOURCE", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument(
        "--full-size", dest="cpu_size", action="store_const", const=None, default=CPU_SIZE,
        help="keep the size of frames without a GPU, too")
    return parser


def parse(arguments):
    return make_parser().parse_args(arguments)
