/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_codes.h"
#include "reference_integer.h"

/* Positions on an axis are in half pixels: pixel p is at 2 · p, and reaches from 2 · p - 1
 * to 2 · p + 1. */
typedef struct
{
  gint factor;                  /* pixels per chroma sample */
  gboolean cosited;
  gint n;                       /* pixels */
} Axis;

/* A progressive picture: row r of it is row first + r · step of the frame. */
typedef struct
{
  const ReferenceCodes *frame;
  Axis x, y;
  gint first, step;
  guint bits;                   /* of the sum of all weights of chroma */
} Picture;

/* Ranges of codes of the frame's bits. */
typedef struct
{
  gint64 luma_offset, chroma_offset, largest;
  gdouble luma, chroma;
} Ranges;

static Ranges
get_ranges (const ReferenceYuvSettings * settings, guint bits)
{
  gint64 one = G_GINT64_CONSTANT (1) << (bits - 8), largest = 256 * one - 1;

  if (settings->full_range)
    return (Ranges) {0, 128 * one, largest, largest, largest};
  return (Ranges) {16 *one, 128 * one, largest, 219 * one, 224 * one};
}

/* --- chroma --- */

static gint
centre_of_sample (const Axis * axis, gint i)
{
  return 2 * axis->factor * i + (axis->cosited ? 0 : axis->factor - 1);
}

static gint
count_samples (const Axis * axis)
{
  return (axis->n + axis->factor - 1) / axis->factor;
}

/* The weight of sample @i at pixel @p: 0 as far from it as the next sample. */
static gint
interpolate (const Axis * axis, gint i, gint p)
{
  return MAX (2 * axis->factor - ABS (2 * p - centre_of_sample (axis, i)), 0);
}

/* How much of pixel @p, in half pixels, lies in the span of sample @i: as wide as the
 * distance of samples. */
static gint
cover (const Axis * axis, gint i, gint p)
{
  gint centre = centre_of_sample (axis, i);
  gint begin = MAX (2 * p - 1, centre - axis->factor);
  gint end = MIN (2 * p + 1, centre + axis->factor);

  return MAX (end - begin, 0);
}

static gsize
row_of (const Picture * picture, gint row)
{
  return picture->first + (gsize) row *picture->step;
}

static gint64
chroma_at (const Picture * picture, guint c, gint column, gint row)
{
  const Axis *x = &picture->x, *y = &picture->y;
  guint stride = reference_codes_chroma_width (picture->frame);
  gint64 sum = 0;

  for (gint j = row / y->factor - 1; j <= row / y->factor + 1; j++)
    for (gint i = column / x->factor - 1; i <= column / x->factor + 1; i++) {
      gint at_x = CLAMP (i, 0, count_samples (x) - 1);
      gint at_y = CLAMP (j, 0, count_samples (y) - 1);

      sum += interpolate (x, i, column) * interpolate (y, j, row)
          * picture->frame->codes[c][row_of (picture, at_y) * stride + at_x];
    }
  return sum;
}

static gint64
mean_at (const Picture * picture, const guint8 * rgba, guint c, gint column,
    gint row)
{
  const Axis *x = &picture->x, *y = &picture->y;
  gint64 sum = 0;

  for (gint j = (row - 1) * y->factor; j < (row + 2) * y->factor; j++)
    for (gint i = (column - 1) * x->factor; i < (column + 2) * x->factor; i++) {
      gsize at_x = CLAMP (i, 0, x->n - 1), at_y = CLAMP (j, 0, y->n - 1);

      sum += cover (x, column, i) * cover (y, row, j)
          * rgba[4 * (row_of (picture, at_y) * picture->frame->width + at_x)
          + c];
    }
  return sum;
}

/* --- to R'G'B' --- */

static guint8
clamp_to_byte (gint64 value)
{
  return CLAMP (value, 0, 255);
}

static void
decode_pixel (const ReferenceYuvSettings * settings, const Picture * picture,
    gint column, gint row, guint8 * rgba)
{
  const ReferenceCodes *frame = picture->frame;
  const Ranges ranges = get_ranges (settings, frame->bits);
  const gdouble kr = settings->kr, kb = settings->kb, kg = 1 - kr - kb;
  const guint bits = 8 + frame->bits;
  const gdouble rv = 255 / ranges.chroma * 2 * (1 - kr);
  const gdouble bu = 255 / ranges.chroma * 2 * (1 - kb);
  const gsize at = row_of (picture, row) * frame->width + column;
  const gint64 offset = ranges.chroma_offset << picture->bits;
  gint64 y = (frame->codes[0][at] - ranges.luma_offset) << picture->bits;
  gint64 u = chroma_at (picture, 1, column, row) - offset;
  gint64 v = chroma_at (picture, 2, column, row) - offset;
  guint8 *pixel = rgba + 4 * at;

  y *= reference_fixed (255 / ranges.luma, bits);
  pixel[0] = clamp_to_byte (reference_shift_rounded (y
          + reference_fixed (rv, bits) * v, bits + picture->bits));
  pixel[1] = clamp_to_byte (reference_shift_rounded (y
          - reference_fixed (bu * kb / kg, bits) * u
          - reference_fixed (rv * kr / kg, bits) * v, bits + picture->bits));
  pixel[2] = clamp_to_byte (reference_shift_rounded (y
          + reference_fixed (bu, bits) * u, bits + picture->bits));
  pixel[3] = 255;
}

