/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The cost of a kind of work. The engine chooses the unit: pixels, taps, bytes. */
typedef struct
{
  gconstpointer key;            /* identifies the kind of work: the kernel or a static
                                   string; NULL: nothing is learned */
  gdouble ns;                   /* stated cost: estimated ns per unit on this device in the
                                   worst case, the same in every call; used until timings
                                   are known */
  gboolean is_by_data;          /* the time depends on the data, so a learned cost may
                                   rise to the stated one again */
} GpuCost;

G_END_DECLS
