/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals and their light as ITU-R BT.2100 and BT.2408 print them. */
#include "test_reference.h"
#include "reference_hdr.h"

#include <math.h>

static void
check (ReferenceHdr hdr, gdouble signal, gdouble light, gdouble step)
{
  g_assert_cmpfloat_with_epsilon (reference_hdr_encode (hdr, light), signal,
      step / 2);
  g_assert_cmpfloat_with_epsilon (reference_hdr_decode (hdr,
          reference_hdr_encode (hdr, light)), light, 1e-9);
}

/* BT.2408: diffuse white and 18 % grey in per cent of the signal. */
static void
test_levels (void)
{
  check (REFERENCE_PQ, 0, 0, 2e-6);
  check (REFERENCE_PQ, 0.58, 1, 0.01);
  check (REFERENCE_PQ, 0.38, 26.0 / 203, 0.01);
  check (REFERENCE_PQ, 1, 10000.0 / 203, 1e-9);
  check (REFERENCE_HLG, 0, 0, 1e-9);
  check (REFERENCE_HLG, 0.5, 1 / 12.0, 1e-9);
  check (REFERENCE_HLG, 0.38, 0.18 * 0.265, 0.01);
  check (REFERENCE_HLG, 0.75, 0.265, 0.001);
  check (REFERENCE_HLG, 1, 1, 1e-7);
}

/* Code 188 of sRGB is half the light, as far as it can be. */
static void
test_codes (void)
{
  for (ReferenceHdr hdr = REFERENCE_PQ; hdr <= REFERENCE_HLG; hdr++) {
    gdouble half = reference_hdr_encode (hdr, 0.5);

    g_assert_cmpfloat_with_epsilon (reference_hdr_to_code (hdr, half), 188,
        0.5);
    g_assert_cmpfloat_with_epsilon (reference_hdr_to_code (hdr, 1), 255, 1e-5);
    for (guint code = 0; code < 256; code++)
      g_assert_cmpfloat_with_epsilon (reference_hdr_to_code (hdr,
              reference_hdr_from_code (hdr, code)), code, 1e-4);
  }
}

void
test_reference_add_hdr (void)
{
  g_test_add_func ("/hdr/levels", test_levels);
  g_test_add_func ("/hdr/codes", test_codes);
}
