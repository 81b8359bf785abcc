/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fake_cuda.h"

#include "fake_loader.h"

#include <ffnvcodec/dynlink_cuda.h>
#include <gmodule.h>
#include <string.h>
#include <unistd.h>

/* A multiple of it is not how GStreamer lays frames out that nobody aligns. */
#define ALIGNMENT 512
#define COPY_DELAY_US 2000

/* Those that the header lacks. */
#define INVALID_VALUE ((CUresult) 1)
#define INVALID_CONTEXT ((CUresult) 201)
#define NOT_SUPPORTED ((CUresult) 801)

G_MODULE_EXPORT FakeCuda fake_cuda;

/* Functions of which the header has the type. */
#define FUNCTIONS(DO) \
  DO (Init) DO (GetErrorName) DO (GetErrorString) \
  DO (DeviceGetCount) DO (DeviceGet) DO (DeviceGetName) DO (DeviceGetUuid) \
  DO (DeviceGetAttribute) \
  DO (CtxCreate_v2) DO (CtxDestroy_v2) DO (CtxPushCurrent_v2) \
  DO (CtxPopCurrent_v2) DO (CtxGetDevice) \
  DO (StreamCreate) DO (StreamDestroy_v2) DO (StreamSynchronize) \
  DO (EventCreate) DO (EventDestroy_v2) DO (EventRecord) \
  DO (MemAllocPitch_v2) DO (MemFree_v2) DO (Memcpy2DAsync_v2) \
  DO (ImportExternalMemory) DO (ExternalMemoryGetMappedBuffer) \
  DO (DestroyExternalMemory) DO (ImportExternalSemaphore) \
  DO (DestroyExternalSemaphore) DO (SignalExternalSemaphoresAsync) \
  DO (WaitExternalSemaphoresAsync)
#define DECLARE(name) G_MODULE_EXPORT tcu##name cu##name;
/* *INDENT-OFF* */
FUNCTIONS (DECLARE)
/* *INDENT-ON* */

/* The others. */
G_MODULE_EXPORT CUresult cuDeviceCanAccessPeer (int *can, CUdevice device,
    CUdevice peer);
G_MODULE_EXPORT CUresult cuStreamWaitEvent (CUstream stream, CUevent event,
    unsigned int flags);
G_MODULE_EXPORT CUresult cuMemAllocHost_v2 (void **memory, size_t size);
G_MODULE_EXPORT CUresult cuMemFreeHost (void *memory);

/* GStreamer's library wants these to be there. */
#define UNUSED(DO) \
  DO (cuDriverGetVersion) DO (cuCtxSynchronize) DO (cuEventSynchronize) \
  DO (cuMemAlloc_v2) DO (cuCtxEnablePeerAccess) DO (cuCtxDisablePeerAccess) \
  DO (cuCtxGetLimit) DO (cuCtxSetLimit) \
  DO (cuGraphicsMapResources) DO (cuGraphicsUnmapResources) \
  DO (cuGraphicsResourceSetMapFlags_v2) \
  DO (cuGraphicsSubResourceGetMappedArray) \
  DO (cuGraphicsResourceGetMappedPointer_v2) \
  DO (cuGraphicsUnregisterResource) DO (cuGraphicsGLRegisterImage) \
  DO (cuGraphicsGLRegisterBuffer) DO (cuGLGetDevices_v2) \
  DO (cuMemcpy2D_v2) DO (cuMemcpyDtoD_v2) DO (cuMemcpyDtoDAsync_v2) \
  DO (cuMemcpyDtoH_v2) DO (cuMemcpyDtoHAsync_v2) \
  DO (cuMemcpyHtoD_v2) DO (cuMemcpyHtoDAsync_v2) \
  DO (cuMemsetD2D8_v2) DO (cuMemsetD2D8Async) \
  DO (cuMemsetD2D16_v2) DO (cuMemsetD2D16Async) \
  DO (cuMemsetD2D32_v2) DO (cuMemsetD2D32Async) \
  DO (cuModuleLoadData) DO (cuModuleUnload) DO (cuModuleGetFunction) \
  DO (cuTexObjectCreate) DO (cuTexObjectDestroy) DO (cuLaunchKernel) \
  DO (cuIpcGetEventHandle) DO (cuIpcOpenEventHandle) \
  DO (cuIpcGetMemHandle) DO (cuIpcOpenMemHandle) DO (cuIpcCloseMemHandle) \
  DO (cuExternalMemoryGetMappedMipmappedArray)
