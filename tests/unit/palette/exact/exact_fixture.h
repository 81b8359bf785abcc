/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of quality EXACT share: engines with the walks of the test at hand, and
 * pictures that the oracle compares byte for byte. */
#pragma once

#include "palette_fixture.h"
#include "palette_tests.h"

G_BEGIN_DECLS

#define WIDTH 96
#define HEIGHT 54

/* Where colours walk far, all alone: as many branches of the shaders in a tenth of
 * the steps. */
#define SMALL_WIDTH 32
#define SMALL_HEIGHT 18

/* Where lists of candidates are to have some hundreds of them. */
#define MIDDLE_WIDTH 64
#define MIDDLE_HEIGHT 36

/* Where there may be more colours than walks have room for at first. */
#define MANY_WIDTH 420
#define MANY_HEIGHT 320

/* What Vulkan promises of shared memory. */
#define LEAST_SHARED 16384

typedef enum
{
  IN_GROUPS = 1 << 0,
  IN_LANES = 1 << 1,
  BOTH_WALKS = IN_GROUPS | IN_LANES
} ExactWalks;

/* Defines a test that is /palette/groups/NAME or /palette/lanes/NAME, or both: its engines
 * have walks of that kind. Engines of other tests have the kind that is best on their
 * device. */
#define EXACT_TEST(kinds, walks, name) \
  static void test_##name (void); \
  static void \
  add_test_##name (void) \
  { \
    exact_add (walks, #name, test_##name); \
  } \
  static void __attribute__ ((constructor)) \
  register_test_##name (void) \
  { \
    palette_tests_register (kinds, "/palette/" #name, NULL, add_test_##name); \
  } \
  static void \
  test_##name (void)

void exact_add (guint walks, const gchar * name, void (*run) (void));

/* From RGBA to RGBA, or between other formats. */
Engine *exact_engine_new (guint width, guint height);
Engine *exact_engine_new_for (GpuPixels in, GpuPixels out, guint width,
    guint height, gboolean is_linear);
/* With the small dispatches and rounds that slow devices get. */
Engine *exact_engine_new_slow (guint width, guint height);

/* What becomes of a picture is as the oracle says, or the test fails. */
void exact_check (Engine * engine, const gchar * picture, const guint8 * rgba,
    const GpuPaletteSettings * settings);
void exact_check_generated (Engine * engine, const gchar * picture,
    guint32 seed, const GpuPaletteSettings * settings);
/* The same for pixels of all parts of a picture, one in @step: the oracle would take
 * far too long for all of them. */
void exact_check_samples (Engine * engine, const gchar * what,
    const guint8 * rgba, const guint8 * got, guint step);

/* With a radius so small that few colours have neighbours. */
extern const GpuPaletteSettings exact_few_neighbours;

/* A picture of @n colours, the same number of pixels of each but for the last ones. */
guint8 *exact_colours_new (guint n_pixels, guint n);
/* Such a frame of MANY_WIDTH x MANY_HEIGHT pixels comes out as from a palette that saw
 * nothing before, and as the oracle says, or the test fails. */
void exact_check_colours (Engine * engine, guint n,
    GpuPaletteWeighting weighting);

/* For engine_try(): as engine_record(), where the driver has room for as many buffers
 * as exact_buffers_left says. */
extern guint exact_buffers_left;
gboolean exact_record_without_room (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer engine, GError ** error);

G_END_DECLS
