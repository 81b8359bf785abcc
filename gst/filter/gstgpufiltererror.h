/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One message for what goes wrong, wherever it does. */
#pragma once

#include "gst/memory/gstgpumemory.h"
#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Posts a GError as the one error message since the start, or since caps were
 * last taken, a flush, or a good frame; later ones are dropped, as they follow from
 * the first. Any thread. */
#define GST_GPU_FILTER_ERROR(self, error) \
    gst_gpu_filter_post_error (self, NULL, error, __FILE__, GST_FUNCTION, __LINE__)
/* The same, which happened there in the source. @allocator: of the memory that could
 * not be mapped; NULL where it is not that. */
void gst_gpu_filter_post_error (GstGpuFilter * self,
    GstGpuAllocator * allocator, const GError * error, const gchar * file,
    const gchar * function, gint line);

/* What went wrong before has no part in what goes wrong from now on. */
void gst_gpu_filter_forget_errors (GstGpuFilter * self);

/* Counts an input frame that is dropped. */
void gst_gpu_filter_count_dropped (GstGpuFilter * self);
/* The same, and posts @error, which tells why, as
 * the one warning of that since the start. */
void gst_gpu_filter_note_bad_frame (GstGpuFilter * self,
    const GError * error);

G_END_DECLS