#define REFUSE(name) \
  G_MODULE_EXPORT CUresult name (void); \
  CUresult name (void) { return NOT_SUPPORTED; }
/* *INDENT-OFF* */
UNUSED (REFUSE)
/* *INDENT-ON* */

/* --- the device and its contexts --- */

/* Those that the thread pushed, the current one first. */
static __thread GSList *contexts;

/* Whether @function is to fail. Its name may end in "_v2". */
static gboolean
fails (const gchar * function)
{
  const gchar *name = g_atomic_pointer_get (&fake_cuda.failing);
  const gchar *end;

  if (!name || !g_str_has_prefix (function, name))
    return FALSE;
  end = function + strlen (name);
  return (!*end || !strcmp (end, "_v2"))
      && g_atomic_int_add (&fake_cuda.calls_before_failure, -1) <= 0;
}

static CUresult
begin (const gchar * function)
{
  if (!contexts)
    return INVALID_CONTEXT;
  return fails (function) ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}

/* For functions that need a current context. */
#define BEGIN() \
  G_STMT_START { \
    CUresult begun = begin (__func__); \
    if (begun != CUDA_SUCCESS) \
      return begun; \
  } G_STMT_END

/* The end of functions that make an object or dispose of one. */
static CUresult
count_alive (gint change)
{
  g_atomic_int_add (&fake_cuda.alive, change);
  return CUDA_SUCCESS;
}

static CUresult
dispose (gpointer object)
{
  g_free (object);
  return count_alive (-1);
}

CUresult
cuInit (unsigned int flags)
{
  return CUDA_SUCCESS;
}

CUresult
cuGetErrorName (CUresult error, const char **name)
{
  *name = error == CUDA_SUCCESS ? "CUDA_SUCCESS"
      : error == INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
      : error == INVALID_CONTEXT ? "CUDA_ERROR_INVALID_CONTEXT"
      : error == NOT_SUPPORTED ? "CUDA_ERROR_NOT_SUPPORTED"
      : error == CUDA_ERROR_UNKNOWN ? "CUDA_ERROR_UNKNOWN" : NULL;
  return *name ? CUDA_SUCCESS : INVALID_VALUE;
}

CUresult
cuGetErrorString (CUresult error, const char **text)
{
  return cuGetErrorName (error, text);
}

CUresult
cuDeviceGetCount (int *n)
{
  *n = 1;
  return CUDA_SUCCESS;
}

CUresult
cuDeviceGet (CUdevice * device, int index)
{
  *device = index;
  return index == 0 ? CUDA_SUCCESS : INVALID_VALUE;
}

CUresult
cuDeviceGetName (char *name, int size, CUdevice device)
{
  g_strlcpy (name, "Fake", size);
  return CUDA_SUCCESS;
}

CUresult
cuDeviceGetUuid (CUuuid * uuid, CUdevice device)
{
  if (fails (__func__))
    return CUDA_ERROR_UNKNOWN;
  memcpy (uuid->bytes, fake_cuda.uuid, sizeof uuid->bytes);
  return CUDA_SUCCESS;
}

CUresult
cuDeviceGetAttribute (int *value, CUdevice_attribute attribute, CUdevice device)
{
  *value = attribute == CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT ? ALIGNMENT
      : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
  return CUDA_SUCCESS;
}

CUresult
cuDeviceCanAccessPeer (int *can, CUdevice device, CUdevice peer)
{
  *can = FALSE;
  return CUDA_SUCCESS;
}

CUresult
cuCtxCreate_v2 (CUcontext * context, unsigned int flags, CUdevice device)
{
  *context = g_malloc (1);      /* a token */
  return cuCtxPushCurrent_v2 (*context);
}

CUresult
cuCtxDestroy_v2 (CUcontext context)
{
  contexts = g_slist_remove_all (contexts, context);
  g_free (context);
  return CUDA_SUCCESS;
}

CUresult
cuCtxPushCurrent_v2 (CUcontext context)
{
  contexts = g_slist_prepend (contexts, context);
  return CUDA_SUCCESS;
}

