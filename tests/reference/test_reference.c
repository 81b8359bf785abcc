/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test_reference.h"

#include <glib.h>

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_reference_add_lattice ();
  test_reference_add_palette ();
  test_reference_add_live ();
  test_reference_add_blocks ();
  test_reference_add_light ();
  test_reference_add_motion ();
  test_reference_add_modes ();
  test_reference_add_pixel_modes ();
  test_reference_add_noise ();
  test_reference_add_temporal ();
  test_reference_add_held ();
  test_reference_add_window ();
  test_reference_add_colour_limit ();
  test_reference_add_colour_changes ();
  test_reference_add_list ();
  test_reference_add_blur ();
  test_reference_add_blur_bilateral ();
  test_reference_add_blur_error ();
  test_reference_add_hdr ();
  test_reference_add_yuv ();
  test_reference_add_codes ();
  test_reference_add_generated ();
  return g_test_run ();
}
