/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test_reference.h"
#include "generated.h"
#include "reference_count.h"
#include "reference_integer.h"
#include "reference_live.h"

#include <string.h>

/* The pitch is 437 = ⌊0.02 · 65536 / 3 + 1/2⌋ steps. */
#define RADIUS 0.02
#define PITCH 437

/* Pixels one behind the other. */
typedef GByteArray Picture;

static void
add_pixels (Picture * picture, guint32 colour, guint n)
{
  guint8 pixel[4] = { 0, 0, 0, 255 };

  reference_unpack_rgb (colour, pixel);
  for (guint i = 0; i < n; i++)
    g_byte_array_append (picture, pixel, sizeof pixel);
}

static guint32
colour_of_pixel (const Picture * picture, guint i)
{
  return reference_pack_rgb (picture->data + 4 * (gsize) i);
}

static Picture *
reduce_with_capacity (const ReferencePaletteSettings * settings, gsize capacity,
    const Picture * picture, ReferenceLiveStats * stats)
{
  Picture *output = g_byte_array_sized_new (picture->len);

  g_byte_array_set_size (output, picture->len);
  reference_live_with_capacity (settings, capacity, picture->data,
      picture->len / 4, 1, output->data, stats);
  return output;
}

static Picture *
reduce (const ReferencePaletteSettings * settings, const Picture * picture,
    ReferenceLiveStats * stats)
{
  return reduce_with_capacity (settings, REFERENCE_LIVE_CAPACITY, picture,
      stats);
}

static guint32
grey (guint code)
{
  return code * 0x010101;
}

/* With these transfer functions the lightness of a grey is proportional to its
 * code: all of Oklab's lightness for 256 codes, or a quarter of it. */
static gdouble
even_eotf (gdouble code)
{
  return code * code * code;
}

static gdouble
dark_eotf (gdouble code)
{
  return code * code * code / 64;
}

/* 65536 / 255 steps a code and a pitch of ⌊0.01176 · 65536 / 3 + 1/2⌋ = 257:
 * the coordinate of a grey's bin is its code. */
static const ReferencePaletteSettings bin_per_code = {
  .radius = 0.01176,.transfer = REFERENCE_TRANSFER_CUSTOM,.eotf = even_eotf
};

/* 1024 / 4 / 255 steps a code, pitch ⌊1024 / 3 + 1/2⌋ = 341: the lightness of
 * a grey up to 127 is its code, and all greys up to 169 are in one bin, whose
 * least coordinates are -170. */
static const ReferencePaletteSettings step_per_code = {
  .radius = 1,.transfer = REFERENCE_TRANSFER_CUSTOM,.eotf = dark_eotf
};

/* One colour of each bin around grey's, by place less that of grey 128:
 * in L, a and b from -4 to 4. */
#define REACH 4
#define SIDE (2 * REACH + 1)

typedef struct
{
  guint32 colours[SIDE][SIDE][SIDE];
} Neighbourhood;

static gint
bin_coordinate (gint32 x, gint pitch)
{
  return (gint) floor ((x + pitch / 2) / (gdouble) pitch);
}

static const Neighbourhood *
neighbourhood (void)
{
  static Neighbourhood around;
  static gboolean ready = FALSE;
  ReferenceLattice lattice;
  ReferencePoint centre;
  guint n_missing = SIDE * SIDE * SIDE;
  const guint8 middle[3] = { 128, 128, 128 };

  if (ready)
    return &around;
  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  centre = reference_colour_to_point (&lattice, middle);
  for (guint i = 0; i < 64 * 64 * 64; i++) {
    const guint8 rgb[3] = { 96 + i / 4096, 96 + i / 64 % 64, 96 + i % 64 };
    const ReferencePoint at = reference_colour_to_point (&lattice, rgb);
    const gint L = bin_coordinate (at.L, PITCH)
        - bin_coordinate (centre.L, PITCH) + REACH;
    const gint a = bin_coordinate (at.a, PITCH) + REACH;
    const gint b = bin_coordinate (at.b, PITCH) + REACH;

    if (L < 0 || L >= SIDE || a < 0 || a >= SIDE || b < 0 || b >= SIDE)
      continue;
    n_missing -= around.colours[L][a][b] == 0;
    around.colours[L][a][b] = reference_pack_rgb (rgb);
  }
  g_assert_cmpuint (n_missing, ==, 0);
  ready = TRUE;
  return &around;
}

