/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_frame.h"

static void
find_lumas (const ReferenceFrame * frame)
{
  g_autofree gint64 *lumas =
      reference_blocks_lumas_new (frame->input, frame->width, frame->height);

  for (guint i = 0; i < reference_frame_n_blocks (frame); i++) {
    ReferenceBlock *block = &frame->temporal->blocks[i];

    block->before = block->luma;
    block->luma = lumas[i];
  }
}

static gboolean
is_scene_cut (const ReferenceFrame * frame)
{
  gint64 change = 0;

  for (guint i = 0; i < reference_frame_n_blocks (frame); i++) {
    const ReferenceBlock *block = &frame->temporal->blocks[i];

    change += ABS (block->luma - block->before);
  }
  return reference_blocks_is_cut (frame->settings->scene_cut_threshold, change,
      reference_frame_n_blocks (frame));
}

static void
begin_anew (const ReferenceFrame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;

  temporal->age = 0;
  temporal->noise = REFERENCE_NO_NOISE;
  temporal->camera = 0;
  for (gsize i = 0; i < reference_frame_n_pixels (frame); i++)
    temporal->pixels[i] = (ReferencePixelMode) {REFERENCE_NO_MODE, 0};
  for (guint i = 0; i < reference_frame_n_blocks (frame); i++)
    temporal->blocks[i].drift = temporal->blocks[i].departure = 0;
}

static void
make_room (const ReferenceFrame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;

  temporal->width = frame->width;
  temporal->height = frame->height;
  g_free (temporal->pixels);
  temporal->pixels =
      g_new0 (ReferencePixelMode, reference_frame_n_pixels (frame));
  g_free (temporal->blocks);
  temporal->blocks = g_new0 (ReferenceBlock, reference_frame_n_blocks (frame));
}

gboolean
reference_frame_is_same_kind (const ReferenceFrame * frame)
{
  const ReferenceTemporalSettings *before = &frame->temporal->settings;

  return frame->temporal->width == frame->width
      && frame->temporal->height == frame->height
      && before->format == frame->settings->format
      && before->palette.radius == frame->settings->palette.radius
      && before->palette.weighting == frame->settings->palette.weighting;
}

/* Whether modes are none of those before, if there is no cut. */
static gboolean
has_other_modes (const ReferenceFrame * frame)
{
  return frame->temporal->n_frames == 0
      || (frame->settings->stability == 0 && !frame->is_held);
}

gboolean
reference_outlives_cuts (const ReferenceTemporalSettings * settings)
{
  return settings->hold || settings->n_colours > 0;
}

/* Where they are is known when there are bins. */
static void
take_given_modes (const ReferenceFrame * frame)
{
  GArray *modes = frame->temporal->modes;

  g_assert_cmpuint (frame->settings->n_colours, <=, frame->temporal->n_slots);
  g_array_set_size (modes, 0);
  for (guint i = 0; i < frame->settings->n_colours; i++) {
    const guint32 colour = frame->settings->colours[i];
    const ReferenceMode mode = {.exists = TRUE,
      .colour = {256 * (colour >> 16), 256 * (colour >> 8 & 255),
        256 * (colour & 255)}};

    g_array_append_val (modes, mode);
  }
}

void
reference_frame_look_at_blocks (const ReferenceFrame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;
  const gboolean is_other = has_other_modes (frame);
  const gboolean is_new_kind = is_other
      || !reference_frame_is_same_kind (frame);

  if (is_new_kind)
    make_room (frame);
  find_lumas (frame);
  temporal->stats.is_cut = !is_new_kind && is_scene_cut (frame);
  if (is_other || (temporal->stats.is_cut
          && !reference_outlives_cuts (frame->settings)))
    take_given_modes (frame);
  if (is_new_kind || temporal->stats.is_cut)
    begin_anew (frame);
  else
    temporal->age =
        MIN (temporal->age + reference_frame_elapsed_ms (frame), 250);
}
