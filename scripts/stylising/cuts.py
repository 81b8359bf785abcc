# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Where a film is cut into parts. Each run finds the same cuts, as they follow from IN
# alone. A frame belongs to the part that its time lies in, so to exactly one, in whatever
# order packets come.

import math
from dataclasses import dataclass

from stylising.failure import Failure


@dataclass
class Cut:
    """A packet from which decoding can begin, and the time of the first frame after."""
    packet: int
    time: int


@dataclass
class Range:
    """The packets to decode, from first up to but not including stop, and times between
    which frames lie: begin to end those of the part, warm to begin those before it that
    the palette has to have seen."""
    first: int
    stop: int
    warm: int
    begin: int
    end: float
    n_frames: int


def find_cuts(packets):
    """Yields the start, and each keyframe that comes after all frames of the packets before
    it. Frames that precede a keyframe may be stored behind it (an open GOP)."""
    yield Cut(0, min(packets.times))
    latest, keys = packets.times[0], set(packets.keys)
    for packet, time in enumerate(packets.times):
        if packet in keys and time > latest:
            yield Cut(packet, time)
        latest = max(latest, time)


def choose_cuts(cuts, n_packets, n_parts, path):
    """Returns where each part begins: nearest to equal numbers of packets, and so that no
    part is empty."""
    if len(cuts) < n_parts:
        raise Failure(f"{path}: can be cut at keyframes into {len(cuts)} parts, but not"
                      f" into {n_parts}")
    chosen = [0]
    for part in range(1, n_parts):
        ideal = part * n_packets / n_parts
        possible = range(chosen[-1] + 1, len(cuts) - (n_parts - part) + 1)
        chosen.append(min(possible, key=lambda i: abs(cuts[i].packet - ideal)))
    return [cuts[i] for i in chosen]


def choose_range(packets, part, n_parts, warm_up, path):
    """part: from 1. warm_up: in nanoseconds."""
    cuts = list(find_cuts(packets))
    chosen = choose_cuts(cuts, len(packets.times), n_parts, path)
    begin = chosen[part - 1].time
    end = chosen[part].time if part < n_parts else math.inf
    warm = max(begin - warm_up, cuts[0].time)
    first = next(cut for cut in reversed(cuts) if cut.time <= warm)
    in_time = [begin <= time < end for time in packets.times]
    stop = max(i for i, time in enumerate(packets.times) if time < end) + 1
    n_frames = sum(map(all, zip(in_time, packets.shown)))
    return Range(first.packet, stop, warm, begin, end, n_frames)
