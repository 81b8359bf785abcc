# SPDX-License-Identifier: LGPL-2.1-or-later
"""The films, of photographs that are one grey, or whose columns and rows tell themselves apart."""
import numpy

import films
import tap
from films import CLIPS, CUT, HEIGHT, SCENES, WIDTH, Scene, Thing
from measures import LIGHT

# Of clips. The piece of "moving" begins at row TOP.
CLIP_WIDTH, CLIP_HEIGHT, TOP = 100, 80, 10
SIGMA_OF_ROUNDING = (1 / 12) ** 0.5


def make_grey(level, height=CLIP_HEIGHT, width=CLIP_WIDTH):
    return numpy.full((height, width, 4), [level, level, level, 255], numpy.uint8)


def make_clip_places():
    """Red counts columns, green rows, both from 100 on."""
    picture = make_grey(0)
    picture[..., 0] = 100 + numpy.arange(CLIP_WIDTH)
    picture[..., 1] = 100 + numpy.arange(CLIP_HEIGHT)[:, None]
    return picture


DARK, BRIGHT, CLIP_PLACES = make_grey(50), make_grey(200), make_clip_places()


def draw_clip(name, first, second, frame):
    """Returns what a clip shows, without noise."""
    return films.round_levels(CLIPS[name].draw(first, second, frame))


def make_noisy(name, first, seed=1):
    clip = CLIPS[name]
    return films.add_noise(clip.draw(first, first, 0), clip.noise, films.Noise(seed))


def test_clips():
    wanted = {"noise": (1, 100, 2), "moving": (2, 100, 2), "light": (1, 90, 1),
              "cut": (2, 40, 0)}
    assert wanted == {name: (clip.n_photographs, clip.n_frames, clip.noise)
                      for name, clip in CLIPS.items()}


# --- noise ---

def test_noise():
    """Of 8000 numbers with sigma 2, rounded: more than four of them beyond the mean's error of
    0.023, the deviation's of 0.016 and the tails', which are a normal distribution's beyond
    4.5, of 0.0017."""
    for component in numpy.moveaxis(make_noisy("noise", BRIGHT)[..., :3], -1, 0):
        off = component - 200.0
        assert abs(off.mean()) < 0.1
        assert abs(off.std() - numpy.hypot(2, SIGMA_OF_ROUNDING)) < 0.07
        assert abs((abs(off) > 4).mean() - 0.0244) < 0.008
    assert (make_noisy("noise", BRIGHT)[..., 3] == 255).all()


def test_noise_of_light():
    level = draw_clip("light", BRIGHT, BRIGHT, 0)[0, 0, 1]
    off = make_noisy("light", BRIGHT)[..., 1].astype(float) - level
    assert abs(numpy.sqrt((off ** 2).mean()) - 1.06) < 0.06


def test_noise_apart():
    """Components and pixels have noise of their own: what they share would be a covariance of
    4."""
    off = make_noisy("noise", BRIGHT).astype(float).reshape(-1, 4) - 200
    assert abs((off[:, 0] * off[:, 1]).mean()) < 0.25
    assert abs((off[1:, 0] * off[:-1, 0]).mean()) < 0.25


def test_noise_clamped():
    """Black has no darker neighbour: half of the noise is cut off, none wraps."""
    noisy = make_noisy("noise", make_grey(0))[..., 0]
    assert noisy.max() < 20 and (noisy == 0).mean() > 0.5


def test_noise_again():
    once = make_noisy("noise", BRIGHT)
    assert (make_noisy("noise", BRIGHT) == once).all()
    assert (make_noisy("noise", BRIGHT, 2) != once).any()


def test_noise_of_glib():
    """The first two numbers of g_rand_double() after g_rand_new_with_seed (20)."""
    first, second = 0.88741170488952914, 0.95441227403881812
    wanted = numpy.sqrt(-2 * numpy.log(1 - first)) * numpy.cos(2 * numpy.pi * second)
    assert_near(films.Noise(20).next_gaussians((1,)), wanted, 1e-15)


# --- clips ---

def assert_pixels(picture, wanted):
    """Wanted: red by row and column."""
    found = {place: picture[place][0] for place in wanted}
    assert found == wanted, found


