/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks whether the invocations of a subgroup are consecutive in their workgroup. Sums
 * over workgroups rely on this, but Vulkan does not guarantee it and drivers do not
 * report it. So a shader tests it for one workgroup shape. The probe has its own buffer
 * and pipeline, so that a newly opened device holds no other objects. If the device hangs
 * in the probe, the probe is kept, and later openings check it. */
#include "gpu/core/device/bindings.h"
#include "gpu/core/device/trace.h"
#include "gpu/core/device/commands.h"

#include "shaders.h"

#define GROUP_THREADS 256
#define GROUPS 16

/* The reason in trace lines. */
#define REASON "the device is opened and tried out"

typedef struct
{
  GpuDevice *device;
  GpuTryout tryout;
  VkPipeline pipeline;
  VkDevice kept;                /* set for hanging probes only */
} Probe;

/* Probes whose wait timed out. Protected by the lock of open.c. */
static GSList *hanging;

static VkResult
make_pipeline (Probe * probe)
{
  gint64 begin = gpu_trace_begin ();
  VkResult result = gpu_pipeline_create (probe->device,
      &gpu_shader_subgroup_probe, NULL, 0, VK_NULL_HANDLE, &probe->pipeline);

  gpu_trace_end (begin, "build", REASON, "kernel %s",
      gpu_shader_subgroup_probe.name);
  return result;
}

static gboolean
make_tryout (Probe * probe, GError ** error)
{
  gint64 begin = gpu_trace_begin ();
  gboolean done = gpu_tryout_init (&probe->tryout, probe->device, "lanes",
      error);

  gpu_trace_end (begin, "allocate", REASON, "device %s",
      probe->device->info.name);
  return done;
}

static gboolean
run (Probe * probe, GError ** error)
{
  VkResult result;

  if (!make_tryout (probe, error))
    return FALSE;
  result = make_pipeline (probe);
  if (!result)
    result = gpu_tryout_run (&probe->tryout, probe->pipeline, GROUPS, REASON);
  return gpu_device_check (probe->device, result, probe->device->info.name,
      error);
}

static void
clear (Probe * probe)
{
  GpuDevice *device = probe->device;

  gpu_tryout_clear (&probe->tryout);
  device->vk.vkDestroyPipeline (device->device, probe->pipeline, NULL);
}

/* --- devices that hang in the probe --- */

/* Keeps the objects that the device may still use. It takes the VkDevice away from
 * @device, so that the opener does not destroy it. Another reference to @device keeps the
 * instance. */
static void
keep (const Probe * probe)
{
  GpuDevice *device = gpu_device_ref (probe->device);
  Probe *copy = g_memdup2 (probe, sizeof *probe);

  copy->kept = device->device;
  device->device = VK_NULL_HANDLE;
  gpu_device_mark_lost (device);
  hanging = g_slist_prepend (hanging, copy);
}

static void
let_go (Probe * probe)
{
  hanging = g_slist_remove (hanging, probe);
  probe->device->device = probe->kept;
  clear (probe);
  gpu_device_unref (probe->device);
  g_free (probe);
}

static Probe *
find_hanging (const GpuDeviceInfo * info)
{
  for (GSList * l = hanging; l; l = l->next) {
    Probe *probe = l->data;

    if (gpu_device_info_is_same (&probe->device->info, info))
      return probe;
  }
  return NULL;
}

gboolean
gpu_device_check_not_hanging (const GpuDeviceInfo * info, GError ** error)
{
  Probe *probe = find_hanging (info);
  VkResult result;

  if (!probe)
    return TRUE;
  result = probe->device->vk.vkGetFenceStatus (probe->kept,
      probe->tryout.commands.fence);
  if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST) {
    let_go (probe);
    return TRUE;
  }
  g_set_error (error, GPU_ERROR, GPU_ERROR_LOST,
      "%s hangs: it has not finished what it was given when it was opened "
      "before; restart the program, and if it happens again update the driver "
      "or choose another device", info->name);
  return FALSE;
}

/* --- the probe --- */

static void
forbid_subgroups (GpuDevice * device)
{
  device->info.subgroup_size = 0;
  device->info.subgroup_fault =
      "subgroups that are full and in the order of the threads";
  device->info.requires_lanes = FALSE;
}

gboolean
gpu_device_probe_subgroups (GpuDevice * device, GError ** error)
{
  Probe probe = { device };
  gboolean is_done;

  if (device->info.subgroup_size == 0)
    return TRUE;
  is_done = run (&probe, error);
  if (probe.tryout.may_run) {
    keep (&probe);
    return FALSE;
  }
  if (is_done && *probe.tryout.word != GROUPS * GROUP_THREADS)
    forbid_subgroups (device);
  clear (&probe);
  return is_done;
}
