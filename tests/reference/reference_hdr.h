/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The transfer functions of ITU-R BT.2100, and how meanshiftpalette counts their colours, in
 * double precision. A signal is R', G' or B' in 0…1. */
typedef enum
{
  REFERENCE_PQ,                 /* light 1: 203 cd/m² */
  REFERENCE_HLG,                /* light 1: that of the scene at signal 1 */
} ReferenceHdr;

gdouble reference_hdr_decode (ReferenceHdr hdr, gdouble signal);
gdouble reference_hdr_encode (ReferenceHdr hdr, gdouble light);

/* The code of sRGB, 0…255, of a signal, not rounded. More light than 1 is cut off. */
gdouble reference_hdr_to_code (ReferenceHdr hdr, gdouble signal);
gdouble reference_hdr_from_code (ReferenceHdr hdr, gdouble code);

G_END_DECLS
