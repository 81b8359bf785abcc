/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpucontext.h"

#define DEVICE_FIELD "device"
#define UUID_FIELD "device-uuid"

/* Converts a device to its name, for logs and for applications that print messages. */
static void
device_to_string (const GValue * from, GValue * to)
{
  GpuDevice *device = g_value_get_boxed (from);

  g_value_set_string (to, device ? gpu_device_get_info (device)->name : NULL);
}

typedef GpuDevice GstGpuFiltersDevice;

G_DEFINE_BOXED_TYPE_WITH_CODE (GstGpuFiltersDevice, gst_gpu_device,
    gpu_device_ref, gpu_device_unref,
    g_value_register_transform_func (g_define_type_id, G_TYPE_STRING,
        device_to_string));

static GstContext *
context_new (GpuDevice * device)
{
  GstContext *context = gst_context_new (GST_GPU_CONTEXT_TYPE, FALSE);

  gst_structure_set (gst_context_writable_structure (context),
      UUID_FIELD, G_TYPE_STRING, gpu_device_get_info (device)->uuid,
      DEVICE_FIELD, GST_TYPE_GPU_DEVICE, device, NULL);
  return context;
}

GpuDevice *
gst_gpu_context_get_device (GstContext * context)
{
  const GValue *value;

  if (!gst_context_has_context_type (context, GST_GPU_CONTEXT_TYPE))
    return NULL;
  value = gst_structure_get_value (gst_context_get_structure (context),
      DEVICE_FIELD);
  if (!value || !G_VALUE_HOLDS (value, GST_TYPE_GPU_DEVICE))
    return NULL;
  return g_value_get_boxed (value);
}

/* Ignores a lost device, and one that lacks something, so that the caller gets another. */
GpuDevice *
gst_gpu_context_take_device (GstContext * context, const gchar * selector,
    const GpuNeeds * needs, GError ** error)
{
  GpuDevice *device = gst_gpu_context_get_device (context);
  const gchar *uuid = NULL;

  if (device)
    gpu_device_ref (device);
  else if ((!selector || !*selector)
      && gst_context_has_context_type (context, GST_GPU_CONTEXT_TYPE))
    uuid = gst_structure_get_string (gst_context_get_structure (context),
        UUID_FIELD);
  if (uuid)
    device = gpu_device_open (uuid, needs, error);
  if (device && (gpu_device_is_lost (device)
          || !gpu_device_matches (device, selector)
          || !gpu_device_meets (device, needs, NULL)))
    g_clear_pointer (&device, gpu_device_unref);
  return device;
}

GstContext *
gst_gpu_context_ask (GstPad * pad, const gchar * type)
{
  GstQuery *query = gst_query_new_context (type);
  GstContext *context = NULL;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_context (query, &context);
  if (context)
    gst_context_ref (context);
  gst_query_unref (query);
  return context;
}

static GstContext *
ask_neighbour (GstElement * element, const gchar * pad_name, const gchar * type)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, pad_name);

  return gst_gpu_context_ask (pad, type);
}

/* The application or a parent bin answers by setting a context on @element. */
static void
ask_application (GstElement * element, const gchar * type)
{
  gst_element_post_message (element,
      gst_message_new_need_context (GST_OBJECT (element), type));
}

GstContext *
gst_gpu_context_find (GstElement * element, const gchar * type)
{
  GstContext *context = ask_neighbour (element, "sink", type);

  if (!context)
    context = gst_element_get_context (element, type);
  if (!context)
    context = ask_neighbour (element, "src", type);
  if (!context) {
    ask_application (element, type);
    context = gst_element_get_context (element, type);
  }
  return context;
}

static GpuDevice *
find_in_own_contexts (GstElement * element, const gchar * selector,
    const GpuNeeds * needs, GError ** error)
{
  g_autoptr (GstContext) context =
      gst_element_get_context (element, GST_GPU_CONTEXT_TYPE);

  return context ? gst_gpu_context_take_device (context, selector, needs,
      error) : NULL;
}

typedef struct
{
  const gchar *selector;
  const GpuNeeds *needs;
  GpuDevice *device;
} PeerSearch;

static gboolean
ask_peer (GstElement * element, GstPad * pad, gpointer data)
{
  PeerSearch *search = data;
  g_autoptr (GstContext) context = gst_gpu_context_ask (pad,
      GST_GPU_CONTEXT_TYPE);

  if (context)
    search->device =
        gst_gpu_context_take_device (context, search->selector,
        search->needs, NULL);
  return search->device == NULL;
}

GpuDevice *
gst_gpu_context_find_device (GstElement * element, const gchar * selector,
    const GpuNeeds * needs, GError ** error)
{
  GError *failure = NULL;
  PeerSearch search = { selector, needs, NULL };
  GpuDevice *device = find_in_own_contexts (element, selector, needs, &failure);
  GstContext *context;

  if (!device && !failure) {
    gst_element_foreach_src_pad (element, ask_peer, &search);
    if (!search.device)
      gst_element_foreach_sink_pad (element, ask_peer, &search);
    device = search.device;
  }
  if (!device && !failure) {
    ask_application (element, GST_GPU_CONTEXT_TYPE);
    device = find_in_own_contexts (element, selector, needs, &failure);
  }
  if (!device && !failure) {
    device = gpu_device_open (selector, needs, &failure);
    if (device) {
      context = context_new (device);
      gst_element_set_context (element, context);
      gst_element_post_message (element,
          gst_message_new_have_context (GST_OBJECT (element), context));
    }
  }
  if (failure)
    g_propagate_error (error, failure);
  return device;
}

gboolean
gst_gpu_context_answer (GstQuery * query, GpuDevice * device)
{
  const gchar *type;
  GstContext *context;

  if (!device || !gst_query_parse_context_type (query, &type)
      || !g_str_equal (type, GST_GPU_CONTEXT_TYPE))
    return FALSE;
  context = context_new (device);
  gst_query_set_context (query, context);
  gst_context_unref (context);
  return TRUE;
}
