/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Usage: [--accesses | --essential | --full], and GLib's own options. Runs the tests of
 * quality EXACT. --accesses: once through every shader, where each access is looked at.
 * --essential: what a size of subgroups might break. --full: the cross product of all
 * settings. */
#include "gpu/core/device/vulkan.h"
#include "exact/exact_fixture.h"
#include "exact/exact_tests.h"
#include "gpu_fixture.h"

static PaletteTests
choose_tests (const gchar * const *arguments)
{
  if (g_strv_contains (arguments, "--accesses"))
    return TESTS_ACCESSES;
  if (g_strv_contains (arguments, "--essential"))
    return TESTS_ESSENTIAL;
  if (g_strv_contains (arguments, "--full"))
    return TESTS_OTHERS | TESTS_FULL;
  return TESTS_OTHERS;
}

static void
add_tests (const gchar * const *arguments)
{
  const PaletteTests tests = choose_tests (arguments);

  palette_is_full = (tests & TESTS_FULL) != 0;
  /* So that lists which are whole and those in parts take the same shader of each walk:
   * where each access is looked at, shaders take their time to build. It holds for all
   * tests of the process. */
  if (tests & TESTS_ACCESSES)
    gpu_fixture_device ()->info.max_shared = LEAST_SHARED;
  palette_tests_add (tests, "palette");
  add_exact_sequence_tests (tests);
  /* Through the same shaders. palette_tests.c runs the others of that file. */
  if (tests & (TESTS_ACCESSES | TESTS_ESSENTIAL))
    palette_tests_add (TESTS_ESSENTIAL, "exact-modes");
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
