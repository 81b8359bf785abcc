/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_temporal.h"
#include "reference_colour_limit.h"
#include "reference_integer.h"
#include "reference_live.h"
#include "reference_modes.h"

#include <string.h>

typedef struct
{
  gint slot;                    /* of the mode that it holds, or
                                   REFERENCE_NO_MODE */
  gint64 waited;                /* milliseconds */
} Pixel;

typedef struct
{
  gint64 luma;                  /* in this frame */
  gint64 before;                /* in the one before */
  gint64 reference;
  gint64 departure;
} Block;

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
  gint64 age;
  Pixel *pixels;
  Block *blocks;

  GByteArray *window;           /* the frames that are counted, oldest first */
  /* Of the last one. */
  guint counted_width, counted_height;
  ReferenceTemporalSettings counted;
};

/* What is known of a frame while it is worked on. */
typedef struct
{
  ReferenceTemporal *temporal;
  const ReferenceTemporalSettings *settings;
  gint64 interval;
  const guint8 *input;
  guint8 *output;
  guint width, height;
  gboolean is_held;
  gboolean counts_as_before;    /* no colour more or less often */
  ReferenceBins bins;
  gint *slots;                  /* by summit's bin: of the mode that it belongs
                                   to, or REFERENCE_NO_MODE */
} Frame;

/* --- arithmetic --- */

static gint64
elapsed_ms (const Frame * frame)
{
  return CLAMP (frame->interval / 1000000, 1, 65535);
}

static gint64
floor_of (gdouble real)
{
  return (gint64) floor (real);
}

/* --- 1: blocks --- */

/* In squares of this side, the last one cut off. */
static guint
n_squares (guint length, guint side)
{
  return (length + side - 1) / side;
}

static guint
side_of_blocks (const Frame * frame)
{
  guint side = 16;

  while (n_squares (frame->width, side) > 32
      || n_squares (frame->height, side) > 32)
    side *= 2;
  return side;
}

static guint
n_columns (const Frame * frame)
{
  return n_squares (frame->width, side_of_blocks (frame));
}

static guint
n_blocks (const Frame * frame)
{
  return n_columns (frame)
      * n_squares (frame->height, side_of_blocks (frame));
}

static guint
block_of (const Frame * frame, gsize pixel)
{
  const guint side = side_of_blocks (frame);
  const gsize x = pixel % frame->width, y = pixel / frame->width;

  return y / side * n_columns (frame) + x / side;
}

/* As many pixels of a block that is not cut off as there are in the least. */
static gboolean
is_looked_at (const Frame * frame, gsize pixel)
{
  const guint step = side_of_blocks (frame) / 16;

  return pixel % frame->width % step == 0 && pixel / frame->width % step == 0;
}

static gsize
n_pixels (const Frame * frame)
{
  return (gsize) frame->width * frame->height;
}

/* By block, of a picture like the frame. */
static gint64 *
lumas_new (const Frame * frame, const guint8 * picture)
{
  gint64 *sums = g_new0 (gint64, n_blocks (frame));
  g_autofree gint64 *counts = g_new0 (gint64, n_blocks (frame));

  for (gsize i = 0; i < n_pixels (frame); i++) {
    const guint8 *rgba = picture + 4 * i;
    const guint block = block_of (frame, i);

    if (rgba[3] == 0 || !is_looked_at (frame, i))
      continue;
    sums[block] += rgba[0] + 2 * rgba[1] + rgba[2];
    counts[block]++;
  }
  for (guint i = 0; i < n_blocks (frame); i++)
    if (counts[i] > 0)
      sums[i] = reference_bins_mean (64 * sums[i], counts[i]);
  return sums;
}

static void
find_lumas (const Frame * frame)
{
  g_autofree gint64 *lumas = lumas_new (frame, frame->input);

  for (guint i = 0; i < n_blocks (frame); i++) {
    Block *block = &frame->temporal->blocks[i];

    block->before = block->luma;
    block->luma = lumas[i];
  }
}

