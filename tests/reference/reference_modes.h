/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_bins.h"

G_BEGIN_DECLS

/* The modes of docs/internals/temporal.md, where they are and how far from each other.
 * There is one in each place of an array, which is its slot; the array goes up to the
 * last slot that was ever taken. */

#define REFERENCE_NO_MODE -1

typedef struct
{
  gboolean exists;
  gboolean was_free;            /* its slot, when the frame began */
  gint64 colour[3];             /* 256ths of a code value */
  guint8 shown[3];
  ReferencePlace home;
  ReferencePlace at;            /* in eighths of a bin */
} ReferenceMode;

/* From one value to another, so many 4096ths of the way. */
gint64 reference_approach (gint64 from, gint64 to, gint64 part);

/* The part of a way that is left behind in a time with a time constant, both in
 * nanoseconds. */
gint64 reference_part (gint64 time, gint64 constant);

gint64 reference_places_distance_squared (ReferencePlace p, ReferencePlace q);

/* Of a bin that may be merged, in eighths of one that is not. */
ReferencePlace reference_bins_middle (const ReferenceBins * bins,
    ReferencePlace bin);

/* Array of ReferenceMode, empty. Free with g_array_unref(). */
GArray *reference_modes_new (void);
ReferenceMode *reference_modes_get (const GArray * modes, gint slot);

/* Finds what @mode shows, and where that is in these @bins. */
void reference_mode_show (ReferenceMode * mode, const ReferenceBins * bins);

/* In the first slot that was free when the frame began, of @n_slots, with the
 * colour of @summit; REFERENCE_NO_MODE where no slot was. */
gint reference_modes_add (GArray * modes, guint n_slots,
    const ReferenceBins * bins, const ReferenceBin * summit);

/* Of the modes in the first @n_slots the nearest to @place, in eighths of a bin,
 * and of several as near that in the first slot. */
gint reference_modes_find_nearest (const GArray * modes, guint n_slots,
    ReferencePlace place);

G_END_DECLS
