/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_yuv.h"
#include "reference_integer.h"

/* Positions on an axis are in half pixels: pixel p is at 2 · p, and reaches from 2 · p - 1
 * to 2 · p + 1. */
typedef struct
{
  gint factor;                  /* pixels per chroma sample */
  gboolean cosited;
  gint n;                       /* pixels */
} Axis;

typedef struct
{
  gpointer first;               /* sample */
  gsize stride, step;           /* samples from row to row and in a row */
} Plane;

typedef struct
{
  guint bits;
  gboolean is_bytes;            /* else two bytes a code */
  guint width, height, shift_x, shift_y;
  Plane planes[3];
} Frame;

/* A progressive picture: row r of it is row first + r · step of the frame. */
typedef struct
{
  const Frame *frame;
  Axis x, y;
  gint first, step;
  guint bits;                   /* of the sum of all weights of chroma */
} Picture;

/* Of R', G', B' by Y', Cb, Cr, in 2^-(8 + bits), and back, in 2^-16. */
typedef struct
{
  gint64 offset[3];             /* codes */
  gint64 to_rgb[3][3], to_codes[3][3];
} Matrix;

/* The middle coefficient of each row back is what the others leave, so that grey stays
 * grey. */
static Matrix
get_matrix (const ReferenceYuvSettings * settings, guint bits)
{
  const gint64 one = G_GINT64_CONSTANT (1) << (bits - 8);
  const gdouble luma = settings->full_range ? 256 * one - 1 : 219 * one;
  const gdouble chroma = settings->full_range ? 256 * one - 1 : 224 * one;
  const gdouble kr = settings->kr, kb = settings->kb, kg = 1 - kr - kb;
  const gdouble rv = 255 / chroma * 2 * (1 - kr);
  const gdouble bu = 255 / chroma * 2 * (1 - kb);
  const gint64 y = reference_fixed (255 / luma, 8 + bits);
  const gint64 yr = reference_fixed (kr * luma / 255, 16);
  const gint64 yb = reference_fixed (kb * luma / 255, 16);
  const gint64 half = reference_fixed (chroma / 255 / 2, 16);
  const gint64 ur = -reference_fixed (chroma / 255 * kr / (2 * (1 - kb)), 16);
  const gint64 vb = -reference_fixed (chroma / 255 * kb / (2 * (1 - kr)), 16);

  return (Matrix) {
    .offset = {settings->full_range ? 0 : 16 * one, 128 * one, 128 * one},
    .to_rgb = {
      {y, 0, reference_fixed (rv, 8 + bits)},
      {y, -reference_fixed (bu * kb / kg, 8 + bits),
        -reference_fixed (rv * kr / kg, 8 + bits)},
      {y, reference_fixed (bu, 8 + bits), 0}
    },
    .to_codes = {
      {yr, reference_fixed (luma / 255, 16) - yr - yb, yb},
      {ur, -half - ur, half},
      {half, -half - vb, vb}
    }
  };
}

static gint64
multiply (const gint64 row[3], const gint64 column[3])
{
  return row[0] * column[0] + row[1] * column[1] + row[2] * column[2];
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
  const gint centre = centre_of_sample (axis, i);

  return MAX (MIN (2 * p + 1, centre + axis->factor)
      - MAX (2 * p - 1, centre - axis->factor), 0);
}

static gsize
row_of (const Picture * picture, gint row)
{
  return picture->first + (gsize) row *picture->step;
}

static gsize
index_of (const Picture * picture, guint c, gint column, gint row)
{
  const Plane *plane = &picture->frame->planes[c];

  return row_of (picture, row) * plane->stride + column * plane->step;
}

static gint64
get (const Picture * picture, guint c, gint column, gint row)
{
  const gsize i = index_of (picture, c, column, row);
  gconstpointer first = picture->frame->planes[c].first;

  return picture->frame->is_bytes ? ((const guint8 *) first)[i]
      : ((const guint16 *) first)[i];
}

static void
put (const Picture * picture, guint c, gint column, gint row, gint64 code)
{
  const gsize i = index_of (picture, c, column, row);
  gpointer first = picture->frame->planes[c].first;

  code = CLAMP (code, 0, (1 << picture->frame->bits) - 1);
  if (picture->frame->is_bytes)
    ((guint8 *) first)[i] = code;
  else
    ((guint16 *) first)[i] = code;
}

static gint64
chroma_at (const Picture * picture, guint c, gint column, gint row)
{
  const Axis *x = &picture->x, *y = &picture->y;
  gint64 sum = 0;

  for (gint j = row / y->factor - 1; j <= row / y->factor + 1; j++)
    for (gint i = column / x->factor - 1; i <= column / x->factor + 1; i++)
      sum += interpolate (x, i, column) * interpolate (y, j, row)
          * get (picture, c, CLAMP (i, 0, count_samples (x) - 1),
          CLAMP (j, 0, count_samples (y) - 1));
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
      const gsize at_x = CLAMP (i, 0, x->n - 1), at_y = CLAMP (j, 0, y->n - 1);

      sum += cover (x, column, i) * cover (y, row, j)
          * rgba[4 * (row_of (picture, at_y) * picture->frame->width + at_x)
          + c];
    }
  return sum;
}

/* --- pictures --- */