/* --- 2: reset --- */

/* Whether that is one, of all blocks. */
static gboolean
is_cut_of (const Frame * frame, gint64 change)
{
  const gint64 threshold =
      floor_of (frame->settings->scene_cut_threshold * 65280 + 0.5);

  return threshold != 0 && change > n_blocks (frame) * threshold;
}

static gboolean
is_scene_cut (const Frame * frame)
{
  gint64 change = 0;

  for (guint i = 0; i < n_blocks (frame); i++) {
    const Block *block = &frame->temporal->blocks[i];

    change += ABS (block->luma - block->before);
  }
  return is_cut_of (frame, change);
}

static void
begin_anew (const Frame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;

  temporal->age = 0;
  for (gsize i = 0; i < n_pixels (frame); i++)
    temporal->pixels[i] = (Pixel) {
    REFERENCE_NO_MODE, 0};
  for (guint i = 0; i < n_blocks (frame); i++)
    temporal->blocks[i].reference = temporal->blocks[i].luma;
}

static void
make_room (const Frame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;

  temporal->width = frame->width;
  temporal->height = frame->height;
  g_free (temporal->pixels);
  temporal->pixels = g_new0 (Pixel, n_pixels (frame));
  g_free (temporal->blocks);
  temporal->blocks = g_new0 (Block, n_blocks (frame));
}

/* Whether what pixels hold, and blocks, mean the same as in the frame before. */
static gboolean
is_same_kind (const Frame * frame)
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
has_other_modes (const Frame * frame)
{
  return frame->temporal->n_frames == 0
      || (frame->settings->stability == 0 && !frame->is_held);
}

static gboolean
outlives_cuts (const ReferenceTemporalSettings * settings)
{
  return settings->hold || settings->n_colours > 0;
}

/* Where they are is known when there are bins. */
static void
take_given_modes (const Frame * frame)
{
  GArray *modes = frame->temporal->modes;

  g_assert_cmpuint (frame->settings->n_colours, <=, frame->temporal->n_slots);
  g_array_set_size (modes, 0);
  for (guint i = 0; i < frame->settings->n_colours; i++) {
    const guint32 colour = frame->settings->colours[i];
    const ReferenceMode mode = {.exists = TRUE,.colour = {256 * (colour >> 16),
        256 * (colour >> 8 & 255), 256 * (colour & 255)}
    };

    g_array_append_val (modes, mode);
  }
}

/* 1 and 2 in one: blocks are compared with those of a frame like this one. */
static void
look_at_light (const Frame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;
  const gboolean is_other = has_other_modes (frame);
  const gboolean is_new_kind = is_other || !is_same_kind (frame);

  if (is_new_kind)
    make_room (frame);
  find_lumas (frame);
  temporal->stats.is_cut = !is_new_kind && is_scene_cut (frame);
  if (is_other || (temporal->stats.is_cut && !outlives_cuts (frame->settings)))
    take_given_modes (frame);
  if (is_new_kind || temporal->stats.is_cut)
    begin_anew (frame);
  else
    temporal->age = MIN (temporal->age + elapsed_ms (frame), 250);
}

/* --- 3: unrest --- */

static void
find_unrest (const Frame * frame)
{
  for (guint i = 0; i < n_blocks (frame); i++) {
    Block *block = &frame->temporal->blocks[i];
    const gint64 departure = ABS (block->luma - block->reference);

    block->departure = CLAMP (departure - 128, 0, 128);
    block->reference =
        reference_approach (block->reference, block->luma,
        reference_part (frame->interval, 125000000));
  }
}

/* With a number of colours: of all blocks, 64 at most. */
static gint64
unrest_of_all (const Frame * frame)
{
  gint64 sum = 0;

  for (guint i = 0; i < n_blocks (frame); i++)
    sum += frame->temporal->blocks[i].departure;
  return sum / (2 * n_blocks (frame));
}

