/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_hdr.h"

#include <math.h>

#define WHITE 203.0             /* cd/m² */

/* --- PQ, BT.2100 table 4 --- */

static const gdouble m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128;
static const gdouble c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32;
static const gdouble c3 = 2392.0 / 4096 * 32;

static gdouble
decode_pq (gdouble signal)
{
  gdouble root = pow (signal, 1 / m2);

  return 10000 / WHITE * pow (MAX (root - c1, 0) / (c2 - c3 * root), 1 / m1);
}

static gdouble
encode_pq (gdouble light)
{
  gdouble y = pow (light * WHITE / 10000, m1);

  return pow ((c1 + c2 * y) / (1 + c3 * y), m2);
}

/* --- HLG, BT.2100 table 5 --- */

static const gdouble a = 0.17883277, b = 1 - 4 * 0.17883277;

/* 1/2 − a·ln (4·a) */
#define HLG_C (0.5 - a * log (4 * a))

static gdouble
decode_hlg (gdouble signal)
{
  return signal <= 0.5 ? signal * signal / 3
      : (exp ((signal - HLG_C) / a) + b) / 12;
}

static gdouble
encode_hlg (gdouble light)
{
  return light <=
      1 / 12.0 ? sqrt (3 * light) : a * log (12 * light - b) + HLG_C;
}

/* --- both --- */

gdouble
reference_hdr_decode (ReferenceHdr hdr, gdouble signal)
{
  return hdr == REFERENCE_PQ ? decode_pq (signal) : decode_hlg (signal);
}

gdouble
reference_hdr_encode (ReferenceHdr hdr, gdouble light)
{
  return hdr == REFERENCE_PQ ? encode_pq (light) : encode_hlg (light);
}

gdouble
reference_hdr_to_code (ReferenceHdr hdr, gdouble signal)
{
  gdouble light = MIN (reference_hdr_decode (hdr, signal), 1);

  return 255 * (light <= 0.0031308 ? 12.92 * light
      : 1.055 * pow (light, 1 / 2.4) - 0.055);
}

gdouble
reference_hdr_from_code (ReferenceHdr hdr, gdouble code)
{
  gdouble value = code / 255;

  return reference_hdr_encode (hdr, value <= 0.04045 ? value / 12.92
      : pow ((value + 0.055) / 1.055, 2.4));
}
