/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu_fixture.h"

#include "gpu/core/device/vulkan.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu/core/kernel/rehearsal.h"

#include <string.h>

static GpuDevice *the_device;

/* Whether @device is one for tests that want a subgroup size. A CPU that does
 * not have it is an error: what was to be tested would not be. */
static gboolean
has_wanted_subgroups (GpuDevice * device)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);
  const gchar *wanted = g_getenv ("GPU_TEST_SUBGROUP_SIZE");

  if (!wanted)
    return TRUE;
  if (info->kind != GPU_DEVICE_CPU) {
    g_printerr ("# \"%s\" has the subgroups it has\n", info->name);
    return FALSE;
  }
  if (info->subgroup_size != g_ascii_strtoull (wanted, NULL, 10))
    g_error ("subgroups of \"%s\" have %u lanes, not %s", info->name,
        info->subgroup_size, wanted);
  return TRUE;
}

void
gpu_fixture_explain_absence (const GError * error)
{
  switch (error->code) {
    case GPU_ERROR_NO_VULKAN:
    case GPU_ERROR_NO_DEVICE:
    case GPU_ERROR_UNSUPPORTED:
      g_printerr ("# %s\n", error->message);
      break;
    default:
      g_error ("%s", error->message);
  }
}

static void
read_no_texels (GpuDevice * device)
{
  device->reads_texels = FALSE;
}

static PFN_vkWaitForFences wait_in_driver;

static VkResult VKAPI_CALL
wait_until_done (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  return wait_in_driver (device, n, fences, all, timeout ? UINT64_MAX : 0);
}

/* Tests make it one of another kind, and those hang if they take ten seconds. But how long
 * a CPU takes depends on what else it does. */
static void
be_patient (GpuDevice * device)
{
  if (device->info.kind != GPU_DEVICE_CPU
      || device->vk.vkWaitForFences == wait_until_done)
    return;
  wait_in_driver = device->vk.vkWaitForFences;
  device->vk.vkWaitForFences = wait_until_done;
}

GpuDevice *
gpu_fixture_device (void)
{
  g_autoptr (GError) error = NULL;

  if (the_device)
    return the_device;
  if (g_strcmp0 (g_getenv ("GPU_TEST_TEXELS"), "no") == 0)
    gpu_device_edit = read_no_texels;
  /* Tests request many kernels that they never dispatch, and need not compile. */
  gpu_rehearsal_is_allowed = FALSE;
  gpu_kernels_later_delay = G_TIME_SPAN_DAY;
  the_device = gpu_device_open (g_getenv ("GPU_TEST_DEVICE"), NULL, &error);
  if (!the_device)
    gpu_fixture_explain_absence (error);
  else if (!has_wanted_subgroups (the_device))
    gpu_fixture_close ();
  else
    be_patient (the_device);
  return the_device;
}

gboolean
gpu_fixture_skips_all (void)
{
  if (gpu_fixture_device ())
    return FALSE;
  g_print ("1..0 # SKIP no device\n");
  return TRUE;
}

void
gpu_fixture_close (void)
{
  g_clear_pointer (&the_device, gpu_device_unref);
}

int
gpu_fixture_run_tests (void)
{
  int result = g_test_run ();

  gpu_fixture_close ();
  return result;
}

GpuDevice *
gpu_fixture_open_another (void)
{
  g_autoptr (GError) error = NULL;
  GpuDevice *device =
      gpu_device_open_own (g_getenv ("GPU_TEST_DEVICE"), NULL, &error);

  g_assert_no_error (error);
  be_patient (device);
  return device;
}

static void
run_or_skip (gconstpointer run)
{
  if (gpu_fixture_device ())
    ((GTestFunc) run) ();
  else
    g_test_skip ("no device");
}

void
gpu_fixture_add_test (const gchar * path, GTestFunc run)
{
  g_test_add_data_func (path, run, run_or_skip);
}

guint8 *
gpu_fixture_run (GpuStream * stream, const GpuFixtureWork * work,
    const guint8 * bytes, GError ** error)
{
  const gsize in_size = work->in->size, out_size = work->out->size;
  GpuDevice *device = gpu_stream_get_device (stream);
  g_autoptr (GpuBuffer) upload = gpu_buffer_new (device, GPU_BUFFER_HOST,
      in_size, "test upload", error);
  g_autoptr (GpuBuffer) source = upload ? gpu_buffer_new (device,
      GPU_BUFFER_DEVICE, in_size, "test source", error) : NULL;
  g_autoptr (GpuBuffer) target = source ? gpu_buffer_new (device,
      GPU_BUFFER_DEVICE, out_size, "test target", error) : NULL;
  g_autoptr (GpuBuffer) download = target ? gpu_buffer_new (device,
      GPU_BUFFER_HOST, out_size, "test download", error) : NULL;
  GpuFrame in = { *work->in, source }, out = { *work->out, target };
  GpuTicket ticket = { 0 };
  guint8 *result = NULL;

  if (!download)
    return NULL;
  memcpy (gpu_buffer_get_data (upload), bytes, in_size);
  gpu_stream_next_frame (stream);
  if (!gpu_buffer_flush (upload, error) || !gpu_stream_begin (stream, error))
    return NULL;
  gpu_stream_stage (stream, "upload");
  gpu_stream_copy (stream, upload, 0, source, 0, gpu_buffer_get_size (source));
  gpu_stream_fill (stream, target, 0, gpu_buffer_get_size (target), 0xa5a5a5a5);
  if (!work->record (stream, &in, &out, work->data, error)) {
    gpu_stream_abandon (stream);
    return NULL;
  }
  gpu_stream_stage (stream, "download");
  gpu_stream_copy (stream, target, 0, download, 0,
      gpu_buffer_get_size (target));
  if (gpu_stream_submit (stream, &ticket, error)
      && gpu_ticket_wait (&ticket, error)
      && gpu_buffer_invalidate (download, error))
    result = g_memdup2 (gpu_buffer_get_data (download), out_size);
  gpu_ticket_clear (&ticket);
  return result;
}

static gsize
row_bytes (const GpuFrameInfo * info, guint plane)
{
  return (gsize) gpu_frame_info_plane_width (info, plane)
      * gpu_pixel_format_get_size (gpu_pixels_get_format (info->pixels), plane);
}

void
gpu_fixture_pack (const GpuFrameInfo * info, guint plane,
    const guint8 * tight, guint8 * frame)
{
  gsize size = row_bytes (info, plane);

  for (guint y = 0; y < gpu_frame_info_plane_height (info, plane); y++)
    memcpy (frame + info->offset[plane] + y * info->stride[plane],
        tight + y * size, size);
}

void
gpu_fixture_unpack (const GpuFrameInfo * info, guint plane,
    const guint8 * frame, guint8 * tight)
{
  gsize size = row_bytes (info, plane);

  for (guint y = 0; y < gpu_frame_info_plane_height (info, plane); y++)
    memcpy (tight + y * size,
        frame + info->offset[plane] + y * info->stride[plane], size);
}
