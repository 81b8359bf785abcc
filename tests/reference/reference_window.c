/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_frame.h"

#include <string.h>

gboolean
reference_is_same_transfer (const ReferenceTemporalSettings * one,
    const ReferenceTemporalSettings * other)
{
  return one->palette.transfer == other->palette.transfer
      && one->palette.eotf == other->palette.eotf;
}

static gboolean
is_same_pixel (const guint8 * one, const guint8 * other)
{
  return memcmp (one, other, 3) == 0 && (one[3] == 0) == (other[3] == 0);
}

gboolean
reference_frame_has_pixels (const ReferenceFrame * frame, const guint8 * others)
{
  for (gsize i = 0; i < reference_frame_n_pixels (frame); i++)
    if (!is_same_pixel (frame->input + 4 * i, others + 4 * i))
      return FALSE;
  return TRUE;
}

/* Whether frames like these are counted together. */
static gboolean
goes_with_window (const ReferenceFrame * frame)
{
  const ReferenceTemporal *temporal = frame->temporal;

  return temporal->counted_width == frame->width
      && temporal->counted_height == frame->height
      && temporal->counted.format == frame->settings->format
      && reference_is_same_transfer (&temporal->counted, frame->settings);
}

/* From its last frame to this one. */
static gboolean
is_cut_in_window (const ReferenceFrame * frame)
{
  const GByteArray *window = frame->temporal->window;

  return window->len > 0
      && reference_is_cut (frame->settings->scene_cut_threshold,
      window->data + window->len - 4 * reference_frame_n_pixels (frame),
      frame->input, frame->width, frame->height);
}

void
reference_frame_count (ReferenceFrame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;
  GByteArray *window = temporal->window;
  const gsize size = 4 * reference_frame_n_pixels (frame);
  const gsize most = size * MAX (frame->settings->history, 1);

  if (!goes_with_window (frame) || is_cut_in_window (frame))
    g_byte_array_set_size (window, 0);
  frame->counts_as_before = window->len == most
      && reference_frame_has_pixels (frame, window->data);
  g_byte_array_append (window, frame->input, size);
  if (window->len > most)
    g_byte_array_remove_range (window, 0, window->len - most);
  temporal->counted_width = frame->width;
  temporal->counted_height = frame->height;
  temporal->counted = *frame->settings;
}
