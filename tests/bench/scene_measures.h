/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a filter made of a scene (scenes.h), measured on frames of SCENE_PIXELS
 * pixels, packed bytes R, G, B, A. Pixels with alpha 0 in @seen do not count.
 * Shares are 0…1; colours and distances those of Oklab. */
#pragma once

#include "measures.h"
#include "scenes.h"

G_BEGIN_DECLS

/* A frame, and the one before it where there is one. Clean is what the scene
 * shows without noise, which no filter sees. */
typedef struct
{
  const Scene *scene;
  guint frame;
  const guint8 *clean, *clean_before;
  const guint8 *output, *output_before;
} SceneMoment;

typedef struct
{
  gsize n, n_of;
} SceneShare;

/* Adds the pixels whose output is more than 0.02 away from what it was in each pixel that
 * showed a part of the same surface in the frame before, of those whose clean colour is
 * within 0.01 of what it was there. What a pixel shows may have been between several
 * pixels of different colours: it may have any of these. */
void scene_count_moved (const SceneMoment * moment, SceneShare * share);

/* The share of pixels whose output moved by more than 0.02 more than the clean
 * colour in the same place. What has less than 0.15 of lightness before and after
 * (a code value of 10) does not: a code value there is as much as 0.07. */
gdouble scene_measure_jump (const SceneMoment * moment);

/* The mean colour of @output where @seen counts; black where none does. */
MeasureOklab scene_measure_mean (const guint8 * seen, const guint8 * output);

/* The mean chroma, likewise. */
gdouble scene_measure_chroma (const guint8 * seen, const guint8 * output);

/* Whether one calls @after by the same name as @before: a hue within 20 degrees,
 * and 0.6 of the chroma at least. */
gboolean scene_keeps_colour (MeasureOklab before, MeasureOklab after);

/* The share of what counts where @output is farther from @seen than @plain is, by
 * more than 0.02. */
gdouble scene_measure_stain (const guint8 * seen, const guint8 * output,
    const guint8 * plain);

G_END_DECLS
