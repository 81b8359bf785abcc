/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "buildqueue.h"
#include "kernelhandle.h"
#include "gpu/core/device/trace.h"
#include "gpu/core/device/bindings.h"
#include "pipelinecache.h"
#include "rehearsal.h"
#include "gpu/core/device/process.h"

#include <string.h>

/* Interval at which a waiting thread asks whether to go on. */
#define LOOK_US (G_USEC_PER_SEC / 10)

/* All kernels of a device. */
typedef struct
{
  GpuRehearsal *rehearsal;      /* or NULL */
  GpuPipelineCache *cache;

  GMutex lock;                  /* protects the members below, and kernels, except what a
                                   thread writes while it builds one */
  GCond has_changed;            /* a build has ended */
  GHashTable *all;              /* a set of GpuKernel, by shader and constants */
  guint pending;                /* kernels that are waiting or in progress */
  guint n_urgent, n_urgent_built;       /* since nothing was pending */
  gint64 all_usable_from;       /* the latest of all kernels */
  GpuBuildQueue queue;
} Kernels;

/* --- builds --- */

static void
free_kernel (gpointer data)
{
  GpuKernel *kernel = data;

  kernel->device->vk.vkDestroyPipeline (kernel->device->device,
      kernel->pipeline, NULL);
  g_clear_error (&kernel->failure);
  g_free (kernel);
}

static void
set_state (GpuKernel * kernel, GpuKernelState state)
{
  g_atomic_int_set (&kernel->state, state);
}

static gboolean
build_pipeline (Kernels * kernels, GpuKernel * kernel,
    GpuKernelUrgency urgency, VkPipeline * pipeline, GError ** error)
{
  GpuDevice *device = kernel->device;

  if (!gpu_device_check_alive (device, error))
    return FALSE;
  /* First, as the driver writes its cache meanwhile. */
  if (kernels->rehearsal)
    kernel->usable_from = gpu_rehearsal_run (kernels->rehearsal, urgency,
        kernel->shader, kernel->constants, kernel->n_constants);
  if (!gpu_process_check (error)
      || !gpu_device_check (device, gpu_pipeline_create (device, kernel->shader,
              kernel->constants, kernel->n_constants, kernels->cache->handle,
              pipeline), kernel->shader->name, error))
    return FALSE;
  gpu_device_name_object (device, VK_OBJECT_TYPE_PIPELINE, (guint64) * pipeline,
      kernel->shader->name);
  return TRUE;
}

/* Releases the lock in between. */
static void
build (GpuKernel * kernel, GpuKernelUrgency urgency, gpointer data)
{
  Kernels *kernels = data;
  VkPipeline pipeline = VK_NULL_HANDLE;
  GError *failure = NULL;
  gint64 begin = gpu_trace_begin ();
  const gchar *reason = kernel->is_urgent ? "the next frame needs it"
      : "a later frame may need it";

  g_mutex_unlock (&kernels->lock);
  if (gpu_process_enter (&failure)) {
    if (build_pipeline (kernels, kernel, urgency, &pipeline, &failure))
      gpu_pipeline_cache_grew (kernels->cache);
    /* A lost device may be the reason, and the next frame should find another. */
    else
      gpu_device_look (kernel->device);
    gpu_process_leave ();
  }
  gpu_trace_end (begin, "build", reason, "kernel %s", kernel->shader->name);
  if (failure)
    g_debug ("%s is not built: %s", kernel->shader->name, failure->message);
  else
    g_debug ("built %s", kernel->shader->name);
  g_mutex_lock (&kernels->lock);
  kernel->pipeline = pipeline;
  kernel->failure = failure;
  kernels->all_usable_from = MAX (kernels->all_usable_from,
      kernel->usable_from);
  set_state (kernel, failure ? GPU_KERNEL_FAILED : GPU_KERNEL_BUILT);
  kernels->pending--;
  kernels->n_urgent_built += kernel->is_urgent;
  g_cond_broadcast (&kernels->has_changed);
}

/* --- all kernels of a device --- */

static guint
hash_kernel (gconstpointer data)
{
  const GpuKernel *kernel = data;
  guint hash = g_direct_hash (kernel->shader);

  for (guint i = 0; i < kernel->n_constants; i++)
    hash = 31 * hash + kernel->constants[i];
  return hash;
}

static gboolean
are_same_kernels (gconstpointer one, gconstpointer other)
{
  const GpuKernel *a = one, *b = other;

  return a->shader == b->shader && a->n_constants == b->n_constants
      && !memcmp (a->constants, b->constants,
      a->n_constants * sizeof a->constants[0]);
}

