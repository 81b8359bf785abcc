/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "palette_fixture.h"

#include "gpu/core/device/vulkan.h"
#include "reference_live.h"
#include "reference_yuv.h"

#include <string.h>

gboolean
palette_fixture_skips_all (void)
{
  const gchar *const mesa = "llvmpipe Mesa ";
  const GpuDeviceInfo *info;

  if (gpu_fixture_skips_all ())
    return TRUE;
  info = gpu_device_get_info (gpu_fixture_device ());
  if (info->subgroup_size != 16 || !g_str_has_prefix (info->driver, mesa)
      || g_ascii_strtoull (info->driver + strlen (mesa), NULL, 10) != 26)
    return FALSE;
  g_print ("1..0 # SKIP with 16 lanes this compiler overwrites its stack\n");
  gpu_fixture_close ();
  return TRUE;
}

#define JUNK 0x5a

/* Of frames of YUV. */
static const ReferenceYuvSettings bt709 =
    { 0.2126, 0.0722, FALSE, TRUE, FALSE };

/* --- frames --- */

static gboolean
is_nv12 (const GpuFrameInfo * info)
{
  return info->pixels == GPU_PIXELS_NV12;
}

/* Rows and planes start where a lazy shader would not expect them, but for frames of YUV,
 * which are tightly packed. The first row begins at a multiple of four words unless the height
 * leaves 3 if divided by 4; the rows after it also do unless it leaves 1. */
static GpuFrameInfo
make_info (GpuPixels pixels, guint width, guint height)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, height);
  if (gpu_pixel_format_is_subsampled (gpu_pixels_get_format (pixels)))
    return info;
  info.offset[0] = height % 4 == 3 ? 20 : 16;
  info.stride[0] += height % 4 == 1 ? 12 : 16;
  info.size = info.offset[0] + info.stride[0] * height;
  if (gpu_pixels_get_format (pixels)->grouping == GPU_INDEXED) {
    info.offset[1] = info.size + 8;
    info.size = info.offset[1] + 256 * info.stride[1] + 4;
  }
  return info;
}

static ReferenceYuvFrame
planes_of (const GpuFrameInfo * info, guint8 * frame)
{
  guint8 *chroma = frame + info->offset[1];

  return (ReferenceYuvFrame) {info->width, info->height, frame, chroma,
    chroma + 1, info->stride[0], info->stride[1], 2};
}

static guint8 *
nv12_from_rgba (const GpuFrameInfo * info, const guint8 * rgba)
{
  guint8 *frame = g_malloc0 (info->size);
  const ReferenceYuvFrame planes = planes_of (info, frame);

  reference_yuv_from_rgba (&bt709, rgba, &planes);
  return frame;
}

static guint8 *
rgba_from_nv12 (const GpuFrameInfo * info, guint8 * frame)
{
  const ReferenceYuvFrame planes = planes_of (info, frame);
  guint8 *rgba = g_malloc ((gsize) info->width * info->height * 4);

  reference_yuv_to_rgba (&bt709, &planes, rgba);
  return rgba;
}

static guint8 *
frame_from_rgba (const GpuFrameInfo * info, const guint8 * rgba)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint8 *frame;

  if (is_nv12 (info))
    return nv12_from_rgba (info, rgba);
  frame = g_malloc (info->size);
  memset (frame, JUNK, info->size);
  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++, rgba += 4) {
      guint8 *pixel = frame + info->offset[0] + y * info->stride[0]
          + x * format->components[0];

      pixel[format->red] = rgba[0];
      pixel[format->green] = rgba[1];
      pixel[format->blue] = rgba[2];
      if (format->alpha >= 0)
        pixel[format->alpha] = rgba[3];
    }
  return frame;
}

static guint8 *
rgba_from_indexes (const GpuFrameInfo * info, const guint8 * frame)
{
  guint8 *rgba = g_malloc ((gsize) info->width * info->height * 4);
  guint8 *to = rgba;

  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++, to += 4) {
      guint index = frame[info->offset[0] + y * info->stride[0] + x];
      guint32 entry;

      memcpy (&entry, frame + info->offset[1] + index * info->stride[1],
          sizeof entry);
      to[0] = entry >> 16;
      to[1] = entry >> 8;
      to[2] = entry;
      to[3] = entry >> 24;
    }
  return rgba;
}

