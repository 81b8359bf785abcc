/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of stability share: films with noise in them, and the ways in which palettes
 * outlive frames. */
#pragma once

#include "live_film.h"
#include "palette_tests.h"

G_BEGIN_DECLS

#define WIDTH 64
#define HEIGHT 48

#define MS G_GUINT64_CONSTANT (1000000)

/* How palettes outlive frames, besides by stability. */
typedef struct _Keeping Keeping;

/* The ways of a test: /temporal/NAME, where nothing is kept; /temporal/hold/NAME, where the
 * palette is held; /temporal/KEEPING/NAME for each way to keep a palette. Without --full half
 * of these: hold, palette and colors-hold; or those with update-interval, and colors. */
typedef enum
{
  AS_IT_COMES = 1 << 0,
  HELD = 1 << 1,
  KEPT_EVEN = 1 << 2,
  KEPT_ODD = 1 << 3
} KeepingWays;

/* Defines a test that has a Keeping as its data, for each of these ways. */
#define TEMPORAL_TEST(kind, name, ways) \
  static void test_##name (gconstpointer keeping); \
  static void \
  add_test_##name (void) \
  { \
    temporal_add (#name, ways, test_##name); \
  } \
  static void __attribute__ ((constructor)) \
  register_test_##name (void) \
  { \
    palette_tests_register (kind, "/temporal/" #name, NULL, add_test_##name); \
  } \
  static void \
  test_##name (gconstpointer keeping)

void temporal_add (const gchar * name, guint ways, GTestDataFunc test);

Film *temporal_film_new_of (Engine * engine, guint n_slots);
Film *temporal_film_new (guint width, guint height);

/* From now on. */
void temporal_keep (Film * film, const Keeping * keeping);
/* A palette of any colours. */
void temporal_give_palette (Film * film, guint n_colours);

/* With a variance of 4, in so many of a hundred pixels; others are as they were. */
void temporal_add_noise (Film * film, gint share);
/* All of the picture, or its left half. */
void temporal_lighten (Film * film, gint codes, gboolean half);

/* What became of @picture, the next frame, is as the oracle says, or the test fails. */
void temporal_compare (Film * film, const gchar * name, const guint8 * picture,
    const guint8 * got);
/* The frame as it is, once more; with new noise; and so many with new noise. */
void temporal_show_again (Film * film, const gchar * name);
void temporal_show (Film * film, const gchar * name);
void temporal_show_often (Film * film, const gchar * name, guint n_frames);

/* A film of a picture with noise, from its first frame on. */
void temporal_check_noise (Film * film, const gchar * name, gdouble radius,
    GpuPaletteWeighting weighting, gdouble stability);

G_END_DECLS
