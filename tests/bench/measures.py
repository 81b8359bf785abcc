# SPDX-License-Identifier: LGPL-2.1-or-later
"""How good and how steady a reduced palette is, from pixels alone: measures of results that no
two methods have in common to the bit. In double precision, with nothing of the engines'
arithmetic.

Pixels are bytes R, G, B, A, the last axis of an array. Colours are places in Oklab, L, a and
b, with the transfer function of sRGB, and distances are those of places. Shares are 0…1.
"""
import math
import re

import numpy

# What is seen to move, and what stays.
LEAST_MOVE, STAYS = 0.02, 0.01

# Share of the pixels up to which a colour is not seen.
LEAST_SHARE = 1e-4

# In levels, of what is still.
FAR = 8

# Frames darker than this have no jumps: near black a code value is as much as 0.07.
LEAST_LIGHTNESS = 0.15

# What one calls by the same name.
NEAR_HUE, ENOUGH_CHROMA = math.radians(20), 0.6

# What is grey, what has a colour, and the share of its chroma below which it is greyed.
GREY_CHROMA, LEAST_CHROMA, GREYED = 0.02, 0.04, 0.45

# Patches of fewer pixels are grain.
GRAIN = 8

# A small thing: its pixels, its chroma, and how far it is at least from the mean of a square
# of so many pixels around it. It is lost if its mean moves farther than this.
SALIENT_PIXELS, SALIENT_CHROMA, SALIENT_DISTANCE, SURROUNDINGS = (12, 900), 0.09, 0.13, 41
LOST_DISTANCE = 0.1

# Clean colours in the same cube of so many levels look alike. A colour of fewer pixels of
# these than this share is none that they have.
ALIKE, USUAL_SHARE = 4, 0.05

# Björn Ottosson, "A perceptual color space for image processing" (2020).
RGB_TO_LMS = numpy.array([[0.4122214708, 0.5363325363, 0.0514459929],
                          [0.2119034982, 0.6806995451, 0.1073969566],
                          [0.0883024619, 0.2817188376, 0.6299787005]])
LMS_TO_LAB = numpy.array([[0.2104542553, 0.7936177850, -0.0040720468],
                          [1.9779984951, -2.4285922050, 0.4505937099],
                          [0.0259040371, 0.7827717662, -0.8086757660]])


# --- pictures ---

def read_ppm(path):
    """Reads a binary PPM of 8 bits as opaque R, G, B, A."""
    with open(path, "rb") as file:
        data = file.read()
    header = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = (int(side) for side in header.groups()) if header else (0, 0)
    if not header or len(data) < header.end() + 3 * width * height:
        raise ValueError(f"{path} is not a binary PPM of 8 bits")
    rgb = numpy.frombuffer(data, numpy.uint8, 3 * width * height, header.end())
    rgb = rgb.reshape(height, width, 3)
    return numpy.insert(rgb, 3, 255, axis=2)


# --- colours ---

def light_of_code(code):
    x = code / 255
    return numpy.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)


# Of each code value.
LIGHT = light_of_code(numpy.arange(256))


def level_of_light(light):
    """Returns the code value, not rounded, of linear light 0…1."""
    return 255 * numpy.where(light <= 0.0031308, 12.92 * light,
                             1.055 * light ** (1 / 2.4) - 0.055)


def oklab(rgba):
    """The fourth component, if there is one, is left out."""
    return numpy.cbrt(LIGHT[rgba[..., :3]] @ RGB_TO_LMS.T) @ LMS_TO_LAB.T


def distance(places, others):
    return numpy.sqrt(numpy.square(places - others).sum(-1))


def distance_of_pixels(pixels, others):
    return distance(oklab(pixels), oklab(others))


def chroma(places):
    return numpy.hypot(places[..., 1], places[..., 2])


def hue_between(places, others):
    """Returns the angle between two hues, 0…pi."""
    (_, a, b), (_, other_a, other_b) = numpy.moveaxis(places, -1, 0), numpy.moveaxis(others,
                                                                                  -1, 0)
    return abs(numpy.arctan2(a * other_b - b * other_a, a * other_a + b * other_b))


def number_colours(rgba):
    rgb = rgba[..., :3].astype(int)
    return rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2]


def colours_of_numbers(numbers):
    return numpy.stack([numbers >> 16, numbers >> 8 & 255, numbers & 255], -1)


# --- palettes ---

def palette_size(rgba, radius):
    """Counts colours that one would tell apart, and see. Heaviest first, the number of pixels
    being the weight, a colour joins the heaviest one before it within radius / 2 that joined
    none, whose pixels its own are from then on. What remains, and has more than 1e-4 of the
    pixels with alpha, is counted."""
    pixels = rgba[rgba[..., 3] > 0]
    numbers, weights = numpy.unique(number_colours(pixels), return_counts=True)
    heaviest = numpy.argsort(-weights, kind="stable")
    numbers, weights = numbers[heaviest], weights[heaviest]
    places = oklab(colours_of_numbers(numbers))
    n_seen = 0
    while len(weights):
        joins = distance(places, places[0]) <= radius / 2
        n_seen += weights[joins].sum() > LEAST_SHARE * len(pixels)
        places, weights = places[~joins], weights[~joins]
    return n_seen