def test_moving():
    """In frame 20 it begins at column 0 and shows the middle 80 of 100 columns; in frame 22 at
    8."""
    picture = draw_clip("moving", DARK, CLIP_PLACES, 20)
    assert_pixels(picture, {(TOP, 0): 110, (TOP + 59, 79): 189, (TOP, 80): 50,
                            (TOP - 1, 0): 50, (TOP + 60, 0): 50})
    assert picture[TOP, 0, 1] == 100 + TOP
    assert_pixels(draw_clip("moving", DARK, CLIP_PLACES, 22),
                  {(TOP, 7): 50, (TOP, 8): 110, (TOP, 87): 189})


def test_moving_through():
    """It comes in from the outside, and leaves."""
    for frame in 0, 45:
        assert (draw_clip("moving", DARK, CLIP_PLACES, frame) == DARK).all()
    assert_pixels(draw_clip("moving", DARK, CLIP_PLACES, 1), {(TOP, 3): 189, (TOP, 4): 50})


def test_uncovered():
    """In frame 33 it begins at column 52. Columns 40 to 43 were the piece's last three frames
    ago, 12 to 15 ten."""
    wanted = numpy.zeros((CLIP_HEIGHT, CLIP_WIDTH), bool)
    wanted[TOP:TOP + 60, 12:44] = True
    assert (films.find_uncovered(wanted.shape, 33) == wanted).all()
    for frame, n in (0, 0), (22, 0), (23, 4 * 60):
        assert films.find_uncovered(wanted.shape, frame).sum() == n


def test_light_of_clips():
    """Level 200 is light 0.5776. A half of that is 146.4; three quarters, 175.8. Level 8 is in
    the straight part of sRGB, 62 at the lower end of the other, light 0.0482."""
    for frame, level in (0, 146), (10, 146), (40, 176), (70, 200), (89, 200):
        assert draw_clip("light", BRIGHT, BRIGHT, frame)[3, 5, 2] == level
    for level, half in (8, 4), (62, 43):
        assert draw_clip("light", make_grey(level), BRIGHT, 0)[0, 0, 0] == half


def test_cut():
    for frame, level in (CUT - 1, 50), (CUT, 200):
        assert (draw_clip("cut", DARK, BRIGHT, frame)[..., 0] == level).all()


# --- cameras ---

def make_places():
    """Red counts pairs of columns, green of rows, up to 255 and down again; blue is 100."""
    def up_and_down(n):
        pairs = numpy.arange(n) // 2
        return numpy.minimum(pairs, 510 - pairs)

    places = make_grey(100, films.PHOTOGRAPH_HEIGHT, films.PHOTOGRAPH_WIDTH)
    places[..., 0] = up_and_down(films.PHOTOGRAPH_WIDTH)
    places[..., 1] = up_and_down(films.PHOTOGRAPH_HEIGHT)[:, None]
    return places


PLACES = make_places()
GREY = make_grey(188, films.PHOTOGRAPH_HEIGHT, films.PHOTOGRAPH_WIDTH)


def draw(photograph=GREY, frame=0, other=None, **values):
    return films.draw_scene(Scene("", "", **values), (photograph, other), frame)


def find_before(camera, frame, row, column):
    """Returns the pixels of the frame before that showed a part of a pixel."""
    rows, columns = films.find_before(Scene("", "", camera=camera), frame)
    (top, n_rows, is_inside), (left, n_columns, is_within) = (
        [values[at] for values in axis] for axis, at in ((rows, row), (columns, column)))
    return [(y, x) for y in range(top, top + n_rows) for x in range(left, left + n_columns)
            if is_inside and is_within]


def assert_near(found, wanted, tolerance=1e-9):
    assert numpy.allclose(found, wanted, 0, tolerance), found


def test_still():
    """Two pixels of the photograph to one, from (160, 90) on."""
    levels = draw(PLACES, 7)
    assert_near(levels[0, 0], (80, 45, 100))
    assert_near(levels[179, 100, :2], (180, 224))


def test_pan():
    levels = draw(PLACES, 10, camera="pan")
    assert_near(levels[20, 30, :2], (50, 65))
    for column, found in (30, [(20, 32)]), (317, [(20, 319)]), (318, []):
        assert find_before("pan", 10, 20, column) == found


def test_wide():
    """Three pixels of the photograph to one, from its corner on."""
    levels = draw(PLACES, camera="wide")
    assert_near((levels[0, 0, 0], levels[179, 0, 1]), (1 / 3, 241 + 1 / 3), 0.1)


