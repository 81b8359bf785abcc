/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include <string.h>

/* *INDENT-OFF* */
static const GstGpuEnum on_device_lost = {"GstGpuFilterOnDeviceLost", (const GEnumValue[]) {
  {GST_GPU_FILTER_ON_DEVICE_LOST_ERROR, "The stream ends in an error", "error"},
  {GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER,
    "The stream goes on with the device opened anew, or another one", "recover"},
  {0, NULL, NULL}
}};

/* docs/gpublur.md explains the properties, and the fields of "stats". */
#define OFFSET(field) G_STRUCT_OFFSET (GstGpuFilterSettings, field)

const GstGpuProperty gst_gpu_filter_properties[] = {
  {"device", "Device",
    "Vulkan device: its index, UUID or a part of its name; empty for the best one "
    "(changeable in NULL)",
    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS, G_TYPE_STRING, OFFSET (selector)},
  {"async-depth", "Async depth", "Frames that the device may work on at once",
    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY, G_TYPE_UINT,
    OFFSET (async_depth), 3, 1, 8},
  {"on-device-lost", "On device lost", "What becomes of the stream when the device is lost",
    GST_GPU_PROPERTY_MUTABLE, G_TYPE_ENUM,
    OFFSET (on_device_lost), GST_GPU_FILTER_ON_DEVICE_LOST_ERROR, .choices = &on_device_lost},
  {"stats", "Statistics", "Device, counters since the start, and times of a recent frame",
    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS, G_TYPE_BOXED},
  {0}
};
/* *INDENT-ON* */

guint
gst_gpu_filter_get_async_depth (GstGpuFilter * self)
{
  guint depth;

  GST_OBJECT_LOCK (self);
  depth = self->priv->settings.async_depth;
  GST_OBJECT_UNLOCK (self);
  return depth;
}

/* --- statistics --- */

void
gst_gpu_filter_add_stream_counts (GpuStreamCounts * sum, GpuStream * stream)
{
  GpuStreamCounts counts;

  gpu_stream_get_counts (stream, &counts);
  sum->slot_waits += counts.slot_waits;
  sum->pacer_waits += counts.pacer_waits;
  sum->part_waits += counts.part_waits;
  sum->builds += counts.builds;
}

/* @counts: counts of earlier streams. */
static void
add_stream_stats (GstStructure * stats, GpuStream * stream,
    GpuStreamCounts counts)
{
  GpuTimings timings;
  GValue stages = G_VALUE_INIT;

  gst_gpu_filter_add_stream_counts (&counts, stream);
  gpu_stream_get_timings (stream, &timings);
  g_value_init (&stages, GST_TYPE_ARRAY);
  for (guint i = 0; i < timings.n_stages; i++) {
    const GpuStageTime *stage = &timings.stages[i];
    GValue value = G_VALUE_INIT;

    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, gst_structure_new ("stage",
            "name", G_TYPE_STRING, stage->name,
            "dispatches", G_TYPE_UINT, stage->dispatches,
            "time", G_TYPE_UINT64, stage->total,
            "longest", G_TYPE_UINT64, stage->longest, NULL));
    gst_value_array_append_and_take_value (&stages, &value);
  }
  gst_structure_take_value (stats, "stages", &stages);
  gst_structure_set (stats,
      "frame-time", G_TYPE_UINT64, timings.span,
      "submissions", G_TYPE_UINT, timings.submissions,
      "longest-submission", G_TYPE_UINT64, timings.longest_submission,
      "longest-dispatch", G_TYPE_UINT64, timings.longest_dispatch,
      "waits-for-slot", G_TYPE_UINT64, counts.slot_waits,
      "waits-for-pacer", G_TYPE_UINT64, counts.pacer_waits,
      "waits-for-part", G_TYPE_UINT64, counts.part_waits,
      "builds-within-frames", G_TYPE_UINT64, counts.builds, NULL);
}

GstStructure *
gst_gpu_filter_collect_stats (GstGpuFilter * self)
{
  GstGpuFilterClass *klass = GST_GPU_FILTER_GET_CLASS (self);
  GstGpuFilterPrivate *priv = self->priv;
  GstStructure *stats = gst_structure_new_empty ("stats");
  GpuDevice *device;
  GpuStream *stream;
  GstGpuFilterCounters counters;
  const gchar *in, *out;
  guint64 memory;

  GST_OBJECT_LOCK (self);
  in = priv->in_memory;
  out = priv->out_memory;
  counters = priv->counters;
  device = priv->device ? gpu_device_ref (priv->device) : NULL;
  stream = priv->stream ? gpu_stream_ref (priv->stream) : NULL;
  memory = priv->engine_memory;
  if (priv->allocator)
    memory += gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR (priv->allocator));
  GST_OBJECT_UNLOCK (self);

  gst_structure_set (stats,
      "element-memory", G_TYPE_UINT64, memory,
      "input-memory", G_TYPE_STRING, in,
      "output-memory", G_TYPE_STRING, out,
      "frames", G_TYPE_UINT64, counters.frames,
      "dropped", G_TYPE_UINT64, counters.dropped,
      "frames-copied", G_TYPE_UINT64, counters.copied,
      "uploads", G_TYPE_UINT64, counters.uploads,
      "downloads", G_TYPE_UINT64, counters.downloads,
      "waits-for-result", G_TYPE_UINT64, counters.waits_for_result,
      "waits-for-readers", G_TYPE_UINT64, counters.waits_for_readers, NULL);
  if (device) {
    const GpuDeviceInfo *info = gpu_device_get_info (device);

    gst_structure_set (stats,
        "device", G_TYPE_STRING, info->name,
        "device-uuid", G_TYPE_STRING, info->uuid,
        "on-cpu", G_TYPE_BOOLEAN, info->kind == GPU_DEVICE_CPU,
        "unified-memory", G_TYPE_BOOLEAN,
        gpu_device_has_unified_memory (device), "memory", G_TYPE_UINT64,
        gpu_device_get_allocated (device), NULL);
  }
  if (stream)
    add_stream_stats (stats, stream, counters.of_streams);
  g_clear_pointer (&device, gpu_device_unref);
  g_clear_pointer (&stream, gpu_stream_unref);
  if (klass->fill_stats)
    klass->fill_stats (self, stats);
  return stats;
}

