/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts frames with the map of the requested quality. */
#include "palette.h"
#include "tuning.h"
#include "gpu/palette/live/live.h"
#include "shaders/palette/live/bins.h"
#include "gpu/palette/shared/working.h"
#include "gpu/palette/exact/exact.h"

#define N_MAPS (GPU_PALETTE_LIVE + 1)

struct _GpuPalette
{
  GpuDevice *device;
  GpuPaletteFormat format;      /* of maps; width 0: not configured */
  GpuPaletteWorking working;
  GpuPaletteMap *maps[N_MAPS];  /* by quality; NULL until first used */
  GpuPaletteTables tables;
  gdouble chroma;               /* of tables; 0: none yet */
  GpuPaletteTuning tuning;
  guint revision;               /* changes with the transfer function or tuning */
  GpuTicket ticket;             /* of the last frame */
  GpuPaletteListener listener;

  GMutex lock;                  /* protects the members below */
  GpuPaletteMap *last;          /* map of the last frame */
  GpuPaletteTopColours *top;    /* NULL until first used */
};

static const GpuPaletteMapType *const types[N_MAPS] = {
  [GPU_PALETTE_EXACT] = &gpu_palette_exact,
  [GPU_PALETTE_LIVE] = &gpu_palette_live_map,
};

const GpuNeeds gpu_palette_needs = {.buffers = 16, .subgroups = TRUE};

GpuPalette *
gpu_palette_new (GpuDevice * device)
{
  GpuPalette *palette = g_new0 (GpuPalette, 1);

  palette->device = gpu_device_ref (device);
  g_mutex_init (&palette->lock);
  gpu_palette_set_transfer (palette, gpu_palette_transfer_srgb, NULL);
  return palette;
}

static void
set_last (GpuPalette * palette, GpuPaletteMap * map)
{
  g_mutex_lock (&palette->lock);
  palette->last = map;
  g_mutex_unlock (&palette->lock);
}

static void
unconfigure (GpuPalette * palette)
{
  set_last (palette, NULL);
  gpu_ticket_clear (&palette->ticket);
  for (guint i = 0; i < N_MAPS; i++) {
    if (palette->maps[i])
      palette->maps[i]->type->free (palette->maps[i]);
    palette->maps[i] = NULL;
  }
  gpu_palette_working_clear (&palette->working);
  palette->format = (GpuPaletteFormat) {0};
}

void
gpu_palette_free (GpuPalette * palette)
{
  unconfigure (palette);
  g_clear_pointer (&palette->top, gpu_palette_top_colours_free);
  g_mutex_clear (&palette->lock);
  gpu_device_unref (palette->device);
  g_free (palette);
}

void
gpu_palette_set_transfer (GpuPalette * palette, GpuPaletteTransfer transfer,
    gpointer data)
{
  gpu_palette_tables_fill (&palette->tables, transfer, data);
  palette->revision++;
  gpu_palette_forget (palette);
}

static void
forget_top (GpuPalette * palette)
{
  if (palette->top)
    gpu_palette_top_colours_forget (palette->top);
}

void
gpu_palette_forget (GpuPalette * palette)
{
  forget_top (palette);
  for (guint i = 0; i < N_MAPS; i++)
    if (palette->maps[i])
      palette->maps[i]->type->forget (palette->maps[i]);
}

void
gpu_palette_forget_modes (GpuPalette * palette)
{
  for (guint i = 0; i < N_MAPS; i++)
    if (palette->maps[i] && palette->maps[i]->type->forget_modes)
      palette->maps[i]->type->forget_modes (palette->maps[i]);
}

void
gpu_palette_set_progress (GpuPalette * palette, GpuPaletteProgress progress,
    gpointer data)
{
  palette->listener = (GpuPaletteListener) {progress, data};
}

void
gpu_palette_set_tuning (GpuPalette * palette, const GpuPaletteTuning * tuning)
{
  palette->tuning = *tuning;
  palette->revision++;
}