CUresult
cuCtxPopCurrent_v2 (CUcontext * context)
{
  if (!contexts)
    return INVALID_CONTEXT;
  if (context)
    *context = contexts->data;
  contexts = g_slist_delete_link (contexts, contexts);
  return CUDA_SUCCESS;
}

CUresult
cuCtxGetDevice (CUdevice * device)
{
  BEGIN ();
  *device = 0;
  return CUDA_SUCCESS;
}

/* --- streams --- */

struct CUstream_st
{
  gboolean is_started, is_destroyed;
};

struct CUevent_st
{
  guint64 record;               /* the number of the newest one; 0: none */
};

struct CUextSemaphore_st
{
  FakeExport export;
};

typedef struct _Operation Operation;

struct _Operation
{
  void (*run) (const Operation * operation);
  CUstream stream;
  guint64 number;               /* of all streams; from 1 on */
  /* Only what run() needs. */
  CUDA_MEMCPY2D copy;
  guint64 record;
  FakeExport semaphore;
  guint64 value;
};

static GMutex lock;             /* of all below */
static GCond changed;
static GQueue operations = G_QUEUE_INIT;        /* not done yet, by their numbers */
static guint64 newest;
static struct CUstream_st null_stream;

/* The oldest operation of @stream that is not done, of these numbers. NULL: of any stream. */
static Operation *
find_pending (CUstream stream, guint64 first, guint64 last)
{
  for (GList * link = operations.head; link; link = link->next) {
    Operation *operation = link->data;

    if ((!stream || operation->stream == stream) && operation->number >= first
        && operation->number <= last)
      return operation;
  }
  return NULL;
}

static void
wait_until_done (CUstream stream, guint64 first, guint64 last)
{
  while (find_pending (stream, first, last))
    g_cond_wait (&changed, &lock);
}

static gpointer
run_stream (gpointer data)
{
  CUstream stream = data;
  Operation *operation;

  g_mutex_lock (&lock);
  while ((operation = find_pending (stream, 1, newest))
      || !stream->is_destroyed) {
    if (!operation) {
      g_cond_wait (&changed, &lock);
      continue;
    }
    g_mutex_unlock (&lock);
    operation->run (operation);
    g_mutex_lock (&lock);
    g_queue_remove (&operations, operation);
    g_free (operation);
    g_cond_broadcast (&changed);
  }
  g_mutex_unlock (&lock);
  g_free (stream);
  return NULL;
}

/* With the lock. Returns the number of the operation. */
static guint64
enqueue_locked (CUstream stream, const Operation * operation)
{
  Operation *copy = g_memdup2 (operation, sizeof *operation);

  copy->stream = stream ? stream : &null_stream;
  copy->number = ++newest;
  g_queue_push_tail (&operations, copy);
  if (!copy->stream->is_started)
    g_thread_unref (g_thread_new ("fake-cuda", run_stream, copy->stream));
  copy->stream->is_started = TRUE;
  g_cond_broadcast (&changed);
  return newest;
}

static void
enqueue (CUstream stream, const Operation * operation)
{
  g_mutex_lock (&lock);
  enqueue_locked (stream, operation);
  g_mutex_unlock (&lock);
}

CUresult
cuStreamCreate (CUstream * stream, unsigned int flags)
{
  BEGIN ();
  *stream = g_new0 (struct CUstream_st, 1);
  return count_alive (1);
}

/* What was enqueued is done nevertheless. */
CUresult
cuStreamDestroy_v2 (CUstream stream)
{
  BEGIN ();
  g_mutex_lock (&lock);
  stream->is_destroyed = TRUE;
  g_cond_broadcast (&changed);
  if (!stream->is_started)
    g_free (stream);
  g_mutex_unlock (&lock);
  return count_alive (-1);
}

