/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "vulkan_images_fixture.h"

#include "gst/filter/gstgpufilterprivate.h"

#include <dlfcn.h>

gboolean
images_can_be_made (void)
{
  static const gchar *const names[] = { "vulkanupload", "vulkandownload" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstElementFactory) factory = gst_element_factory_find (names[i]);

    if (!factory) {
      g_autofree gchar *text = g_strdup_printf ("there is no %s", names[i]);

      g_test_skip (text);
      return FALSE;
    }
  }
  return TRUE;
}

GstElement *
images_launch (const gchar * source, const gchar * filters, gboolean in_images)
{
  return pipeline_launch ("%s ! %s%s ! %sappsink name=sink sync=false",
      source, in_images ? "vulkanupload ! " : "", filters,
      in_images ? "vulkandownload ! " : "");
}

void
images_add_probe (GstElement * pipeline, const gchar * element,
    const gchar * name, GstPadProbeType type, GstPadProbeCallback callback,
    gpointer data)
{
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline),
      element);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, name);

  gst_pad_add_probe (pad, type, callback, data, NULL);
}

GpuDevice *
images_device_of (GstElement * filter)
{
  GpuDevice *device;

  GST_OBJECT_LOCK (filter);
  device = gpu_device_ref (GST_GPU_FILTER (filter)->priv->device);
  GST_OBJECT_UNLOCK (filter);
  return device;
}

GObject *
images_ask_for_device (GstElement * element, const gchar * name)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, name);
  GstQuery *query = gst_query_new_context (GST_VULKAN_DEVICE_CONTEXT_TYPE_STR);
  GstContext *context = NULL;
  GObject *device = NULL;

  if (gst_pad_query (pad, query)) {
    gst_query_parse_context (query, &context);
    device = g_value_dup_object (gst_structure_get_value
        (gst_context_get_structure (context),
            GST_VULKAN_DEVICE_CONTEXT_TYPE_STR));
  }
  gst_query_unref (query);
  return device;
}

/* Calls Vulkan as GStreamer does: tests make our calls fail, and a filter may have returned to a
 * device of its own by now. */
void
images_settle (GstElement * pipeline)
{
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  g_autoptr (GstElement) upload = gst_bin_get_by_name (GST_BIN (pipeline), "u");
  g_autoptr (GObject) device = upload ? images_ask_for_device (upload, "src")
      : images_ask_for_device (filter, "sink");
  void *loader = dlopen ("libvulkan.so.1", RTLD_NOW);
  PFN_vkDeviceWaitIdle wait_idle =
      (PFN_vkDeviceWaitIdle) dlsym (loader, "vkDeviceWaitIdle");

  g_assert_nonnull (wait_idle);
  if (device)
    wait_idle (((GstVulkanDevice *) device)->device);
  dlclose (loader);
}

GstPadProbeReturn
images_settle_before_caps (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS)
    images_settle (data);
  return GST_PAD_PROBE_OK;
}

void
images_stop (GstElement * pipeline)
{
  images_settle (pipeline);
  pipeline_stop (pipeline);
}

void
images_wait (GstPad * pad, GstBuffer * buffer)
{
  g_autoptr (GstElement) filter = gst_pad_get_parent_element (pad);
  g_autoptr (GpuDevice) device = images_device_of (filter);

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    const GstVulkanBarrierMemoryInfo *state = &((GstVulkanImageMemory *)
        gst_buffer_peek_memory (buffer, i))->barrier.parent;
    const VkSemaphoreWaitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
      .semaphoreCount = 1,
      .pSemaphores = &state->semaphore,
      .pValues = &state->semaphore_value,
    };

    g_assert_cmpint (device->vk.vkWaitSemaphores (device->device, &info,
            10 * GST_SECOND), ==, VK_SUCCESS);
  }
}

gboolean
images_are_in (GstCaps * caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_VULKAN_IMAGE);
}

GstPadProbeReturn
images_wait_for_upload (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  if (images_are_in (caps))
    images_wait (pad, GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

void
images_check_stats (GstElement * pipeline, const gchar * name,
    gboolean in_images, guint n)
{
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline),
      name);
  /* From one of our elements to the next, frames stay as they are. */
  const gchar *images = g_str_equal (name, "b") && n > 0
      ? "GstGpuMemory" : "VulkanImage";
  g_autoptr (GstStructure) stats = NULL;

  if (!filter)
    return;
  g_object_get (filter, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "input-memory"), ==,
      in_images ? images : "SystemMemory");
  fixture_check_stat (filter, "frames", n);
  fixture_check_stat (filter, "dropped", 0);
  if (in_images) {
    fixture_check_stat (filter, "frames-copied", 0);
    fixture_check_stat (filter, "uploads", 0);
    fixture_check_stat (filter, "downloads", 0);
  }
}

GByteArray *
images_collect (GstElement * pipeline, gboolean in_images, guint n)
{
  GByteArray *bytes = pipeline_collect (pipeline);

  fixture_check_messages (pipeline, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING, 0);
  images_check_stats (pipeline, "a", in_images, n);
  images_check_stats (pipeline, "b", in_images, n);
  return bytes;
}

void
images_assert_same (const GByteArray * got, const GByteArray * expected)
{
  g_assert_cmpuint (expected->len, >, 0);
  g_assert_cmpmem (got->data, got->len, expected->data, expected->len);
}