static gint64
unrest_around (const Frame * frame, gint block)
{
  const gint columns = n_columns (frame), n = n_blocks (frame);
  gint64 most = 0;

  for (gint i = 0; i < n; i++)
    if (ABS (i % columns - block % columns) <= 1
        && ABS (i / columns - block / columns) <= 1)
      most = MAX (most, frame->temporal->blocks[i].departure);
  return most;
}

/* --- modes --- */

static ReferenceMode *
get_mode (const Frame * frame, gint slot)
{
  return reference_modes_get (frame->temporal->modes, slot);
}

static gint
n_used_slots (const Frame * frame)
{
  return (gint) frame->temporal->modes->len;
}

/* Homes are those in this frame's bins, whatever bins there were before. */
static void
begin_modes (const Frame * frame)
{
  for (gint slot = 0; slot < n_used_slots (frame); slot++) {
    ReferenceMode *mode = get_mode (frame, slot);

    mode->was_free = !mode->exists;
    reference_mode_show (mode, &frame->bins);
  }
}

/* --- 4: modes move --- */

/* What is in a bin and around it. */
static ReferenceBin
sum_around (const Frame * frame, ReferencePlace place)
{
  ReferenceBin all = {.place = place };

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++)
      for (gint L = -1; L <= 1; L++) {
        const ReferenceBin *bin =
            reference_bins_find_beside (&frame->bins, place, a, b, L);

        if (bin == NULL)
          continue;
        all.n += bin->n;
        for (guint i = 0; i < 3; i++)
          all.sum[i] += bin->sum[i];
      }
  return all;
}

/* From the last frame in which modes moved. */
static gint64
time_of_glide (const Frame * frame)
{
  return frame->temporal->held_for + frame->interval;
}

static gint64
part_of_glide (const Frame * frame)
{
  return reference_part (time_of_glide (frame),
      floor_of (6e8 * frame->settings->stability));
}

static void
move_mode (const Frame * frame, ReferenceMode * mode)
{
  const ReferenceBin around = sum_around (frame, mode->home);
  const gint64 part = part_of_glide (frame);

  if (around.n == 0)
    return;
  for (guint i = 0; i < 3; i++)
    mode->colour[i] = reference_approach (mode->colour[i],
        256 * reference_bins_mean (around.sum[i], around.n), part);
  reference_mode_show (mode, &frame->bins);
}

static void
move_modes (const Frame * frame)
{
  for (gint slot = 0; slot < n_used_slots (frame); slot++)
    if (get_mode (frame, slot)->exists)
      move_mode (frame, get_mode (frame, slot));
}

/* --- 5: modes meet --- */

/* The first with this home. */
static gint
find_mode_at (const Frame * frame, ReferencePlace home)
{
  for (gint slot = 0; slot < n_used_slots (frame); slot++) {
    const ReferenceMode *mode = get_mode (frame, slot);

    if (mode->exists && reference_places_compare (mode->home, home) == 0)
      return slot;
  }
  return REFERENCE_NO_MODE;
}

static gint
find_who_stays (const Frame * frame, gint slot)
{
  const ReferenceMode *mode = get_mode (frame, slot);

  if (reference_bins_find (&frame->bins, mode->home) == NULL)
    return slot;
  return find_mode_at (frame, mode->home);
}

static void
let_modes_meet (const Frame * frame)
{
  g_autofree gint *stays = g_new (gint, n_used_slots (frame));

  for (gint slot = 0; slot < n_used_slots (frame); slot++)
    stays[slot] = get_mode (frame, slot)->exists
        ? find_who_stays (frame, slot) : REFERENCE_NO_MODE;
  for (gint slot = 0; slot < n_used_slots (frame); slot++)
    get_mode (frame, slot)->exists = stays[slot] == slot;
  for (gsize i = 0; i < n_pixels (frame); i++) {
    Pixel *pixel = &frame->temporal->pixels[i];

    if (pixel->slot != REFERENCE_NO_MODE)
      pixel->slot = stays[pixel->slot];
  }
}

/* --- 6: summits --- */