CUresult
cuStreamSynchronize (CUstream stream)
{
  BEGIN ();
  g_mutex_lock (&lock);
  wait_until_done (stream ? stream : &null_stream, 1, newest);
  g_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

/* --- events --- */

static void
do_nothing (const Operation * operation)
{
}

static void
wait_for_record (const Operation * operation)
{
  g_mutex_lock (&lock);
  wait_until_done (NULL, operation->record, operation->record);
  g_mutex_unlock (&lock);
}

CUresult
cuEventCreate (CUevent * event, unsigned int flags)
{
  BEGIN ();
  *event = g_new0 (struct CUevent_st, 1);
  return count_alive (1);
}

CUresult
cuEventDestroy_v2 (CUevent event)
{
  BEGIN ();
  return dispose (event);
}

CUresult
cuEventRecord (CUevent event, CUstream stream)
{
  const Operation operation = {.run = do_nothing};

  BEGIN ();
  g_mutex_lock (&lock);
  event->record = enqueue_locked (stream, &operation);
  g_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

/* The record is that of now: later ones, and the end of the event, change nothing. */
CUresult
cuStreamWaitEvent (CUstream stream, CUevent event, unsigned int flags)
{
  Operation operation = {.run = wait_for_record};

  BEGIN ();
  g_mutex_lock (&lock);
  operation.record = event->record;
  enqueue_locked (stream, &operation);
  g_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

/* --- memory --- */

struct CUextMemory_st
{
  FakeExport export;
  guint64 size;
  guint8 *data;                 /* NULL before it is first mapped */
};

static GSList *allocated, *mapped;      /* what can be freed; with the lock */

static gpointer
at (CUdeviceptr pointer)
{
  return (gpointer) (gsize) pointer;
}

static void
copy_rows (const Operation * operation)
{
  const CUDA_MEMCPY2D *copy = &operation->copy;
  const guint8 *from = copy->srcMemoryType == CU_MEMORYTYPE_HOST
      ? copy->srcHost : at (copy->srcDevice);
  guint8 *to = copy->dstMemoryType == CU_MEMORYTYPE_HOST
      ? copy->dstHost : at (copy->dstDevice);

  g_usleep (COPY_DELAY_US);
  for (gsize y = 0; y < copy->Height; y++)
    memcpy (to + (copy->dstY + y) * copy->dstPitch + copy->dstXInBytes,
        from + (copy->srcY + y) * copy->srcPitch + copy->srcXInBytes,
        copy->WidthInBytes);
}

CUresult
cuMemcpy2DAsync_v2 (const CUDA_MEMCPY2D * copy, CUstream stream)
{
  const Operation operation = {.run = copy_rows, .copy = *copy};

  BEGIN ();
  if (copy->srcMemoryType == CU_MEMORYTYPE_ARRAY
      || copy->dstMemoryType == CU_MEMORYTYPE_ARRAY
      || copy->WidthInBytes > MIN (copy->srcPitch, copy->dstPitch))
    return INVALID_VALUE;
  enqueue (stream, &operation);
  return CUDA_SUCCESS;
}

static gpointer
allocate (gsize size)
{
  gpointer data = g_malloc (size);

  /* Not what the caller expects to find. */
  memset (data, 0xcd, size);
  g_mutex_lock (&lock);
  allocated = g_slist_prepend (allocated, data);
  g_mutex_unlock (&lock);
  count_alive (1);
  return data;
}

/* Waits for all streams, as CUDA does. */
static CUresult
release (gpointer data)
{
  gboolean is_mapped, is_allocated;

  g_mutex_lock (&lock);
  wait_until_done (NULL, 1, newest);
  is_mapped = g_slist_find (mapped, data) != NULL;
  is_allocated = g_slist_find (allocated, data) != NULL;
  mapped = g_slist_remove (mapped, data);
  allocated = g_slist_remove (allocated, data);
  g_mutex_unlock (&lock);
  return is_mapped || is_allocated ? dispose (is_allocated ? data : NULL)
      : INVALID_VALUE;
}

CUresult
cuMemAllocPitch_v2 (CUdeviceptr * pointer, size_t *pitch, size_t width,
    size_t height, unsigned int element_size)
{
  BEGIN ();
  *pitch = (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  *pointer = (gsize) allocate (*pitch * height);
  return CUDA_SUCCESS;
}

CUresult
cuMemAllocHost_v2 (void **memory, size_t size)
{
  BEGIN ();
  *memory = allocate (size);
  return CUDA_SUCCESS;
}

CUresult
cuMemFree_v2 (CUdeviceptr pointer)
{
  BEGIN ();
  return release (at (pointer));
}

CUresult
cuMemFreeHost (void *memory)
{
  BEGIN ();
  return release (memory);
}

/* --- what Vulkan exports --- */

/* Returns FALSE if @fd is not of the fake loader. */
static gboolean
read_export (FakeExport * export, gint fd)
{
  return pread (fd, export, sizeof *export, 0) == sizeof *export;
}

CUresult
cuImportExternalMemory (CUexternalMemory * memory,
    const CUDA_EXTERNAL_MEMORY_HANDLE_DESC * description)
{
  FakeExport export;

  BEGIN ();
  if (description->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD
      || !read_export (&export, description->handle.fd) || !export.memory)
    return INVALID_VALUE;
  close (description->handle.fd);
  *memory = g_new0 (struct CUextMemory_st, 1);
  (*memory)->export = export;
  (*memory)->size = description->size;
  return count_alive (1);
}

CUresult
cuExternalMemoryGetMappedBuffer (CUdeviceptr * pointer,
    CUexternalMemory memory,
    const CUDA_EXTERNAL_MEMORY_BUFFER_DESC * description)
{
  const FakeExport *export = &memory->export;
  gpointer data = memory->data;

  BEGIN ();
  if (description->offset + description->size > memory->size)
    return INVALID_VALUE;
  if (!data && export->map (export->device, export->memory, 0, VK_WHOLE_SIZE,
          0, &data) != VK_SUCCESS)
    return CUDA_ERROR_UNKNOWN;
  memory->data = data;
  data = memory->data + description->offset;
  g_mutex_lock (&lock);
  mapped = g_slist_prepend (mapped, data);
  g_mutex_unlock (&lock);
  g_atomic_int_inc (&fake_cuda.alive);
  *pointer = (gsize) data;
  return CUDA_SUCCESS;
}

CUresult
cuDestroyExternalMemory (CUexternalMemory memory)
{
  BEGIN ();
  return dispose (memory);
}

CUresult
cuImportExternalSemaphore (CUexternalSemaphore * semaphore,
    const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC * description)
{
  FakeExport export;

  BEGIN ();
  if (description->type !=
      CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD
      || !read_export (&export, description->handle.fd) || !export.semaphore)
    return INVALID_VALUE;
  close (description->handle.fd);
  *semaphore = g_new0 (struct CUextSemaphore_st, 1);
  (*semaphore)->export = export;
  return count_alive (1);
}

CUresult
cuDestroyExternalSemaphore (CUexternalSemaphore semaphore)
{
  BEGIN ();
  return dispose (semaphore);
}

static VkResult
wait_for_value (const Operation * operation, guint64 timeout)
{
  const VkSemaphoreWaitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .semaphoreCount = 1,
    .pSemaphores = &operation->semaphore.semaphore,
    .pValues = &operation->value,
  };

  return operation->semaphore.wait (operation->semaphore.device, &info,
      timeout);
}

static void
wait_for_semaphore (const Operation * operation)
{
  wait_for_value (operation, UINT64_MAX);
}

/* Vulkan wants values that grow; but on a device that is lost it may have got there itself. */
static void
signal_semaphore (const Operation * operation)
{
  const VkSemaphoreSignalInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
    .semaphore = operation->semaphore.semaphore,
    .value = operation->value,
  };

  if (wait_for_value (operation, 0) == VK_TIMEOUT)
    operation->semaphore.signal (operation->semaphore.device, &info);
}

static CUresult
enqueue_values (Operation operation, const CUexternalSemaphore * semaphores,
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS * parameters, guint n,
    CUstream stream)
{
  for (guint i = 0; i < n; i++) {
    operation.semaphore = semaphores[i]->export;
    operation.value = parameters[i].params.fence.value;
    enqueue (stream, &operation);
  }
  return CUDA_SUCCESS;
}

CUresult
cuSignalExternalSemaphoresAsync (const CUexternalSemaphore * semaphores,
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS * parameters, unsigned int n,
    CUstream stream)
{
  const Operation operation = {.run = signal_semaphore};

  BEGIN ();
  return enqueue_values (operation, semaphores, parameters, n, stream);
}

CUresult
cuWaitExternalSemaphoresAsync (const CUexternalSemaphore * semaphores,
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS * parameters, unsigned int n,
    CUstream stream)
{
  const Operation operation = {.run = wait_for_semaphore};

  BEGIN ();
  return enqueue_values (operation, semaphores, parameters, n, stream);
}