def distortion(before, after):
    """Returns the mean distance between what a pixel was and what it became, of pixels that
    had alpha; 0 if none had."""
    counts = before[..., 3] > 0
    if not counts.any():
        return 0
    return distance_of_pixels(before[counts], after[counts]).mean()


def ratio(value, other, least):
    """Returns value to other, of what may be nothing at all: then it is as least."""
    return max(value, least) / max(other, least)


# --- steadiness of films ---

def moved(film, lag):
    """Returns the share of pixels that are more than 0.02 away from where they were so many
    frames before, of all that have such a frame."""
    places = [oklab(frame) for frame in film]
    shares = [(distance(after, before) > LEAST_MOVE).mean()
              for before, after in zip(places, places[lag:])]
    return numpy.mean(shares) if shares else 0


def changed(inputs, outputs):
    """Of the pixels whose input is what it was in the frame before, to the bit: returns the
    share whose output is not, and the share whose output differs by 8 levels or more in some
    component. Both are 0 if no input stays."""
    still = (inputs[1:] == inputs[:-1]).all(-1)
    by = abs(outputs[1:].astype(int) - outputs[:-1])[still].max(-1, initial=0)
    n = max(still.sum(), 1)
    return (by > 0).sum() / n, (by >= FAR).sum() / n


def cost(before, steady, plain):
    """Returns the distortion of one result, divided by that of another one."""
    return ratio(distortion(before, steady), distortion(before, plain), 1e-6)


# --- scenes ---

def least_distance(frame, before, found):
    """Returns how far each pixel is from the nearest of those of the frame before that showed
    a part of what it shows; found: as of films.find_before()."""
    (top, n_rows, _), (left, n_columns, _) = found
    places, places_before = oklab(frame), oklab(before)
    least = numpy.full(frame.shape[:2], numpy.inf)
    for row in range(n_rows.max()):
        for column in range(n_columns.max()):
            counts = numpy.outer(row < n_rows, column < n_columns)
            other = places_before.take(top + row, 0, mode="clip").take(left + column, 1,
                                                                       mode="clip")
            near = distance(places, other)
            least[counts] = numpy.minimum(least, near)[counts]
    return least


def count_moved(clean, clean_before, output, output_before, found):
    """Counts the pixels whose output is more than 0.02 away from what it was in each pixel
    that showed a part of the same surface in the frame before, of those whose clean colour is
    within 0.01 of what it was there. Returns how many, and of how many. What a pixel shows
    may have been between several pixels of different colours: it may have any of these. Clean
    is what the scene shows without noise, which no filter sees."""
    counts = numpy.outer(found[0][2], found[1][2])
    counts &= least_distance(clean, clean_before, found) <= STAYS
    is_moved = least_distance(output, output_before, found) > LEAST_MOVE
    return (is_moved & counts).sum(), counts.sum()


def jump(clean, clean_before, output, output_before):
    """Returns the share of pixels whose output moved by more than 0.02 more than the clean
    colour in the same place, unless both are dark."""
    places, before = oklab(output), oklab(output_before)
    allowed = LEAST_MOVE + distance_of_pixels(clean, clean_before)
    is_light = numpy.maximum(places[..., 0], before[..., 0]) >= LEAST_LIGHTNESS
    return ((distance(places, before) > allowed) & is_light).mean()


