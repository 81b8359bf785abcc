/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpucudalink.h"

#include "gpu/core/memory/export.h"
#include "gst/common/gstgpucontext.h"

#include <string.h>
#include <unistd.h>

typedef GstGpuCudaLink Link;
typedef GstGpuCudaShared Shared;
typedef GstGpuCudaSemaphore Semaphore;

/* --- calls --- */

gboolean
gst_gpu_cuda_link_check (const Link * link, CUresult result,
    const gchar * what, GError ** error)
{
  const char *name = NULL;

  if (result == CUDA_SUCCESS)
    return TRUE;
  link->cuda->cuGetErrorName (result, &name);
  g_set_error (error, GPU_ERROR, GPU_ERROR_FAILED,
      "CUDA cannot %s (%s). " GST_GPU_CUDA_DOWNLOAD, what,
      name ? name : "unknown error");
  return FALSE;
}

gboolean
gst_gpu_cuda_link_enter (const Link * link, GError ** error)
{
  if (link->cuda->gst_cuda_context_push (link->context))
    return TRUE;
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
      "CUDA cannot use the context of the pipeline. " GST_GPU_CUDA_DOWNLOAD);
  return FALSE;
}

void
gst_gpu_cuda_link_leave (const Link * link)
{
  link->cuda->gst_cuda_context_pop (NULL);
}

CUstream
gst_gpu_cuda_link_get_handle (const Link * link, GstCudaStream * stream)
{
  return link->cuda->gst_cuda_stream_get_handle (stream);
}

/* --- shared buffers --- */

static void
forget (Link * link, Shared * shared)
{
  if (shared->pointer)
    link->cuda->cuMemFree (shared->pointer);
  if (shared->memory)
    link->cuda->cuDestroyExternalMemory (shared->memory);
  shared->pointer = 0;
  shared->memory = NULL;
}

static void
drop (Link * link, Shared * shared)
{
  if (shared->buffer)
    link->parent.memory -= gpu_buffer_get_size (shared->buffer);
  g_clear_pointer (&shared->buffer, gpu_buffer_unref);
}

/* On success CUDA owns @fd. */
static gboolean
import (const Link * link, Shared * shared, gint fd, gsize size,
    GError ** error)
{
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC memory = {
    .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
    .handle.fd = fd,
    .size = size,
  };
  const CUDA_EXTERNAL_MEMORY_BUFFER_DESC range = {
    .size = gpu_buffer_get_size (shared->buffer),
  };

  if (gst_gpu_cuda_link_check (link,
          link->cuda->cuImportExternalMemory (&shared->memory, &memory),
          "import memory", error))
    return gst_gpu_cuda_link_check (link,
        link->cuda->cuExternalMemoryGetMappedBuffer (&shared->pointer,
            shared->memory, &range), "map memory", error);
  shared->memory = NULL;
  close (fd);
  return FALSE;
}

static gboolean
ensure (Link * link, Shared * shared, gsize size, GError ** error)
{
  gsize allocated;
  gint fd;

  if (size == 0 || (shared->pointer
          && gpu_buffer_get_size (shared->buffer) >= size))
    return TRUE;
  forget (link, shared);
  drop (link, shared);
  shared->buffer = gpu_buffer_new_large (link->parent.device,
      GPU_BUFFER_EXPORTED, size, "frame for CUDA", error);
  if (!shared->buffer)
    return FALSE;
  link->parent.memory += gpu_buffer_get_size (shared->buffer);
  fd = gpu_buffer_export (shared->buffer, &allocated, error);
  return fd >= 0 && import (link, shared, fd, allocated, error);
}

/* --- shared semaphores --- */

static gboolean
semaphore_init (const Link * link, Semaphore * semaphore, GError ** error)
{
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description = {
    .type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD,
  };

  semaphore->vulkan = gpu_semaphore_new_exported (link->parent.device,
      &description.handle.fd, error);
  if (!semaphore->vulkan)
    return FALSE;
  if (gst_gpu_cuda_link_check (link,
          link->cuda->cuImportExternalSemaphore (&semaphore->cuda,
              &description), "import a semaphore", error))
    return TRUE;
  semaphore->cuda = NULL;
  close (description.handle.fd);
  return FALSE;
}