static void
decode (const Matrix * matrix, const Picture * picture, guint8 * rgba)
{
  const guint bits = 8 + picture->frame->bits + picture->bits;

  for (gint row = 0; row < picture->y.n; row++)
    for (gint column = 0; column < picture->x.n; column++) {
      guint8 *pixel = rgba
          + 4 * (row_of (picture, row) * picture->frame->width + column);
      gint64 sums[3] = { get (picture, 0, column, row) << picture->bits };

      for (guint c = 1; c < 3; c++)
        sums[c] = chroma_at (picture, c, column, row);
      for (guint c = 0; c < 3; c++)
        sums[c] -= matrix->offset[c] << picture->bits;
      for (guint c = 0; c < 3; c++)
        pixel[c] = CLAMP (reference_shift_rounded (multiply (matrix->to_rgb[c],
                    sums), bits), 0, 255);
      pixel[3] = 255;
    }
}

/* Of sums whose weights add up to 2^@bits. */
static gint64
encode_code (const Matrix * matrix, guint c, const gint64 sums[3], guint bits)
{
  return reference_shift_rounded (multiply (matrix->to_codes[c], sums)
      + (matrix->offset[c] << (16 + bits)), 16 + bits);
}

static void
encode (const Matrix * matrix, const Picture * picture, const guint8 * rgba)
{
  for (gint row = 0; row < picture->y.n; row++)
    for (gint column = 0; column < picture->x.n; column++) {
      const guint8 *pixel = rgba
          + 4 * (row_of (picture, row) * picture->frame->width + column);
      const gint64 rgb[3] = { pixel[0], pixel[1], pixel[2] };

      put (picture, 0, column, row, encode_code (matrix, 0, rgb, 0));
    }
  for (gint row = 0; row < count_samples (&picture->y); row++)
    for (gint column = 0; column < count_samples (&picture->x); column++) {
      gint64 sums[3];

      for (guint i = 0; i < 3; i++)
        sums[i] = mean_at (picture, rgba, i, column, row);
      for (guint c = 1; c < 3; c++)
        put (picture, c, column, row, encode_code (matrix, c, sums,
                picture->bits));
    }
}

/* --- frames --- */

static Frame
frame_of_codes (const ReferenceCodes * codes)
{
  const guint width = reference_codes_chroma_width (codes);

  return (Frame) {
    codes->bits, FALSE, codes->width, codes->height, codes->shift_x,
    codes->shift_y, {{codes->codes[0], codes->width, 1},
      {codes->codes[1], width, 1}, {codes->codes[2], width, 1}}
  };
}

static Frame
frame_of_bytes (const ReferenceYuvFrame * yuv)
{
  return (Frame) {
    8, TRUE, yuv->width, yuv->height, 1, 1, {{yuv->y, yuv->y_stride, 1},
      {yuv->u, yuv->uv_stride, yuv->uv_step},
      {yuv->v, yuv->uv_stride, yuv->uv_step}}
  };
}

/* Converts the pictures that a frame is made of, to @rgba or else @from_rgba. */
static void
convert (const ReferenceYuvSettings * settings, Frame frame, guint8 * rgba,
    const guint8 * from_rgba)
{
  const Matrix matrix = get_matrix (settings, frame.bits);
  const guint n = settings->interlaced && frame.height > 1 ? 2 : 1;

  for (guint i = 0; i < n; i++) {
    const Picture picture = {.frame = &frame,
      .x = {1 << frame.shift_x, settings->h_cosited, frame.width},
      .y = {1 << frame.shift_y, settings->v_cosited,
        (frame.height + n - 1 - i) / n},
      .first = i, .step = n, .bits = frame.shift_x + frame.shift_y + 2};

    if (rgba)
      decode (&matrix, &picture, rgba);
    else
      encode (&matrix, &picture, from_rgba);
  }
}

guint
reference_codes_chroma_width (const ReferenceCodes * frame)
{
  const guint factor = 1u << frame->shift_x;

  return (frame->width + factor - 1) / factor;
}

guint
reference_codes_chroma_height (const ReferenceCodes * frame,
    gboolean interlaced)
{
  const guint factor = 1u << frame->shift_y, field = (frame->height + 1) / 2;

  if (!interlaced)
    return (frame->height + factor - 1) / factor;
  return (field + factor - 1) / factor
      + (frame->height / 2 + factor - 1) / factor;
}

void
reference_codes_to_rgba (const ReferenceYuvSettings * settings,
    const ReferenceCodes * frame, guint8 * rgba)
{
  convert (settings, frame_of_codes (frame), rgba, NULL);
}

void
reference_codes_from_rgba (const ReferenceYuvSettings * settings,
    const guint8 * rgba, const ReferenceCodes * frame)
{
  convert (settings, frame_of_codes (frame), NULL, rgba);
}

void
reference_yuv_to_rgba (const ReferenceYuvSettings * settings,
    const ReferenceYuvFrame * frame, guint8 * rgba)
{
  convert (settings, frame_of_bytes (frame), rgba, NULL);
}

void
reference_yuv_from_rgba (const ReferenceYuvSettings * settings,
    const guint8 * rgba, const ReferenceYuvFrame * frame)
{
  convert (settings, frame_of_bytes (frame), NULL, rgba);
}
