/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette where buffers of pixels are bound in parts, against the same bound as
 * a whole. */
#include "gpu/core/device/vulkan.h"
#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "gpu_fixture.h"
#include "shaders/core/pixels/format.h"

#include <string.h>

static gboolean is_full;

/* Rows of no whole number of anything, and more than three parts of them: a part has rows
 * of blocks of 16, and 20 above and below, from where these may come. With
 * slices of 256 items, those of Y'CbCr begin at every row of a part for one. */
#define WIDTH 133
/* With rows of whole vectors of four words, as which GPUs load and store frames. */
#define VECTORS_WIDTH 132
#define HEIGHT 509
#define PART (140 * 4 * PIXELS_ROW_WORDS (WIDTH))

#define N_FRAMES 4

typedef struct
{
  const gchar *name;
  GpuPaletteSettings settings;
  guint slice;
  gboolean has_vectors;         /* rows of frames are whole vectors */
} Case;

#define CUT .counting.scene_cut_threshold = 0.1
/* Walks are not what this is about: a small radius makes them short. */
#define EXACT CUT,.making.radius = 0.02,.quality = GPU_PALETTE_EXACT
#define LIVE CUT,.making.radius = 0.06,.quality = GPU_PALETTE_LIVE

static const Case cases[] = {
  {"exact", {EXACT,.counts_pixels = TRUE}},
  {"exact-slices", {EXACT}, 256},
  {"exact-window", {EXACT,.counting.history = 2}},
  {"live", {LIVE}},
  {"live-window", {LIVE,.counting.history = 3}},
  {"live-palette", {LIVE,.making.weighting = GPU_PALETTE_PALETTE}, 256},
  {"steady", {LIVE,.motion.stability = 0.7,.counts_pixels = TRUE}},
  {"coherent", {LIVE,.motion.stability = 0.7,.making.coherence = 1}, 256},
  {"limited", {LIVE,.motion.stability = 0.3,.making.limit = 12}},
};

/* Where the device does as GPUs do. */
static const Case of_gpus[] = {
  {"vectors", {LIVE},.has_vectors = TRUE},
  {"vectors-steady", {LIVE,.motion.stability = 0.7},.has_vectors = TRUE},
  {"padded-steady", {LIVE,.motion.stability = 0.7}},
};

typedef struct
{
  GpuPixels in, out;
  gboolean is_interlaced;
} Formats;

/* Every way to read pixels, to write them, and to lie about rows. */
static const Formats all_formats[] = {
  {GPU_PIXELS_RGBA, GPU_PIXELS_RGBA},
  {GPU_PIXELS_RGB, GPU_PIXELS_BGRX},
  {GPU_PIXELS_NV12, GPU_PIXELS_NV12},
  {GPU_PIXELS_NV12, GPU_PIXELS_I420, TRUE},
  {GPU_PIXELS_I420, GPU_PIXELS_RGB},
  {GPU_PIXELS_XRGB, GPU_PIXELS_NV12},
};

static const Formats indexed = { GPU_PIXELS_RGBA, GPU_PIXELS_RGB8P };

/* --- frames --- */

static guint
width_of (const Case * what)
{
  return what->has_vectors ? VECTORS_WIDTH : WIDTH;
}

/* The first plane begins neither where parts do nor near the buffer's beginning, as
 * that of a cropped frame. */
static GpuFrameInfo
layout_of (const Case * what, GpuPixels pixels, gboolean is_interlaced)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width_of (what), HEIGHT);
  info.is_interlaced = is_interlaced;
  info.size = 3 * PART + (what->has_vectors ? 16 : 20);
  for (guint i = 0; i < gpu_pixels_get_format (pixels)->n_planes; i++) {
    info.offset[i] = info.size;
    info.stride[i] += what->has_vectors ? 16 : 8;
    info.size += info.stride[i] * gpu_frame_info_plane_height (&info, i) + 12;
  }
  return info;
}

/* Few colours, in patches that have nothing to do with rows, and that go up by 17 rows and
 * to the left in each frame. The last frame is another scene; of the others the second half
 * becomes brighter. */
static guint8 *
make_frame (const GpuFrameInfo * info, guint frame)
{
  guint8 *bytes = g_malloc (info->size);
  const gsize moved = frame * (17 * info->stride[0] + 12);
  guint32 state = 1 + frame;

  for (gsize i = 0; i < info->size; i++) {
    state = state * 1664525 + 1013904223;
    bytes[i] = ((i + moved) / 37 * 53 & 0x70) + (state >> 30)
        + (frame == N_FRAMES - 1 ? 100 : i > info->size / 2 ? 9 * frame : 0);
  }
  return bytes;
}

/* --- runs --- */

typedef struct
{
  GpuPalette *palette;
  GpuStream *stream;
  const Case *what;
  GpuFrameInfo in, out;
  guint n_frames;               /* so far */
  guint n_modes;
  GpuPaletteMode modes[GPU_PALETTE_MAX_MODES];
} Run;