static CUresult
signal_value (const Link * link, const Semaphore * semaphore, guint64 value,
    GstCudaStream * stream)
{
  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters = {
    .params.fence.value = value,
  };

  return link->cuda->cuSignalExternalSemaphoresAsync (&semaphore->cuda,
      &parameters, 1, gst_gpu_cuda_link_get_handle (link, stream));
}

gboolean
gst_gpu_cuda_link_signal_copied (Link * link, GError ** error)
{
  return gst_gpu_cuda_link_check (link, signal_value (link, &link->copied,
          link->n, link->in), "signal a semaphore", error);
}

/* --- frames --- */

GstGpuCudaSet *
gst_gpu_cuda_link_get_set (const Link * link)
{
  return &link->sets[link->n % link->n_sets];
}

gboolean
gst_gpu_cuda_link_begin_frame (Link * link, const gsize sizes[2],
    GError ** error)
{
  GstGpuCudaSet *set;

  link->n++;
  set = gst_gpu_cuda_link_get_set (link);
  return ensure (link, &set->in, sizes[0], error)
      && ensure (link, &set->out, sizes[1], error)
      && gst_gpu_cuda_link_check (link,
      link->cuda->cuStreamWaitEvent (gst_gpu_cuda_link_get_handle (link,
              link->in), set->left, 0), "wait for an event", error);
}

/* As if the next frame were done, which never comes. If the device goes on after all, it signals
 * less than that, which is not defined, but nobody looks at it any more. */
void
gst_gpu_cuda_link_unblock (GstGpuLink * base)
{
  const Link *link = (Link *) base;

  if (!gst_gpu_cuda_link_enter (link, NULL))
    return;
  signal_value (link, &link->worked, link->n + 1, link->spare);
  gst_gpu_cuda_link_leave (link);
}

/* --- its life --- */

/* What CUDA has. The context is current. */
static void
forget_all (Link * link)
{
  if (link->in)
    link->cuda->cuStreamSynchronize (gst_gpu_cuda_link_get_handle (link,
            link->in));
  if (link->out)
    link->cuda->cuStreamSynchronize (gst_gpu_cuda_link_get_handle (link,
            link->out));
  for (guint i = 0; i < link->n_sets; i++) {
    forget (link, &link->sets[i].in);
    forget (link, &link->sets[i].out);
    if (link->sets[i].left)
      link->cuda->cuEventDestroy (link->sets[i].left);
  }
  if (link->done)
    link->cuda->cuEventDestroy (link->done);
  if (link->copied.cuda)
    link->cuda->cuDestroyExternalSemaphore (link->copied.cuda);
  if (link->worked.cuda)
    link->cuda->cuDestroyExternalSemaphore (link->worked.cuda);
}

/* What Vulkan has. */
static void
drop_all (Link * link)
{
  for (guint i = 0; i < link->n_sets; i++) {
    drop (link, &link->sets[i].in);
    drop (link, &link->sets[i].out);
  }
  gpu_semaphore_free (link->copied.vulkan, link->parent.device);
  gpu_semaphore_free (link->worked.vulkan, link->parent.device);
  gpu_device_unref (link->parent.device);
}

Link *
gst_gpu_cuda_link_ref (Link * link)
{
  g_atomic_int_inc (&link->refs);
  return link;
}

/* If the context is of no use any more, neither is what CUDA has of it. */
void
gst_gpu_cuda_link_unref (gpointer data)
{
  Link *link = data;

  if (!g_atomic_int_dec_and_test (&link->refs))
    return;
  if (gst_gpu_cuda_link_enter (link, NULL)) {
    forget_all (link);
    gst_gpu_cuda_link_leave (link);
  }
  if (link->parent.device)
    drop_all (link);
  gst_clear_mini_object (&link->in);
  gst_clear_mini_object (&link->out);
  gst_clear_mini_object (&link->spare);
  gst_object_unref (link->context);
  g_clear_error (&link->failure);
  g_clear_error (&link->parent.fault);
  g_free (link->sets);
  g_free (link);
}