gsize
gpu_palette_get_memory (GpuPalette * palette)
{
  gsize memory = gpu_palette_working_get_memory (&palette->working);

  if (palette->top)
    memory += gpu_palette_top_colours_get_memory (palette->top);
  for (guint i = 0; i < N_MAPS; i++)
    if (palette->maps[i])
      memory += palette->maps[i]->type->get_memory (palette->maps[i]);
  return memory;
}

/* --- building --- */

gboolean
gpu_palette_takes (GpuPixels pixels)
{
  return gpu_palette_working_takes (pixels);
}

static gboolean
makes (GpuPixels in, GpuPixels out)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (out);

  return gpu_palette_takes (in)
      && (gpu_palette_takes (out) || format->grouping == GPU_INDEXED)
      && (format->model != GPU_MODEL_GREY || in == out);
}

static gboolean
check_pixels (GpuPixels in, GpuPixels out, GError ** error)
{
  if (makes (in, out))
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "the palette does not make %s of %s; use formats with code values, not "
      "floats, and no grey behind colours or behind another grey",
      gpu_pixels_get_format (out)->name, gpu_pixels_get_format (in)->name);
  return FALSE;
}

static gboolean
is_indexed (GpuPalette * palette)
{
  return gpu_pixels_get_format (palette->format.out)->grouping == GPU_INDEXED;
}

/* RGB8P requires LIVE: EXACT does not limit the number of output colours. */
static gboolean
check_quality (GpuPalette * palette, const GpuPaletteSettings * settings,
    GError ** error)
{
  if (settings->quality != GPU_PALETTE_EXACT || !is_indexed (palette))
    return TRUE;
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "RGB8P holds 256 colours, and quality=exact leaves any number: use "
      "quality=live, or another format behind this element");
  return FALSE;
}

/* Limits modes to the number of indexes in an indexed output, and the radius to the
 * least one, as radius 0 makes no modes. A given palette needs no other limit. */
static GpuPaletteSettings
fit_indexes (GpuPalette * palette, const GpuPaletteSettings * settings)
{
  GpuPaletteSettings fitting = *settings;
  guint most = gpu_pixels_get_format (palette->format.in)->alpha >= 0 ? 255
      : 256;

  if (!is_indexed (palette))
    return fitting;
  if (settings->making.limit == 0 && settings->making.given.n_colours == 0) {
    fitting.making.limit = most;
    fitting.making.keeps_radius = TRUE;
  }
  fitting.making.limit = MIN (fitting.making.limit, most);
  fitting.making.given.n_colours = MIN (fitting.making.given.n_colours, most);
  fitting.making.radius = MAX (fitting.making.radius, GPU_PALETTE_LEAST_RADIUS);
  return fitting;
}

/* Most frames whose pixels' weights have a sum that fits into a word. */
static guint
longest_history (GpuPalette * palette, GpuPaletteQuality quality)
{
  const GpuPaletteFormat *format = &palette->format;
  guint max_sum = palette->tuning.max_sum ? palette->tuning.max_sum
      : G_MAXUINT32;
  guint weight = quality == GPU_PALETTE_LIVE ? BIN_KERNEL : 1;

  return max_sum / weight / (format->width * format->height);
}

/* Returns @settings resolved for the configured format: limits and history fit it. */
static GpuPaletteSettings
fit (GpuPalette * palette, const GpuPaletteSettings * settings)
{
  GpuPaletteSettings fitting = fit_indexes (palette, settings);

  fitting.counting.history = MIN (settings->counting.history,
      longest_history (palette, settings->quality));
  return gpu_palette_settings_resolve (&fitting);
}

/* This is no other revision: maps know their chroma, which may differ by quality. */
static void
take_chroma (GpuPalette * palette, gdouble chroma)
{
  if (chroma == palette->chroma)
    return;
  gpu_palette_tables_set_chroma (&palette->tables, chroma);
  palette->chroma = chroma;
}