/* An offset of whole bins. */
typedef struct
{
  gint L, a, b;
} Offset;

static guint32
colour_at (Offset at)
{
  return neighbourhood ()->colours[at.L + REACH][at.a + REACH][at.b + REACH];
}

static gint
length_squared (Offset o)
{
  return o.L * o.L + o.a * o.a + o.b * o.b;
}

static gboolean
is_neighbour (Offset o)
{
  return ABS (o.L) <= 1 && ABS (o.a) <= 1 && ABS (o.b) <= 1;
}

/* The order of bins is that of a, then b, then L. */
static gboolean
is_before_origin (Offset o)
{
  if (o.a != 0)
    return o.a < 0;
  return o.b != 0 ? o.b < 0 : o.L < 0;
}

static Offset
opposite (Offset o)
{
  Offset other = { -o.L, -o.a, -o.b };

  return other;
}

/* All offsets up to @reach in each coordinate but 0, 0, 0. */
static GArray *
offsets_new (gint reach)
{
  GArray *offsets = g_array_new (FALSE, FALSE, sizeof (Offset));

  for (gint L = -reach; L <= reach; L++)
    for (gint a = -reach; a <= reach; a++)
      for (gint b = -reach; b <= reach; b++) {
        Offset offset = { L, a, b };

        if (length_squared (offset) > 0)
          g_array_append_val (offsets, offset);
      }
  return offsets;
}

static const ReferencePaletteSettings plain = {.radius = RADIUS };

/* Up to three bins with a colour each and some pixels: what becomes of the
 * colours. */
static void
reduce_bins (const Offset * bins, const guint * n_pixels, guint n,
    guint32 * colours)
{
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) output = NULL;
  ReferenceLiveStats stats;
  guint pixel = 0;

  for (guint i = 0; i < n; i++)
    add_pixels (picture, colour_at (bins[i]), n_pixels[i]);
  output = reduce (&plain, picture, &stats);
  g_assert_cmpuint (stats.n_bins, ==, n);
  for (guint i = 0; i < n; i++) {
    colours[i] = colour_of_pixel (output, pixel);
    pixel += n_pixels[i];
  }
}

static void
test_one_colour_stays (void)
{
  static const gdouble radii[] = { 0.0001, 0.005, 0.01, 0.02, 0.03, 0.05 };

  for (guint i = 0; i < 6 * G_N_ELEMENTS (radii) * 128; i++) {
    const guint32 colour = i * 3643 & 0xffffff;
    ReferencePaletteSettings settings = {
      .radius = radii[i % G_N_ELEMENTS (radii)],
      .weighting = i / 6 % 2,.transfer = i / 12 % 2
    };
    g_autoptr (GByteArray) picture = g_byte_array_new ();
    g_autoptr (GByteArray) output = NULL;
    ReferenceLiveStats stats;

    add_pixels (picture, colour, 3);
    output = reduce (&settings, picture, &stats);
    g_assert_cmpmem (output->data, output->len, picture->data, picture->len);
    g_assert_cmpuint (stats.n_bins, ==, 1);
    g_assert_cmpuint (stats.n_summits, ==, 1);
    g_assert_cmpuint (stats.n_merges, ==, 0);
  }
}

static void
test_far_apart (void)
{
  static const guint32 colours[] =
      { 0x000000, 0xffffff, 0xff0000, 0x00ff00, 0x0000ff, 0x808080 };
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) output = NULL;
  ReferenceLiveStats stats;

  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    add_pixels (picture, colours[i], 1 + 5 * i);
  output = reduce (&plain, picture, &stats);
  g_assert_cmpmem (output->data, output->len, picture->data, picture->len);
  g_assert_cmpuint (stats.n_bins, ==, G_N_ELEMENTS (colours));
  g_assert_cmpuint (stats.n_summits, ==, G_N_ELEMENTS (colours));
}

