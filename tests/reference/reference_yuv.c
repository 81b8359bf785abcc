/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_yuv.h"
#include "reference_integer.h"

/* The weights of both axes together add up to 2^CHROMA_BITS. */
#define CHROMA_BITS 4

/* Samples of one axis that make a sample of the other resolution; their
 * weights add up to 4, and are 0 where fewer than three do. */
typedef struct
{
  guint index[3];
  gint weight[3];
} AxisTaps;

typedef struct
{
  gint64 luma_offset, chroma_offset;
  gint64 ky, rv, gu, gv, bu;    /* Q16, to R'G'B' */
  gint64 yr, yg, yb;            /* Q16, from R'G'B' */
  gint64 ur, ug, ub, vr, vg, vb;
} Coefficients;

/* One progressive picture: a frame, or a field with every other row. */
typedef struct
{
  ReferenceYuvFrame yuv;
  gsize rgba_offset, rgba_stride;       /* bytes */
  gboolean h_cosited, v_cosited;
} Picture;

static Coefficients
get_coefficients (const ReferenceYuvSettings * settings)
{
  const gdouble kr = settings->kr, kb = settings->kb, kg = 1 - kr - kb;
  const gdouble sy = settings->full_range ? 255 : 219;
  const gdouble sc = settings->full_range ? 255 : 224;
  const gdouble rv = 255 / sc * 2 * (1 - kr), bu = 255 / sc * 2 * (1 - kb);
  Coefficients k;

  k.luma_offset = settings->full_range ? 0 : 16;
  k.chroma_offset = 128;
  k.ky = reference_fixed (255 / sy, 16);
  k.rv = reference_fixed (rv, 16);
  k.bu = reference_fixed (bu, 16);
  k.gu = reference_fixed (bu * kb / kg, 16);
  k.gv = reference_fixed (rv * kr / kg, 16);

  /* Green takes what is left, so that grey stays grey. */
  k.yr = reference_fixed (kr * sy / 255, 16);
  k.yb = reference_fixed (kb * sy / 255, 16);
  k.yg = reference_fixed (sy / 255, 16) - k.yr - k.yb;
  k.ub = reference_fixed (sc / 255 / 2, 16);
  k.ur = -reference_fixed (sc / 255 * kr / (2 * (1 - kb)), 16);
  k.ug = -k.ub - k.ur;
  k.vr = k.ub;
  k.vb = -reference_fixed (sc / 255 * kb / (2 * (1 - kr)), 16);
  k.vg = -k.vr - k.vb;
  return k;
}

static guint
clamp_index (gint index, guint n)
{
  return (guint) CLAMP (index, 0, (gint) n - 1);
}

/* Chroma samples, @n of them, at the position of a luma sample. */
static AxisTaps
taps_at_luma (guint luma, guint n, gboolean cosited)
{
  const gint i = (gint) (luma / 2);
  const gboolean odd = luma % 2;
  AxisTaps taps = {.weight = {4, 0, 0}};

  taps.index[0] = clamp_index (i, n);
  taps.index[1] = clamp_index (odd ? i + 1 : i - 1, n);
  if (!cosited)
    taps.weight[0] = 3;
  else if (odd)
    taps.weight[0] = 2;
  taps.weight[1] = 4 - taps.weight[0];
  return taps;
}

/* Luma positions, @n of them, that a chroma sample covers. */
static AxisTaps
taps_at_chroma (guint chroma, guint n, gboolean cosited)
{
  const gint first = 2 * (gint) chroma;
  AxisTaps taps = {.weight = {2, 2, 0}};

  if (cosited) {
    taps.weight[1] = 1;
    taps.weight[2] = 1;
  }
  taps.index[0] = clamp_index (first, n);
  taps.index[1] = clamp_index (first + 1, n);
  taps.index[2] = clamp_index (first - 1, n);
  return taps;
}

static gint64
weigh (const guint8 * samples, gsize step, gsize stride, const AxisTaps * x,
    const AxisTaps * y)
{
  gint64 sum = 0;

  for (guint j = 0; j < 3; j++)
    for (guint i = 0; i < 3; i++)
      sum += x->weight[i] * y->weight[j]
          * samples[y->index[j] * stride + x->index[i] * step];
  return sum;
}

static guint8
clamp_to_byte (gint64 value)
{
  return (guint8) CLAMP (value, 0, 255);
}

static guint
halve_up (guint n)
{
  return (n + 1) / 2;
}

