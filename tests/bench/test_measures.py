# SPDX-License-Identifier: LGPL-2.1-or-later
"""The measures, on pictures of which one can tell them by hand. A linear light of x³ in all three
channels is a grey of lightness x; code 99 has lightness 0.5 (light 0.1248), within 0.001. Greys
99 and 105 are 0.0211 apart in lightness, 99 and 104 0.0176, 99 and 100 0.0035."""
import math
import pathlib

import numpy

import measures
import tap

RED, BLUE, CYAN = (255, 0, 0, 255), (0, 0, 255, 255), (0, 255, 255, 255)
NOTHING = 0, 0, 0, 0

# Of frames: all pixels are found where they were.
HEIGHT, WIDTH = 8, 8
STILL = tuple((numpy.arange(n), numpy.ones(n, int), numpy.ones(n, bool))
              for n in (HEIGHT, WIDTH))


def make(*pixels):
    """Of greys, which are numbers, and of colours."""
    return numpy.array([4 * [0] if pixel is NOTHING else
                        [pixel, pixel, pixel, 255] if isinstance(pixel, int) else pixel
                        for pixel in pixels], numpy.uint8)


def assert_near(found, wanted, tolerance=1e-9):
    assert numpy.allclose(found, wanted, 0, tolerance), found


# --- pictures ---

def test_ppm():
    file = pathlib.Path("a.ppm")
    file.write_bytes(b"P6\n2 1\n255\n" + bytes(range(10, 16)))
    assert (measures.read_ppm(file) == [[[10, 11, 12, 255], [13, 14, 15, 255]]]).all()
    for wrong in b"P5\n2 1\n255\n" + bytes(6), b"P6\n2 1\n255\n" + bytes(5), b"":
        file.write_bytes(wrong)
        try:
            measures.read_ppm(file)
        except ValueError:
            continue
        raise AssertionError(f"{wrong} is read")


# --- distortion ---

def test_distortion():
    """From black a colour is as far as its vector is long. Red is (0.627955, 0.224863,
    0.125846), blue (0.452014, -0.032457, -0.311528). Light 10 / 255 / 12.92 = 0.0030353, in the
    straight part of sRGB, has the cube root 0.14479."""
    for before, after, wanted, tolerance in (
            (99, 99, 0, 0), (0, 255, 1, 1e-6), (255, 0, 1, 1e-6), (0, 99, 0.5, 1e-3),
            (0, 10, 0.14479, 1e-5), (0, RED, 0.67877, 1e-5), (0, BLUE, 0.54993, 1e-5),
            (RED, BLUE, 0.53709, 1e-5)):
        assert_near(measures.distortion(make(before), make(after)), wanted, tolerance)


def test_mean_distortion():
    """The mean of pixels, not of colours, nor the root of a mean of squares. Transparent pixels
    are not among those whose mean it is."""
    assert_near(measures.distortion(make(0, 0, 0, 0), make(0, 0, 0, 255)), 0.25, 1e-6)
    before = make(0, NOTHING)
    for pixel, wanted in (0, 0), (255, 1):
        assert_near(measures.distortion(before, make(pixel, (255, 255, 255, 0))), wanted, 1e-6)
    assert measures.distortion(make(NOTHING), make(255)) == 0


# --- palette size ---

def test_palette_size():
    """Greys 0, 99 and 255 are 0.5 from the next: within radius / 2 from radius 1 on. Both ends
    join the middle if it is the heaviest; else one end takes it along, and the other
    remains."""
    for pixels, radius, size in (
            ((0, 99, 255, 99, (7, 7, 7, 0)), 0.02, 3), (((7, 7, 7, 0),), 0.02, 0),
            ((0, 99), 0.99, 2), ((0, 99), 1.01, 1),
            (3 * [99] + 2 * [0] + 2 * [255], 1.01, 1),
            (2 * [99] + 3 * [0] + 2 * [255], 1.01, 2)):
        assert measures.palette_size(make(*pixels), radius) == size, pixels


def test_share():
    """One pixel in 10000 is not seen, two are. Two that each are one pixel are seen if they are
    near each other, and not if they are not. Transparent pixels are none of those that a share
    is of: in the last row 3 are 1.5e-4, of all it would be 0.75e-4."""
    for black, rest, size in ((9998, (99, 255), 1), (9998, (255, 255), 2),
                              (9998, (254, 255), 2), (19997, 3 * [255] + 20000 * [NOTHING], 2)):
        assert measures.palette_size(make(*black * [0], *rest), 0.02) == size, rest