/* --- presets --- */

/* Returns GStreamer's implementation, whose presets are in files. */
static const GstPresetInterface *
get_files (void)
{
  return g_type_default_interface_peek (GST_TYPE_PRESET);
}

static gboolean
is_in_files (GstPreset * self, const gchar * name)
{
  g_auto (GStrv) names = get_files ()->get_preset_names (self);

  return names && g_strv_contains ((const gchar * const *) names, name);
}

static const GstGpuFilterPresets *
get_presets (GstPreset * self)
{
  return GST_GPU_FILTER_GET_CLASS (self)->presets;
}

/* Returns NULL if no built-in preset has this name, or a file replaces it. */
static const GstGpuFilterPreset *
find_built_in (GstPreset * self, const gchar * name)
{
  const GstGpuFilterPreset *preset = get_presets (self)->presets;

  while (preset->name && !g_str_equal (preset->name, name))
    preset++;
  return preset->name && !is_in_files (self, name) ? preset : NULL;
}

/* Returns built-in presets in the order of the table, then the others by name. */
static gchar **
get_preset_names (GstPreset * self)
{
  g_auto (GStrv) in_files = get_files ()->get_preset_names (self);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const GstGpuFilterPreset *preset = get_presets (self)->presets;

  for (; preset->name; preset++)
    if (find_built_in (self, preset->name))
      g_strv_builder_add (names, preset->name);
  if (in_files)
    g_strv_builder_addv (names, (const gchar **) in_files);
  return g_strv_builder_end (names);
}

static gchar **
get_property_names (GstPreset * self)
{
  return g_strdupv ((gchar **) get_presets (self)->properties);
}

/* Sets every property, so that nothing is left of a preset that was loaded before. */
static gboolean
load_preset (GstPreset * self, const gchar * name)
{
  const GstGpuFilterPreset *preset = find_built_in (self, name);
  const gchar *const *property = get_presets (self)->properties;

  if (!preset)
    return get_files ()->load_preset (self, name);
  for (; *property; property++) {
    const gchar *value = NULL;

    for (guint i = 0; preset->values[i].property; i++)
      if (g_str_equal (preset->values[i].property, *property))
        value = preset->values[i].value;
    if (value)
      gst_util_set_object_arg (G_OBJECT (self), *property, value);
    else
      g_object_set_property (G_OBJECT (self), *property,
          g_param_spec_get_default_value (g_object_class_find_property
              (G_OBJECT_GET_CLASS (self), *property)));
  }
  return TRUE;
}

/* The element of which this thread saves a preset, or NULL. */
static GPrivate saved_element;

gboolean
gst_gpu_filter_presets_is_saving (GstPreset * self)
{
  return g_private_get (&saved_element) == self;
}

static gboolean
save_preset (GstPreset * self, const gchar * name)
{
  gboolean is_saved;

  g_private_set (&saved_element, self);
  is_saved = get_files ()->save_preset (self, name);
  g_private_set (&saved_element, NULL);
  return is_saved;
}

/* Files would get a preset of this name that has no properties, if there is none. */
static gboolean
set_meta (GstPreset * self, const gchar * name, const gchar * tag,
    const gchar * value)
{
  return is_in_files (self, name)
      && get_files ()->set_meta (self, name, tag, value);
}

static gboolean
get_meta (GstPreset * self, const gchar * name, const gchar * tag,
    gchar ** value)
{
  const GstGpuFilterPreset *preset = find_built_in (self, name);

  if (!preset)
    return get_files ()->get_meta (self, name, tag, value);
  *value = g_str_equal (tag, "comment") ? g_strdup (preset->comment) : NULL;
  return *value != NULL;
}

void
gst_gpu_filter_presets_implement (gpointer preset_interface, gpointer unused)
{
  GstPresetInterface *iface = preset_interface;

  iface->get_preset_names = get_preset_names;
  iface->get_property_names = get_property_names;
  iface->load_preset = load_preset;
  iface->save_preset = save_preset;
  iface->set_meta = set_meta;
  iface->get_meta = get_meta;
}
