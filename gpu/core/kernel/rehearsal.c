/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rehearsal.h"
#include "gpu/core/device/bindings.h"
#include "gpu/core/device/process.h"
#include "gpu/core/device/commands.h"

#include <string.h>

/* The reason in trace lines. */
#define REASON "the driver compiles it early"

/* A first dispatch that takes no longer than the first of these found the kernel in the driver's
 * cache. One that takes as long as the second has compiled it, even if the machine is busy. */
#define COMPILED_US 8000
#define SURELY_COMPILED_US 60000

/* A thread of the driver writes the cache. On a busy machine it has been seen to take 50 ms. */
#define WRITING_US 100000

/* After so many kernels that were compiled twice, the driver is taken to keep no cache. */
#define MAX_DOUBTS 3

/* A spare device, for one thread at a time. */
typedef struct
{
  GpuDevice *device;
  GpuTryout tryout;
} Spare;

/* A kernel that the driver has compiled. */
typedef struct
{
  const GpuShader *shader;
  guint32 constants[GPU_MAX_CONSTANTS];
  guint n_constants;
  gint64 duration;              /* of its first dispatch, in microseconds */
  gint64 written;               /* when the driver has written its cache */
} Compiled;

struct _GpuRehearsal
{
  GpuDevice *device;
  GMutex lock;                  /* protects the members below */
  GQueue idle[GPU_KERNEL_LATER + 1];    /* of Spare, by urgency */
  gboolean is_cache_seen;       /* a kernel was compiled once, and found when built again */
  guint doubts;                 /* kernels that were not found */
  Compiled compiled;            /* the kernel to be built again; shader NULL: none */
};

gboolean gpu_rehearsal_is_allowed = TRUE;

GpuRehearsal *
gpu_rehearsal_new (GpuDevice * device)
{
  GpuRehearsal *rehearsal;

  if (device->driver != VK_DRIVER_ID_MESA_LLVMPIPE || !gpu_rehearsal_is_allowed)
    return NULL;
  rehearsal = g_new0 (GpuRehearsal, 1);
  rehearsal->device = device;
  g_mutex_init (&rehearsal->lock);
  return rehearsal;
}

/* --- spare devices --- */

static void
free_spare (gpointer data)
{
  Spare *spare = data;

  gpu_tryout_clear (&spare->tryout);
  gpu_device_unref (spare->device);
  g_free (spare);
}

void
gpu_rehearsal_free (GpuRehearsal * rehearsal)
{
  for (guint i = 0; i < G_N_ELEMENTS (rehearsal->idle); i++)
    g_queue_clear_full (&rehearsal->idle[i], free_spare);
  g_mutex_clear (&rehearsal->lock);
  g_free (rehearsal);
}

static Spare *
new_spare (GpuDevice * device)
{
  GpuDevice *again = gpu_device_open_again (device, NULL);
  Spare *spare;

  if (!again)
    return NULL;
  spare = g_new0 (Spare, 1);
  spare->device = again;
  if (!gpu_tryout_init (&spare->tryout, again, "rehearsal", NULL))
    g_clear_pointer (&spare, free_spare);
  return spare;
}

static Spare *
take_spare (GpuRehearsal * rehearsal, GpuKernelUrgency urgency)
{
  Spare *spare;

  g_mutex_lock (&rehearsal->lock);
  spare = g_queue_pop_head (&rehearsal->idle[urgency]);
  g_mutex_unlock (&rehearsal->lock);
  return spare ? spare : new_spare (rehearsal->device);
}

static void
return_spare (GpuRehearsal * rehearsal, GpuKernelUrgency urgency, Spare * spare)
{
  g_mutex_lock (&rehearsal->lock);
  g_queue_push_head (&rehearsal->idle[urgency], spare);
  g_mutex_unlock (&rehearsal->lock);
}

/* Builds the kernel on @spare and dispatches it. Returns how long the dispatch took, in
 * microseconds; -1 if it failed. */
static gint64
dispatch (Spare * spare, const GpuShader * shader, const guint32 * constants,
    guint n_constants)
{
  GpuDevice *device = spare->device;
  VkPipeline pipeline;
  VkResult result = gpu_pipeline_create (device, shader, constants,
      n_constants, VK_NULL_HANDLE, &pipeline);
  gint64 begin = g_get_monotonic_time ();

  if (!result)
    result = gpu_tryout_run (&spare->tryout, pipeline, 0, REASON);
  if (!spare->tryout.may_run)
    device->vk.vkDestroyPipeline (device->device, pipeline, NULL);
  return result ? -1 : g_get_monotonic_time () - begin;
}