static GstCudaContext *
find_context (GstElement * element, const GstGpuCuda * cuda, GError ** error)
{
  g_autoptr (GstContext) context = gst_gpu_context_find (element,
      GST_CUDA_CONTEXT_TYPE);
  const GValue *value = context
      ? gst_structure_get_value (gst_context_get_structure (context),
      GST_CUDA_CONTEXT_TYPE) : NULL;

  if (value && G_VALUE_HOLDS (value, cuda->gst_cuda_context_get_type ()))
    return g_value_dup_object (value);
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
      "Frames are in CUDA memory, but no element beside this one has their "
      "context. " GST_GPU_CUDA_DOWNLOAD);
  return NULL;
}

static gboolean
identify_card (const Link * link, gchar uuid[37], GError ** error)
{
  CUuuid bytes;
  CUdevice card;

  if (!gst_gpu_cuda_link_check (link, link->cuda->cuCtxGetDevice (&card),
          "name its device", error)
      || !gst_gpu_cuda_link_check (link, link->cuda->cuDeviceGetUuid (&bytes,
              card), "name its device", error))
    return FALSE;
  gpu_uuid_format ((const guint8 *) bytes.bytes, uuid);
  return TRUE;
}

/* The Vulkan device of the card. */
static GpuDevice *
find_device (GstElement * element, const gchar * uuid, const GpuNeeds * needs,
    GError ** error)
{
  GpuDevice *device = gst_gpu_context_find_device (element, uuid, needs, error);

  if (!device || gpu_device_get_info (device)->exports_semaphores)
    return device;
  g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "the Vulkan driver of \"%s\" does not share memory and timeline semaphores.",
      gpu_device_get_info (device)->name);
  gpu_device_unref (device);
  return NULL;
}

static gboolean
create_event (const Link * link, CUevent * event, GError ** error)
{
  return gst_gpu_cuda_link_check (link, link->cuda->cuEventCreate (event,
          CU_EVENT_DISABLE_TIMING), "make an event", error);
}

static gboolean
create_streams (Link * link, GError ** error)
{
  GstCudaStream **streams[] = { &link->in, &link->out, &link->spare };

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++) {
    *streams[i] = link->cuda->gst_cuda_stream_new (link->context);
    if (!*streams[i]) {
      g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
          "CUDA cannot make a stream. " GST_GPU_CUDA_DOWNLOAD);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
create_objects (Link * link, GError ** error)
{
  gboolean done = semaphore_init (link, &link->copied, error)
      && semaphore_init (link, &link->worked, error)
      && create_event (link, &link->done, error);
  for (guint i = 0; i < link->n_sets && done; i++)
    done = create_event (link, &link->sets[i].left, error);
  return done;
}

/* The context is current. */
static gboolean
set_up (Link * link, GstElement * element, const GpuNeeds * needs,
    GError ** error)
{
  GError *failure = NULL;
  gchar uuid[37];

  if (!identify_card (link, uuid, error) || !create_streams (link, error))
    return FALSE;
  link->parent.device = find_device (element, uuid, needs, &failure);
  return link->parent.device ? create_objects (link, error)
      : gst_gpu_link_take_fault (&link->parent, failure, error);
}

GstGpuLink *
gst_gpu_cuda_link_new (const GstGpuPort * port, GstElement * element,
    const GpuNeeds * needs, guint n_frames, GError ** error)
{
  const GstGpuCuda *cuda = gst_gpu_cuda_open (error);
  GstCudaContext *context = cuda ? find_context (element, cuda, error) : NULL;
  gboolean done;
  Link *link;

  if (!context)
    return NULL;
  link = g_new0 (Link, 1);
  link->parent.port = port;
  link->refs = 1;
  link->cuda = cuda;
  link->context = context;
  link->sets = g_new0 (GstGpuCudaSet, n_frames);
  link->n_sets = n_frames;
  done = gst_gpu_cuda_link_enter (link, error);
  if (done) {
    done = set_up (link, element, needs, error);
    gst_gpu_cuda_link_leave (link);
  }
  if (done)
    return &link->parent;
  gst_gpu_cuda_link_unref (link);
  return NULL;
}
