/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of tests that one program runs (palette_tests.c or test_palette.c), so that each
 * shader is built once: shaders in which every access is looked at take a CPU device up to
 * ten seconds each. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  /* Every shader, and what a size of subgroups might break. */
  TESTS_ESSENTIAL = 1 << 0,
  /* Many frames through the same shaders. */
  TESTS_OTHERS = 1 << 1,
  /* More cases of all. */
  TESTS_FULL = 1 << 2,
  /* Of test_palette.c alone: once through every shader, where each access is looked
   * at. */
  TESTS_ACCESSES = 1 << 3,
} PaletteTests;

typedef struct
{
  PaletteTests kind;            /* one of them */
  const gchar *path;
  GTestFunc test;
} PaletteTest;

/* Adds those of the @n tests that are of a kind in @wanted. (palette_fixture.c) */
void palette_tests_add (PaletteTests wanted, const PaletteTest * rows, guint n);

/* Each adds those of its tests that are asked for. */
void add_chroma_tests (PaletteTests tests);
void add_exact_modes_tests (PaletteTests tests);
void add_least_alpha_tests (PaletteTests tests);
void add_light_tests (PaletteTests tests);
void add_live_tests (PaletteTests tests);
void add_live_room_tests (PaletteTests tests);
void add_live_window_tests (PaletteTests tests);
void add_live_window_changes_tests (PaletteTests tests);
void add_live_window_memory_tests (PaletteTests tests);
void add_modes_tests (PaletteTests tests);
void add_motion_tests (PaletteTests tests);
void add_palette_indexed_tests (PaletteTests tests);
void add_settings_tests (PaletteTests tests);
void add_temporal_tests (PaletteTests tests);
void add_temporal_changes_tests (PaletteTests tests);
void add_temporal_palettes_tests (PaletteTests tests);

G_END_DECLS
