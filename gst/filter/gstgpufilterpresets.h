/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GstPreset with presets that are built in. GStreamer's own implementation reads presets
 * from files only: these would have to be found from a build folder, and from where a
 * user installs the plugin. Presets that users save are in GStreamer's files. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_GPU_FILTER_PRESET_MAX_VALUES 8

/* Properties that it does not name have their defaults. All strings are static. */
typedef struct
{
  const gchar *name, *comment;
  struct
  {
    const gchar *property, *value;      /* as gst-launch-1.0 reads it */
  } values[GST_GPU_FILTER_PRESET_MAX_VALUES + 1];       /* the last has no property */
} GstGpuFilterPreset;

/* The presets of a class. */
typedef struct
{
  const gchar *const *properties;       /* all that presets set and save, then NULL */
  const GstGpuFilterPreset *presets;    /* the last has no name */
} GstGpuFilterPresets;

/* For G_IMPLEMENT_INTERFACE (GST_TYPE_PRESET, ...) of a class that sets `presets` of
 * GstGpuFilterClass. A saved preset replaces a built-in one of the same name. */
void gst_gpu_filter_presets_implement (gpointer preset_interface,
    gpointer unused);

/* Returns whether a property of @self is read because this thread saves a preset of it. */
gboolean gst_gpu_filter_presets_is_saving (GstPreset * self);

G_END_DECLS