/* Two bins, ten pixels and one. */
static void
test_rare_goes_to_frequent (void)
{
  g_autoptr (GArray) offsets = offsets_new (3);

  for (guint i = 0; i < offsets->len; i++) {
    const Offset bins[2] = { {0, 0, 0}, g_array_index (offsets, Offset, i) };
    const guint n_pixels[2] = { 10, 1 };
    guint32 colours[2];

    reduce_bins (bins, n_pixels, 2, colours);
    g_assert_cmphex (colours[0], ==, colour_at (bins[0]));
    g_assert_cmphex (colours[1], ==,
        colour_at (bins[is_neighbour (bins[1]) ? 0 : 1]));
  }
}

/* Neither of two equal bins goes to the other. */
static void
test_ties (void)
{
  g_autoptr (GArray) offsets = offsets_new (1);

  for (guint i = 0; i < offsets->len; i++) {
    const Offset bins[2] = { {0, 0, 0}, g_array_index (offsets, Offset, i) };
    const guint n_pixels[2] = { 4, 4 };
    guint32 colours[2];

    reduce_bins (bins, n_pixels, 2, colours);
    for (guint k = 0; k < 2; k++)
      g_assert_cmphex (colours[k], ==, colour_at (bins[k]));
  }
}

/* Of 20 pixels beside 22 the density is 4 · 20 + 3 · 22 = 146, beside 23 it is
 * 149; a 64th of that is 2, which is how much denser the neighbour is, or one
 * less. Of 1000 beside 1008 a 64th is 109, but 8 is enough. */
static void
test_plateau (void)
{
  static const struct
  {
    guint n[2];
    gboolean goes;
  } cases[] = {
    {{20, 21}, FALSE}, {{20, 22}, FALSE}, {{20, 23}, TRUE},
    {{1000, 1008}, FALSE}, {{1000, 1009}, TRUE}, {{1000, 2000}, TRUE}
  };
  const Offset bins[2] = { {0, 0, 0}, {0, 1, 0} };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint32 colours[2];

    reduce_bins (bins, cases[i].n, 2, colours);
    g_assert_cmphex (colours[0], ==, colour_at (bins[cases[i].goes]));
    g_assert_cmphex (colours[1], ==, colour_at (bins[1]));
  }
}

/* Twenty pixels across one corner of a bin with one pixel, and twenty across
 * the opposite one: 4 · 20 + 1 on either side, 4 + 2 · 20 between them. */
static void
test_tie_of_neighbours (void)
{
  g_autoptr (GArray) offsets = offsets_new (1);

  for (guint i = 0; i < offsets->len; i++) {
    const Offset there = g_array_index (offsets, Offset, i);
    const Offset bins[3] = { {0, 0, 0}, there, opposite (there) };
    const guint n_pixels[3] = { 1, 20, 20 };
    guint32 colours[3];

    if (length_squared (there) < 3)
      continue;
    reduce_bins (bins, n_pixels, 3, colours);
    g_assert_cmphex (colours[0], ==,
        colour_at (bins[is_before_origin (there) ? 1 : 2]));
    g_assert_cmphex (colours[1], ==, colour_at (bins[1]));
    g_assert_cmphex (colours[2], ==, colour_at (bins[2]));
  }
}

/* A bin at 0, 0, 0 with p pixels and one across a corner with p + t, which is
 * out of reach of a third at @offset with three. The densities of the first
 * two are 4 p + (p + t) + 3 w and 4 (p + t) + p, so that the second goes
 * to the first where w > t. */
static gboolean
goes_across_corner (Offset offset, gint t)
{
  const gint p = 10;
  const Offset corner = { offset.L > 0 ? -1 : 1, offset.a > 0 ? -1 : 1,
    offset.b > 0 ? -1 : 1
  };
  const Offset bins[3] = { {0, 0, 0}, corner, offset };
  const guint n_pixels[3] = { p, p + t, 3 };
  guint32 colours[3];

  reduce_bins (bins, n_pixels, 3, colours);
  return colours[1] != colour_at (corner);
}

static void
test_kernel (void)
{
  g_autoptr (GArray) offsets = offsets_new (3);

  for (guint i = 0; i < offsets->len; i++) {
    const Offset offset = g_array_index (offsets, Offset, i);
    const gint w = MAX (4 - length_squared (offset), 0);

    g_assert_true (goes_across_corner (offset, w - 1));
    g_assert_false (goes_across_corner (offset, w));
  }
}