static guint8 *
rgba_from_frame (const GpuFrameInfo * info, guint8 * frame)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint8 *rgba, *to;

  if (is_nv12 (info))
    return rgba_from_nv12 (info, frame);
  if (format->grouping == GPU_INDEXED)
    return rgba_from_indexes (info, frame);
  rgba = to = g_malloc ((gsize) info->width * info->height * 4);
  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++, to += 4) {
      const guint8 *pixel = frame + info->offset[0] + y * info->stride[0]
          + x * format->components[0];

      to[0] = pixel[format->red];
      to[1] = pixel[format->green];
      to[2] = pixel[format->blue];
      /* What a format writes beside colours is 255 where it is not alpha. */
      to[3] = format->alpha >= 0 ? pixel[format->alpha]
          : format->unused >= 0 ? pixel[format->unused] : 255;
    }
  return rgba;
}

/* --- engines --- */

void
engine_tune (Engine * engine, const GpuPaletteTuning * tuning)
{
  engine->tuning = *tuning;
  engine->tuning.walk = engine->walk;
  gpu_palette_set_tuning (engine->palette, &engine->tuning);
}

void
engine_configure (Engine * engine, GpuPaletteQuality quality, GpuPixels in,
    GpuPixels out, guint width, guint height)
{
  const GpuPaletteFormat format = {.in = in, .out = out, .width = width,
    .height = height,
    .yuv = {bt709.kr, bt709.kb, bt709.full_range, bt709.h_cosited,
      bt709.v_cosited}};

  engine->in = make_info (in, width, height);
  engine->out = make_info (out, width, height);
  OK (gpu_palette_configure (engine->palette, &format, quality, &error));
}

Engine *
engine_new_for (GpuPaletteQuality quality, GpuPixels in, GpuPixels out,
    guint width, guint height, gboolean is_linear)
{
  GpuDevice *device = gpu_fixture_device ();
  Engine *engine = g_new0 (Engine, 1);

  engine->palette = gpu_palette_new (device);
  engine->stream = OK (gpu_stream_new (device, 2, "test", &error));
  engine->is_linear = is_linear;
  engine->info = device->info;
  engine_configure (engine, quality, in, out, width, height);
  if (is_linear)
    gpu_palette_set_transfer (engine->palette, gpu_palette_transfer_linear,
        NULL);
  return engine;
}

Engine *
engine_new (GpuPaletteQuality quality, guint width, guint height)
{
  return engine_new_for (quality, GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, width,
      height, FALSE);
}

Engine *
engine_new_as (GpuDeviceKind kind, GpuPaletteQuality quality, guint width,
    guint height)
{
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  GpuDeviceKind real = info->kind;
  Engine *engine;

  info->kind = kind;
  engine = engine_new (quality, width, height);
  info->kind = real;
  return engine;
}

void
engine_free (Engine * engine)
{
  gpu_palette_free (engine->palette);
  gpu_stream_unref (engine->stream);
  g_free (engine);
}

/* --- running --- */

gboolean
engine_record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Engine *engine = data;
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (engine->palette, stream, &engine->settings,
      &frames, &engine->report, error);
}

static gboolean
cancel_at (gpointer data)
{
  guint *left = data;

  return (*left)-- == 0;
}

gboolean
engine_record_cancelled (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error)
{
  Engine *engine = data;
  guint left = engine->let_through;
  gboolean done;

  gpu_stream_set_hooks (stream, &(GpuStreamHooks) {cancel_at, .data = &left});
  done = engine_record (stream, in, out, data, error);
  gpu_stream_set_hooks (stream, &(GpuStreamHooks) {NULL});
  return done;
}

gboolean
engine_record_and_fail (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer engine, GError ** error)
{
  g_assert_true (engine_record (stream, in, out, engine, error));
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY, "no memory");
  return FALSE;
}

static guint8 *
try_frame (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * in, GpuFixtureRecord record, GError ** error)
{
  const GpuFixtureWork work = { record, engine, &engine->in, &engine->out };
  g_autofree guint8 *out = NULL;
  GpuDeviceInfo *info = &gpu_fixture_device ()->info, real = *info;

  engine->settings = *settings;
  *info = engine->info;
  out = gpu_fixture_run (engine->stream, &work, in, error);
  *info = real;
  if (!out)
    return NULL;
  gpu_palette_get_report (engine->palette, &engine->report);
  return rgba_from_frame (&engine->out, out);
}

guint8 *
engine_try (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba, GpuFixtureRecord record, GError ** error)
{
  g_autofree guint8 *in = frame_from_rgba (&engine->in, rgba);

  return try_frame (engine, settings, in, record, error);
}

guint8 *
engine_run_yuv (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * frame)
{
  return OK (try_frame (engine, settings, frame, engine_record, &error));
}

guint8 *
engine_run (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba)
{
  return OK (engine_try (engine, settings, rgba, engine_record, &error));
}

/* --- comparing --- */

