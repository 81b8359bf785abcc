/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Usage: [--essential | --others | --full] [NAME...], and GLib's own options. A name is
 * that of a file or of several, such as temporal of test_temporal.c and test_temporal_*.c:
 * all of them by default, and all tests but the additional cases of --full. */
#include "palette_tests.h"
#include "palette_fixture.h"

#include <stdlib.h>

typedef void (*AddTests) (PaletteTests tests);

static const struct
{
  const gchar *name;
  AddTests add[7];              /* up to NULL */
} groups[] = {
  {"exact-modes", {add_exact_modes_tests}},
  {"live", {add_live_tests, add_live_room_tests}},
  {"live-window", {add_live_window_tests, add_live_window_changes_tests,
          add_live_window_memory_tests}},
  {"modes", {add_modes_tests}},
  {"palette-indexed", {add_palette_indexed_tests}},
  {"settings", {add_settings_tests, add_chroma_tests, add_least_alpha_tests}},
  {"temporal", {add_temporal_tests, add_temporal_changes_tests,
              add_temporal_palettes_tests, add_motion_tests,
          add_light_tests}}
};

static PaletteTests
choose_tests (const gchar * const *arguments)
{
  if (g_strv_contains (arguments, "--essential"))
    return TESTS_ESSENTIAL;
  if (g_strv_contains (arguments, "--others"))
    return TESTS_OTHERS;
  if (g_strv_contains (arguments, "--full"))
    return TESTS_ESSENTIAL | TESTS_OTHERS | TESTS_FULL;
  return TESTS_ESSENTIAL | TESTS_OTHERS;
}

/* Ends the program at a name that has no tests: it would run none and pass. */
static guint
count_chosen (const gchar * const *arguments)
{
  guint n_wanted = 0, n_chosen = 0;

  for (guint i = 0; arguments[i]; i++)
    n_wanted += arguments[i][0] != '-';
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    n_chosen += g_strv_contains (arguments, groups[i].name);
  if (n_chosen != n_wanted) {
    g_printerr ("%u names have no tests here, or are given twice\n",
        n_wanted - n_chosen);
    exit (2);
  }
  return n_chosen;
}

static void
add_tests (const gchar * const *arguments)
{
  const PaletteTests tests = choose_tests (arguments);
  const guint n_chosen = count_chosen (arguments);

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (n_chosen == 0 || g_strv_contains (arguments, groups[i].name))
      for (guint k = 0; groups[i].add[k]; k++)
        groups[i].add[k] (tests);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (palette_fixture_skips_all ())
    return 0;
  add_tests ((const gchar * const *) argv + 1);
  return gpu_fixture_run_tests ();
}