/* Densities of 1, 2, … 11 pixels are largest at the last but one, where they
 * are 4 · 10 + 3 · (9 + 11) = 100; the last has 4 · 11 + 3 · 10 = 74.
 * So it is with 11, … 1. The two rows that meet have a valley between them. */
static void
test_chain (void)
{
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) output = NULL;
  ReferenceLiveStats stats;
  guint i = 0;

  for (guint n = 11; n > 0; n--)
    add_pixels (picture, grey (100 - n), n);
  for (guint n = 1; n <= 11; n++)
    add_pixels (picture, grey (100 + n), n);
  output = reduce (&bin_per_code, picture, &stats);
  g_assert_cmpuint (stats.n_bins, ==, 22);
  g_assert_cmpuint (stats.n_summits, ==, 2);
  while (i < 66)
    g_assert_cmphex (colour_of_pixel (output, i++), ==, grey (90));
  while (i < 132)
    g_assert_cmphex (colour_of_pixel (output, i++), ==, grey (110));
}

/* Density and not weight decides: 12 + 6, 8 + 18, 6 + 12. */
static void
test_between_is_denser (void)
{
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) output = NULL;

  add_pixels (picture, grey (50), 3);
  add_pixels (picture, grey (51), 2);
  add_pixels (picture, grey (52), 3);
  output = reduce (&bin_per_code, picture, NULL);
  for (guint i = 0; i < 8; i++)
    g_assert_cmphex (colour_of_pixel (output, i), ==, grey (51));
}

/* 64.25 steps a code and a pitch of 437: 38 to 44 are in the bin 6, 45 to 51
 * in the bin 7. The former has more pixels, with a mean of
 * (2 · 39 + 3 · 42) / 5 = 40.8, the latter more colours. */
static void
test_weighting (void)
{
  ReferencePaletteSettings settings = {.radius = RADIUS,
    .transfer = REFERENCE_TRANSFER_CUSTOM,.eotf = dark_eotf
  };
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) by_pixels = NULL;
  g_autoptr (GByteArray) by_colours = NULL;
  ReferenceLiveStats stats;

  add_pixels (picture, grey (39), 2);
  add_pixels (picture, grey (42), 3);
  add_pixels (picture, grey (46), 1);
  add_pixels (picture, grey (48), 1);
  add_pixels (picture, grey (50), 1);
  by_pixels = reduce (&settings, picture, &stats);
  g_assert_cmpuint (stats.n_bins, ==, 2);
  settings.weighting = REFERENCE_WEIGHTING_PALETTE;
  by_colours = reduce (&settings, picture, NULL);
  for (guint i = 0; i < 8; i++) {
    g_assert_cmphex (colour_of_pixel (by_pixels, i), ==, grey (41));
    g_assert_cmphex (colour_of_pixel (by_colours, i), ==, grey (48));
  }
}

/* A mean by colours is not one by pixels. */
static void
test_weighted_mean (void)
{
  ReferencePaletteSettings settings = step_per_code;
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) by_pixels = NULL;
  g_autoptr (GByteArray) by_colours = NULL;

  /* (3 · 20 + 30 + 41) / 5 = 26.2 and (20 + 30 + 41) / 3 = 30.33 */
  add_pixels (picture, grey (20), 3);
  add_pixels (picture, grey (30), 1);
  add_pixels (picture, grey (41), 1);
  by_pixels = reduce (&settings, picture, NULL);
  settings.weighting = REFERENCE_WEIGHTING_PALETTE;
  by_colours = reduce (&settings, picture, NULL);
  for (guint i = 0; i < 5; i++) {
    g_assert_cmphex (colour_of_pixel (by_pixels, i), ==, grey (26));
    g_assert_cmphex (colour_of_pixel (by_colours, i), ==, grey (30));
  }
}

static void
test_mean_rounds_halves_up (void)
{
  static const struct
  {
    guint n[2], mean;
  } cases[] = {
    {{1, 1}, 11}, {{3, 1}, 10}, {{2, 1}, 10}, {{1, 2}, 11}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GByteArray) picture = g_byte_array_new ();
    g_autoptr (GByteArray) output = NULL;

    add_pixels (picture, grey (10), cases[i].n[0]);
    add_pixels (picture, grey (11), cases[i].n[1]);
    output = reduce (&step_per_code, picture, NULL);
    g_assert_cmphex (colour_of_pixel (output, 0), ==, grey (cases[i].mean));
  }
}

