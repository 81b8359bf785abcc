/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernelhandle.h"
#include "gpu/core/device/openframe.h"
#include "gpu/core/device/pipeline.h"
#include "pipelinecache.h"
#include "gpu/core/device/process.h"
#include "gpu/core/device/trace.h"

#include <string.h>

/* All kernels of a device. */
typedef struct
{
  GMutex lock;
  GPtrArray *all;               /* of GpuKernel */
  GpuPipelineCache *cache;
} Kernels;

static GpuKernel *
find_kernel (Kernels * kernels, const GpuShader * shader,
    const guint32 * constants, guint n_constants)
{
  for (guint i = 0; i < kernels->all->len; i++) {
    GpuKernel *kernel = g_ptr_array_index (kernels->all, i);

    if (kernel->shader == shader && kernel->n_constants == n_constants
        && !memcmp (kernel->constants, constants, n_constants * 4))
      return kernel;
  }
  return NULL;
}

static void
free_kernel (gpointer data)
{
  GpuKernel *kernel = data;

  kernel->device->vk.vkDestroyPipeline (kernel->device->device,
      kernel->pipeline, NULL);
  g_free (kernel);
}

static GpuKernel *
build_kernel (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, VkPipelineCache cache,
    GError ** error)
{
  VkPipeline pipeline;
  GpuKernel *kernel;

  if (!gpu_device_check (device, gpu_pipeline_create (device, shader, constants,
              n_constants, cache, &pipeline), shader->name, error))
    return NULL;
  kernel = g_new0 (GpuKernel, 1);
  kernel->device = device;
  kernel->shader = shader;
  kernel->pipeline = pipeline;
  kernel->n_constants = n_constants;
  if (n_constants > 0)
    memcpy (kernel->constants, constants, n_constants * 4);
  gpu_device_name_object (device, VK_OBJECT_TYPE_PIPELINE, (guint64) pipeline,
      shader->name);
  return kernel;
}

static gpointer
make_kernels (GpuDevice * device)
{
  Kernels *kernels = g_new (Kernels, 1);

  g_mutex_init (&kernels->lock);
  kernels->all = g_ptr_array_new_with_free_func (free_kernel);
  kernels->cache = gpu_pipeline_cache_load (device);
  return kernels;
}

static void
free_kernels (gpointer data)
{
  Kernels *kernels = data;

  gpu_pipeline_cache_free (kernels->cache);
  g_ptr_array_unref (kernels->all);
  g_mutex_clear (&kernels->lock);
  g_free (kernels);
}

static const GpuDevicePart kernels_part = { make_kernels, free_kernels };

/* Adds @built to the list and returns it. If another thread has added the same kernel
 * meanwhile, frees @built and returns that one. */
static GpuKernel *
keep_kernel (Kernels * kernels, GpuKernel * built)
{
  GpuKernel *kernel;

  g_mutex_lock (&kernels->lock);
  kernel = find_kernel (kernels, built->shader, built->constants,
      built->n_constants);
  if (!kernel)
    g_ptr_array_add (kernels->all, built);
  g_mutex_unlock (&kernels->lock);
  if (kernel) {
    free_kernel (built);
    return kernel;
  }
  gpu_pipeline_cache_grew (kernels->cache);
  return built;
}

/* Traces a build. @reason: NULL: the frame that this thread is recording, if any. */
static void
note_build (const GpuShader * shader, gint64 begin, const gchar * reason)
{
  g_autofree gchar *frame = reason ? NULL : gpu_open_frame_get_reason ();

  gpu_trace_end (begin, "build", reason ? reason : frame, "kernel %s",
      shader->name);
}

static GpuKernel *
find_or_build (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, const gchar * reason,
    GError ** error)
{
  Kernels *kernels = gpu_device_get_part (device, &kernels_part);
  GpuKernel *kernel;
  gint64 begin;

  g_mutex_lock (&kernels->lock);
  kernel = find_kernel (kernels, shader, constants, n_constants);
  g_mutex_unlock (&kernels->lock);
  if (kernel)
    return kernel;
  /* Build without the lock, so that other threads need not wait. */
  begin = gpu_trace_begin ();
  kernel = build_kernel (device, shader, constants, n_constants,
      kernels->cache->handle, error);
  note_build (shader, begin, reason);
  if (!kernel)
    return NULL;
  gpu_open_frame_note_build ();
  g_debug ("built %s", shader->name);
  return keep_kernel (kernels, kernel);
}

GpuKernel *
gpu_kernel_get_because (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, const gchar * reason,
    GError ** error)
{
  GpuKernel *kernel;

  g_return_val_if_fail (n_constants <= GPU_MAX_CONSTANTS, NULL);
  if (!gpu_device_check_alive (device, error) || !gpu_process_enter (error))
    return NULL;
  kernel = find_or_build (device, shader, constants, n_constants, reason,
      error);
  gpu_process_leave ();
  return kernel;
}

GpuKernel *
gpu_kernel_get (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GError ** error)
{
  return gpu_kernel_get_because (device, shader, constants, n_constants, NULL,
      error);
}

gboolean
gpu_kernels_get (GpuDevice * device, const GpuKernelWanted * wanted, guint n,
    GError ** error)
{
  for (guint i = 0; i < n; i++) {
    *wanted[i].kernel = gpu_kernel_get (device, wanted[i].shader,
        wanted[i].constants, wanted[i].n_constants, error);
    if (!*wanted[i].kernel)
      return FALSE;
  }
  return TRUE;
}

const gchar *
gpu_kernel_get_name (GpuKernel * kernel)
{
  return kernel->shader->name;
}

gsize
gpu_kernel_get_push_size (GpuKernel * kernel)
{
  return kernel->shader->push_size;
}
