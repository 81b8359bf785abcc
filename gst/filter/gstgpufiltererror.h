/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Error and warning messages: each failure posts one message. */
#pragma once

#include "gst/memory/gstgpumemory.h"
#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Posts a GError as an error message. Later errors are not posted, because they follow
 * from the first one, until the next start, negotiation, flush or good frame. Thread
 * safe. */
#define GST_GPU_FILTER_ERROR(self, error) \
    gst_gpu_filter_post_error (self, NULL, error, __FILE__, GST_FUNCTION, __LINE__)
/* Like GST_GPU_FILTER_ERROR(), with the position in the source. @allocator: allocator of
 * the memory that could not be mapped; NULL for other errors. */
void gst_gpu_filter_post_error (GstGpuFilter * self,
    GstGpuAllocator * allocator, const GError * error, const gchar * file,
    const gchar * function, gint line);

/* Allows the next error to be posted. */
void gst_gpu_filter_forget_errors (GstGpuFilter * self);

/* Counts an input frame that is dropped. */
void gst_gpu_filter_count_dropped (GstGpuFilter * self);
/* Counts an invalid input frame that is dropped. Posts @error, the reason, as a warning
 * for the first such frame since the start. */
void gst_gpu_filter_note_bad_frame (GstGpuFilter * self,
    const GError * error);

G_END_DECLS
