/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_lattice.h"
#include "reference_integer.h"

#include <math.h>

#define ONE_Q30 (G_GINT64_CONSTANT (1) << 30)

static const gdouble RGB_TO_LMS[3][3] = {
  {0.4122214708, 0.5363325363, 0.0514459929},
  {0.2119034982, 0.6806995451, 0.1073969566},
  {0.0883024619, 0.2817188376, 0.6299787005},
};

static const gdouble ROOTS_TO_LAB[3][3] = {
  {0.2104542553, 0.7936177850, -0.0040720468},
  {1.9779984951, -2.4285922050, 0.4505937099},
  {0.0259040371, 0.7827717662, -0.8086757660},
};

static const gdouble LAB_TO_ROOTS[3][3] = {
  {1, 0.3963377774, 0.2158037573},
  {1, -0.1055613458, -0.0638541728},
  {1, -0.0894841775, -1.2914855480},
};

static const gdouble LMS_TO_RGB[3][3] = {
  {4.0767416621, -3.3077115913, 0.2309699292},
  {-1.2684380046, 2.6097574011, -0.3413193965},
  {-0.0041960863, -0.7034186147, 1.7076147010},
};

guint
reference_lattice_shift (gdouble radius)
{
  guint shift = 16;

  while (shift > 0 && ldexp (radius, (gint) shift) >= 2048)
    shift--;
  return shift;
}

gint64
reference_radius_squared (gdouble radius, guint shift)
{
  return (gint64) floor (ldexp (radius * radius, 2 * (gint) shift));
}

static gdouble
srgb_eotf (gdouble code)
{
  return code <= 0.04045 ? code / 12.92 : pow ((code + 0.055) / 1.055, 2.4);
}

static gdouble
linear_eotf (gdouble code)
{
  return code;
}

static void
fill_transfer (ReferenceLattice * lattice, ReferenceEotf eotf)
{
  for (guint code = 0; code < 256; code++) {
    gint64 light = reference_fixed (eotf (code / 255.0), 30);

    lattice->lin[code] = MIN (light, ONE_Q30);
    lattice->threshold[code] =
        code == 0 ? 0 : reference_fixed (eotf ((code - 0.5) / 255.0), 30);
  }
}

static void
fill_matrices (ReferenceLattice * lattice)
{
  for (guint row = 0; row < 3; row++)
    for (guint column = 0; column < 3; column++) {
      lattice->rgb_to_lms[row][column] =
          reference_fixed (RGB_TO_LMS[row][column], 30);
      lattice->lms_to_rgb[row][column] =
          reference_fixed (LMS_TO_RGB[row][column], 28);
    }
}

void
reference_lattice_set_chroma (ReferenceLattice * lattice, gdouble chroma)
{
  const gdouble of_ab = pow (chroma, 1.0 / 3), of_l = of_ab / chroma;

  for (guint i = 0; i < 3; i++) {
    lattice->roots_to_lab[0][i] =
        reference_fixed (ROOTS_TO_LAB[0][i] * of_l, 30);
    lattice->roots_to_lab[1][i] =
        reference_fixed (ROOTS_TO_LAB[1][i] * of_ab, 30);
    lattice->roots_to_lab[2][i] =
        reference_fixed (ROOTS_TO_LAB[2][i] * of_ab, 30);
    lattice->lab_to_roots[i][0] =
        reference_fixed (LAB_TO_ROOTS[i][0] / of_l, 30);
    lattice->lab_to_roots[i][1] =
        reference_fixed (LAB_TO_ROOTS[i][1] / of_ab, 30);
    lattice->lab_to_roots[i][2] =
        reference_fixed (LAB_TO_ROOTS[i][2] / of_ab, 30);
  }
}

void
reference_lattice_init (ReferenceLattice * lattice, ReferenceTransfer transfer,
    ReferenceEotf eotf, guint shift)
{
  if (transfer == REFERENCE_TRANSFER_SRGB)
    eotf = srgb_eotf;
  else if (transfer == REFERENCE_TRANSFER_LINEAR)
    eotf = linear_eotf;
  lattice->shift = shift;
  fill_transfer (lattice, eotf);
  fill_matrices (lattice);
  reference_lattice_set_chroma (lattice, 1);
}

/* Where the estimate comes from does not matter: the loops end on the
 * definition. */
gint64
reference_cube_root (gint64 cube)
{
  gint64 root = (gint64) cbrt ((gdouble) cube);

  while (root * root * root > cube)
    root--;
  while ((root + 1) * (root + 1) * (root + 1) <= cube)
    root++;
  return root;
}

static gint64
dot (const gint64 row[3], const gint64 column[3])
{
  return row[0] * column[0] + row[1] * column[1] + row[2] * column[2];
}

ReferencePoint
reference_colour_to_point (const ReferenceLattice * lattice, const guint8 * rgb)
{
  const guint s = lattice->shift;
  const gint64 light[3] =
      { lattice->lin[rgb[0]], lattice->lin[rgb[1]], lattice->lin[rgb[2]] };
  gint64 root[3], lab[3];
  ReferencePoint point;

  for (guint i = 0; i < 3; i++)
    root[i] = reference_cube_root (dot (lattice->rgb_to_lms[i], light));
  for (guint i = 0; i < 3; i++)
    lab[i] = reference_shift_rounded (dot (lattice->roots_to_lab[i], root),
        50 - s);
  point.L = (gint32) lab[0];
  point.a = (gint32) lab[1];
  point.b = (gint32) lab[2];
  return point;
}

/* Counts every threshold, so nothing rests on their order. */
static guint8
light_to_code (const ReferenceLattice * lattice, gint64 light)
{
  guint code = 0;

  for (guint k = 1; k < 256; k++)
    code += light >= lattice->threshold[k];
  return (guint8) code;
}

void
reference_point_to_colour (const ReferenceLattice * lattice,
    ReferencePoint point, guint8 * rgb)
{
  const guint s = lattice->shift;
  gint64 lms[3];

  for (guint i = 0; i < 3; i++) {
    const gint64 lab[3] = { point.L, point.a, point.b };
    gint64 root =
        reference_shift_rounded (dot (lattice->lab_to_roots[i], lab), 10 + s);

    lms[i] = reference_shift_rounded (root * root * root, 30);
  }
  for (guint i = 0; i < 3; i++) {
    gint64 light =
        reference_shift_rounded (dot (lattice->lms_to_rgb[i], lms), 28);

    rgb[i] = light_to_code (lattice, CLAMP (light, 0, ONE_Q30));
  }
}
