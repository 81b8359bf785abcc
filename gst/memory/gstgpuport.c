/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpuport.h"

#include <string.h>

#ifdef HAVE_VULKAN_IMAGES
#include "gstgpuvulkanport.h"
#endif
#ifdef HAVE_CUDA_MEMORY
#include "gstgpucudaport.h"
#endif
#ifdef HAVE_GL_MEMORY
#include "gstgpuglport.h"
#endif

static const GstGpuPort system_memory = {
  .memory = GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY,
};

static const GstGpuPort *const ports[] = {
#ifdef HAVE_VULKAN_IMAGES
  &gst_gpu_vulkan_port,
#endif
#ifdef HAVE_CUDA_MEMORY
  &gst_gpu_cuda_port,
#endif
#ifdef HAVE_GL_MEMORY
  &gst_gpu_gl_port,
#endif
  &system_memory,
};

const GstGpuPort *
gst_gpu_port_get (guint i)
{
  return i < G_N_ELEMENTS (ports) ? ports[i] : NULL;
}

const GstGpuPort *
gst_gpu_port_get_system (void)
{
  return &system_memory;
}

gboolean
gst_gpu_port_is_system (const GstGpuPort * port)
{
  return port == &system_memory;
}

const gchar *
gst_gpu_port_get_name (const GstGpuPort * port)
{
  return strchr (port->memory, ':') + 1;
}

const GstGpuPort *
gst_gpu_port_find (GstCaps * caps)
{
  GstCapsFeatures *features = gst_caps_get_features (caps, 0);

  for (guint i = 0; i < G_N_ELEMENTS (ports); i++) {
    GstCapsFeatures *mine = gst_caps_features_new (ports[i]->memory, NULL);
    gboolean is_it = gst_caps_features_is_equal (features, mine);

    gst_caps_features_free (mine);
    if (is_it)
      return ports[i];
  }
  return NULL;
}

GstCaps *
gst_gpu_port_choose (const GstGpuPort * port, GstCaps * formats)
{
  GstCaps *all, *chosen;

  if (!port->takes)
    return formats;
  all = gst_gpu_formats_get_caps (port->takes);
  chosen = gst_caps_intersect_full (formats, all, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (all);
  gst_caps_unref (formats);
  return chosen;
}

GstCaps *
gst_gpu_port_take (const GstGpuPort * port, GstCaps * caps)
{
  GstCaps *all = gst_gpu_port_mark (port,
      gst_caps_new_empty_simple ("video/x-raw"));
  GstCaps *part = gst_caps_intersect_full (caps, all, GST_CAPS_INTERSECT_FIRST);

  gst_caps_unref (all);
  part = gst_caps_make_writable (part);
  gst_caps_set_features_simple (part, NULL);
  return part;
}

GstCaps *
gst_gpu_port_mark (const GstGpuPort * port, GstCaps * caps)
{
  caps = gst_caps_make_writable (caps);
  gst_caps_set_features_simple (caps, gst_caps_features_new (port->memory,
          NULL));
  if (port->caps_field)
    gst_caps_set_simple (caps, port->caps_field, G_TYPE_STRING,
        port->caps_value, NULL);
  return caps;
}

gboolean
gst_gpu_link_take_fault (GstGpuLink * link, GError * failure, GError ** error)
{
  if (g_error_matches (failure, GPU_ERROR, GPU_ERROR_NO_DEVICE)
      || g_error_matches (failure, GPU_ERROR, GPU_ERROR_UNSUPPORTED)) {
    link->fault = failure;
    return TRUE;
  }
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
gst_gpu_port_configure_pool (GstBufferPool * pool, GstStructure * config,
    GstCaps * caps, guint min)
{
  guint size;

  gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL);
  gst_buffer_pool_config_set_params (config, caps, MAX (size, 1), min, 0);
  return gst_buffer_pool_set_config (pool, config);
}

static void
add_pad (GstElementClass * klass, const gchar * name,
    GstPadDirection direction, GstGpuFormatsFilter is_wanted)
{
  GstCaps *formats = gst_gpu_formats_get_caps (is_wanted);
  GstCaps *caps = gst_caps_copy (formats);

  for (guint i = 0; i < G_N_ELEMENTS (ports); i++)
    if (!gst_gpu_port_is_system (ports[i]))
      gst_caps_append (caps, gst_gpu_port_mark (ports[i],
              gst_gpu_port_choose (ports[i], gst_caps_ref (formats))));
  gst_caps_set_simple (caps, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, "framerate",
      GST_TYPE_FRACTION_RANGE, 0, 1, G_MAXINT, 1, NULL);
  gst_caps_append (caps, gst_caps_from_string ("video/x-raw(ANY)"));
  gst_element_class_add_pad_template (klass, gst_pad_template_new (name,
          direction, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  gst_caps_unref (formats);
}

void
gst_gpu_port_add_pads (GstElementClass * klass,
    GstGpuFormatsFilter is_taken, GstGpuFormatsFilter is_made)
{
  add_pad (klass, "sink", GST_PAD_SINK, is_taken);
  add_pad (klass, "src", GST_PAD_SRC, is_made);
}