static void
decode (const ReferenceYuvSettings * settings, const Picture * picture,
    guint8 * rgba)
{
  for (gint row = 0; row < picture->y.n; row++)
    for (gint column = 0; column < picture->x.n; column++)
      decode_pixel (settings, picture, column, row, rgba);
}

/* --- from R'G'B' --- */

static guint16
encode_code (const gint64 k[3], const gint64 sum[3], gint64 offset,
    guint bits, gint64 largest)
{
  gint64 code = reference_shift_rounded (k[0] * sum[0] + k[1] * sum[1]
      + k[2] * sum[2] + (offset << bits), bits);

  return CLAMP (code, 0, largest);
}

static void
encode_luma (const ReferenceYuvSettings * settings, const Picture * picture,
    const guint8 * rgba)
{
  const Ranges ranges = get_ranges (settings, picture->frame->bits);
  const gint64 red = reference_fixed (settings->kr * ranges.luma / 255, 16);
  const gint64 blue = reference_fixed (settings->kb * ranges.luma / 255, 16);
  const gint64 k[3] =
      { red, reference_fixed (ranges.luma / 255, 16) - red - blue, blue };

  for (gint row = 0; row < picture->y.n; row++)
    for (gint column = 0; column < picture->x.n; column++) {
      gsize at = row_of (picture, row) * picture->frame->width + column;
      const guint8 *pixel = rgba + 4 * at;
      const gint64 rgb[3] = { pixel[0], pixel[1], pixel[2] };

      picture->frame->codes[0][at] =
          encode_code (k, rgb, ranges.luma_offset, 16, ranges.largest);
    }
}

/* @c: 1 for Cb, whose own colour is blue; 2 for Cr, whose own is red. */
static void
encode_chroma (const ReferenceYuvSettings * settings, const Picture * picture,
    const guint8 * rgba, guint c)
{
  const Ranges ranges = get_ranges (settings, picture->frame->bits);
  const gdouble own = c == 1 ? settings->kb : settings->kr;
  const gdouble other = c == 1 ? settings->kr : settings->kb;
  const gint64 half = reference_fixed (ranges.chroma / 255 / 2, 16);
  const gint64 rest =
      -reference_fixed (ranges.chroma / 255 * other / (2 * (1 - own)), 16);
  const gint64 k[3] =
      { c == 1 ? rest : half, -half - rest, c == 1 ? half : rest };

  for (gint row = 0; row < count_samples (&picture->y); row++)
    for (gint column = 0; column < count_samples (&picture->x); column++) {
      gsize at = row_of (picture, row)
          * reference_codes_chroma_width (picture->frame) + column;
      gint64 sum[3];

      for (guint i = 0; i < 3; i++)
        sum[i] = mean_at (picture, rgba, i, column, row);
      picture->frame->codes[c][at] = encode_code (k, sum,
          ranges.chroma_offset, 16 + picture->bits, ranges.largest);
    }
}

/* --- frames --- */

guint
reference_codes_chroma_width (const ReferenceCodes * frame)
{
  guint factor = 1u << frame->shift_x;

  return (frame->width + factor - 1) / factor;
}

guint
reference_codes_chroma_height (const ReferenceCodes * frame,
    gboolean interlaced)
{
  guint factor = 1u << frame->shift_y, field = (frame->height + 1) / 2;

  if (!interlaced)
    return (frame->height + factor - 1) / factor;
  return (field + factor - 1) / factor
      + (frame->height / 2 + factor - 1) / factor;
}

/* Fills in the pictures that a frame is made of, and returns their number. */
static guint
split (const ReferenceYuvSettings * settings, const ReferenceCodes * frame,
    Picture pictures[2])
{
  guint n = settings->interlaced && frame->height > 1 ? 2 : 1;

  for (guint i = 0; i < n; i++)
    pictures[i] = (Picture) {.frame = frame,
      .x = {1 << frame->shift_x, settings->h_cosited, frame->width},
      .y = {1 << frame->shift_y,
        settings->v_cosited,
        (frame->height + n - 1 - i) / n},
      .first = i, .step = n, .bits = frame->shift_x + frame->shift_y + 2};
  return n;
}

void
reference_codes_to_rgba (const ReferenceYuvSettings * settings,
    const ReferenceCodes * frame, guint8 * rgba)
{
  Picture pictures[2];
  guint n = split (settings, frame, pictures);

  for (guint i = 0; i < n; i++)
    decode (settings, &pictures[i], rgba);
}

void
reference_codes_from_rgba (const ReferenceYuvSettings * settings,
    const guint8 * rgba, const ReferenceCodes * frame)
{
  Picture pictures[2];
  guint n = split (settings, frame, pictures);

  for (guint i = 0; i < n; i++) {
    encode_luma (settings, &pictures[i], rgba);
    encode_chroma (settings, &pictures[i], rgba, 1);
    encode_chroma (settings, &pictures[i], rgba, 2);
  }
}
