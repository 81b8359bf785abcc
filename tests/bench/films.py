# SPDX-License-Identifier: LGPL-2.1-or-later
"""Films of photographs, to see what a filter makes of them: the same bytes each time.

A film has frames of bytes R, G, B, A: arrays of (height, width, 4), as photographs are. What
a frame shows without noise is given in levels, which are code values that are not rounded:
arrays of (height, width, 3). Noise is a sensor's: Gaussian, of every component by itself,
clamped.

CLIPS show one or two photographs as they are. SCENES show faces, small things, text, and light
and cameras that move. Of these it is known where a point of a surface was a frame ago.
"""
import dataclasses
import math

import numpy

from measures import LIGHT, chroma, hue_between, level_of_light, oklab


# --- noise ---

class Noise:
    """Numbers of the Mersenne Twister, those of GLib's GRand with the same seed."""

    def __init__(self, seed):
        self.random = numpy.random.RandomState(seed)

    def next_gaussians(self, shape):
        """By Box and Muller's method, of which one of the two numbers is enough."""
        words = self.random.randint(0, 1 << 32, (*shape, 2, 2), numpy.uint32)
        uniform = (words[..., 0] / 2**32 + words[..., 1]) / 2**32
        radius = numpy.sqrt(-2 * numpy.log(1 - uniform[..., 0]))
        return radius * numpy.cos(2 * math.pi * uniform[..., 1])


def round_levels(levels):
    """Returns opaque pixels."""
    rgba = numpy.full((*levels.shape[:-1], 4), 255, numpy.uint8)
    rgba[..., :3] = numpy.floor(levels + 0.5).clip(0, 255)
    return rgba


def halve(rgba):
    """Returns the means of squares of four pixels."""
    levels = to_levels(rgba)
    return round_levels((levels[::2, ::2] + levels[1::2, ::2] + levels[::2, 1::2]
                         + levels[1::2, 1::2]) / 4)


def add_noise(levels, sigma, noise):
    return round_levels(levels + sigma * noise.next_gaussians(levels.shape))


# --- clips ---

# The first frame of "cut" with the second photograph.
CUT = 20

# The piece of "moving". It comes in at the left. In 100 frames it has left a frame of 320
# pixels at the right.
PIECE_WIDTH, PIECE_HEIGHT, PIECE_STEP = 80, 60, 4

# Frames of "light" before, on and behind the ramp.
LIGHT_BEFORE, LIGHT_RAMP, LIGHT_BEHIND = 10, 60, 20


def to_levels(rgba):
    return rgba[..., :3].astype(float)


def draw_first(first, _, __):
    return to_levels(first)


def find_piece(shape, frame):
    """Returns where the piece is: rows, and columns of which some may be outside."""
    top = (shape[0] - PIECE_HEIGHT) // 2
    left = PIECE_STEP * frame - PIECE_WIDTH
    return slice(top, top + PIECE_HEIGHT), numpy.arange(left, left + PIECE_WIDTH)


def draw_moving(first, second, frame):
    """What the piece shows moves with it: it is the middle of the second photograph."""
    levels = to_levels(first)
    rows, columns = find_piece(first.shape, frame)
    middle = (first.shape[1] - PIECE_WIDTH) // 2 + numpy.arange(PIECE_WIDTH)
    inside = (columns >= 0) & (columns < first.shape[1])
    levels[rows, columns[inside]] = second[rows, middle[inside], :3]
    return levels


def draw_light(first, _, frame):
    """The linear light grows from a half to all of the photograph's."""
    share = 0.5 + 0.5 * min(max((frame - LIGHT_BEFORE) / LIGHT_RAMP, 0), 1)
    return level_of_light(share * LIGHT)[first[..., :3]]


def draw_cut(first, second, frame):
    return to_levels(first if frame < CUT else second)


@dataclasses.dataclass
class Clip:
    n_photographs: int
    n_frames: int
    noise: float                # sigma, in levels
    draw: object                # a function of both photographs and the frame's number


