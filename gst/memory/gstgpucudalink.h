/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an element has of CUDA's port: memory and semaphores that the Vulkan device exports, and
 * that CUDA imports, once. */
#pragma once

#include "gstgpucuda.h"
#include "gstgpuport.h"

#include <vulkan/vulkan_core.h>

G_BEGIN_DECLS

/* A buffer for shaders, as CUDA has it, too. */
typedef struct
{
  GpuBuffer *buffer;
  CUexternalMemory memory;
  CUdeviceptr pointer;
} GstGpuCudaShared;

/* A timeline semaphore. */
typedef struct
{
  VkSemaphore vulkan;
  CUexternalSemaphore cuda;
} GstGpuCudaSemaphore;

/* Frame n uses set n modulo n_sets, of which there are as many as frames can be on their way in the
 * Vulkan device. */
typedef struct
{
  GstGpuCudaShared in, out;
  CUevent left;                 /* the output was copied to where the next element reads it */
} GstGpuCudaSet;

typedef struct
{
  GstGpuLink parent;
  gint refs;
  const GstGpuCuda *cuda;
  GstCudaContext *context;
  GstCudaStream *in, *out;      /* on which frames are copied */
  GstCudaStream *spare;         /* on which nothing waits */
  CUevent done;                 /* what is on one stream, for another to wait for; used anew each
                                   time */
  GstGpuCudaSemaphore copied, worked;   /* frame n is in its set; the shaders have done with it */
  GstGpuCudaSet *sets;
  guint n_sets;
  guint64 n;                    /* the newest frame */
  GError *failure;              /* of a call of CUDA after the submission; NULL: none */
} GstGpuCudaLink;

/* See connect of GstGpuPort. */
GstGpuLink *gst_gpu_cuda_link_new (const GstGpuPort * port,
    GstElement * element, const GpuNeeds * needs, guint n_frames,
    GError ** error);
/* Both are thread safe. */
GstGpuCudaLink *gst_gpu_cuda_link_ref (GstGpuCudaLink * link);
void gst_gpu_cuda_link_unref (gpointer link);

/* Have the calls that follow, of this thread, apply to the context, and end that. The first returns
 * FALSE with @error set on failure. */
gboolean gst_gpu_cuda_link_enter (const GstGpuCudaLink * link, GError ** error);
void gst_gpu_cuda_link_leave (const GstGpuCudaLink * link);

/* Returns whether a call succeeded; if not, @error says that CUDA cannot do @what. */
gboolean gst_gpu_cuda_link_check (const GstGpuCudaLink * link,
    CUresult result, const gchar * what, GError ** error);

CUstream gst_gpu_cuda_link_get_handle (const GstGpuCudaLink * link,
    GstCudaStream * stream);

/* The set of the newest frame. */
GstGpuCudaSet *gst_gpu_cuda_link_get_set (const GstGpuCudaLink * link);

/* Begins the next frame: makes sure that its set has an input and an output of @sizes bytes (0: it
 * needs none), and has the stream "in" wait until they are free. The rest is for the port, which
 * copies the input and signals "copied". The context is current, and the Vulkan device has done
 * with the frame that used the set before. */
gboolean gst_gpu_cuda_link_begin_frame (GstGpuCudaLink * link,
    const gsize sizes[2], GError ** error);

/* Signals the number of the newest frame, after what is on the stream "in". */
gboolean gst_gpu_cuda_link_signal_copied (GstGpuCudaLink * link,
    GError ** error);

/* See unblock of GstGpuPort. */
void gst_gpu_cuda_link_unblock (GstGpuLink * link);

G_END_DECLS
