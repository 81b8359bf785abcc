/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the benchmarks of the blur call methods, formats and edge modes. */
#pragma once

#include "gpu/blur/blur.h"

G_BEGIN_DECLS

const gchar *blur_method_get_name (GpuBlurMethod method);

/* -1: none is called that. */
gint blur_find_method (const gchar * name);

/* The format that GStreamer spells so, if the blur takes it; -1: none. */
gint blur_find_pixels (const gchar * name);

/* As gpublur's edge-mode; -1: none is called that. */
gint blur_find_edge (const gchar * name);

G_END_DECLS