CLIPS = {
    "noise": Clip(1, 100, 2, draw_first),
    "moving": Clip(2, 100, 2, draw_moving),
    "light": Clip(1, LIGHT_BEFORE + LIGHT_RAMP + LIGHT_BEHIND, 1, draw_light),
    "cut": Clip(2, 2 * CUT, 0, draw_cut),
}


def find_uncovered(shape, frame):
    """Returns the pixels of "moving" that the piece uncovered 3 to 10 frames ago: it is not
    there, and was not in the last two frames, but in one of the eight before these."""
    uncovered = numpy.zeros(shape[:2], bool)
    for ago in range(10, -1, -1):
        rows, columns = find_piece(shape, frame - ago)
        columns = columns[(columns >= 0) & (columns < shape[1])]
        uncovered[rows, columns] = ago > 2
    return uncovered


# --- scenes ---

# A scene is a view of a photograph. Frames are shown 30 times a second. Places and sizes on
# the photograph are in its pixels: two of these are one of a frame, if nothing else is said.
WIDTH, HEIGHT = 320, 180
PHOTOGRAPH_WIDTH, PHOTOGRAPH_HEIGHT = 960, 540
HALF_SECOND = 15

# Frames before a fade, and of it.
FADE_BEFORE, FADE_FRAMES = 5, 40

# Frames of a swing of the exposure, and how far it goes.
HUNT_PERIOD, HUNT_STOPS = 40, 0.3

# The first frame with another light, or with the other photograph.
CUT_OF_SCENES = 15

# Hues of a light, in degrees, and how far it turns a frame if it turns slowly.
YELLOW, MAGENTA, TURN = 60, 300, 6

# Share of the linear light that is left at night.
NIGHT = 0.06

# Text: letters of 3 x 5 dots, in lines. None is a letter of an alphabet.
LETTERS = numpy.random.RandomState(3).rand(16, 5, 3) < 0.6
LETTER_COLUMNS, LINE_ROWS, TEXT_WIDTH = 4, 14, 400

# Levels that a tint adds to red, green and blue. Neither 0.2126 R + 0.7152 G + 0.0722 B
# changes, nor R + 2 G + B, which is a luma, too.
TINT = 60, -14.7584, -30.4832

# What looks like a colour has its hue and more chroma than this.
LEAST_CHROMA, SAME_HUE = 0.1, math.radians(40)


