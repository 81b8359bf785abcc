/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of CUDA's driver and of GStreamer's library for it that frames in CUDA memory need.
 * Both are opened when such frames come; nothing links to them, and GStreamer's headers, which
 * need NVIDIA's, are not used. Its library must be of GStreamer 1.24 or newer. */
#pragma once

#include <ffnvcodec/dynlink_cuda.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* --- GStreamer's library, as it declares it --- */

#define GST_CUDA_CONTEXT_TYPE "gst.cuda.context"
#define GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY "memory:CUDAMemory"
#define GST_MAP_CUDA (GST_MAP_FLAG_LAST << 1)

typedef struct _GstCudaContext GstCudaContext;  /* a GstObject */
typedef GstMiniObject GstCudaStream;

typedef struct
{
  GstMemory mem;
  GstCudaContext *context;
  /* More follows. */
} GstCudaMemory;

typedef struct
{
  GstBufferPool parent;
  GstCudaContext *context;
  /* More follows. */
} GstCudaBufferPool;

/* A type that is returned, a name, and parameters. The functions about streams are new in 1.24. */
#define GST_CUDA_FUNCTIONS(DO) \
  DO (gboolean, gst_cuda_load_library, (void)) \
  DO (GType, gst_cuda_context_get_type, (void)) \
  DO (gboolean, gst_cuda_context_push, (GstCudaContext *)) \
  DO (gboolean, gst_cuda_context_pop, (CUcontext *)) \
  DO (gboolean, gst_is_cuda_memory, (GstMemory *)) \
  DO (GstCudaStream *, gst_cuda_memory_get_stream, (GstCudaMemory *)) \
  DO (GstCudaStream *, gst_cuda_stream_new, (GstCudaContext *)) \
  DO (CUstream, gst_cuda_stream_get_handle, (GstCudaStream *)) \
  DO (GType, gst_cuda_buffer_pool_get_type, (void)) \
  DO (GstBufferPool *, gst_cuda_buffer_pool_new, (GstCudaContext *)) \
  DO (GstCudaStream *, gst_buffer_pool_config_get_cuda_stream, (GstStructure *)) \
  DO (void, gst_buffer_pool_config_set_cuda_stream, (GstStructure *, GstCudaStream *))

/* --- the driver --- */

/* Older versions of the header lack it. */
typedef CUresult CUDAAPI GstGpuCuStreamWaitEvent (CUstream stream,
    CUevent event, unsigned int flags);

/* A type, a name, and the end of the symbol's name. */
#define CUDA_FUNCTIONS(DO) \
  DO (tcuGetErrorName, cuGetErrorName, "") \
  DO (tcuCtxGetDevice, cuCtxGetDevice, "") \
  DO (tcuDeviceGetUuid, cuDeviceGetUuid, "") \
  DO (tcuImportExternalMemory, cuImportExternalMemory, "") \
  DO (tcuExternalMemoryGetMappedBuffer, cuExternalMemoryGetMappedBuffer, "") \
  DO (tcuDestroyExternalMemory, cuDestroyExternalMemory, "") \
  DO (tcuMemFree_v2, cuMemFree, "_v2") \
  DO (tcuImportExternalSemaphore, cuImportExternalSemaphore, "") \
  DO (tcuDestroyExternalSemaphore, cuDestroyExternalSemaphore, "") \
  DO (tcuSignalExternalSemaphoresAsync, cuSignalExternalSemaphoresAsync, "") \
  DO (tcuWaitExternalSemaphoresAsync, cuWaitExternalSemaphoresAsync, "") \
  DO (tcuEventCreate, cuEventCreate, "") \
  DO (tcuEventDestroy_v2, cuEventDestroy, "_v2") \
  DO (tcuEventRecord, cuEventRecord, "") \
  DO (GstGpuCuStreamWaitEvent, cuStreamWaitEvent, "") \
  DO (tcuStreamSynchronize, cuStreamSynchronize, "") \
  DO (tcuMemcpy2DAsync_v2, cuMemcpy2DAsync, "_v2")

/* --- both --- */

typedef struct
{
#define MEMBER(type, name, parameters) type (*name) parameters;
  GST_CUDA_FUNCTIONS (MEMBER)
#undef MEMBER
#define MEMBER(type, name, end) type *name;
  CUDA_FUNCTIONS (MEMBER)
#undef MEMBER
} GstGpuCuda;

/* Returns the functions, which are static; NULL with @error set (UNSUPPORTED) if some are missing.
 * The libraries stay open: GLib cannot forget the types of one of them. Thread safe. */
const GstGpuCuda *gst_gpu_cuda_open (GError ** error);

/* The end of errors. */
#define GST_GPU_CUDA_DOWNLOAD \
  "Put \"cudadownload\" before this element and \"cudaupload\" behind it."

G_END_DECLS
