/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of whole pipelines share. They load the plugin as applications do. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Where any blur will do: those of a Gaussian take a CPU device longer to build. */
#define BOX "gpublur kernel=box radius=2 "

GstElement *pipeline_launch (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* Plays until the end; fails on an error. */
void pipeline_run (GstElement * pipeline);

/* Unrefs it, too. */
void pipeline_stop (GstElement * pipeline);

/* An element that holds the device, which others find: to open one for each pipeline
 * costs a CPU device seconds of building shaders. NULL where there is none. */
GstElement *pipeline_hold_device (void);

guint64 pipeline_stat (GstElement * pipeline, const gchar * element,
    const gchar * name);

/* All frames that reach the app sink "sink", one after the other. */
GByteArray *pipeline_collect (GstElement * pipeline);

typedef struct
{
  const gchar *property, *value;
  guint n_frames;
} PipelineChange;

/* A probe: sets the property of the pad's element before the second frame. @data: a
 * PipelineChange. */
GstPadProbeReturn pipeline_make_change (GstPad * pad, GstPadProbeInfo * probe,
    gpointer data);

/* Adds a test that runs while the device is held, and is skipped without one. */
void pipeline_add_test (const gchar * path, void (*test) (void));

G_END_DECLS