static gboolean
is_around (ReferencePlace p, ReferencePlace q)
{
  return ABS (p.a - q.a) <= 1 && ABS (p.b - q.b) <= 1 && ABS (p.L - q.L) <= 1;
}

static gboolean
is_better (const ReferenceMode * mode, const ReferenceMode * best,
    ReferencePlace summit)
{
  const gint64 mine = reference_places_distance_squared (mode->home, summit);
  const gint64 least = reference_places_distance_squared (best->home, summit);

  if (mine != least)
    return mine < least;
  return reference_places_compare (mode->home, best->home) < 0;
}

/* Where several have one home, in a held palette, the first. */
static gint
find_mode_of_summit (const Frame * frame, ReferencePlace summit)
{
  gint best = REFERENCE_NO_MODE;

  for (gint slot = 0; slot < n_used_slots (frame); slot++) {
    const ReferenceMode *mode = get_mode (frame, slot);

    if (mode->exists && is_around (mode->home, summit)
        && reference_bins_find (&frame->bins, mode->home) != NULL
        && (best == REFERENCE_NO_MODE
            || is_better (mode, get_mode (frame, best), summit)))
      best = slot;
  }
  return best;
}

/* --- 6 of a held frame --- */

static gint
find_mode (const Frame * frame, ReferencePlace summit)
{
  gint slot = REFERENCE_NO_MODE;

  if (frame->settings->n_colours == 0)
    slot = find_mode_of_summit (frame, summit);
  if (slot == REFERENCE_NO_MODE && frame->is_held)
    slot = reference_modes_find_nearest (frame->temporal->modes, 1024,
        reference_bins_middle (&frame->bins, summit));
  return slot;
}

/* First those that there are modes for: summits share none that is new. */
static void
assign_summits (const Frame * frame)
{
  const ReferenceBins *bins = &frame->bins;

  for (gsize i = 0; i < bins->n_bins; i++)
    if (reference_bins_is_summit (bins, i))
      frame->slots[i] = bins->bins[i].n > 0 || frame->is_held
          ? find_mode (frame, bins->bins[i].place) : REFERENCE_NO_MODE;
  for (gsize i = 0; i < bins->n_bins; i++)
    if (reference_bins_is_summit (bins, i) && bins->bins[i].n > 0
        && frame->slots[i] == REFERENCE_NO_MODE)
      frame->slots[i] =
          reference_modes_add (frame->temporal->modes, frame->temporal->n_slots,
          bins, &bins->bins[i]);
}

/* --- 7: pixels --- */

/* In eighths of a bin. */
static ReferencePlace
place_of_pixel (const Frame * frame, const guint8 * rgb)
{
  const ReferencePlace bin = reference_bins_place_unmerged (&frame->bins, rgb);
  const ReferencePlace place = { 8 * bin.a, 8 * bin.b, 8 * bin.L };

  return place;
}

static gint64
most_hesitation (const Frame * frame)
{
  const gdouble stability = frame->settings->stability;

  if (frame->settings->colors > 0)
    return floor_of (ldexp (0.8 * stability, (gint) frame->bins.lattice.shift)
        / frame->bins.pitch + 0.5);
  return floor_of (120 * stability + 0.5);
}

static gint64
hesitation (const Frame * frame, gint64 unrest)
{
  return most_hesitation (frame) * frame->temporal->age * (128 -
      unrest) / 32000;
}

static gboolean
is_clearly_nearer (const Frame * frame, const guint8 * rgb, gint offered,
    gint held, gint64 unrest)
{
  const ReferencePlace at = place_of_pixel (frame, rgb);
  const ReferencePlace there = get_mode (frame, offered)->at;
  const ReferencePlace here = get_mode (frame, held)->at;
  const gint64 margin = hesitation (frame, unrest);

  return reference_places_distance_squared (at, there) + margin * margin
      < reference_places_distance_squared (at, here);
}

static void
hold (Pixel * pixel, gint slot)
{
  pixel->slot = slot;
  pixel->waited = 0;
}