def test_found():
    """What a pixel shows is found where it was, in pixels that are half a pixel away in the
    mean: that is half a level here, and a little more in a zoom."""
    for camera in "zoom", "shake":
        for frame in range(1, 40, 6):
            now, before = (draw(PLACES, number, camera=camera) for number in (frame, frame - 1))
            (top, n_rows, inside), (left, n_columns, within) = films.find_before(
                Scene("", "", camera=camera), frame)
            assert inside.mean() * within.mean() > 0.9
            for y in numpy.flatnonzero(inside):
                part = before[top[y]:top[y] + n_rows[y]].mean(0)
                sums = numpy.concatenate([numpy.zeros((1, 3)), part.cumsum(0)])
                begin = left[within]
                mean = (sums[begin + n_columns[within]] - sums[begin]) / n_columns[within, None]
                assert_near(now[y, within, :2], mean[:, :2], 0.8)


def test_cameras_move():
    """A zoom is one, and a shake goes both ways."""
    middle = HEIGHT // 2, WIDTH // 2
    assert find_before("zoom", 1, 0, 0)[0] != (0, 0)
    assert find_before("zoom", 1, *middle) == [middle]
    rows = [find_before("shake", frame, *middle)[0][0] for frame in range(1, 40)]
    assert min(rows) < middle[0] < max(rows)


# --- light ---

def test_light():
    """Grey 188 is 0.503 of light."""
    for light, frame, level in (
            ("steady", 25, 188), ("fade-in", 5, 0), ("fade-in", 25, 94), ("fade-in", 54, 188),
            ("fade-out", 5, 188), ("fade-out", 15, 141), ("fade-out", 54, 0),
            ("cross", 0, 188), ("cross", 25, 144), ("cross", 45, 100), ("hunt", 20, 188)):
        found = draw(GREY, frame, PLACES, light=light)[0, 0, 2]
        assert abs(found - level) < 0.5, (light, frame, found)
    assert_near(LIGHT[188], 0.503, 0.001)
    assert_near(LIGHT[int(draw(GREY, 10, light="hunt")[0, 0, 0])], 0.503 * 2 ** 0.3, 0.005)


def test_cut_of_scenes():
    for frame, level in (films.CUT_OF_SCENES - 1, 188), (films.CUT_OF_SCENES, 100):
        assert_near(draw(GREY, frame, PLACES, light="cut")[0, 0, 2], level)


def test_night():
    assert_near(LIGHT[188] * films.NIGHT, LIGHT[int(draw(light="night")[0, 0, 0] + 0.5)], 1e-3)


def test_hues():
    """Half of the luma stays in each; yellow is as red as green, magenta as blue as red. A slow
    turn begins with yellow."""
    cut = films.CUT_OF_SCENES
    lit = [draw(frame=frame, light=light)[0, 0]
           for light, frame in (("stage", 0), ("stage", cut - 1), ("stage", cut), ("turn", 0),
                                ("turn", 7))]
    for rgb in lit:
        assert_near(films.luma(rgb), 94)
    yellow, before, magenta, begin, turned = lit
    assert_near(before, yellow)
    assert_near(begin, yellow)
    assert_near(yellow[0], yellow[1])
    assert_near(magenta[0], magenta[2])
    assert yellow[2] < yellow[0] / 4 and magenta[1] < magenta[0] / 4
    assert turned[0] < turned[1] and abs(turned - begin).max() > 10


# --- things and regions ---

def test_ball():
    """A ball of radius 30 has 15 pixels of a frame at each side of its middle."""
    ball = Thing("ball", (200, 40, 20), 480, 270, 30, first=5, n_frames=10)
    levels = draw(frame=5, thing=ball)
    assert_near(levels[90, 160, 0], 200, 4)
    assert_near(levels[90, 160, 2], 20, 1)
    assert levels[85, 155, 0] > levels[95, 165, 0]
    assert_near(levels[90, 144, 0], 188)
    assert_near(levels[90, 146, 1], 40, 8)
    for frame in 4, 15:
        assert_near(draw(frame=frame, thing=ball), 188)
    scene = Scene("", "", thing=ball)
    assert films.find_thing(scene, 14)[90, 160] and not films.find_thing(scene, 15).any()
    region = films.find_region(scene, 14, None)
    assert region[90, 146] and not region[90, 144]


def test_lights():
    """Three pixels wide each, with two between them, and one and a half to the right with each
    frame."""
    lights = Thing("lights", (255, 35, 25), 163, 93, 3, step=3)
    levels = draw(thing=lights)
    assert_near(levels[1, 1, :2], (255, 35))
    assert_near((levels[1, 4, 0], levels[1, 9, 1]), (188, 35))
    assert_near(draw(frame=2, thing=lights)[1, [1, 4], 0], (188, 255))