static gboolean
is_useful (GpuRehearsal * rehearsal)
{
  gboolean useful;

  g_mutex_lock (&rehearsal->lock);
  useful = rehearsal->doubts < MAX_DOUBTS;
  g_mutex_unlock (&rehearsal->lock);
  return useful;
}

/* Ends rehearsals, as one failed. */
static void
give_up (GpuRehearsal * rehearsal)
{
  g_mutex_lock (&rehearsal->lock);
  rehearsal->is_cache_seen = FALSE;
  rehearsal->doubts = MAX_DOUBTS;
  g_mutex_unlock (&rehearsal->lock);
}

/* --- whether the driver has a cache --- */

/* Keeps a kernel to build it again, if there is none yet. */
static void
keep_compiled (GpuRehearsal * rehearsal, const Compiled * compiled)
{
  g_mutex_lock (&rehearsal->lock);
  if (!rehearsal->is_cache_seen && !rehearsal->compiled.shader)
    rehearsal->compiled = *compiled;
  g_mutex_unlock (&rehearsal->lock);
}

/* Takes the kernel to build again, if its time has come. */
static gboolean
take_compiled (GpuRehearsal * rehearsal, Compiled * compiled)
{
  gboolean is_due;

  g_mutex_lock (&rehearsal->lock);
  is_due = rehearsal->compiled.shader
      && g_get_monotonic_time () >= rehearsal->compiled.written;
  if (is_due) {
    *compiled = rehearsal->compiled;
    rehearsal->compiled.shader = NULL;
  }
  g_mutex_unlock (&rehearsal->lock);
  return is_due;
}

static void
note_cache (GpuRehearsal * rehearsal, gboolean is_found)
{
  g_mutex_lock (&rehearsal->lock);
  rehearsal->is_cache_seen |= is_found;
  if (!rehearsal->is_cache_seen && ++rehearsal->doubts == MAX_DOUBTS)
    g_info ("%s keeps no compiled shaders, which delays the first frames; see "
        "MESA_SHADER_CACHE_DIR in Mesa's documentation",
        rehearsal->device->info.name);
  g_mutex_unlock (&rehearsal->lock);
}

static void
look_for_cache (GpuRehearsal * rehearsal, Spare * spare)
{
  Compiled compiled;
  gint64 again;

  if (!take_compiled (rehearsal, &compiled))
    return;
  again = dispatch (spare, compiled.shader, compiled.constants,
      compiled.n_constants);
  if (again >= 0)
    note_cache (rehearsal, again < compiled.duration / 2);
}

/* --- rehearsals --- */

static gint64
rehearse (GpuRehearsal * rehearsal, Spare * spare, const GpuShader * shader,
    const guint32 * constants, guint n_constants)
{
  Compiled compiled = {.shader = shader, .n_constants = n_constants};

  if (spare->tryout.may_run)
    return 0;
  compiled.duration = dispatch (spare, shader, constants, n_constants);
  if (compiled.duration < 0)
    give_up (rehearsal);
  if (compiled.duration <= COMPILED_US)
    return 0;
  if (n_constants > 0)
    memcpy (compiled.constants, constants, n_constants * 4);
  compiled.written = g_get_monotonic_time () + WRITING_US;
  if (compiled.duration >= SURELY_COMPILED_US)
    keep_compiled (rehearsal, &compiled);
  return compiled.written;
}

gint64
gpu_rehearsal_run (GpuRehearsal * rehearsal, GpuKernelUrgency urgency,
    const GpuShader * shader, const guint32 * constants, guint n_constants)
{
  Spare *spare;
  gint64 usable_from;

  if (!is_useful (rehearsal))
    return 0;
  spare = take_spare (rehearsal, urgency);
  if (!spare) {
    give_up (rehearsal);
    return 0;
  }
  look_for_cache (rehearsal, spare);
  usable_from = rehearse (rehearsal, spare, shader, constants, n_constants);
  /* Otherwise leaked: the device may still be using it. */
  if (!spare->tryout.may_run)
    return_spare (rehearsal, urgency, spare);
  return usable_from;
}
