/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A kind of work, counted in units of an engine's choice: pixels, taps, bytes.
 * @key tells it from others: the kernel that does it, or a static string; NULL:
 * nothing is learned of it. @ns: what a unit takes on the device at hand, as
 * far as one knows, at worst, the same from call to call. That holds until
 * timings tell more. @is_by_data: what units take depends on their data, so
 * that what was cheap may be as dear as stated again. */
typedef struct
{
  gconstpointer key;
  gdouble ns;
  gboolean is_by_data;
} GpuCost;

G_END_DECLS