def is_on_text(x, y, dot):
    """Returns which places from the middle of a text are on its letters."""
    columns, rows = (numpy.floor(axis / dot).astype(int) for axis in (x, y))
    letters = (7 * (columns // LETTER_COLUMNS) + 5 * (rows // LINE_ROWS)) % len(LETTERS)
    row, column = rows % LINE_ROWS, columns % LETTER_COLUMNS
    is_on = LETTERS[letters, numpy.minimum(row, 4), numpy.minimum(column, 2)]
    return is_on & (row < 5) & (column < 3) & (2 * abs(x) < TEXT_WIDTH)


# From head to head, in radii, and how much of the first one's light each skin reflects.
HEAD_DISTANCE, SKINS = 2.7, numpy.array([1, 0.65, 0.35])


def find_head(x, radius):
    """Returns which of three heads is nearest to a place: -1, 0 or 1."""
    return numpy.floor(x / (HEAD_DISTANCE * radius) + 0.5).clip(-1, 1)


def paint_heads(x, y, rgb, frame):
    """Places are in radii. The features of a face are at longitudes, which turn; the light
    stays."""
    head = find_head(x, 1)
    x, y = numpy.broadcast_arrays(x - HEAD_DISTANCE * head, y)
    width = numpy.sqrt((1 - y * y).clip(0.01))
    longitude = numpy.arcsin((x / width).clip(-1, 1)) + 0.6 * math.sin(0.21 * frame)
    shade = SKINS[head.astype(int) + 1] * (1 - 0.2 * (x + y) + 0.06 * numpy.sin(5 * longitude))
    painted = shade[..., None] * rgb
    painted[(abs(longitude) < 0.3) & (abs(y - 0.5) < 0.07)] = 140, 60, 60
    painted[y < -0.5] = 60, 45, 35
    from_eye = numpy.hypot(abs(longitude) - 0.4, y + 0.1)
    painted[from_eye < 0.16] = 235, 235, 230
    painted[from_eye < 0.08] = 50, 70, 110
    return numpy.minimum(painted, 255)


@dataclasses.dataclass
class Thing:
    """On the photograph. Kinds: a ball, lit from the upper left; lights, two discs of one
    colour, side by side; a tint, a disc that reddens what is behind it; heads, three of them,
    each of a darker skin, which turn to and fro; a wheel of bright and dark sectors, which
    turns; a window, which sways and shows the other photograph passing by; text, whose radius
    is the side of a dot."""
    kind: str
    rgb: tuple
    x: float
    y: float
    radius: float
    step: float = 0             # to the right a frame; text: up
    first: int = 0
    n_frames: int = 0           # 0: to the end

    def is_there(self, frame):
        return frame >= self.first and (not self.n_frames
                                        or frame < self.first + self.n_frames)

    def find(self, x, y, frame):
        """Returns which places are on it, and where they are from its middle."""
        moved = self.step * (frame - self.first)
        if self.kind == "window":
            moved = 0.3 * self.radius * math.sin(0.2 * frame)
        if self.kind == "text":
            x, y = x - self.x, y - self.y + moved
            return is_on_text(x, y, self.radius) & self.is_there(frame), x, y
        x, y = x - (self.x + moved), y - self.y
        nearest = x
        if self.kind == "lights":
            nearest = numpy.minimum(abs(x), abs(x - 5 * self.radius))
        elif self.kind == "heads":
            nearest = x - find_head(x, self.radius) * HEAD_DISTANCE * self.radius
        return (numpy.hypot(nearest, y) <= self.radius) & self.is_there(frame), x, y

    def paint(self, levels, x, y, frame, other):
        """Onto levels of these places."""
        is_on, x, y = self.find(x, y, frame)
        if self.kind == "tint":
            painted = levels + TINT
        elif self.kind == "heads":
            painted = paint_heads(x / self.radius, y / self.radius, self.rgb, frame)
        elif self.kind == "window":
            painted = sample_photograph(other, x + PHOTOGRAPH_WIDTH / 3 + 4 * frame,
                                        y + PHOTOGRAPH_HEIGHT / 2)
        elif self.kind == "wheel":
            is_bright = numpy.sin(6 * (numpy.arctan2(y, x) - 0.1 * frame)) > 0
            painted = numpy.where(is_bright, 1, 0.5)[..., None] * self.rgb
        else:
            fall = 0.2 if self.kind == "ball" else 0
            share = 1 - fall * (x + y) / self.radius
            painted = numpy.minimum(share[..., None] * self.rgb, 255)
        return numpy.where(is_on[..., None], painted, levels)


@dataclasses.dataclass
class Scene:
    """Cameras: still; wide, which is still and sees all of the photograph; pan, by two pixels
    of a frame a frame; zoom, which comes nearer; shake, held in a hand. Lights: steady; hunt,
    an exposure that swings; fade-in; fade-out; cross, from one photograph to the other; cut,
    the same at once; night; stage, of one hue, then of another one; turn, of a hue that turns
    slowly. The last two leave R' + 2 G' + B' as it is, but for a half of it."""
    group: str
    name: str
    photograph: str = ""        # none: a ramp
    other: str = ""
    # Of the upper left corner, the upper right and the lower left one.
    ramp: tuple = ((100, 100, 100), (135, 135, 135), (135, 135, 135))
    camera: str = "still"
    light: str = "steady"
    thing: Thing = None
    # What is looked at: ellipses of x, y and two radii; without any, the thing. Of the
    # ellipses only what is like a colour, if there is one.
    ellipses: tuple = ()
    like: tuple = ()
    n_frames: int = 30
    noise: float = 2            # sigma, in levels
    frozen: int = 0             # from this frame on all bytes are the same, if not 0


def list_scenes():
    # When a thing appears: a palette has settled by then.
    late = HALF_SECOND
    faces = {
        "astronaut": ((405, 315, 22, 25), (555, 312, 22, 25), (480, 285, 14, 25)),
        "portrait": ((384, 278, 25, 25), (569, 278, 28, 25), (454, 259, 14, 25)),
        "beach": ((437, 352, 11, 12), (516, 357, 10, 14), (462, 287, 20, 13)),
    }

    def small(name, photograph, **values):
        return Scene("small", name, photograph, n_frames=33, **values)

    def ball(name, photograph, *place, first=0):
        return small(name, photograph, thing=Thing("ball", *place, first=first))

    def light(name, photograph, kind, other=""):
        return Scene("light", name, photograph, other, light=kind, n_frames=50, noise=1)

    yield small("ladybird", "ladybird", ellipses=((675, 261, 50, 40),), like=(220, 70, 20))
    yield small("trousers", "nuthatch", ellipses=((400, 150, 60, 100),), like=(40, 120, 220))
    yield small("floodlights", "rocket", camera="wide", ellipses=((480, 490, 480, 90),),
                like=(240, 170, 60))
    yield ball("sign", "storm", (0, 150, 140), 560, 200, 30)
    yield ball("jacket", "picos", (190, 40, 45), 420, 380, 24)
    yield ball("balloon", "bridge", (225, 190, 30), 300, 200, 22, first=late)
    yield ball("ball", "seeding", (190, 40, 150), 620, 300, 36, first=late)
    yield ball("parasol", "dune", (60, 70, 200), 380, 330, 28, first=late)
    yield ball("signal", "sunset", (20, 180, 90), 300, 340, 20, first=late)
    yield ball("anorak", "brook", (210, 90, 20), 500, 260, 26, first=late)
    for name, ellipses in faces.items():
        yield Scene("skin", name, name, ellipses=ellipses)
        yield Scene("skin", f"{name}-shake", name, camera="shake", ellipses=ellipses)
        yield Scene("skin", f"{name}-hunt", name, light="hunt", ellipses=ellipses)
    for name in "bridge", "picos", "seeding", "brook", "coffee":
        yield Scene("still", f"still-{name}", name)
    for name in ("pan-picos", "pan-brook", "zoom-ladybird", "zoom-picos", "shake-seeding",
                 "shake-coffee"):
        camera, photograph = name.split("-")
        yield Scene("motion", name, photograph, camera=camera)
    yield light("fade-in", "sunset", "fade-in")
    yield light("fade-out", "picos", "fade-out")
    yield light("cross-fade", "seeding", "cross", "coffee")
    yield light("exposure", "bridge", "hunt")
    yield Scene("ghost", "tail-lights", "storm", n_frames=35,
                thing=Thing("lights", (255, 35, 25), 250, 330, 3, step=3))
    yield Scene("ghost", "disc-on-grey", n_frames=85,
                thing=Thing("tint", (), 280, 270, 44, step=6, first=8, n_frames=45))
    yield Scene("ghost", "disc-on-sky", "storm", n_frames=70,
                thing=Thing("tint", (), 380, 220, 44, step=6, first=8, n_frames=30))
    yield from list_still_beside_motion()
    for name, n_frames in ("stage", CUT_OF_SCENES + 5), ("turn", 30):
        for photograph in "friends", "wine":
            yield Scene("hue", f"{name}-{photograph}", photograph, light=name,
                        n_frames=n_frames)
    for photograph in "clock", "friends", "ladybird":
        yield Scene("first", f"first-{photograph}", photograph, n_frames=HALF_SECOND + 1)
    yield Scene("first", "first-cut", "storm", "clock", light="cut",
                n_frames=CUT_OF_SCENES + HALF_SECOND + 1)
    yield Scene("night", "night", "sunset", light="night")


def list_still_beside_motion():
    """Scenes in which a thing moves, and what is around it is looked at."""
    wall = (151, 156, 160), (186, 186, 178), (151, 156, 160)
    heads = Thing("heads", (225, 180, 150), 480, 270, 72)
    yield Scene("wall", "heads", thing=heads, ramp=wall, n_frames=45)
    yield Scene("wall", "window", "", "brushes", ramp=wall, n_frames=60,
                thing=Thing("window", (), 480, 285, 190))
    yield Scene("wall", "wheel-on-ramp", thing=Thing("wheel", (200, 60, 40), 430, 250, 90),
                n_frames=45)
    yield Scene("wall", "wheel-on-wood", "wood", n_frames=45,
                thing=Thing("wheel", (60, 110, 180), 520, 280, 80))
    # The disc leaves in frame 40, and two seconds follow. Above and below its path is the same.
    disc = Thing("tint", (), 200, 270, 44, step=17, first=8, n_frames=32)
    for name, noise, frozen in ("noisy", 2, 0), ("clean", 0, 0), ("frozen", 2, 40):
        yield Scene("stain", f"stain-{name}", thing=disc, noise=noise, frozen=frozen,
                    ramp=((100, 100, 100), (175, 175, 175), (100, 100, 100)),
                    n_frames=40 + 4 * HALF_SECOND)
    text = Thing("text", (235, 225, 190), 480, 270, 3, step=3)
    yield Scene("credits", "credits-on-ramp", thing=text, n_frames=45,
                ramp=((10, 14, 34), (10, 14, 34), (30, 44, 100)))
    yield Scene("credits", "credits-on-storm", "storm", thing=text, n_frames=45)


SCENES = {scene.name: scene for scene in list_scenes()}


# --- the camera ---

def look_at(x, y, scale):
    return x - scale * WIDTH / 2, y - scale * HEIGHT / 2, scale


def find_view(scene, frame):
    """Returns left, top and scale: pixel x, y of the frame shows the photograph from
    (left + x · scale, top + y · scale) on."""
    x, y = PHOTOGRAPH_WIDTH / 2, PHOTOGRAPH_HEIGHT / 2
    if scene.camera == "wide":
        return look_at(x, y, 3)
    if scene.camera == "pan":
        return look_at(WIDTH + 4 * frame, y, 2)
    if scene.camera == "zoom":
        return look_at(x, y, 2.6 - 0.02 * frame)
    if scene.camera == "shake":
        # By whole pixels of the photograph, which are halves of a frame's.
        x += math.floor(6 * math.sin(0.31 * frame) + 3 * math.sin(0.83 * frame + 1)
                        + math.sin(2.1 * frame) + 0.5)
        y += math.floor(4 * math.sin(0.37 * frame + 2) + 2 * math.sin(0.97 * frame)
                        + math.sin(1.9 * frame + 1) + 0.5)
    return look_at(x, y, 2)


def find_places(scene, frame):
    """Returns where the middle of each pixel is on the photograph: columns and rows."""
    left, top, scale = find_view(scene, frame)
    return (left + scale * (numpy.arange(WIDTH) + 0.5),
            (top + scale * (numpy.arange(HEIGHT) + 0.5))[:, None])


def find_parts(now, before, first, n):
    """Along one axis: finds the pixels of a frame that show a part of what each of n pixels of
    the next frame shows, at most three. Returns the first of these, how many they are, and
    whether all are in the frame."""
    least_part = 1e-6           # less of a pixel is no part of it
    size = now[2] / before[2]
    start = (now[first] - before[first]) / before[2] + size * numpy.arange(n)
    begin = numpy.floor(start + least_part).astype(int)
    end = numpy.ceil(start + size - least_part).astype(int)
    return begin, end - begin, (begin >= 0) & (end <= n)


def find_before(scene, frame):
    """Finds all pixels of the frame before that show a part of the photograph that a pixel
    shows: rows and columns as of find_parts()."""
    now, before = find_view(scene, frame), find_view(scene, frame - 1)
    return find_parts(now, before, 1, HEIGHT), find_parts(now, before, 0, WIDTH)


# --- a frame ---

def sample_ramp(ramp, x, y):
    """From corner to corner."""
    corner, right, down = numpy.array(ramp)
    return (corner + (x / PHOTOGRAPH_WIDTH)[..., None] * (right - corner)
            + (y / PHOTOGRAPH_HEIGHT)[..., None] * (down - corner))


def sample_photograph(photograph, x, y):
    """Between the middles of the four pixels around each place; x: a row, y: a column."""
    left, top = numpy.floor(x - 0.5).astype(int), numpy.floor(y - 0.5).astype(int)
    right_share, lower_share = (x - 0.5 - left)[..., None], (y - 0.5 - top)[..., None]

    def sample_row(row):
        row = row.clip(0, PHOTOGRAPH_HEIGHT - 1)
        return ((1 - right_share) * photograph[row, left.clip(0), :3]
                + right_share * photograph[row, (left + 1).clip(0, PHOTOGRAPH_WIDTH - 1), :3])

    return (1 - lower_share) * sample_row(top) + lower_share * sample_row(top + 1)


def find_samples(scene, frame):
    """Returns four places in each pixel: columns and rows of each."""
    columns, rows = find_places(scene, frame)
    offset = find_view(scene, frame)[2] / 4
    return [(x, y) for y in (rows - offset, rows + offset)
            for x in (columns - offset, columns + offset)]


def draw_photograph(scene, photograph, frame, other=None):
    """Each pixel is the mean of four places in it."""
    levels = numpy.zeros((HEIGHT, WIDTH, 3))
    for x, y in find_samples(scene, frame):
        sample = (sample_ramp(scene.ramp, x, y) if photograph is None
                  else sample_photograph(photograph, x, y))
        if scene.thing:
            sample = scene.thing.paint(sample, x, y, frame, other)
        levels += sample / 4
    return levels


def expose(levels, frame):
    gain = numpy.exp2(HUNT_STOPS * math.sin(2 * math.pi * frame / HUNT_PERIOD))
    exposed = level_of_light(numpy.minimum(gain * LIGHT, 1))
    return exposed[(levels + 0.5).astype(numpy.uint8)]


def luma(levels):
    return levels @ (0.25, 0.5, 0.25)


def light_with_hue(levels, degrees):
    """Returns half of the luma of each pixel, in the hue of the light."""
    gains = 1 + 0.8 * numpy.cos(numpy.radians(degrees - numpy.array([0, 120, 240])))
    lit = levels * gains
    share = luma(levels) / numpy.maximum(luma(lit), 1e-9)
    return numpy.minimum(0.5 * share[..., None] * lit, 255)


def draw_scene(scene, photographs, frame):
    """Returns the levels of a frame. The photographs are those that the scene names, else
    None."""
    levels = draw_photograph(scene, photographs[0], frame, photographs[1])
    share = min(max((frame - FADE_BEFORE) / FADE_FRAMES, 0), 1)
    if scene.light == "hunt":
        return expose(levels, frame)
    if scene.light == "fade-in":
        return levels * share
    if scene.light == "fade-out":
        return levels * (1 - share)
    if scene.light == "cross":
        return (1 - share) * levels + share * draw_photograph(scene, photographs[1], frame)
    if scene.light == "cut" and frame >= CUT_OF_SCENES:
        return draw_photograph(scene, photographs[1], frame)
    if scene.light == "night":
        return level_of_light(NIGHT * LIGHT)[(levels + 0.5).astype(numpy.uint8)]
    if scene.light == "stage":
        return light_with_hue(levels, YELLOW if frame < CUT_OF_SCENES else MAGENTA)
    if scene.light == "turn":
        return light_with_hue(levels, YELLOW + TURN * frame)
    return levels


# --- what is looked at ---

def find_thing(scene, frame):
    """Returns which pixels have their middle on the thing."""
    return scene.thing.find(*find_places(scene, frame), frame)[0]


def find_touched(scene, frame):
    """Returns which pixels show some of the thing."""
    touched = [scene.thing.find(x, y, frame)[0] for x, y in find_samples(scene, frame)]
    return numpy.any(touched, axis=0)


def find_region(scene, frame, rgba):
    """Returns which pixels have their middle in what is looked at; rgba: the frame without
    noise."""
    if not scene.ellipses:
        return find_thing(scene, frame)
    x, y = find_places(scene, frame)
    region = numpy.zeros((HEIGHT, WIDTH), bool)
    for middle_x, middle_y, radius_x, radius_y in scene.ellipses:
        region |= numpy.hypot((x - middle_x) / radius_x, (y - middle_y) / radius_y) <= 1
    if scene.like:
        places, wanted = oklab(rgba), oklab(numpy.array(scene.like))
        region &= (chroma(places) > LEAST_CHROMA) & (hue_between(places, wanted) <= SAME_HUE)
    return region
