/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test_reference.h"

#include <glib.h>

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_reference_add_lattice ();
  test_reference_add_live ();
  test_reference_add_blocks ();
  test_reference_add_temporal ();
  test_reference_add_colour_limit ();
  test_reference_add_blur ();
  test_reference_add_pixels ();
  return g_test_run ();
}
