/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Usage: [--essential | --others | --full] [GROUP...], and GLib's own options. A group is
 * the first part of the paths of tests, such as temporal of /temporal/noise: all of them by
 * default, and all tests but the additional cases of --full. */
#include "palette_tests.h"
#include "palette_fixture.h"

#include <stdlib.h>

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
static void
add_group (PaletteTests tests, const gchar * group)
{
  if (palette_tests_add (tests, group) > 0)
    return;
  g_printerr ("there are no tests of %s\n", group);
  exit (2);
}

static void
add_tests (const gchar * const *arguments)
{
  const PaletteTests tests = choose_tests (arguments);
  guint n_chosen = 0;

  palette_is_full = (tests & TESTS_FULL) != 0;
  for (guint i = 0; arguments[i]; i++)
    if (arguments[i][0] != '-') {
      add_group (tests, arguments[i]);
      n_chosen++;
    }
  if (n_chosen == 0)
    palette_tests_add (tests, NULL);
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
