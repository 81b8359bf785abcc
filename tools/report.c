/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

#include "gpu/core/memory/buffer.h"
#include "times.h"

/* More than any machine has. */
#define MAX_DEVICES 16

static const gchar *const kinds[] = {
  [GPU_DEVICE_DISCRETE] = "a graphics card",
  [GPU_DEVICE_INTEGRATED] = "integrated graphics",
  [GPU_DEVICE_VIRTUAL] = "a virtual GPU",
  [GPU_DEVICE_OTHER] = "of an unknown kind",
  [GPU_DEVICE_CPU] = "the CPU",
};

static const gchar *
yes_or_no (gboolean value)
{
  return value ? "yes" : "no";
}

static void
write_device (FILE * to, GpuDevice * device)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);

  fprintf (to, "%u: %s\n", info->index, info->name);
  fprintf (to, "  kind: %s\n", kinds[info->kind]);
  fprintf (to, "  driver: %s\n", info->driver);
  if (info->subgroup_size > 0)
    fprintf (to, "  lanes of a subgroup: %u, %s\n", info->subgroup_size,
        info->requires_lanes ? "required" : "as reported");
  fprintf (to, "  memory is the CPU's too: %s\n",
      yes_or_no (gpu_device_has_unified_memory (device)));
  fprintf (to, "  memory that others take is known: %s\n",
      yes_or_no (info->has_memory_budget));
  fprintf (to, "  dma-bufs can be imported: %s\n",
      yes_or_no (info->imports_dmabufs));
  fprintf (to, "  memory can be exported: %s\n",
      yes_or_no (info->exports_memory));
  fprintf (to, "  semaphores can be exported: %s\n",
      yes_or_no (info->exports_semaphores));
  fprintf (to, "  sums in halves: %s\n", yes_or_no (info->has_float16));
  fprintf (to, "  atomic sums of 64 bits: %s\n",
      yes_or_no (info->has_atomic_int64));
  fprintf (to, "  timestamps: %s\n", yes_or_no (info->timestamp_period > 0));
}

static void
write_missing (FILE * to, GpuDevice * device)
{
  static const gchar *const elements[] = {
    [CHECK_BLUR] = "gpublur",
    [CHECK_PALETTE] = "meanshiftpalette",
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (GError) error = NULL;

    if (!check_can_run (i, device, &error))
      fprintf (to, "  %s cannot run: %s\n", elements[i], error->message);
  }
}

/* Asks the engines that can run. Returns the status that they have. */
static CheckStatus
write_answers (FILE * to, GpuDevice * device, const CheckAnswer * answers,
    guint n)
{
  CheckStatus status = CHECK_NO_DEVICE;

  for (guint i = 0; i < n; i++) {
    g_autoptr (GError) error = NULL;
    gboolean is_right;

    if (!check_can_run (answers[i].work.engine, device, NULL))
      continue;
    is_right = check_ask (device, &answers[i], &error);
    fprintf (to, "  %s: %s\n", answers[i].work.name,
        is_right ? "right" : error->message);
    if (!is_right)
      status = CHECK_WRONG;
    else if (status == CHECK_NO_DEVICE)
      status = CHECK_ALL_RIGHT;
  }
  return status;
}

/* Returns the status of several devices. */
static CheckStatus
join (CheckStatus one, CheckStatus other)
{
  if (one == CHECK_WRONG || other == CHECK_WRONG)
    return CHECK_WRONG;
  return MIN (one, other);
}

/* Pads @index with zeros, so that it does not match a part of a device name. */
static GpuDevice *
open_nth (guint index, GError ** error)
{
  g_autofree gchar *selector = g_strdup_printf ("%012u", index);

  return gpu_device_open (selector, NULL, error);
}

/* Returns whether @error means that there is no device with this or a higher index. */
static gboolean
is_end (const GError * error)
{
  return g_error_matches (error, GPU_ERROR, GPU_ERROR_NO_DEVICE)
      || g_error_matches (error, GPU_ERROR, GPU_ERROR_NO_VULKAN);
}

CheckStatus
check_report (FILE * to, const CheckAnswer * answers, guint n)
{
  CheckStatus status = CHECK_NO_DEVICE;

  for (guint i = 0; i < MAX_DEVICES; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GpuDevice) device = open_nth (i, &error);

    if (!device && is_end (error)) {
      if (i == 0)
        fprintf (to, "No device: %s\n", error->message);
      break;
    }
    if (!device) {
      fprintf (to, "%u: cannot be used: %s\n", i, error->message);
      continue;
    }
    write_device (to, device);
    write_missing (to, device);
    status = join (status, write_answers (to, device, answers, n));
    check_write_times (to, device);
  }
  return status;
}
