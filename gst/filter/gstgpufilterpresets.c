/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilter.h"

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

/* --- the interface --- */

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

static const gchar *
find_value (const GstGpuFilterPreset * preset, const gchar * property)
{
  for (guint i = 0; preset->values[i].property; i++)
    if (g_str_equal (preset->values[i].property, property))
      return preset->values[i].value;
  return NULL;
}

static void
set_property (GObject * object, const gchar * name, const gchar * value)
{
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);

  if (value)
    gst_util_set_object_arg (object, name, value);
  else
    g_object_set_property (object, name,
        g_param_spec_get_default_value (pspec));
}

/* Sets every property, so that nothing is left of a preset that was loaded before. */
static gboolean
load_preset (GstPreset * self, const gchar * name)
{
  const GstGpuFilterPreset *preset = find_built_in (self, name);
  const gchar *const *property = get_presets (self)->properties;

  if (!preset)
    return get_files ()->load_preset (self, name);
  for (; *property; property++)
    set_property (G_OBJECT (self), *property, find_value (preset, *property));
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
