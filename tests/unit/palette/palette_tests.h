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
  TESTS_ANY = TESTS_ESSENTIAL | TESTS_OTHERS | TESTS_FULL | TESTS_ACCESSES
} PaletteTests;

/* More cases of all were asked for. */
extern gboolean palette_is_full;

/* Defines a test of these kinds, by the path @group and its name, in which underscores become
 * dashes. */
#define PALETTE_TEST(kinds, group, name) \
  static void test_##name (void); \
  static void __attribute__ ((constructor)) \
  register_test_##name (void) \
  { \
    palette_tests_register (kinds, group #name, test_##name, NULL); \
  } \
  static void \
  test_##name (void)

/* Called by PALETTE_TEST(). Registers the test @run; or, if that is NULL, @add, which adds one
 * test or several. @path is static. */
void palette_tests_register (PaletteTests kinds, const gchar * path,
    GTestFunc run, void (*add) (void));

/* Adds those of a kind in @wanted whose path begins with "/@group/", or all. Returns how many of
 * any kind there are. */
guint palette_tests_add (PaletteTests wanted, const gchar * group);

G_END_DECLS