static void
run_init (Run * run, const Case * what, const Formats * formats, gsize max_part)
{
  const GpuPaletteTuning tuning = {.slice = what->slice, .max_part = max_part};
  const GpuPaletteFormat format = {.in = formats->in, .out = formats->out,
    .width = width_of (what), .height = HEIGHT,
    .yuv = {0.2126, 0.0722, FALSE, TRUE, TRUE}};

  *run = (Run) {.what = what,
    .in = layout_of (what, formats->in, formats->is_interlaced),
    .out = layout_of (what, formats->out, formats->is_interlaced)};
  run->palette = gpu_palette_new (gpu_fixture_device ());
  run->stream = OK (gpu_stream_new (gpu_fixture_device (), 2, "test", &error));
  OK (gpu_palette_configure (run->palette, &format, what->settings.quality,
          &error));
  gpu_palette_set_tuning (run->palette, &tuning);
}

static void
run_clear (Run * run)
{
  gpu_palette_free (run->palette);
  gpu_stream_unref (run->stream);
}

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Run *run = data;
  GpuPaletteSettings settings = run->what->settings;
  const GpuFrames frames = {.in = in, .out = out};

  /* One frame leaves for good. */
  if (run->n_frames++ == 2)
    settings.counting.history = 1;
  return gpu_palette_record (run->palette, stream, &settings, &frames, NULL,
      error);
}

static guint8 *
try_frame (Run * run, const guint8 * bytes, GError ** error)
{
  const GpuFixtureWork work = { record, run, &run->in, &run->out };

  return gpu_fixture_run (run->stream, &work, bytes, error);
}

static guint8 *
run_frame (Run * run, const guint8 * bytes)
{
  guint8 *out = OK (try_frame (run, bytes, &error));
  guint64 tag;

  if (run->what->settings.counts_pixels)
    g_assert_true (gpu_palette_get_modes (run->palette, run->modes,
            &run->n_modes, &tag));
  return out;
}

static void
compare_modes (const Run * a, const Run * b)
{
  g_assert_cmpuint (a->n_modes, ==, b->n_modes);
  for (guint i = 0; i < a->n_modes; i++) {
    g_assert_cmpuint (a->modes[i].colour, ==, b->modes[i].colour);
    g_assert_cmpfloat (a->modes[i].share, ==, b->modes[i].share);
  }
}

static void
compare (const Case * what, const Formats * formats)
{
  Run whole, parts;

  run_init (&whole, what, formats, 0);
  run_init (&parts, what, formats, PART);
  for (guint i = 0; i < N_FRAMES; i++) {
    g_autofree guint8 *in = make_frame (&whole.in, i);
    g_autofree guint8 *expected = run_frame (&whole, in);
    g_autofree guint8 *got = run_frame (&parts, in);

    for (gsize at = 0; at < whole.out.size; at++)
      if (got[at] != expected[at])
        g_error ("%s, %s to %s, frame %u: byte %" G_GSIZE_FORMAT " of the "
            "first plane is %u, not %u", what->name,
            gpu_pixels_get_format (formats->in)->name,
            gpu_pixels_get_format (formats->out)->name, i,
            at - whole.out.offset[0], got[at], expected[at]);
    compare_modes (&whole, &parts);
  }
  run_clear (&whole);
  run_clear (&parts);
}

static void
test_case (gconstpointer data)
{
  const guint n = (const Case *) data - cases;

  for (guint i = is_full ? 0 : n % 2; i < G_N_ELEMENTS (all_formats);
      i += is_full ? 1 : 2)
    compare (data, &all_formats[i]);
}

static void
test_as_gpu (gconstpointer data)
{
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  const GpuDeviceKind real = info->kind;

  info->kind = GPU_DEVICE_DISCRETE;
  compare (data, &all_formats[0]);
  info->kind = real;
}

static void
test_indexed (void)
{
  compare (&cases[G_N_ELEMENTS (cases) - 1], &indexed);
}

/* Parts have 64 rows at least. */
static void
test_too_long (gconstpointer data)
{
  g_autofree guint8 *in = NULL;
  Run run;

  run_init (&run, data, &all_formats[0], 60 * 4 * WIDTH);
  in = make_frame (&run.in, 0);
  FAILS (GPU_ERROR_TOO_LARGE, try_frame (&run, in, &error));
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  if (gpu_fixture_skips_all ())
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *path = g_strdup_printf ("/parts/%s", cases[i].name);

    g_test_add_data_func (path, &cases[i], test_case);
  }
  for (guint i = 0; i < G_N_ELEMENTS (of_gpus); i++) {
    g_autofree gchar *path = g_strdup_printf ("/parts/%s", of_gpus[i].name);

    g_test_add_data_func (path, &of_gpus[i], test_as_gpu);
  }
  g_test_add_func ("/parts/indexed", test_indexed);
  g_test_add_data_func ("/parts/too-long/exact", &cases[0], test_too_long);
  g_test_add_data_func ("/parts/too-long/live", &cases[3], test_too_long);
  return gpu_fixture_run_tests ();
}