/* Which pairs of colours meet is a matter of their bins alone: three pixels
 * of the one attract the other from the same bin and from the next. */
static void
check_pairs (gdouble radius, guint shift, gint pitch, guint32 seed)
{
  const ReferencePaletteSettings settings = {.radius = radius };
  g_autofree guint8 *firsts = generated_picture_new ("noise", 400, 1, seed);
  g_autofree guint8 *others = generated_picture_new ("noise", 400, 1, seed + 1);
  ReferenceLattice lattice;
  const gint reach = 2 + (gint) (300 * radius);
  guint n_met = 0;

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, shift);
  for (guint i = 0; i < 400; i++) {
    guint8 pixels[16], output[16];
    ReferencePoint p, q;
    Offset offset;

    /* The second is near the first, and both are near grey half the time. */
    for (guint k = 0; k < 4; k++) {
      memcpy (pixels + 4 * k, firsts + 4 * i, 4);
      for (guint channel = 1; i % 2 && channel < 3; channel++)
        pixels[4 * k + channel] = pixels[4 * k];
    }
    for (guint channel = 0; channel < 3; channel++)
      pixels[12 + channel] = (guint8) CLAMP (pixels[channel]
          + others[4 * i + channel] % (2 * reach + 1) - reach, 0, 255);
    p = reference_colour_to_point (&lattice, pixels);
    q = reference_colour_to_point (&lattice, pixels + 12);
    offset.L = bin_coordinate (q.L, pitch) - bin_coordinate (p.L, pitch);
    offset.a = bin_coordinate (q.a, pitch) - bin_coordinate (p.a, pitch);
    offset.b = bin_coordinate (q.b, pitch) - bin_coordinate (p.b, pitch);
    reference_live (&settings, pixels, 4, 1, output, NULL);
    g_assert_cmpint (memcmp (output, output + 12, 4) == 0, ==,
        is_neighbour (offset));
    n_met += is_neighbour (offset);
  }
  g_assert_cmpuint (n_met, >, 20);
  g_assert_cmpuint (n_met, <, 380);
}

static void
test_pitch (void)
{
  static const struct
  {
    gdouble radius;
    guint shift;
    gint pitch;
  } cases[] = {
    {0.0001, 16, 109},          /* the least pitch */
    {0.00496, 16, 109},
    {0.005, 16, 109},           /* 109.2 */
    {0.00504, 16, 110},         /* 110.1 */
    {0.01, 16, 218},            /* 218.45 */
    {0.01001, 16, 219},         /* 218.67 */
    {0.02, 16, 437},
    {0.03, 16, 655},
    {0.03124, 16, 682},
    {0.03125, 15, 341},
    {0.05, 15, 546},
    {0.1, 14, 546},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint seed = 1; seed < 5; seed += 2)
      check_pairs (cases[i].radius, cases[i].shift, cases[i].pitch, seed);
}

/* Radii under 0.005 are one radius. */
static void
test_least_radius (void)
{
  static const gdouble radii[] = { 1e-9, 0.001, 0.0049 };
  g_autofree guint8 *picture = generated_picture_new ("blobs", 64, 48, 0);
  g_autofree guint8 *wanted = g_malloc (4 * 64 * 48);
  g_autofree guint8 *output = g_malloc (4 * 64 * 48);
  ReferencePaletteSettings settings = {.radius = 0.005 };

  reference_live (&settings, picture, 64, 48, wanted, NULL);
  g_assert_cmpint (memcmp (picture, wanted, 4 * 64 * 48), !=, 0);
  for (guint i = 0; i < G_N_ELEMENTS (radii); i++) {
    settings.radius = radii[i];
    reference_live (&settings, picture, 64, 48, output, NULL);
    g_assert_cmpmem (output, 4 * 64 * 48, wanted, 4 * 64 * 48);
  }
}

/* How many bins more than one for each L are taken by colours that are no more
 * than @below under grey in a and b and no more than @above over it. */