def mean_place(rgba):
    """Returns the mean of pixels; black if there are none."""
    return oklab(rgba).reshape(-1, 3).sum(0) / max(rgba.size // 4, 1)


def mean_chroma(rgba):
    """Colours do not cancel each other, as they do in the mean."""
    return chroma(oklab(rgba)).sum() / max(rgba.size // 4, 1)


def keeps_colour(before, after):
    """Whether one calls a place by the same name: a hue within 20 degrees, and 0.6 of the
    chroma at least."""
    return bool(hue_between(before, after) <= NEAR_HUE
                and chroma(after) >= ENOUGH_CHROMA * chroma(before))


def stain(clean, output, plain):
    """Returns the share of pixels whose output is farther from the clean colour than the plain
    one is, by more than 0.02."""
    return (distance_of_pixels(clean, output)
            > distance_of_pixels(clean, plain) + LEAST_MOVE).mean()


# --- colours of a picture ---

def count_colours(rgba):
    return numpy.unique(number_colours(rgba)).size


def commonest(rgba):
    """Returns the share of pixels that the commonest colour has."""
    return numpy.unique(number_colours(rgba), return_counts=True)[1].max() / (rgba.size // 4)


def count_greyed(clean, output):
    """Counts the pixels that keep less than 0.45 of their chroma, of those that have more than
    0.04. Returns how many, and of how many."""
    before = chroma(oklab(clean))
    counts = before > LEAST_CHROMA
    return (counts & (chroma(oklab(output)) < GREYED * before)).sum(), counts.sum()


def number_areas(numbers):
    """Numbers the areas of equal numbers, connected by sides: returns an array of 0…n - 1. In
    each round an area's parts take the smallest of the numbers around them."""
    areas = numpy.arange(numbers.size).reshape(numbers.shape)
    is_same = numbers[1:] == numbers[:-1], numbers[:, 1:] == numbers[:, :-1]
    while True:
        least = areas.copy()
        for same, ahead, behind in ((is_same[0], least[1:], least[:-1]),
                                    (is_same[1], least[:, 1:], least[:, :-1])):
            # One after the other: most pixels are ahead of one and behind another.
            ahead[same] = numpy.minimum(ahead, behind)[same]
            behind[same] = numpy.minimum(ahead, behind)[same]
        roots = numpy.arange(numbers.size)
        numpy.minimum.at(roots, areas.ravel(), least.ravel())
        while (roots[roots] != roots).any():
            roots = roots[roots]
        joined = roots[least]
        if (joined == areas).all():
            return numpy.unique(areas, return_inverse=True)[1].reshape(areas.shape)
        areas = joined


def grain(rgba):
    """Returns the share of pixels in patches of one colour with fewer than 8 pixels."""
    areas = number_areas(number_colours(rgba))
    return (numpy.bincount(areas.ravel())[areas] < GRAIN).mean()


def mean_around(places, side):
    """Returns the mean of the square around each place, without what is outside."""
    sums = numpy.pad(places, ((1, 0), (1, 0), (0, 0))).cumsum(0).cumsum(1)

    def ends(n):
        middle = numpy.arange(n)
        return (middle - side // 2).clip(0), (middle + side // 2 + 1).clip(max=n)

    (top, bottom), (left, right) = (ends(n) for n in places.shape[:2])
    total = (sums[bottom][:, right] - sums[top][:, right]
             - sums[bottom][:, left] + sums[top][:, left])
    return total / numpy.outer(bottom - top, right - left)[..., None]


def count_lost(clean, output):
    """Counts the small things that are lost: whose mean in the output is nearer to what is
    around than to what it is to be, or farther than 0.1 from that. Returns how many, and of how
    many."""
    places, places_after = oklab(clean), oklab(output)
    around = mean_around(places, SURROUNDINGS)
    is_salient = ((distance(places, around) > SALIENT_DISTANCE)
                  & (chroma(places) > SALIENT_CHROMA))
    areas = number_areas(is_salient.astype(int)).ravel()
    sizes = numpy.bincount(areas)

    def means(values):
        return numpy.stack([numpy.bincount(areas, component.ravel()) / sizes
                            for component in numpy.moveaxis(values, -1, 0)], -1)

    is_thing = numpy.zeros(len(sizes), bool)
    is_thing[areas[is_salient.ravel()]] = True
    is_thing &= (sizes >= SALIENT_PIXELS[0]) & (sizes <= SALIENT_PIXELS[1])
    after = means(places_after)
    far = distance(after, means(places))
    is_lost = (far > LOST_DISTANCE) | (far > distance(after, means(around)))
    return (is_thing & is_lost).sum(), is_thing.sum()


# --- what is still beside motion ---

def is_moved(output, output_before, by=LEAST_MOVE):
    return distance_of_pixels(output, output_before) > by


def count_tinted(clean, output, region):
    """Counts the pixels of a region whose a and b move by more than 0.02, of those that are
    grey. Returns how many, and of how many."""
    places = oklab(clean)
    counts = region & (chroma(places) < GREY_CHROMA)
    return (counts & (chroma(oklab(output) - places) > LEAST_MOVE)).sum(), counts.sum()


def count_odd(clean, output, inside, outside):
    """Counts the pixels inside whose output is odd: more than 0.01 from each colour that a
    twentieth or more of the pixels outside have whose clean colour is alike. Noise makes some
    of those odd, too: as large a share is taken off. Returns how many, which may be less than
    none, and of how many there are pixels outside that are alike."""
    alike = number_colours(clean // ALIKE)
    colours = number_colours(output)
    n_odd = n_of = 0
    for cube in numpy.unique(alike[inside]):
        is_alike = alike == cube
        found, n_found = numpy.unique(colours[is_alike & outside], return_counts=True)
        usual = found[n_found >= USUAL_SHARE * n_found.sum()]
        if len(usual):
            palette = oklab(colours_of_numbers(usual))

            def share_of_odd(pixels):
                return (distance(oklab(pixels)[:, None], palette).min(1) > STAYS).mean()

            n = (is_alike & inside).sum()
            n_odd += n * (share_of_odd(output[is_alike & inside])
                          - share_of_odd(output[is_alike & outside]))
            n_of += n
    return n_odd, n_of