/* @pixel holds another mode than the one that is @offered. */
static void
choose (const Frame * frame, Pixel * pixel, const guint8 * rgb, gint offered,
    gint64 unrest)
{
  if (!is_clearly_nearer (frame, rgb, offered, pixel->slot, unrest)) {
    pixel->waited = 0;
    return;
  }
  pixel->waited = MIN (pixel->waited + elapsed_ms (frame), 32767);
  if (pixel->waited > floor_of (150 * frame->settings->stability)
      || frame->temporal->age < 250 || unrest == 128)
    hold (pixel, offered);
}

/* Of a pixel that holds a mode, so that there is a frame before. */
static gint64
unrest_of (const Frame * frame, gsize i)
{
  const guint8 *before = frame->temporal->input + 4 * i;

  if (memcmp (frame->input + 4 * i, before, 3) == 0)
    return 0;
  return unrest_around (frame, block_of (frame, i));
}

static void
settle_pixel (const Frame * frame, gsize i)
{
  const guint8 *rgba = frame->input + 4 * i;
  Pixel *pixel = &frame->temporal->pixels[i];
  const ReferenceBin *bin;
  gint offered;

  memmove (frame->output + 4 * i, rgba, 4);
  if (rgba[3] == 0) {
    hold (pixel, REFERENCE_NO_MODE);
    return;
  }
  bin = reference_bins_find (&frame->bins,
      reference_bins_place (&frame->bins, rgba));
  offered = frame->slots[bin->summit];
  if (offered == REFERENCE_NO_MODE || pixel->slot == REFERENCE_NO_MODE
      || pixel->slot == offered)
    hold (pixel, offered);
  else
    choose (frame, pixel, rgba, offered, unrest_of (frame, i));
  if (pixel->slot == REFERENCE_NO_MODE)
    reference_bins_colour (&frame->bins, bin, frame->output + 4 * i);
  else
    memcpy (frame->output + 4 * i, get_mode (frame, pixel->slot)->shown, 3);
}

static void
settle_pixels (const Frame * frame)
{
  for (gsize i = 0; i < n_pixels (frame); i++)
    settle_pixel (frame, i);
}

/* --- 8: modes go --- */

/* By slot. */
static gboolean *
find_who_is_held (const Frame * frame)
{
  gboolean *is_held = g_new0 (gboolean, n_used_slots (frame));

  for (gsize i = 0; i < n_pixels (frame); i++)
    if (frame->temporal->pixels[i].slot != REFERENCE_NO_MODE)
      is_held[frame->temporal->pixels[i].slot] = TRUE;
  return is_held;
}

static void
let_modes_go (const Frame * frame)
{
  g_autofree gboolean *is_needed = find_who_is_held (frame);

  for (gsize i = 0; i < frame->bins.n_bins; i++)
    if (reference_bins_is_summit (&frame->bins, i)
        && frame->slots[i] != REFERENCE_NO_MODE)
      is_needed[frame->slots[i]] = TRUE;
  for (gint slot = 0; slot < n_used_slots (frame); slot++)
    get_mode (frame, slot)->exists &= is_needed[slot];
}

/* --- a number of colours --- */

static void
forget_who_is_gone (const Frame * frame)
{
  for (gsize i = 0; i < n_pixels (frame); i++) {
    Pixel *pixel = &frame->temporal->pixels[i];

    if (pixel->slot != REFERENCE_NO_MODE
        && !get_mode (frame, pixel->slot)->exists)
      pixel->slot = REFERENCE_NO_MODE;
  }
}

static gboolean
has_modes (const Frame * frame)
{
  for (gint slot = 0; slot < n_used_slots (frame); slot++)
    if (get_mode (frame, slot)->exists)
      return TRUE;
  return FALSE;
}

static void
assign_summits_to_colours (const Frame * frame)
{
  GArray *modes = frame->temporal->modes;

  if (!frame->is_held || !has_modes (frame))
    reference_colour_limit_take_slots (&frame->bins, modes,
        frame->settings->colors);
  reference_colour_limit_assign (&frame->bins, modes, frame->slots);
}

