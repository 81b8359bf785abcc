/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One cell of the tables of the blur: a method with its settings, and the
 * workgroups that are to do it. And what its benchmarks call methods, formats and edge
 * modes. */
#pragma once

#include "gpu/blur/blur.h"

G_BEGIN_DECLS

typedef struct
{
  GpuBlurSettings settings;
  guint group_x, group_y;       /* threads of the groups of all its passes; 0: as
                                   the product does it */
  guint groups_down;            /* from top to bottom, where they have a shape and
                                   slide down; 0: as the product does it */
} BlurCell;

/* What runs cells, one after the other. */
typedef struct _BlurCells BlurCells;

/* @max_radius: the largest of any cell, for which groups of a shape have memory. */
BlurCells *blur_cells_new (GpuDevice * device, guint max_radius);
void blur_cells_free (BlurCells * cells);

/* Builds what the cell needs; those recorded from now on are this one. FALSE with
 * UNSUPPORTED as below. */
gboolean blur_cells_prepare (BlurCells * cells, const BlurCell * cell,
    const GpuFrameInfo * info, GError ** error);

/* Records it (@data: BlurCells). FALSE with UNSUPPORTED where the method cannot do
 * it on the device, or not with such groups. */
gboolean blur_cells_record (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error);

/* The method that the frame recorded last took. */
GpuBlurMethod blur_cells_get_method (BlurCells * cells);

/* Groups from top to bottom that the frame recorded last takes; 0 where groups do
 * not slide down. */
guint blur_cells_get_groups_down (BlurCells * cells);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BlurCells, blur_cells_free)

/* --- names --- */

const gchar *blur_method_get_name (GpuBlurMethod method);

/* -1: none is called that. */
gint blur_find_method (const gchar * name);

/* The format that GStreamer spells so, if the blur takes it; -1: none. */
gint blur_find_pixels (const gchar * name);

/* As gpublur's edge-mode; -1: none is called that. */
gint blur_find_edge (const gchar * name);

G_END_DECLS