gchar *
engine_describe (Engine * engine, const gchar * picture)
{
  const GpuPaletteSettings *s = &engine->settings;
  const GpuPaletteTuning *t = &engine->tuning;
  g_autofree gchar *how = s->quality == GPU_PALETTE_LIVE
      ? g_strdup_printf ("live, capacity %u, stability %g with %u modes",
      t->bin_capacity, s->motion.stability, t->mode_capacity)
      : g_strdup_printf ("limit %u, walk %u, cells 2^%u",
      s->making.iteration_limit, t->walk, t->cell_shift);

  return g_strdup_printf ("%s %ux%u %s to %s, radius %g, %s, %s%s", picture,
      engine->in.width, engine->in.height,
      gpu_pixels_get_format (engine->in.pixels)->name,
      gpu_pixels_get_format (engine->out.pixels)->name, s->making.radius,
      s->making.weighting == GPU_PALETTE_PALETTE ? "palette" : "frequency", how,
      engine->is_linear ? ", linear" : "");
}

ReferencePaletteSettings
engine_reference_settings (Engine * engine, const GpuPaletteSettings * settings)
{
  ReferencePaletteSettings reference = {
    .radius = settings->making.radius,
    .chroma = settings->making.chroma,
    .weighting = settings->making.weighting == GPU_PALETTE_PALETTE
        ? REFERENCE_WEIGHTING_PALETTE : REFERENCE_WEIGHTING_FREQUENCY,
    .iteration_limit = settings->making.iteration_limit,
    .min_frequency = settings->making.min_frequency,
    .transfer = engine->is_linear
        ? REFERENCE_TRANSFER_LINEAR : REFERENCE_TRANSFER_SRGB,
    .walks = REFERENCE_WALKS_SHORTCUT,
  };

  return reference;
}

ReferenceTemporalSettings
engine_temporal_settings (Engine * engine, const GpuPaletteSettings * settings)
{
  const guint capacity = engine->tuning.bin_capacity;
  ReferenceTemporalSettings reference = {
    .palette = engine_reference_settings (engine, settings),
    .history = settings->counting.history,
    .bin_capacity = capacity ? capacity : REFERENCE_LIVE_CAPACITY,
    .max_shift = settings->making.max_shift,
    .stability = settings->motion.stability,
    .coherence = settings->making.coherence,
    .scene_cut_threshold = settings->counting.scene_cut_threshold,
    .format = engine->in.pixels,
    .hold = settings->motion.hold,
    .update_interval = settings->motion.update_interval,
    .n_colours = settings->making.given.n_colours,
    .colors = settings->making.limit,
    .keeps_radius = settings->making.keeps_radius
  };

  memcpy (reference.colours, settings->making.given.colours,
      sizeof reference.colours);
  return reference;
}

static void
make_opaque (guint8 * rgba, const GpuFrameInfo * info)
{
  if (gpu_pixels_get_format (info->pixels)->alpha >= 0)
    return;
  for (gsize i = 0; i < (gsize) info->width * info->height; i++)
    rgba[i * 4 + 3] = 255;
}

/* As a frame shows it. */
static void
make_shown (guint8 * rgba, const GpuFrameInfo * info)
{
  g_autofree guint8 *frame = NULL, *shown = NULL;

  make_opaque (rgba, info);
  if (!is_nv12 (info))
    return;
  frame = nv12_from_rgba (info, rgba);
  shown = rgba_from_nv12 (info, frame);
  memcpy (rgba, shown, (gsize) info->width * info->height * 4);
}

guint8 *
engine_picture_in (Engine * engine, const guint8 * rgba)
{
  guint8 *picture = g_memdup2 (rgba,
      (gsize) engine->in.width * engine->in.height * 4);

  make_shown (picture, &engine->in);
  return picture;
}

guint8 *
engine_picture_in_nv12 (Engine * engine, guint8 * frame)
{
  return rgba_from_nv12 (&engine->in, frame);
}

void
engine_make_picture_out (Engine * engine, guint8 * rgba)
{
  make_shown (rgba, &engine->out);
}

void
compare_pixels (const gchar * what, const guint8 * got,
    const guint8 * expected, guint width, guint height)
{
  guint n_wrong = 0;

  for (guint i = 0; i < width * height; i++)
    if (memcmp (got + i * 4, expected + i * 4, 4) && n_wrong++ == 0)
      g_printerr ("# %s: pixel %u,%u is %02x%02x%02x%02x, not "
          "%02x%02x%02x%02x\n", what, i % width, i / width, got[i * 4],
          got[i * 4 + 1], got[i * 4 + 2], got[i * 4 + 3], expected[i * 4],
          expected[i * 4 + 1], expected[i * 4 + 2], expected[i * 4 + 3]);
  if (n_wrong > 0)
    g_error ("%s: %u of %u pixels differ", what, n_wrong, width * height);
}
