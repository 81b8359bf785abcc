/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device.h"
#include <gst/gst.h>

G_BEGIN_DECLS

/* Elements of a pipeline share one device through GstContext, so that frames
 * pass between them without a copy. The context's structure has one field,
 * "device", of the boxed type below. */
#define GST_GPU_CONTEXT_TYPE "gst.gpu.device"

#define GST_TYPE_GPU_DEVICE (gst_gpu_device_get_type ())
GType gst_gpu_device_get_type (void);

/* Owned by @context; NULL where it is not one of ours. */
GpuDevice *gst_gpu_context_get_device (GstContext * context);

/* A reference to the same, or NULL where @selector (as of gpu_device_open())
 * does not name it, or where it was lost. */
GpuDevice *gst_gpu_context_take_device (GstContext * context,
    const gchar * selector);

/* The device that @element works on: one that a context of its own, a
 * neighbour or the application has and that @selector names, or else one that is
 * opened and offered to the others in the pipeline. Never call this with a lock
 * held: neighbours may ask back. Returns a new reference or NULL with @error
 * set. */
GpuDevice *gst_gpu_context_find_device (GstElement * element,
    const gchar * selector, GError ** error);

/* Answers @query where it asks for @device (may be NULL). */
gboolean gst_gpu_context_answer (GstQuery * query, GpuDevice * device);

G_END_DECLS