# --- steadiness ---

def film(*frames):
    return numpy.array([make(*frame) for frame in frames])


def test_moved():
    """By enough; each pixel counts once per pair of frames, and is compared with itself. What
    comes back has not moved; what creeps has."""
    several = film((0, 50, 100, 150), (0, 50, 100, 200), (9, 50, 200, 200))
    creeping = film((99, 99), (200, 102), (99, 105), (200, 108))
    for frames, lag, share in (
            (film([99], [105]), 1, 1), (film([99], [104]), 1, 0), (several, 1, 3 / 8),
            (several[:2], 1, 1 / 4), (creeping, 1, 1 / 2), (creeping, 2, 1 / 2),
            (creeping, 3, 1), (creeping[:3], 2, 1 / 2), (creeping, 4, 0)):
        assert_near(measures.moved(frames, lag), share)


def test_changed():
    """Of five pixels the first stays, two change output by less and by enough, two have another
    input, by one level of one component."""
    inputs = film((10, 20, 30, 40, 50), (10, 20, 30, (40, 40, 41, 255), (50, 51, 50, 255)))
    outputs = film(5 * [60], (60, (67, 60, 53, 255), (60, 60, 52, 255), 60, 99))
    assert_near(measures.changed(inputs, outputs), (2 / 3, 1 / 3))


def test_changed_alpha():
    """Alpha is a component like the others."""
    inputs = film((10, 10, 10), (10, 10, (10, 10, 10, 254)))
    outputs = film((9, 9, 9), (9, (9, 9, 9, 247), 60))
    assert_near(measures.changed(inputs, outputs), (1 / 2, 1 / 2))


def test_changed_frames():
    """Every pair of consecutive frames counts, and only these; there may be none."""
    inputs, outputs = film([1], [1], [2], [2]), film([7], [7], [99], [50])
    assert_near(measures.changed(inputs, outputs), (1 / 2, 1 / 2))
    assert measures.changed(inputs[1:3], outputs[1:3]) == (0, 0)


def test_cost():
    """Black, of which the results make greys."""
    black, white, half = make(0, 0), make(255, 255), make(255, 0)
    assert_near(measures.cost(black, white, half), 2)
    assert_near(measures.cost(black, half, white), 0.5)
    assert_near(measures.cost(black, black, black), 1)
    assert measures.cost(black, white, black) > 1e5


# --- what moves in scenes ---