static guint
count_bins_beside_grey (gint below, gint above)
{
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) output = NULL;
  gboolean is_lightness[65536 / PITCH + 2] = { FALSE };
  guint n_lightnesses = 0;
  ReferenceLattice lattice;
  ReferenceLiveStats stats;

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  for (guint i = 0; i < 64 * 64 * 64; i++) {
    const guint8 rgb[3] = { 96 + i / 4096, 96 + i / 64 % 64, 96 + i % 64 };
    const ReferencePoint at = reference_colour_to_point (&lattice, rgb);

    if (MIN (at.a, at.b) < -below || MAX (at.a, at.b) > above)
      continue;
    add_pixels (picture, reference_pack_rgb (rgb), 1);
    is_lightness[bin_coordinate (at.L, PITCH)] = TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (is_lightness); i++)
    n_lightnesses += is_lightness[i];
  output = reduce (&plain, picture, &stats);
  return (guint) stats.n_bins - n_lightnesses;
}

/* Half of 437 is 218. */
static void
test_grey_is_in_the_middle (void)
{
  g_assert_cmpuint (count_bins_beside_grey (218, 218), ==, 0);
  g_assert_cmpuint (count_bins_beside_grey (219, 218), >, 0);
  g_assert_cmpuint (count_bins_beside_grey (218, 219), >, 0);
}

/* Codes are bins: 100 and 102 are apart until bins are merged, then 50 and
 * 51, or 25 both. */
static void
test_merging (void)
{
  static const struct
  {
    gsize capacity, n_bins, n_summits;
    guint n_merges;
    guint codes[4];
  } cases[] = {
    {5, 4, 4, 0, {100, 102, 200, 206}},
    {4, 4, 4, 0, {100, 102, 200, 206}},
    /* Bins 50, 51, 100 and 103: still four. Then 25, 25, 50 and 51, with the
     * mean (5 · 100 + 3 · 102) / 8 = 100.75. */
    {3, 3, 2, 2, {101, 101, 200, 200}},
    /* 12, 12, 25, 25: (4 · 200 + 2 · 206) / 6 = 202 */
    {2, 2, 2, 3, {101, 101, 202, 202}},
  };
  g_autoptr (GByteArray) picture = g_byte_array_new ();

  add_pixels (picture, grey (100), 5);
  add_pixels (picture, grey (102), 3);
  add_pixels (picture, grey (200), 4);
  add_pixels (picture, grey (206), 2);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceLiveStats stats;
    g_autoptr (GByteArray) output = reduce_with_capacity (&bin_per_code,
        cases[i].capacity, picture, &stats);
    static const guint pixels[4] = { 0, 5, 8, 12 };

    g_assert_cmpuint (stats.n_bins, ==, cases[i].n_bins);
    g_assert_cmpuint (stats.n_summits, ==, cases[i].n_summits);
    g_assert_cmpuint (stats.n_merges, ==, cases[i].n_merges);
    for (guint k = 0; k < 4; k++)
      g_assert_cmphex (colour_of_pixel (output, pixels[k]), ==,
          grey (cases[i].codes[k]));
  }
}

/* 101 has the greatest density of three bins; of two, the one of 100 and 101
 * has, with a mean of (5 · 100 + 3 · 101) / 8 = 100.4. */
static void
test_merged_once (void)
{
  g_autoptr (GByteArray) picture = g_byte_array_new ();

  add_pixels (picture, grey (100), 5);
  add_pixels (picture, grey (101), 3);
  add_pixels (picture, grey (102), 2);
  for (guint n_merges = 0; n_merges < 2; n_merges++) {
    ReferenceLiveStats stats;
    g_autoptr (GByteArray) output =
        reduce_with_capacity (&bin_per_code, 3 - n_merges, picture, &stats);

    g_assert_cmpuint (stats.n_bins, ==, 3 - n_merges);
    g_assert_cmpuint (stats.n_merges, ==, n_merges);
    for (guint i = 0; i < 10; i++)
      g_assert_cmphex (colour_of_pixel (output, i), ==, grey (101 - n_merges));
  }
}

/* Below zero halves round down, too: around grey there are bins with -1, 0
 * and 1 in a and b, of which -1 stays apart and 0 and 1 become one. */
