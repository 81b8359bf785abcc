/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Usage: [--walks] [--sequences] [--others] [--exact-modes] | --essential | --full, and
 * GLib's own options. Runs the tests of quality EXACT in parts that can run side by
 * side; without an argument, the first three. --exact-modes: the essential tests of
 * test_exact_modes.c. --essential: what a size of subgroups might break. --full: the
 * cross product of all settings. */
#include "gpu/core/device/vulkan.h"
#include "exact/exact_fixture.h"
#include "exact/exact_tests.h"
#include "gpu_fixture.h"

static PaletteTests
choose_tests (const gchar * const *arguments)
{
  static const struct
  {
    const gchar *argument;
    PaletteTests tests;
  } parts[] = {
    {"--walks", TESTS_WALKS}, {"--sequences", TESTS_SEQUENCES},
    {"--others", TESTS_OTHERS}, {"--essential", TESTS_ESSENTIAL},
    {"--full", TESTS_WALKS | TESTS_SEQUENCES | TESTS_OTHERS | TESTS_FULL}
  };
  PaletteTests tests = 0;

  if (!arguments[0])
    return TESTS_WALKS | TESTS_SEQUENCES | TESTS_OTHERS;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (g_strv_contains (arguments, parts[i].argument))
      tests |= parts[i].tests;
  return tests;
}

static void
add_tests (const gchar * const *arguments)
{
  const PaletteTests tests = choose_tests (arguments);

  /* So that lists which are whole and those in parts take the same shader of each
   * walk: where every access is looked at, shaders take their time to build. It holds
   * for all tests of the process. */
  if (g_strv_contains (arguments, "--walks"))
    gpu_fixture_device ()->info.max_shared = LEAST_SHARED;
  add_exact_tests (tests);
  add_walks_tests (tests);
  add_exact_formats_tests (tests);
  add_exact_sequence_tests (tests);
  add_exact_room_tests (tests);
  add_many_colours_tests (tests);
  add_solvers_tests (tests);
  /* Through the same shaders. */
  if (g_strv_contains (arguments, "--exact-modes"))
    add_exact_modes_tests (TESTS_ESSENTIAL);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  add_tests ((const gchar * const *) argv + 1);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