def fill(level, quarter=None):
    """Returns a frame; quarter: of the first quarter of its rows."""
    frame = numpy.full((HEIGHT, WIDTH, 4), 255, numpy.uint8)
    frame[..., :3] = level
    if quarter is not None:
        frame[:HEIGHT // 4, :, :3] = quarter
    return frame


def fill_stripes(levels, first):
    """Returns columns of four levels by turns."""
    columns = numpy.arange(first, first + WIDTH) % 4
    return fill(numpy.array(levels)[columns][:, None])


def test_moved_far_enough():
    n = HEIGHT * WIDTH
    for quarter, n_moved in (105, n // 4), (104, 0):
        assert measures.count_moved(fill(99), fill(99), fill(99, quarter), fill(99),
                                    STILL) == (n_moved, n)


def test_moved_of_what_stays():
    """What the scene itself changes does not count; what it changes by a little does."""
    n = HEIGHT * WIDTH
    for quarter, n_of in (105, n * 3 // 4), (100, n):
        assert measures.count_moved(fill(99, quarter), fill(99), fill(200), fill(99),
                                    STILL) == (n_of, n_of)


def test_moved_along():
    """A pan of two columns swaps stripes of two columns. Two columns were not in view."""
    columns = numpy.arange(WIDTH)
    pan = STILL[0], (columns + 2, numpy.ones(WIDTH, int), columns < WIDTH - 2)
    dark, light = (fill_stripes((50, 50, 200, 200), first) for first in (0, 2))
    n = HEIGHT * (WIDTH - 2)
    assert measures.count_moved(light, dark, light, dark, pan) == (0, n)
    assert measures.count_moved(light, dark, dark, dark, pan) == (n, n)


def test_moved_between():
    """A pixel shows parts of four, in two columns: it may look like either."""
    between = tuple((numpy.arange(n), numpy.full(n, 2), numpy.arange(n) < n - 1)
                    for n in (HEIGHT, WIDTH))
    before = fill_stripes((50, 200, 50, 200), 0)
    n = (HEIGHT - 1) * (WIDTH - 1)
    for level, n_moved in (50, 0), (200, 0), (120, n):
        assert measures.count_moved(fill(99), fill(99), fill(level), before,
                                    between) == (n_moved, n)


def test_jump():
    """From 99, 105 is as far as the input goes in the third row, 110 not 0.02 farther, 112 is.
    Greys 8 and 12 have a lightness of 0.134 and 0.154, of which the latter is not dark."""
    for level, clean, output, share in (
            (99, 99, 105, 0.25), (99, 99, 104, 0), (99, 105, 105, 0), (99, 105, 110, 0),
            (99, 105, 112, 0.25), (2, 2, 8, 0), (2, 2, 12, 0.25)):
        assert_near(measures.jump(fill(level, clean), fill(level), fill(level, output),
                                  fill(level)), share)
    assert_near(measures.jump(fill(2), fill(2), fill(2), fill(12)), 1)


# --- regions ---

def test_mean_place():
    red = measures.oklab(make(RED)[0])
    mean = measures.mean_place(make(RED, 255))
    assert_near(mean, [(red[0] + 1) / 2, red[1] / 2, red[2] / 2], 1e-6)
    assert_near(measures.mean_place(make(255, 255)), [1, 0, 0], 1e-6)
    assert_near(measures.mean_place(fill(1)[:0]), 0)


def test_mean_chroma():
    """Red's chroma is 0.2577 (Ottosson's page has L 0.628, a 0.225, b 0.126)."""
    for pixels, wanted in ((128, 128), 0), ((RED, 128), 0.2577 / 2), (
            (RED, CYAN), (0.2577 + 0.1546) / 2):
        assert_near(measures.mean_chroma(make(*pixels)), wanted, 1e-4)


def test_keeps_colour():
    def of_hue(degrees, chroma):
        angle = math.radians(degrees)
        return numpy.array([0.5, chroma * math.cos(angle), chroma * math.sin(angle)])

    for degrees, chroma, keeps in ((29, 0.121, True), (351, 0.3, True), (31, 0.2, False),
                                   (349, 0.2, False), (190, 0.2, False), (10, 0.119, False)):
        assert measures.keeps_colour(of_hue(10, 0.2), of_hue(degrees, chroma)) is keeps


def test_stain():
    """By more than 0.02, of the pixels that are given."""
    for output, plain, share in ((fill(99, 105), fill(99), 0.25), (fill(105), fill(99), 1),
                                 (fill(105), fill(100), 0), (fill(100), fill(105), 0)):
        assert_near(measures.stain(fill(99), output, plain), share)


# --- colours of a picture ---

def paint(*rows):
    """Returns a picture of greys; a letter is a colour."""
    named = {"r": RED, "b": BLUE, "c": CYAN, ".": 99, "w": 255, "k": 0}
    return numpy.array([make(*(named[letter] for letter in row)) for row in rows])


def test_commonest():
    assert measures.count_colours(paint("r.", "rb")) == 3
    assert_near(measures.commonest(paint("r.", "rb")), 1 / 2)


def test_greyed():
    """Red has a chroma of 0.2577. (200, 120, 120) has 0.100, which is less than 0.45 of it,
    (220, 90, 90) has 0.164, which is more. Grey has no chroma to lose."""
    pale, less_pale = (200, 120, 120, 255), (220, 90, 90, 255)
    for pixel, wanted in (RED, (0, 2)), (99, (2, 2)), (pale, (2, 2)), (less_pale, (0, 2)):
        assert measures.count_greyed(make(RED, RED, 99),
                                     make(pixel, pixel, 200)) == wanted, pixel


def flood(numbers):
    """Numbers areas in the plainest way."""
    areas, n_areas = -numpy.ones(numbers.shape, int), 0
    for start in numpy.ndindex(numbers.shape):
        waiting = [start] if areas[start] < 0 else []
        while waiting:
            y, x = waiting.pop()
            if (0 <= y < len(numbers) and 0 <= x < len(numbers[0]) and areas[y, x] < 0
                    and numbers[y, x] == numbers[start]):
                areas[y, x] = n_areas
                waiting += (y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)
        n_areas += areas[start] == n_areas
    return areas


def test_areas():
    """Random ones, one area, and a path that winds through all rows."""
    random = numpy.random.RandomState(1)
    winding = numpy.zeros((21, 30), int)
    winding[1::4, :-1] = winding[3::4, 1:] = 1
    for numbers in (winding, *(random.randint(0, n, (20, 30)) for n in (1, 2, 3, 9))):
        assert (measures.number_areas(numbers) == flood(numbers)).all()


def test_grain():
    """Seven pixels are a patch too small, eight are not; corners do not connect."""
    for rows, share in ((("rrrr", "rrr.", "....", "...."), 7 / 16),
                        (("rrrr", "rrrr", "....", "...."), 0),
                        (("rrrr", "....", "rrrr", "...."), 1),
                        (("r...", ".r..", "..r.", "...r"), 1),
                        (4 * ("....",), 0)):
        assert_near(measures.grain(paint(*rows)), share)


def test_mean_around():
    places = numpy.arange(48.).reshape(4, 4, 3)
    around = measures.mean_around(places, 3)
    assert_near(around[1, 2], places[:3, 1:4].mean((0, 1)))
    assert_near(around[0, 0], places[:2, :2].mean((0, 1)))
    assert_near(measures.mean_around(places, 41)[3, 0], places.mean((0, 1)))


def make_thing(pixel, n_rows=4, n_columns=5, at=25):
    picture = numpy.tile(make(99), (100, 100, 1))
    picture[at:at + n_rows, at:at + n_columns] = pixel
    return picture


def test_lost():
    """Red on grey, which is 0.29 away. A red of half the chroma, (187, 77, 77), is nearer to it
    than to grey but too far, (230, 50, 45) is near."""
    for pixel, n_lost in ((RED, 0), (99, 1), ((187, 77, 77, 255), 1),
                          ((230, 50, 45, 255), 0), (BLUE, 1)):
        assert measures.count_lost(make_thing(RED), make_thing(pixel)) == (n_lost, 1), pixel


def test_lost_to_surroundings():
    """(180, 85, 60) is 0.144 from grey. (131, 93, 83) is 0.090 from it and 0.055 from grey,
    (147, 90, 75) the other way round."""
    brown = 180, 85, 60, 255
    for pixel, n_lost in ((131, 93, 83, 255), 1), ((147, 90, 75, 255), 0):
        assert measures.count_lost(make_thing(brown), make_thing(pixel)) == (n_lost, 1), pixel


def test_small_things():
    """Of 12 to 900 pixels, and with a colour."""
    for pixel, n_rows, n_columns, n in ((RED, 3, 4, 1), (RED, 11, 1, 0), (RED, 30, 30, 1),
                                        (RED, 16, 60, 0), (255, 4, 5, 0)):
        picture = make_thing(pixel, n_rows, n_columns)
        assert measures.count_lost(picture, picture) == (0, n), (pixel, n_rows, n_columns)
    both = make_thing(RED)
    both[0:4, 0:5] = BLUE
    assert measures.count_lost(both, make_thing(RED)) == (1, 2)


# --- what is still beside motion ---

def test_is_moved():
    assert (measures.is_moved(make(105, 104, 99), make(99, 99, 99)) == [1, 0, 0]).all()


def test_tinted():
    """Of pixels in the region that are grey. (114, 99, 85) has a chroma of 0.029, (102, 99, 96)
    of 0.006. What is lighter and grey is not tinted."""
    region = numpy.array([True, True, True, False])
    clean = make(99, 99, RED, 99)
    for pixel, n in ((114, 99, 85, 255), 2), ((102, 99, 96, 255), 0), (200, 0):
        assert measures.count_tinted(clean, make(*4 * [pixel]), region) == (n, 2), pixel


def test_odd():
    """Inside are the last four of 104 pixels. Outside, of those that are as dark, a tenth are
    red and one in 25 is blue, which is odd: that share of the two inside is taken off."""
    inside = numpy.arange(104) >= 100
    clean = make(*50 * [0], *50 * [255], *2 * [3], 255, 128)
    outside = [*43 * [0], *5 * [RED], *2 * [BLUE], *50 * [255]]
    for those, n in (((0, 0, 255, 9), 0), ((RED, 0, 255, 9), 0), ((BLUE, 0, 255, 9), 1),
                     ((BLUE, 255, 0, 9), 3), ((0, 0, 252, 9), 0), ((0, 0, 245, 9), 1)):
        n_odd, n_of = measures.count_odd(clean, make(*outside, *those), inside, ~inside)
        assert_near((n_odd, n_of), (n - 2 / 25, 3))


tap.run(tap.find(globals()))
