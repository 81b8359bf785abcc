# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Draws pictures of what no photograph at hand shows: a city at night, and text.

import pathlib
import sys

import numpy
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

# Pictures are drawn at this size, then made smaller, so that edges are smooth.
WIDTH, HEIGHT = 960, 540
STREET = HEIGHT * 3 // 4

# Any, but always the same.
SEED = 32

ASPHALT = (18, 18, 26)
WINDOW_COLOURS = ((255, 205, 120), (240, 170, 80), (200, 215, 235))
SIGN, SIGN_COLOUR = (590, 330, 680, 356), (0, 190, 170)
LAMPS, LAMP_COLOUR = (110, 330, 550, 770, 930), (255, 190, 110)
TAIL_LIGHTS, TAIL_COLOUR = (190, 232, 420, 450), (255, 40, 25)
HEADLIGHTS, HEAD_COLOUR = (640, 690, 846, 880), (255, 245, 220)
SIGNAL, SIGNAL_COLOUR = (500, 345), (40, 230, 130)

FONT = "DejaVuSans.ttf"
QUOTATION = (
    (50, "To see a World"),
    (40, "in a Grain of Sand"),
    (32, "And a Heaven in a Wild Flower,"),
    (26, "Hold Infinity in the palm of your hand"),
    (21, "And Eternity in an hour."),
)


def slope(first, last):
    """Goes from one colour at the top to another at the bottom."""
    column = numpy.linspace(first, last, HEIGHT)[:, None, :]
    return Image.fromarray(column.repeat(WIDTH, axis=1).astype(numpy.uint8))


def draw_disc(draw, x, y, radius, colour):
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), colour)


def draw_windows(draw, random, left, top, right):
    for y in range(top + 12, STREET - 20, 21):
        for x in range(left + 9, right - 15, 18):
            if random.random() < 0.45:
                colour = WINDOW_COLOURS[random.choice(3, p=(0.55, 0.3, 0.15))]
                share = random.uniform(0.45, 1)
                draw.rectangle((x, y, x + 8, y + 11),
                               tuple(int(share * level) for level in colour))


def draw_houses(draw, random):
    left = 0
    while left < WIDTH:
        right = left + int(random.integers(54, 120))
        top = int(random.integers(60, 260))
        shade = int(random.integers(20, 46))
        draw.rectangle((left, top, right, STREET), (shade, shade + 2, shade + 12))
        draw_windows(draw, random, left, top, right)
        left = right


def draw_lights(draw):
    draw.rectangle(SIGN, SIGN_COLOUR)
    for x in LAMPS:
        draw.rectangle((x - 2, STREET - 120, x + 2, STREET), (14, 14, 18))
        draw_disc(draw, x, STREET - 122, 8, LAMP_COLOUR)
    for x in TAIL_LIGHTS:
        draw_disc(draw, x, STREET + 20, 6, TAIL_COLOUR)
    for x in HEADLIGHTS:
        draw_disc(draw, x, STREET + 20, 7, HEAD_COLOUR)
    draw_disc(draw, *SIGNAL, 8, SIGNAL_COLOUR)


def reflect_in_street(city):
    """A wet street shows what is above it: upside down, squeezed, darker and blurred."""
    height = HEIGHT - STREET
    above = city.crop((0, STREET - 2 * height, WIDTH, STREET))
    mirrored = above.transpose(Image.Transpose.FLIP_TOP_BOTTOM).resize((WIDTH, height))
    asphalt = Image.new("RGB", mirrored.size, ASPHALT)
    blurred = mirrored.filter(ImageFilter.GaussianBlur(7))
    city.paste(Image.blend(asphalt, blurred, 0.6), (0, STREET))


def draw_city():
    random = numpy.random.default_rng(SEED)
    city = slope((10, 14, 36), (84, 58, 78))
    draw = ImageDraw.Draw(city)
    draw_houses(draw, random)
    draw_lights(draw)
    reflect_in_street(city)
    draw_lights(draw)
    glow = city.filter(ImageFilter.GaussianBlur(14))
    return ImageChops.screen(city, glow.point(lambda level: level // 2))


def load_font(size):
    try:
        return ImageFont.truetype(FONT, size)
    except OSError:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: no font {FONT}; install"
                 " fonts-dejavu-core")


def draw_text():
    page = slope((246, 238, 220), (214, 200, 176))
    draw = ImageDraw.Draw(page)
    y = 30
    for size, line in QUOTATION:
        draw.text((40, y), line, (40, 34, 38), load_font(size))
        y += 3 * size // 2
    draw.rectangle((40, 390, WIDTH - 40, HEIGHT - 40), (36, 74, 122))
    draw.text((64, 404), "William Blake", (250, 236, 200), load_font(44))
    draw.text((64, 460), "Auguries of Innocence", (236, 120, 90), load_font(24))
    return page