static void
test_merging_below_zero (void)
{
  g_autoptr (GByteArray) picture = g_byte_array_new ();
  g_autoptr (GByteArray) output = NULL;
  ReferenceLiveStats stats;

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++) {
      const Offset offset = { 0, a, b };

      add_pixels (picture, colour_at (offset), 1);
    }
  output = reduce_with_capacity (&plain, 8, picture, &stats);
  g_assert_cmpuint (stats.n_bins, ==, 4);
  g_assert_cmpuint (stats.n_merges, ==, 1);
}

static void
test_alpha (void)
{
  /* The colour without alpha is the most frequent and is not there. */
  static const guint8 input[] = { 100, 100, 100, 9, 101, 101, 101, 0,
    101, 101, 101, 0, 101, 101, 101, 0, 100, 100, 100, 200, 101, 101, 101, 1,
    90, 91, 92, 0
  };
  static const guint8 wanted[] = { 100, 100, 100, 9, 101, 101, 101, 0,
    101, 101, 101, 0, 101, 101, 101, 0, 100, 100, 100, 200, 100, 100, 100, 1,
    90, 91, 92, 0
  };
  guint8 output[sizeof input];
  ReferenceLiveStats stats;

  reference_live (&bin_per_code, input, sizeof input / 4, 1, output, &stats);
  g_assert_cmpmem (output, sizeof output, wanted, sizeof wanted);
  g_assert_cmpuint (stats.n_bins, ==, 2);
}

static void
test_nothing_counted (void)
{
  static const guint8 input[] = { 1, 2, 3, 0, 200, 100, 0, 0 };
  guint8 output[sizeof input];
  ReferenceLiveStats stats;

  reference_live (&plain, input, 2, 1, output, &stats);
  g_assert_cmpmem (output, sizeof output, input, sizeof input);
  g_assert_cmpuint (stats.n_bins, ==, 0);
  g_assert_cmpuint (stats.n_summits, ==, 0);
}

static void
test_radius_0_changes_nothing (void)
{
  ReferencePaletteSettings settings = {.radius = 0 };

  for (guint i = 0; generated_names[i] != NULL; i++) {
    g_autofree guint8 *picture =
        generated_picture_new (generated_names[i], 31, 17, 0);
    g_autofree guint8 *output = g_malloc (4 * 31 * 17);

    reference_live (&settings, picture, 31, 17, output, NULL);
    g_assert_cmpmem (output, 4 * 31 * 17, picture, 4 * 31 * 17);
  }
}

/* Where pixels are does not matter. */
static void
test_permutation (void)
{
  const guint n = 64 * 48;
  g_autofree guint8 *picture = generated_picture_new ("blobs", 64, 48, 0);
  g_autofree guint8 *output = g_malloc (4 * n);
  g_autofree guint8 *shuffled = g_malloc (4 * n);

  reference_live (&plain, picture, 64, 48, output, NULL);
  /* 1535 and 64 · 48 have no common divisor. */
  for (guint i = 0; i < n; i++)
    memcpy (shuffled + 4 * i, picture + 4 * (1535 * i % n), 4);
  reference_live (&plain, shuffled, 48, 64, shuffled, NULL);
  for (guint i = 0; i < n; i++)
    g_assert_cmpmem (shuffled + 4 * i, 4, output + 4 * (1535 * i % n), 4);
}

/* Whole pictures as one number each, which a program of its own, without bins
 * in any order, found, too. */