/* Checks that the pixels of one frame can be counted with either quality. */
static gboolean
check_size (guint width, guint height, GError ** error)
{
  if ((guint64) width * height <= G_MAXUINT32 / BIN_KERNEL)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "%u x %u pixels are too many to count; use smaller frames", width,
      height);
  return FALSE;
}

/* Returns the map of @quality, made on first use, or NULL with @error set. Consumes
 * @old: a map for another format, or NULL. */
static GpuPaletteMap *
take_map (GpuPalette * palette, GpuPaletteQuality quality,
    GpuPaletteMap * old, GError ** error)
{
  if (!palette->maps[quality])
    palette->maps[quality] =
        types[quality]->create (palette->device, &palette->format, old, error);
  return palette->maps[quality];
}

static gboolean
take_top (GpuPalette * palette, const GpuPaletteSettings * settings,
    GError ** error)
{
  GpuPaletteTopColours *top;

  if (!settings->counts_pixels || palette->top)
    return TRUE;
  top = gpu_palette_top_colours_new (palette->device, error);
  g_mutex_lock (&palette->lock);
  palette->top = top;
  g_mutex_unlock (&palette->lock);
  return top != NULL;
}

/* Discards the state of the last frame, which was recorded but never submitted. */
static void
forget_last (GpuPalette * palette)
{
  forget_top (palette);
  if (palette->last)
    palette->last->type->forget (palette->last);
}

static void
forget_abandoned (GpuPalette * palette)
{
  if (palette->last && !gpu_ticket_is_submitted (&palette->ticket))
    forget_last (palette);
}

static gboolean
check_format (const GpuPaletteFormat * format, GError ** error)
{
  return check_pixels (format->in, format->out, error)
      && check_size (format->width, format->height, error);
}

gboolean
gpu_palette_configure (GpuPalette * palette, const GpuPaletteFormat * format,
    GpuPaletteQuality quality, GError ** error)
{
  GpuPaletteMap *old;

  g_return_val_if_fail (format->width > 0 && format->height > 0, FALSE);
  if (!gpu_device_meets (palette->device, &gpu_palette_needs, error)
      || !check_format (format, error)) {
    unconfigure (palette);
    return FALSE;
  }
  g_return_val_if_fail (format->yuv.kr > 0
      || !gpu_palette_format_needs_yuv (format), FALSE);
  forget_abandoned (palette);
  old = g_steal_pointer (&palette->maps[quality]);
  unconfigure (palette);
  if (gpu_palette_working_init (&palette->working, palette->device, format,
          error)) {
    palette->format = palette->working.format;
    if (take_map (palette, quality, g_steal_pointer (&old), error))
      return TRUE;
  }
  if (old)
    old->type->free (old);
  unconfigure (palette);
  return FALSE;
}

gboolean
gpu_palette_prepare (GpuPalette * palette, const GpuPaletteSettings * settings,
    GError ** error)
{
  GpuPaletteSettings fitting;
  GpuPaletteMap *map;

  g_return_val_if_fail (palette->format.width > 0, FALSE);
  fitting = fit (palette, settings);
  if (!check_quality (palette, settings, error))
    return FALSE;
  map = take_map (palette, settings->quality, NULL, error);
  return map && take_top (palette, settings, error)
      && (!map->type->prepare || map->type->prepare (map, &fitting, error));
}

gdouble
gpu_palette_get_radius_in_use (GpuPalette * palette,
    const GpuPaletteSettings * settings)
{
  GpuPaletteSettings fitting = fit_indexes (palette, settings);

  return gpu_palette_get_radius (&fitting);
}

/* --- a frame --- */

static gboolean
check_configured (GpuPalette * palette, GError ** error)
{
  if (palette->format.width)
    return TRUE;
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
      "The palette could not be set up for these frames; see the error "
      "before this one, and use frames of another size or format, or another "
      "device.");
  return FALSE;
}

