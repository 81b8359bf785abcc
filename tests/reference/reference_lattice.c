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

void
reference_lattice_set_chroma (ReferenceLattice * lattice, gdouble chroma)
{
  const gdouble of_ab = pow (chroma, 1.0 / 3);
  const gdouble factors[3] = { of_ab / chroma, of_ab, of_ab };

  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k < 3; k++) {
      lattice->roots_to_lab[i][k] =
          reference_fixed (ROOTS_TO_LAB[i][k] * factors[i], 30);
      lattice->lab_to_roots[i][k] =
          reference_fixed (LAB_TO_ROOTS[i][k] / factors[k], 30);
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
  for (guint code = 0; code < 256; code++) {
    lattice->lin[code] =
        MIN (reference_fixed (eotf (code / 255.0), 30), ONE_Q30);
    lattice->threshold[code] =
        code == 0 ? 0 : reference_fixed (eotf ((code - 0.5) / 255.0), 30);
  }
  for (guint i = 0; i < 9; i++) {
    lattice->rgb_to_lms[i / 3][i % 3] =
        reference_fixed (RGB_TO_LMS[i / 3][i % 3], 30);
    lattice->lms_to_rgb[i / 3][i % 3] =
        reference_fixed (LMS_TO_RGB[i / 3][i % 3], 28);
  }
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
  const gint64 light[3] =
      { lattice->lin[rgb[0]], lattice->lin[rgb[1]], lattice->lin[rgb[2]] };
  gint64 root[3], lab[3];

  for (guint i = 0; i < 3; i++)
    root[i] = reference_cube_root (dot (lattice->rgb_to_lms[i], light));
  for (guint i = 0; i < 3; i++)
    lab[i] = reference_shift_rounded (dot (lattice->roots_to_lab[i], root),
        50 - lattice->shift);
  return (ReferencePoint) {lab[0], lab[1], lab[2]};
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
    const gint64 sum = dot (lattice->lms_to_rgb[i], lms);
    const gint64 light = CLAMP (reference_shift_rounded (sum, 28), 0, ONE_Q30);

    rgb[i] = 0;
    for (guint k = 1; k < 256; k++)
      rgb[i] += light >= lattice->threshold[k];
  }
}
