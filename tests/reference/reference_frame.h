/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_blocks.h"
#include "reference_modes.h"
#include "reference_temporal.h"

G_BEGIN_DECLS

/* What is known of a frame while it is worked on, and its steps, by the numbers of
 * docs/internals/temporal.md. For reference_temporal.c alone. */

/* Noise that is not known. */
#define REFERENCE_NO_NOISE 65536

/* Nanoseconds: an hour. */
#define REFERENCE_LONGEST_INTERVAL G_GINT64_CONSTANT (3600000000000)

/* What a pixel holds. */
typedef struct
{
  gint slot;                    /* of a mode, or REFERENCE_NO_MODE */
  gint64 waited;                /* milliseconds */
} ReferencePixelMode;

struct _ReferenceTemporal
{
  guint n_slots;
  GArray *modes;

  guint64 n_frames;             /* since the first one, that too; 0: nothing below
                                   is known */
  gint64 held_for;              /* nanoseconds, up to the frame before */
  guint width, height;
  ReferenceTemporalSettings settings;
  guint8 *input, *output;
  ReferenceTemporalStats stats;
  gint64 rest;                  /* R, 65536ths */
  gint64 age;
  gint64 noise;                 /* 2048ths of a code value; REFERENCE_NO_NOISE */
  gint64 camera;                /* K of step 3 */
  ReferencePixelMode *pixels;
  ReferenceBlock *blocks;

  GByteArray *window;           /* the frames that are counted, oldest first */
  /* Of the last one. */
  guint counted_width, counted_height;
  ReferenceTemporalSettings counted;
};

typedef struct
{
  ReferenceTemporal *temporal;
  const ReferenceTemporalSettings *settings;
  gint64 interval;
  const guint8 *input;
  guint8 *output;
  guint width, height;
  ReferencePictures pictures;   /* this one and the one before */
  gboolean is_held;
  gboolean counts_as_before;    /* no colour more or less often */
  ReferenceBins bins;
  gint *slots;                  /* by summit's bin, with a number of colours by any
                                   bin: of the mode that it belongs to, or
                                   REFERENCE_NO_MODE */
  gboolean *was_held;           /* by slot, also of modes that are new: by a
                                   pixel, when the frame began */
} ReferenceFrame;

static inline gsize
reference_frame_n_pixels (const ReferenceFrame * frame)
{
  return (gsize) frame->width * frame->height;
}

static inline guint
reference_frame_n_blocks (const ReferenceFrame * frame)
{
  return reference_blocks_count (frame->width, frame->height);
}

static inline gint64
reference_frame_elapsed_ms (const ReferenceFrame * frame)
{
  return CLAMP (frame->interval / 1000000, 1, 65535);
}

/* From the last frame in which modes moved. */
static inline gint64
reference_frame_time_of_glide (const ReferenceFrame * frame)
{
  return MIN (frame->temporal->held_for + frame->interval,
      REFERENCE_LONGEST_INTERVAL);
}

static inline ReferenceMode *
reference_frame_get_mode (const ReferenceFrame * frame, gint slot)
{
  return reference_modes_get (frame->temporal->modes, slot);
}

/* Up to the last one that was ever taken. */
static inline gint
reference_frame_n_slots (const ReferenceFrame * frame)
{
  return (gint) frame->temporal->modes->len;
}

/* --- the window --- */

gboolean reference_is_same_transfer (const ReferenceTemporalSettings * one,
    const ReferenceTemporalSettings * other);
gboolean reference_frame_has_pixels (const ReferenceFrame * frame,
    const guint8 * others);

/* The window ends with this frame. Each colour is then as often in it as before if
 * one frame leaves, and has the same pixels. */
void reference_frame_count (ReferenceFrame * frame);

/* --- 1 and 2: blocks, reset --- */

gboolean reference_outlives_cuts (const ReferenceTemporalSettings * settings);

/* Whether what pixels hold, and blocks, mean the same as in the frame before. */
gboolean reference_frame_is_same_kind (const ReferenceFrame * frame);

/* 1 and 2 in one: blocks are compared with those of a frame like this one. */
void reference_frame_look_at_blocks (const ReferenceFrame * frame);

/* --- 4, 5, 6 and 8: modes --- */

/* Modes go along with light that changes everywhere. */
void reference_frame_follow_light (const ReferenceFrame * frame);

/* Homes are those in this frame's bins, whatever bins there were before. */
void reference_frame_begin_modes (const ReferenceFrame * frame);
void reference_frame_move_modes (const ReferenceFrame * frame);
void reference_frame_let_modes_meet (const ReferenceFrame * frame);

/* First those that there are modes for: summits share none that is new. */
void reference_frame_assign_summits (const ReferenceFrame * frame);

/* By slot. g_free() it. */
gboolean *reference_frame_find_held_modes (const ReferenceFrame * frame);
void reference_frame_let_modes_go (const ReferenceFrame * frame);

/* --- 7: pixels --- */

/* Pixels hold what the surface that they show held. */
void reference_frame_follow_motion (const ReferenceFrame * frame);

void reference_frame_settle_pixels (const ReferenceFrame * frame);

/* Those that hold the mode in @slot hold none from now on. */
void reference_frame_release_pixels (const ReferenceFrame * frame, gint slot);

G_END_DECLS