def test_ramp():
    levels = films.sample_ramp(((0, 10, 20), (96, 10, 20), (0, 10, 74)), numpy.array([480]),
                               numpy.array([[270]]))
    assert_near(levels, [[[48, 10, 47]]])


def test_still_beside_motion():
    """What moves does so, and what it never touches is the same in all frames."""
    for scene in SCENES.values():
        if scene.group in ("wall", "stain", "credits"):
            frames = [films.draw_scene(scene, (PLACES if scene.photograph else None, PLACES),
                                       frame) for frame in (9, 10, 20)]
            touched = numpy.any([films.find_touched(scene, frame) for frame in (9, 10, 20)],
                                axis=0)
            assert 0.01 < touched.mean() < 0.7, scene.name
            for frame in frames[1:]:
                assert (frame[~touched] == frames[0][~touched]).all(), scene.name
                assert (frame[touched] != frames[0][touched]).any(), scene.name


def test_disc_leaves():
    """In frame 40 nothing of it is left, and two seconds follow."""
    for scene in SCENES.values():
        if scene.group == "stain":
            assert films.find_touched(scene, 39).any() and scene.n_frames == 40 + 60
            assert not films.find_touched(scene, 40).any()
            assert scene.frozen in (0, 40)


def test_text_scrolls():
    """By a dot a frame."""
    text = Thing("text", (255, 255, 255), 480, 270, 3, step=3)
    x, y = numpy.arange(280.5, 680), numpy.arange(100.5, 160)[:, None]
    on = [text.find(x, y, frame)[0] for frame in (0, 1)]
    assert 0.05 < on[0].mean() < 0.5
    assert (on[1][:-3] == on[0][3:]).all() and (on[1] != on[0]).any()
    assert not text.find(numpy.array([270.5, 690]), y, 0)[0].any()


def test_window():
    """Shows the other photograph, which moves by four pixels a frame."""
    window = Thing("window", (), 480, 270, 100)
    levels = draw(GREY, 0, PLACES, thing=window)
    assert_near(levels[90, 160, :2], (160, 135), 1)
    assert_near(levels[90, 90], 188)


def test_halve():
    picture = numpy.concatenate([make_grey(10, 2, 2), make_grey(20, 2, 2)], 1)
    picture[0, 0] = 50, 10, 11, 255
    assert films.halve(picture).tolist() == [[[20, 10, 10, 255], [20, 20, 20, 255]]]


def test_tint():
    """The luma of BT.709 is what is behind, and the element's too."""
    before, tinted = (films.draw_scene(SCENES["disc-on-grey"], (None, None), frame)[90, 60]
                      for frame in (7, 8))
    assert_near(before, before[0])
    assert_near(tinted[0], before[0] + 60)
    for weights in (0.2126, 0.7152, 0.0722), (1, 2, 1):
        assert_near(numpy.dot(weights, tinted), sum(weights) * before[0], 1e-3)


def test_region():
    """An ellipse of 20 x 10 on the photograph, and of that what is reddish. It moves with the
    camera."""
    ellipse = (480, 270, 20, 10),

    def find(rgb, like=()):
        rgba = numpy.full((HEIGHT, WIDTH, 3), rgb, numpy.uint8)
        return films.find_region(Scene("", "", ellipses=ellipse, like=like), 0, rgba)

    region = find((40, 200, 60))
    assert region[90, 169] and not region[90, 170]
    assert region[94, 160] and not region[95, 160]
    for rgb, is_like in (((220, 60, 40), True), ((230, 110, 30), True),
                         ((40, 200, 60), False), ((140, 125, 120), False)):
        assert find(rgb, (220, 60, 40))[90, 160] == is_like
    pan = Scene("", "", camera="pan", ellipses=((240, 270, 4, 4),))
    for frame, column in (0, 120), (10, 100):
        columns = numpy.flatnonzero(films.find_region(pan, frame, None)[90])
        assert column in columns and len(columns) < 10


# --- the list ---

def test_list():
    """Names are unique, and small things are 0.5 to 2 % of a frame."""
    assert len(SCENES) == len(list(films.list_scenes())) == 55
    for scene in SCENES.values():
        if scene.group == "small" and scene.thing:
            assert 0.005 < films.find_thing(scene, scene.thing.first).mean() < 0.02


tap.run(tap.find(globals()))