/* Where light changes everywhere modes go with it. */
static gint64
part_of_colours (const Frame * frame)
{
  const gint64 part = reference_part (time_of_glide (frame),
      floor_of (2e9 * frame->settings->stability));

  return part + (4096 - part) * unrest_of_all (frame) / 64;
}

static void
change_colours (const Frame * frame)
{
  GArray *modes = frame->temporal->modes;

  reference_colour_limit_move (&frame->bins, modes, frame->slots,
      part_of_colours (frame));
  reference_colour_limit_let_one_go (&frame->bins, modes, frame->slots,
      reference_part (time_of_glide (frame), 1000000000));
  forget_who_is_gone (frame);
}

/* --- a frame --- */

static void
count_bins (const Frame * frame)
{
  ReferenceTemporalStats *stats = &frame->temporal->stats;

  stats->n_bins = frame->bins.n_bins;
  stats->n_merges = frame->bins.n_merges;
  stats->n_summits = stats->n_strays = 0;
  for (gsize i = 0; i < frame->bins.n_bins; i++)
    if (reference_bins_is_summit (&frame->bins, i)) {
      stats->n_summits++;
      stats->n_strays += frame->slots[i] == REFERENCE_NO_MODE
          && frame->bins.bins[i].n > 0;
    }
}

static void
count_held (const Frame * frame)
{
  g_autofree gboolean *is_held = find_who_is_held (frame);
  ReferenceTemporalStats *stats = &frame->temporal->stats;

  stats->n_held = 0;
  for (gint slot = 0; slot < n_used_slots (frame); slot++)
    stats->n_held += is_held[slot];
}

static gboolean
is_held (const Frame * frame)
{
  const ReferenceTemporalSettings *settings = frame->settings;

  return settings->hold || settings->n_colours > 0
      || (settings->update_interval > 1
      && frame->temporal->n_frames % settings->update_interval != 0);
}

/* 4, 5 and 6. */
static void
find_modes (const Frame * frame)
{
  const gboolean is_number_given = frame->settings->colors > 0;

  begin_modes (frame);
  if (!frame->is_held && !is_number_given) {
    move_modes (frame);
    let_modes_meet (frame);
  }
  if (is_number_given)
    assign_summits_to_colours (frame);
  else
    assign_summits (frame);
}

/* For the next frame. */
static void
leave_modes (const Frame * frame)
{
  if (frame->settings->colors > 0)
    change_colours (frame);
  let_modes_go (frame);
}

static void
work_on (Frame * frame)
{
  look_at_light (frame);
  find_unrest (frame);
  reference_bins_init (&frame->bins, &frame->settings->palette,
      frame->settings->bin_capacity, frame->temporal->window->data,
      frame->temporal->window->len / 4);
  reference_colour_limit_make_summits (&frame->bins, frame->settings->colors);
  frame->slots = g_new (gint, frame->bins.n_bins);
  find_modes (frame);
  settle_pixels (frame);
  count_bins (frame);
  count_held (frame);
  if (!frame->is_held)
    leave_modes (frame);
  g_free (frame->slots);
  reference_bins_clear (&frame->bins);
}

static gboolean
has_same_tuning (const ReferenceTemporalSettings * one,
    const ReferenceTemporalSettings * other)
{
  return one->bin_capacity == other->bin_capacity
      && MAX (one->history, 1) == MAX (other->history, 1)
      && MAX (one->palette.min_frequency, 1)
      == MAX (other->palette.min_frequency, 1)
      && one->stability == other->stability
      && one->scene_cut_threshold == other->scene_cut_threshold
      && one->hold == other->hold
      && one->update_interval == other->update_interval;
}

static gboolean
is_same_transfer (const ReferenceTemporalSettings * one,
    const ReferenceTemporalSettings * other)
{
  return one->palette.transfer == other->palette.transfer
      && one->palette.eotf == other->palette.eotf;
}

