/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"
#include <gst/gst.h>

G_BEGIN_DECLS

/* Elements of a pipeline share one device through GstContext, so that frames
 * pass between them without a copy. The context's structure has two fields:
 * "device-uuid", a string, which is all that an application has to set, and
 * "device", of the boxed type below, which elements set as well. */
#define GST_GPU_CONTEXT_TYPE "gst.gpufilters.device"

#define GST_TYPE_GPU_DEVICE (gst_gpu_device_get_type ())
GType gst_gpu_device_get_type (void);

/* Owned by @context; NULL where it is not one of ours. */
GpuDevice *gst_gpu_context_get_device (GstContext * context);

/* A reference to the same, or to the device that @context names, which may be
 * opened for it where @selector (as of gpu_device_open()) names none: never call
 * this with a lock held. NULL where @selector names another, or where it was lost;
 * NULL with @error set where it cannot be opened. */
GpuDevice *gst_gpu_context_take_device (GstContext * context,
    const gchar * selector, GError ** error);

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