static GpuPaletteMap *
begin_frame (GpuPalette * palette, const GpuPaletteSettings * settings,
    GError ** error)
{
  GpuPaletteMap *map = NULL;

  forget_abandoned (palette);
  if (take_top (palette, settings, error))
    map = take_map (palette, settings->quality, NULL, error);
  if (palette->top)
    gpu_palette_top_colours_next (palette->top, palette->last == map);
  set_last (palette, map);
  return map;
}

/* Records everything that the output needs with @map. */
static gboolean
record_frame (GpuPalette * palette, GpuPaletteMap * map,
    GpuPaletteContext * context, const GpuFrames * frames, GError ** error)
{
  const GpuFrame *in, *out;

  gpu_palette_working_choose (&palette->working, frames, &in, &out);
  gpu_palette_working_decode (&palette->working, &context->slicer, frames);
  if (!map->type->record (map, context, in, out, error))
    return FALSE;
  gpu_palette_working_encode (&palette->working, &context->slicer, frames);
  return TRUE;
}

/* If the pixels of this frame were not counted, the list of modes becomes unknown. */
static void
end_frame (GpuPalette * palette, GpuStream * stream)
{
  if (palette->top && !palette->top->is_taken)
    gpu_palette_top_colours_forget (palette->top);
  gpu_stream_get_ticket (stream, &palette->ticket);
}

gboolean
gpu_palette_record (GpuPalette * palette, GpuStream * stream,
    const GpuPaletteSettings * settings, const GpuFrames * frames,
    GpuPaletteReport * report, GError ** error)
{
  GpuPaletteReport ignored;
  GpuPaletteSettings fitting;
  GpuPaletteContext context = {
    .slicer = {stream, palette->tuning.slice, palette->tuning.max_part},
    .settings = &fitting,
    .tuning = &palette->tuning,
    .tables = &palette->tables,
    .revision = palette->revision,
    .report = report ? report : &ignored,
    .listener = palette->listener,
  };
  guint64 first_serial = gpu_stream_get_serial (stream);
  gboolean is_recorded;
  GpuPaletteMap *map;

  g_return_val_if_fail (settings->making.given.n_colours <=
      GPU_PALETTE_MAX_COLOURS, FALSE);
  *context.report = (GpuPaletteReport) {0};
  if (!check_configured (palette, error)
      || !check_quality (palette, settings, error))
    return FALSE;
  fitting = fit (palette, settings);
  take_chroma (palette, fitting.making.chroma);
  map = begin_frame (palette, settings, error);
  context.top = palette->top;
  is_recorded = gpu_stream_accept (stream,
      map && record_frame (palette, map, &context, frames, error), error);
  context.report->submissions = gpu_stream_get_serial (stream) - first_serial;
  if (is_recorded)
    end_frame (palette, stream);
  else
    forget_last (palette);
  return is_recorded;
}

void
gpu_palette_get_report (GpuPalette * palette, GpuPaletteReport * report)
{
  g_mutex_lock (&palette->lock);
  if (palette->last && palette->last->type->get_report)
    palette->last->type->get_report (palette->last, &palette->tuning, report);
  g_mutex_unlock (&palette->lock);
}

gboolean
gpu_palette_get_modes (GpuPalette * palette, GpuPaletteMode * modes, guint * n,
    guint64 * tag)
{
  gboolean is_known;

  g_mutex_lock (&palette->lock);
  is_known = palette->top
      && gpu_palette_top_colours_get_modes (palette->top, modes, n, tag);
  g_mutex_unlock (&palette->lock);
  return is_known;
}

gboolean
gpu_palette_wait (GpuPalette * palette, GError ** error)
{
  return !gpu_ticket_is_submitted (&palette->ticket)
      || gpu_ticket_wait (&palette->ticket, error);
}