static gboolean
has_same_colours (const Frame * frame)
{
  const ReferenceTemporalSettings *now = frame->settings;
  const ReferenceTemporalSettings *before = &frame->temporal->settings;

  return now->n_colours == before->n_colours
      && memcmp (now->colours, before->colours,
      now->n_colours * sizeof *now->colours) == 0;
}

static gboolean
is_same_pixel (const guint8 * one, const guint8 * other)
{
  return memcmp (one, other, 3) == 0 && (one[3] == 0) == (other[3] == 0);
}

static gboolean
has_pixels (const Frame * frame, const guint8 * others)
{
  for (gsize i = 0; i < n_pixels (frame); i++)
    if (!is_same_pixel (frame->input + 4 * i, others + 4 * i))
      return FALSE;
  return TRUE;
}

static gboolean
is_as_before (const Frame * frame)
{
  const ReferenceTemporal *temporal = frame->temporal;

  return temporal->n_frames > 0 && is_same_kind (frame)
      && has_same_tuning (frame->settings, &temporal->settings)
      && has_pixels (frame, temporal->input) && frame->counts_as_before;
}

/* Colours are as they were, alphas are this frame's. */
static void
repeat (const Frame * frame)
{
  for (gsize i = 0; i < n_pixels (frame); i++) {
    memcpy (frame->output + 4 * i, frame->temporal->output + 4 * i, 3);
    frame->output[4 * i + 3] = frame->input[4 * i + 3];
  }
}

/* The frame that the next one is compared with. */
static void
remember (const Frame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;

  g_free (temporal->input);
  g_free (temporal->output);
  temporal->input = g_memdup2 (frame->input, 4 * n_pixels (frame));
  temporal->output = g_memdup2 (frame->output, 4 * n_pixels (frame));
  temporal->settings = *frame->settings;
}

static void
compute (Frame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;

  if (!is_same_transfer (frame->settings, &temporal->settings)
      || !has_same_colours (frame)
      || frame->settings->colors != temporal->settings.colors)
    reference_temporal_forget_modes (temporal);
  frame->is_held = is_held (frame);
  if (is_as_before (frame)) {
    repeat (frame);
    temporal->stats.is_cut = FALSE;
  } else {
    work_on (frame);
    remember (frame);
  }
  temporal->n_frames++;
  temporal->held_for =
      frame->is_held ? temporal->held_for + frame->interval : 0;
}

static void
compute_by_itself (const Frame * frame)
{
  const GByteArray *window = frame->temporal->window;

  reference_temporal_forget_modes (frame->temporal);
  reference_live_from (&frame->settings->palette,
      frame->settings->bin_capacity, window->data, window->len / 4,
      frame->input, n_pixels (frame), frame->output, NULL);
}

/* Whether frames like these are counted together. */
static gboolean
goes_with_window (const Frame * frame)
{
  const ReferenceTemporal *temporal = frame->temporal;

  return temporal->counted_width == frame->width
      && temporal->counted_height == frame->height
      && temporal->counted.format == frame->settings->format
      && is_same_transfer (&temporal->counted, frame->settings);
}

gboolean
reference_is_cut (gdouble scene_cut_threshold, const guint8 * before,
    const guint8 * now, guint width, guint height)
{
  const ReferenceTemporalSettings settings = {
    .scene_cut_threshold = scene_cut_threshold
  };
  const Frame frame = {.settings = &settings,.width = width,.height = height };
  g_autofree gint64 *of_before = lumas_new (&frame, before);
  g_autofree gint64 *of_now = lumas_new (&frame, now);
  gint64 change = 0;

  for (guint i = 0; i < n_blocks (&frame); i++)
    change += ABS (of_now[i] - of_before[i]);
  return is_cut_of (&frame, change);
}

