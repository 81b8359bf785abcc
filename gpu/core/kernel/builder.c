/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "builder.h"
#include "kernelhandle.h"
#include "gpu/core/device/process.h"
#include "gpu/core/device/trace.h"

#include <string.h>

struct _GpuBuilder
{
  GpuDevice *device;
  GThreadPool *pool;
  GMutex lock;
  GCond is_idle;
  guint pending;                /* unfinished requests */
};

typedef struct
{
  const GpuShader *shader;
  guint32 constants[GPU_MAX_CONSTANTS];
  guint n_constants;
  GpuKernel **slot;
} Request;

static void
build (gpointer data, gpointer user_data)
{
  Request *request = data;
  GpuBuilder *builder = user_data;
  g_autoptr (GError) error = NULL;
  GpuKernel *kernel = gpu_kernel_get_because (builder->device, request->shader,
      request->constants, request->n_constants,
      "in the background, no frame waits", &error);

  if (kernel)
    g_atomic_pointer_set (request->slot, kernel);
  else
    g_debug ("%s is not built in the background: %s", request->shader->name,
        error->message);
  g_free (request);
  g_mutex_lock (&builder->lock);
  if (--builder->pending == 0)
    g_cond_broadcast (&builder->is_idle);
  g_mutex_unlock (&builder->lock);
}

GpuBuilder *
gpu_builder_new (GpuDevice * device)
{
  GpuBuilder *builder = g_new0 (GpuBuilder, 1);

  builder->device = gpu_device_ref (device);
  g_mutex_init (&builder->lock);
  g_cond_init (&builder->is_idle);
  builder->pool = g_thread_pool_new_full (build, builder, g_free, 1, FALSE,
      NULL);
  return builder;
}

void
gpu_builder_free (GpuBuilder * builder)
{
  gint64 begin;

  /* In a forked child the thread does not exist. */
  if (gpu_process_is_over ())
    return;
  begin = gpu_trace_begin ();
  g_thread_pool_free (builder->pool, TRUE, TRUE);
  gpu_trace_end (begin, "wait",
      "the builder goes: what it began must be done first",
      "background builds");
  g_cond_clear (&builder->is_idle);
  g_mutex_clear (&builder->lock);
  gpu_device_unref (builder->device);
  g_free (builder);
}

void
gpu_builder_request (GpuBuilder * builder, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GpuKernel ** slot)
{
  Request *request;

  g_return_if_fail (n_constants <= GPU_MAX_CONSTANTS);
  if (gpu_process_is_over ())
    return;
  request = g_new0 (Request, 1);
  request->shader = shader;
  memcpy (request->constants, constants, n_constants * sizeof *constants);
  request->n_constants = n_constants;
  request->slot = slot;
  g_mutex_lock (&builder->lock);
  builder->pending++;
  g_mutex_unlock (&builder->lock);
  g_thread_pool_push (builder->pool, request, NULL);
}

void
gpu_builder_wait (GpuBuilder * builder)
{
  gint64 begin;

  if (gpu_process_is_over ())
    return;
  g_mutex_lock (&builder->lock);
  begin = builder->pending > 0 ? gpu_trace_begin () : 0;
  while (builder->pending > 0)
    g_cond_wait (&builder->is_idle, &builder->lock);
  g_mutex_unlock (&builder->lock);
  gpu_trace_end (begin, "wait", "the caller needs all that was requested",
      "background builds");
}