static gpointer
make_kernels (GpuDevice * device)
{
  Kernels *kernels = g_new0 (Kernels, 1);

  g_mutex_init (&kernels->lock);
  g_cond_init (&kernels->has_changed);
  kernels->all = g_hash_table_new_full (hash_kernel, are_same_kernels,
      free_kernel, NULL);
  gpu_build_queue_init (&kernels->queue, &kernels->lock, build, kernels);
  kernels->rehearsal = gpu_rehearsal_new (device);
  kernels->cache = gpu_pipeline_cache_load (device);
  return kernels;
}

static void
free_kernels (gpointer data)
{
  Kernels *kernels = data;

  gpu_build_queue_clear (&kernels->queue);
  g_clear_pointer (&kernels->rehearsal, gpu_rehearsal_free);
  gpu_pipeline_cache_free (kernels->cache);
  g_hash_table_unref (kernels->all);
  g_cond_clear (&kernels->has_changed);
  g_mutex_clear (&kernels->lock);
  g_free (kernels);
}

static const GpuDeviceObject kernels_object = { make_kernels, free_kernels };

static Kernels *
get_kernels (GpuDevice * device)
{
  return gpu_device_get_object (device, &kernels_object);
}

/* --- requests --- */

static GpuKernel
describe_kernel (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants)
{
  GpuKernel kernel = {
    .device = device,
    .shader = shader,
    .n_constants = n_constants,
  };

  if (n_constants > 0)
    memcpy (kernel.constants, constants,
        n_constants * sizeof kernel.constants[0]);
  return kernel;
}

static void
note_urgent (Kernels * kernels, GpuKernel * kernel)
{
  kernel->is_urgent = TRUE;
  kernels->n_urgent++;
}

/* Lets @kernel wait for a thread, as it is new or could not be built. */
static void
let_wait (Kernels * kernels, GpuKernel * kernel, GpuKernelUrgency urgency)
{
  g_clear_error (&kernel->failure);
  kernel->is_urgent = FALSE;
  set_state (kernel, GPU_KERNEL_WAITING);
  if (kernels->pending++ == 0)
    kernels->n_urgent = kernels->n_urgent_built = 0;
  if (urgency == GPU_KERNEL_SOON)
    note_urgent (kernels, kernel);
  gpu_build_queue_add (&kernels->queue, kernel, urgency);
}

static void
make_urgent (Kernels * kernels, GpuKernel * kernel)
{
  const gboolean waits = kernel->state == GPU_KERNEL_WAITING;

  if (kernel->is_urgent || (!waits && kernel->state != GPU_KERNEL_IN_PROGRESS))
    return;
  note_urgent (kernels, kernel);
  if (waits)
    gpu_build_queue_promote (&kernels->queue, kernel);
}

static GpuKernel *
find_or_queue (Kernels * kernels, const GpuKernel * wanted,
    GpuKernelUrgency urgency)
{
  GpuKernel *kernel;

  g_mutex_lock (&kernels->lock);
  kernel = g_hash_table_lookup (kernels->all, wanted);
  if (!kernel) {
    kernel = g_memdup2 (wanted, sizeof *wanted);
    g_hash_table_add (kernels->all, kernel);
    let_wait (kernels, kernel, urgency);
  } else if (urgency == GPU_KERNEL_SOON)
    make_urgent (kernels, kernel);
  g_mutex_unlock (&kernels->lock);
  return kernel;
}

GpuKernel *
gpu_kernel_request (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GpuKernelUrgency urgency,
    GError ** error)
{
  GpuKernel wanted, *kernel;

  g_return_val_if_fail (n_constants <= GPU_MAX_CONSTANTS, NULL);
  if (!gpu_device_check_alive (device, error) || !gpu_process_enter (error))
    return NULL;
  wanted = describe_kernel (device, shader, constants, n_constants);
  kernel = find_or_queue (get_kernels (device), &wanted, urgency);
  gpu_process_leave ();
  return kernel;
}

gboolean
gpu_kernels_request (GpuDevice * device, const GpuKernelWanted * wanted,
    guint n, GpuKernelUrgency urgency, GError ** error)
{
  for (guint i = 0; i < n; i++) {
    GpuKernel *kernel = gpu_kernel_request (device, wanted[i].shader,
        wanted[i].constants, wanted[i].n_constants, urgency, error);

    if (!kernel)
      return FALSE;
    *wanted[i].kernel = kernel;
  }
  return TRUE;
}

/* --- waits --- */

gboolean
gpu_kernel_is_built (GpuKernel * kernel)
{
  return g_atomic_int_get (&kernel->state) == GPU_KERNEL_BUILT
      && (kernel->usable_from == 0
      || g_get_monotonic_time () >= kernel->usable_from);
}

/* Has @kernel built next. If there are no threads, builds it now. */
static void
hurry (Kernels * kernels, GpuKernel * kernel)
{
  if (kernel->state == GPU_KERNEL_FAILED)
    let_wait (kernels, kernel, GPU_KERNEL_SOON);
  make_urgent (kernels, kernel);
  if (kernel->state == GPU_KERNEL_WAITING)
    gpu_build_queue_hurry (&kernels->queue, kernel);
}