static void
test_whole_pictures (void)
{
  static const struct
  {
    const gchar *name;
    guint width, height;
    gdouble radius;
    ReferenceWeighting weighting;
    ReferenceTransfer transfer;
    gsize capacity, n_bins, n_summits;
    guint n_merges;
    guint64 sum;
  } cases[] = {
    {"blobs", 64, 48, 0.005, REFERENCE_WEIGHTING_FREQUENCY,
          REFERENCE_TRANSFER_SRGB, REFERENCE_LIVE_CAPACITY, 2862, 2516, 0,
        G_GUINT64_CONSTANT (0x7390c4c493119d01)},
    {"blobs", 64, 48, 0.005, REFERENCE_WEIGHTING_PALETTE,
          REFERENCE_TRANSFER_LINEAR, 1200, 815, 15, 3,
        G_GUINT64_CONSTANT (0xcda55059d1f22516)},
    {"blobs", 64, 48, 0.02, REFERENCE_WEIGHTING_FREQUENCY,
          REFERENCE_TRANSFER_LINEAR, REFERENCE_LIVE_CAPACITY, 1811, 159, 0,
        G_GUINT64_CONSTANT (0x15a4980baa35e126)},
    {"blobs", 64, 48, 0.02, REFERENCE_WEIGHTING_PALETTE,
          REFERENCE_TRANSFER_SRGB, 1000, 478, 9, 2,
        G_GUINT64_CONSTANT (0x23699c077d7274e0)},
    {"noise", 48, 32, 0.01, REFERENCE_WEIGHTING_FREQUENCY,
          REFERENCE_TRANSFER_SRGB, 1200, 1152, 69, 3,
        G_GUINT64_CONSTANT (0xb7265164f82edb7d)},
    {"noise", 48, 32, 0.05, REFERENCE_WEIGHTING_FREQUENCY,
          REFERENCE_TRANSFER_SRGB, REFERENCE_LIVE_CAPACITY, 1391, 381, 0,
        G_GUINT64_CONSTANT (0x97fadebaf2c0b9d7)},
    {"noise", 48, 32, 0.1, REFERENCE_WEIGHTING_PALETTE,
          REFERENCE_TRANSFER_SRGB, 400, 289, 3, 1,
        G_GUINT64_CONSTANT (0x342b39671713b107)},
    {"alpha-noise", 48, 32, 0.05, REFERENCE_WEIGHTING_PALETTE,
          REFERENCE_TRANSFER_LINEAR, REFERENCE_LIVE_CAPACITY, 1034, 245, 0,
        G_GUINT64_CONSTANT (0xe47b29c2a1b75e66)},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint width = cases[i].width, height = cases[i].height;
    const ReferencePaletteSettings settings = {.radius = cases[i].radius,
      .weighting = cases[i].weighting,.transfer = cases[i].transfer
    };
    g_autofree guint8 *picture =
        generated_picture_new (cases[i].name, width, height, 0);
    ReferenceLiveStats stats;
    guint64 sum = 0;

    reference_live_with_capacity (&settings, cases[i].capacity, picture, width,
        height, picture, &stats);
    for (guint k = 0; k < 4 * width * height; k++)
      sum = sum * 31 + picture[k];
    g_assert_cmphex (sum, ==, cases[i].sum);
    g_assert_cmpuint (stats.n_bins, ==, cases[i].n_bins);
    g_assert_cmpuint (stats.n_summits, ==, cases[i].n_summits);
    g_assert_cmpuint (stats.n_merges, ==, cases[i].n_merges);
  }
}

void
test_reference_add_live (void)
{
  g_test_add_func ("/live/one-colour-stays", test_one_colour_stays);
  g_test_add_func ("/live/far-apart", test_far_apart);
  g_test_add_func ("/live/rare-goes-to-frequent", test_rare_goes_to_frequent);
  g_test_add_func ("/live/ties", test_ties);
  g_test_add_func ("/live/plateau", test_plateau);
  g_test_add_func ("/live/tie-of-neighbours", test_tie_of_neighbours);
  g_test_add_func ("/live/kernel", test_kernel);
  g_test_add_func ("/live/chain", test_chain);
  g_test_add_func ("/live/between-is-denser", test_between_is_denser);
  g_test_add_func ("/live/weighting", test_weighting);
  g_test_add_func ("/live/weighted-mean", test_weighted_mean);
  g_test_add_func ("/live/mean-rounds-halves-up", test_mean_rounds_halves_up);
  g_test_add_func ("/live/pitch", test_pitch);
  g_test_add_func ("/live/least-radius", test_least_radius);
  g_test_add_func ("/live/grey-is-in-the-middle", test_grey_is_in_the_middle);
  g_test_add_func ("/live/merging", test_merging);
  g_test_add_func ("/live/merged-once", test_merged_once);
  g_test_add_func ("/live/merging-below-zero", test_merging_below_zero);
  g_test_add_func ("/live/alpha", test_alpha);
  g_test_add_func ("/live/nothing-counted", test_nothing_counted);
  g_test_add_func ("/live/radius-0-changes-nothing",
      test_radius_0_changes_nothing);
  g_test_add_func ("/live/permutation", test_permutation);
  g_test_add_func ("/live/whole-pictures", test_whole_pictures);
}
