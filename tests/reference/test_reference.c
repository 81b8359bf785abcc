/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test_reference.h"
#include "tests.h"

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/", g_test_add_func);
  test_reference_add_live ();
  test_reference_add_temporal ();
  test_reference_add_colour_limit ();
  return g_test_run ();
}