/* Asks whether to go on. Called with the lock held, which it releases in between. */
static gboolean
goes_on (Kernels * kernels, GpuKernel * kernel,
    gboolean (*keep_waiting) (gpointer data), gpointer data, GError ** error)
{
  gboolean is_wanted;

  g_mutex_unlock (&kernels->lock);
  is_wanted = !keep_waiting || keep_waiting (data);
  g_mutex_lock (&kernels->lock);
  if (!is_wanted)
    g_set_error (error, GPU_ERROR, GPU_ERROR_CANCELLED,
        "waiting for %s was cancelled", kernel->shader->name);
  return is_wanted && gpu_process_check (error);
}

/* As above. */
static gboolean
wait_for_build (Kernels * kernels, GpuKernel * kernel,
    gboolean (*keep_waiting) (gpointer data), gpointer data, GError ** error)
{
  gint64 look = 0;

  while (kernel->state != GPU_KERNEL_FAILED && !gpu_kernel_is_built (kernel)) {
    gint64 now = g_get_monotonic_time ();

    if (now >= look) {
      if (!goes_on (kernels, kernel, keep_waiting, data, error))
        return FALSE;
      look = now + LOOK_US;
      continue;
    }
    g_cond_wait_until (&kernels->has_changed, &kernels->lock,
        kernel->state == GPU_KERNEL_BUILT ? MIN (look, kernel->usable_from)
        : look);
  }
  if (kernel->failure && error)
    *error = g_error_copy (kernel->failure);
  return !kernel->failure;
}

gboolean
gpu_kernel_wait (GpuKernel * kernel, gboolean (*keep_waiting) (gpointer data),
    gpointer data, GError ** error)
{
  Kernels *kernels;
  g_autofree gchar *reason = NULL;
  gint64 begin;
  gboolean built;

  if (gpu_kernel_is_built (kernel))
    return TRUE;
  if (!gpu_process_check (error))
    return FALSE;
  kernels = get_kernels (kernel->device);
  begin = gpu_trace_begin ();
  g_mutex_lock (&kernels->lock);
  hurry (kernels, kernel);
  built = wait_for_build (kernels, kernel, keep_waiting, data, error);
  g_mutex_unlock (&kernels->lock);
  reason = gpu_open_frame_get_reason ();
  gpu_trace_end (begin, "wait", reason, "kernel %s", kernel->shader->name);
  gpu_open_frame_note_build ();
  return built;
}

GpuKernel *
gpu_kernel_get (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GError ** error)
{
  GpuKernel *kernel = gpu_kernel_request (device, shader, constants,
      n_constants, GPU_KERNEL_SOON, error);

  return kernel && gpu_kernel_wait (kernel, NULL, NULL, error) ? kernel : NULL;
}

void
gpu_kernels_wait (GpuDevice * device)
{
  Kernels *kernels;
  gint64 begin;

  if (gpu_process_is_over ())
    return;
  kernels = get_kernels (device);
  begin = gpu_trace_begin ();
  g_mutex_lock (&kernels->lock);
  gpu_build_queue_rush (&kernels->queue);
  while (kernels->pending > 0)
    if (!gpu_build_queue_help (&kernels->queue))
      g_cond_wait (&kernels->has_changed, &kernels->lock);
  while (g_get_monotonic_time () < kernels->all_usable_from)
    g_cond_wait_until (&kernels->has_changed, &kernels->lock,
        kernels->all_usable_from);
  gpu_build_queue_end_rush (&kernels->queue);
  g_mutex_unlock (&kernels->lock);
  gpu_trace_end (begin, "wait", "the caller needs all that was requested",
      "builds");
}

/* --- properties --- */

gboolean
gpu_kernels_have (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants)
{
  const GpuKernel wanted =
      describe_kernel (device, shader, constants, n_constants);
  Kernels *kernels;
  GpuKernel *kernel;

  if (gpu_process_is_over ())
    return FALSE;
  kernels = get_kernels (device);
  g_mutex_lock (&kernels->lock);
  kernel = g_hash_table_lookup (kernels->all, &wanted);
  g_mutex_unlock (&kernels->lock);
  return kernel && gpu_kernel_is_built (kernel);
}

guint
gpu_kernels_count (GpuDevice * device, guint * built)
{
  Kernels *kernels;
  guint n;

  *built = 0;
  if (gpu_process_is_over ())
    return 0;
  kernels = get_kernels (device);
  g_mutex_lock (&kernels->lock);
  n = kernels->n_urgent;
  *built = kernels->n_urgent_built;
  g_mutex_unlock (&kernels->lock);
  return n;
}

gsize
gpu_kernel_get_push_size (GpuKernel * kernel)
{
  return kernel->shader->push_size;
}