static void
convert_to_rgba (const Picture * picture, const Coefficients * k, guint8 * rgba)
{
  const ReferenceYuvFrame *yuv = &picture->yuv;
  const guint bits = 16 + CHROMA_BITS;

  for (guint row = 0; row < yuv->height; row++) {
    const AxisTaps y_taps =
        taps_at_luma (row, halve_up (yuv->height), picture->v_cosited);

    for (guint column = 0; column < yuv->width; column++) {
      const AxisTaps x_taps =
          taps_at_luma (column, halve_up (yuv->width), picture->h_cosited);
      const gint64 y = (k->ky << CHROMA_BITS)
          * (yuv->y[row * yuv->y_stride + column] - k->luma_offset);
      const gint64 u = weigh (yuv->u, yuv->uv_step, yuv->uv_stride, &x_taps,
          &y_taps) - (k->chroma_offset << CHROMA_BITS);
      const gint64 v = weigh (yuv->v, yuv->uv_step, yuv->uv_stride, &x_taps,
          &y_taps) - (k->chroma_offset << CHROMA_BITS);
      guint8 *pixel = rgba + picture->rgba_offset
          + row * picture->rgba_stride + 4 * (gsize) column;

      pixel[0] = clamp_to_byte (reference_shift_rounded (y + k->rv * v, bits));
      pixel[1] = clamp_to_byte (reference_shift_rounded (y - k->gu * u
              - k->gv * v, bits));
      pixel[2] = clamp_to_byte (reference_shift_rounded (y + k->bu * u, bits));
      pixel[3] = 255;
    }
  }
}

static void
write_luma (const Picture * picture, const Coefficients * k,
    const guint8 * rgba)
{
  const ReferenceYuvFrame *yuv = &picture->yuv;

  for (guint row = 0; row < yuv->height; row++) {
    for (guint column = 0; column < yuv->width; column++) {
      const guint8 *pixel = rgba + picture->rgba_offset
          + row * picture->rgba_stride + 4 * (gsize) column;
      const gint64 luma = k->yr * pixel[0] + k->yg * pixel[1]
          + k->yb * pixel[2] + (k->luma_offset << 16);

      yuv->y[row * yuv->y_stride + column] =
          clamp_to_byte (reference_shift_rounded (luma, 16));
    }
  }
}

static void
write_chroma (const Picture * picture, const Coefficients * k,
    const guint8 * rgba)
{
  const ReferenceYuvFrame *yuv = &picture->yuv;
  const guint bits = 16 + CHROMA_BITS;

  for (guint row = 0; row < halve_up (yuv->height); row++) {
    const AxisTaps y_taps =
        taps_at_chroma (row, yuv->height, picture->v_cosited);

    for (guint column = 0; column < halve_up (yuv->width); column++) {
      const AxisTaps x_taps =
          taps_at_chroma (column, yuv->width, picture->h_cosited);
      const gsize at = row * yuv->uv_stride + column * yuv->uv_step;
      gint64 sum[3], u, v;

      for (guint c = 0; c < 3; c++)
        sum[c] = weigh (rgba + picture->rgba_offset + c, 4,
            picture->rgba_stride, &x_taps, &y_taps);
      u = k->ur * sum[0] + k->ug * sum[1] + k->ub * sum[2];
      v = k->vr * sum[0] + k->vg * sum[1] + k->vb * sum[2];
      yuv->u[at] = clamp_to_byte (reference_shift_rounded (u
              + (k->chroma_offset << bits), bits));
      yuv->v[at] = clamp_to_byte (reference_shift_rounded (v
              + (k->chroma_offset << bits), bits));
    }
  }
}

static Picture
whole_frame (const ReferenceYuvSettings * settings,
    const ReferenceYuvFrame * frame)
{
  Picture picture = {.yuv = *frame};

  picture.rgba_stride = 4 * (gsize) frame->width;
  picture.h_cosited = settings->h_cosited;
  picture.v_cosited = settings->v_cosited;
  return picture;
}

/* @parity: 0 for the rows 0, 2, 4…, 1 for the others. */
static Picture
field (const ReferenceYuvSettings * settings, const ReferenceYuvFrame * frame,
    guint parity)
{
  Picture picture = whole_frame (settings, frame);

  picture.yuv.height = (frame->height + 1 - parity) / 2;
  picture.yuv.y += parity * frame->y_stride;
  picture.yuv.u += parity * frame->uv_stride;
  picture.yuv.v += parity * frame->uv_stride;
  picture.yuv.y_stride *= 2;
  picture.yuv.uv_stride *= 2;
  picture.rgba_offset = parity * picture.rgba_stride;
  picture.rgba_stride *= 2;
  return picture;
}

/* Fills in the progressive pictures that a frame is made of. */
static guint
split (const ReferenceYuvSettings * settings, const ReferenceYuvFrame * frame,
    Picture pictures[2])
{
  if (!settings->interlaced) {
    pictures[0] = whole_frame (settings, frame);
    return 1;
  }
  pictures[0] = field (settings, frame, 0);
  if (frame->height == 1)
    return 1;
  pictures[1] = field (settings, frame, 1);
  return 2;
}

void
reference_yuv_to_rgba (const ReferenceYuvSettings * settings,
    const ReferenceYuvFrame * frame, guint8 * rgba)
{
  const Coefficients k = get_coefficients (settings);
  Picture pictures[2];
  const guint n = split (settings, frame, pictures);

  for (guint i = 0; i < n; i++)
    convert_to_rgba (&pictures[i], &k, rgba);
}

void
reference_yuv_from_rgba (const ReferenceYuvSettings * settings,
    const guint8 * rgba, const ReferenceYuvFrame * frame)
{
  const Coefficients k = get_coefficients (settings);
  Picture pictures[2];
  const guint n = split (settings, frame, pictures);

  for (guint i = 0; i < n; i++) {
    write_luma (&pictures[i], &k, rgba);
    write_chroma (&pictures[i], &k, rgba);
  }
}
