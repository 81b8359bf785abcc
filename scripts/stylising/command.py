# SPDX-License-Identifier: LGPL-2.1-or-later
#
# From a command line to the film, or the part of it, that it asks for.

from stylising import options, part_files, results
from stylising.film import Film
from stylising.join import Join
from stylising.part import Part


def run(arguments):
    """Returns what there is at the end, in a line."""
    settings = options.parse(arguments)
    out, kind = settings.out, Join if settings.n_parts else Film
    if settings.part:
        out, kind = part_files.get_path(out, *settings.part), Part
    with results.begin(out) as target:
        n_frames, seconds = kind(settings, target).make()
        size = results.measure(target)
    frames = "1 frame" if n_frames == 1 else f"{n_frames} frames, {seconds:.1f} s"
    return f"{out}: {frames}, {size}"