/* From its last frame to this one. */
static gboolean
is_cut_in_window (const Frame * frame)
{
  const GByteArray *window = frame->temporal->window;

  return window->len > 0
      && reference_is_cut (frame->settings->scene_cut_threshold,
      window->data + window->len - 4 * n_pixels (frame), frame->input,
      frame->width, frame->height);
}

/* The window ends with this frame. Each colour is then as often in it as before if
 * one frame leaves, and has the same pixels. */
static void
count (Frame * frame)
{
  ReferenceTemporal *temporal = frame->temporal;
  GByteArray *window = temporal->window;
  const gsize size = 4 * n_pixels (frame);
  const gsize most = size * MAX (frame->settings->history, 1);

  if (!goes_with_window (frame) || is_cut_in_window (frame))
    g_byte_array_set_size (window, 0);
  frame->counts_as_before = window->len == most
      && has_pixels (frame, window->data);
  g_byte_array_append (window, frame->input, size);
  if (window->len > most)
    g_byte_array_remove_range (window, 0, window->len - most);
  temporal->counted_width = frame->width;
  temporal->counted_height = frame->height;
  temporal->counted = *frame->settings;
}

static gboolean
keeps_modes (const ReferenceTemporalSettings * settings)
{
  return settings->palette.radius > 0 && (settings->stability > 0
      || settings->update_interval > 1 || settings->colors > 0
      || outlives_cuts (settings));
}

/* A palette that is given has its number of colours, and a number its radius. */
static ReferenceTemporalSettings
what_counts_of (const ReferenceTemporalSettings * settings)
{
  ReferenceTemporalSettings what_counts = *settings;

  if (settings->n_colours > 0)
    what_counts.colors = 0;
  if (what_counts.colors > 0)
    what_counts.palette.radius =
        reference_colour_limit_radius (settings->colors);
  return what_counts;
}

ReferenceTemporal *
reference_temporal_new (guint n_slots)
{
  ReferenceTemporal *temporal = g_new0 (ReferenceTemporal, 1);

  temporal->n_slots = n_slots;
  temporal->modes = reference_modes_new ();
  temporal->window = g_byte_array_new ();
  return temporal;
}

void
reference_temporal_free (ReferenceTemporal * temporal)
{
  g_array_unref (temporal->modes);
  g_byte_array_unref (temporal->window);
  g_free (temporal->input);
  g_free (temporal->output);
  g_free (temporal->pixels);
  g_free (temporal->blocks);
  g_free (temporal);
}

void
reference_temporal_forget_modes (ReferenceTemporal * temporal)
{
  temporal->n_frames = 0;
  temporal->held_for = 0;
  memset (&temporal->stats, 0, sizeof temporal->stats);
}

void
reference_temporal_reset (ReferenceTemporal * temporal)
{
  reference_temporal_forget_modes (temporal);
  g_byte_array_set_size (temporal->window, 0);
}

void
reference_temporal_frame (ReferenceTemporal * temporal,
    const ReferenceTemporalSettings * settings, guint64 interval,
    const guint8 * input, guint width, guint height, guint8 * output,
    ReferenceTemporalStats * stats)
{
  const gsize size = (gsize) width * height * 4;
  g_autofree guint8 *picture = g_memdup2 (input, size);
  const ReferenceTemporalSettings what_counts = what_counts_of (settings);
  Frame frame = {
    .temporal = temporal,.settings = &what_counts,
    .interval = interval > 0 ? interval : 1000000000 / 30,
    .input = picture,.output = output,.width = width,.height = height
  };

  g_assert_cmpuint (interval, <, G_GUINT64_CONSTANT (1) << 51);
  g_assert_cmpuint (what_counts.colors, <=, REFERENCE_TEMPORAL_COLOURS);
  count (&frame);
  if (keeps_modes (&what_counts))
    compute (&frame);
  else
    compute_by_itself (&frame);
  if (stats != NULL)
    *stats = temporal->stats;
}

const guint8 *
reference_temporal_get_window (const ReferenceTemporal * temporal, gsize * n)
{
  *n = temporal->window->len / 4;
  return temporal->window->data;
}
