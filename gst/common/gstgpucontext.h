/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"
#include <gst/gst.h>

G_BEGIN_DECLS

/* The elements of a pipeline share a device through GstContext, so that frames pass
 * between them without a copy. The structure of the context has two fields:
 * "device-uuid" (string) and "device" (boxed, GST_TYPE_GPU_DEVICE). An application needs
 * to set only "device-uuid"; elements set both. */
#define GST_GPU_CONTEXT_TYPE "gst.gpufilters.device"

#define GST_TYPE_GPU_DEVICE (gst_gpu_device_get_type ())
GType gst_gpu_device_get_type (void);

/* Returns the device in @context, which owns it; NULL if there is none. */
GpuDevice *gst_gpu_context_get_device (GstContext * context);

/* Returns a new reference to the device of @context. If @context has only a UUID and
 * @selector (see gpu_device_open()) is NULL or empty, opens that device; so do not call
 * this with a lock held. Returns NULL if there is no device, if it does not match
 * @selector, lacks some of @needs, or is lost; NULL with @error set if it cannot be opened. */
GpuDevice *gst_gpu_context_take_device (GstContext * context,
    const gchar * selector, const GpuNeeds * needs, GError ** error);

/* Finds a device for @element that matches @selector and has @needs: in its own contexts, at the
 * neighbours, then at the application. If none has one, opens a device and offers it to
 * the rest of the pipeline. Do not call this with a lock held, because neighbours may
 * query @element in turn. Returns a new reference, or NULL with @error set. */
GpuDevice *gst_gpu_context_find_device (GstElement * element,
    const gchar * selector, const GpuNeeds * needs, GError ** error);

/* Asks the neighbour at @pad for its context of @type. Returns a new reference, or NULL if it has
 * none. */
GstContext *gst_gpu_context_ask (GstPad * pad, const gchar * type);

/* Finds a context of @type, which another library defines, for frames that come to @element: at
 * upstream, in its own contexts, at downstream, then at the application. Returns a new reference,
 * or NULL if there is none. Do not call this with a lock held. */
GstContext *gst_gpu_context_find (GstElement * element, const gchar * type);

/* If @query asks for a context of this type, answers it with @device and returns TRUE.
 * @device may be NULL; then returns FALSE. */
gboolean gst_gpu_context_answer (GstQuery * query, GpuDevice * device);

G_END_DECLS
