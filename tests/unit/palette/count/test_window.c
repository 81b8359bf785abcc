/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette of several frames at once against the oracle, which is given all of
 * their pixels each time. */
#include "gpu/core/device/vulkan.h"
#include "generated.h"
#include "gpu_hooks.h"
#include "palette_fixture.h"
#include "played_memory.h"
#include "reference_blocks.h"

#include <string.h>

static gboolean is_full;

#define WIDTH 40
#define PADDED_WIDTH 41         /* rows of arrays by pixel are padded */
#define HEIGHT 18

static const GpuPaletteWalkKind walks[] = {
  GPU_PALETTE_WALK_GROUPS, GPU_PALETTE_WALK_LANES
};

static const guint min_frequencies[] = { 1, 2, 5, 1000 };

/* What an engine was shown, and what of it the window has. */
typedef struct
{
  Engine *engine;
  GByteArray *window;           /* frames, oldest first */
  gsize size;                   /* of a frame */
  guint n_cuts;
} Film;

static Film *
film_new_of (GpuPixels format, guint width, guint height,
    const GpuPaletteTuning * tuning)
{
  Film *film = g_new0 (Film, 1);

  film->engine = engine_new_for (GPU_PALETTE_EXACT, format, GPU_PIXELS_RGBA,
      width, height, FALSE);
  film->engine->walk = tuning->walk;
  engine_tune (film->engine, tuning);
  film->window = g_byte_array_new ();
  film->size = (gsize) width *height * 4;
  return film;
}

static Film *
film_new (guint width, guint height, const GpuPaletteTuning * tuning)
{
  return film_new_of (GPU_PIXELS_RGBA, width, height, tuning);
}

static void
film_free (Film * film)
{
  engine_free (film->engine);
  g_byte_array_unref (film->window);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

static guint
frames_of (Film * film)
{
  return film->window->len / film->size;
}

/* From its last frame to this one. */
static gboolean
is_cut (Film * film, const guint8 * rgba, gdouble threshold)
{
  const GpuFrameInfo *in = &film->engine->in;

  return film->window->len > 0 && reference_is_cut (threshold,
      film->window->data + film->window->len - film->size, rgba, in->width,
      in->height);
}

/* The window as it is to be. */
static void
push (Film * film, const guint8 * rgba, guint history, gdouble threshold)
{
  if (is_cut (film, rgba, threshold)) {
    g_byte_array_set_size (film->window, 0);
    film->n_cuts++;
  }
  g_byte_array_append (film->window, rgba, film->size);
  if (frames_of (film) > history)
    g_byte_array_remove_range (film->window, 0,
        film->window->len - history * film->size);
}

/* What became of @rgba, the next frame, where at most @room frames are counted. */
static void
compare (Film * film, const gchar * picture, const guint8 * rgba,
    const GpuPaletteSettings * settings, guint room, const guint8 * got)
{
  Engine *engine = film->engine;
  const ReferencePaletteSettings wanted =
      engine_reference_settings (engine, settings);
  g_autofree guint8 *expected = g_malloc (film->size);
  g_autofree gchar *how = engine_describe (engine, picture);
  g_autofree gchar *what = NULL;
  const ReferencePixels input = { rgba, film->size / 4 };
  ReferencePixels counted;

  push (film, rgba, room, settings->counting.scene_cut_threshold);
  counted.bytes = film->window->data;
  counted.n = film->window->len / 4;
  reference_palette_from (&wanted, &counted, &input, expected, NULL);
  what = g_strdup_printf ("%s, %u frames of %u, from %u pixels on", how,
      frames_of (film), settings->counting.history,
      settings->making.min_frequency);
  compare_pixels (what, got, expected, engine->in.width, engine->in.height);
  g_assert_cmpuint (engine->report.counted.history, ==, room);
  /* Others stay counted. */
  if (frames_of (film) > 1)
    g_assert_false (engine->report.counted.recounted);
}

static void
show_within (Film * film, const gchar * picture, const guint8 * rgba,
    const GpuPaletteSettings * settings, guint room)
{
  g_autofree guint8 *in = engine_picture_in (film->engine, rgba);
  g_autofree guint8 *got = engine_run (film->engine, settings, rgba);

  compare (film, picture, in, settings, room, got);
}

static void
show (Film * film, const gchar * picture, const guint8 * rgba,
    const GpuPaletteSettings * settings)
{
  show_within (film, picture, rgba, settings, MAX (settings->counting.history,
          1));
}

/* Few colours, so that they come back; and pixels that are not counted. */
static guint8 *
picture_new (GRand * random, guint width, guint height)
{
  static const gchar *const names[] = { "blobs", "alpha-noise", "checker" };
  guint8 *rgba = generated_picture_new (names[g_rand_int_range (random, 0,
              G_N_ELEMENTS (names))], width, height, g_rand_int (random));
  guint8 mask = g_rand_int_range (random, 0, 3) == 0 ? 0xe0 : 0xc0;

  for (gsize i = 0; i < (gsize) width * height * 4; i++)
    if (i % 4 != 3)
      rgba[i] &= mask;
  return rgba;
}

/* A few pixels of a picture become others. */
static void
edit (GRand * random, guint8 * rgba, gsize n_pixels)
{
  for (guint i = 0; i < n_pixels / 20; i++)
    memset (rgba + 4 * g_rand_int_range (random, 0, n_pixels),
        g_rand_int (random), 4);
}

static void
choose_settings (GRand * random, GpuPaletteSettings * settings)
{
  static const gdouble radii[] = { 0.05, 0.2, 0.4 };

  settings->making.radius =
      radii[g_rand_int_range (random, 0, G_N_ELEMENTS (radii))];
  settings->making.weighting = g_rand_int_range (random, 0, 2);
  settings->making.min_frequency =
      min_frequencies[g_rand_int_range (random, 0,
          G_N_ELEMENTS (min_frequencies))];
  settings->counting.scene_cut_threshold =
      g_rand_int_range (random, 0, 2) * 0.05;
}

/* --- windows of one length --- */

static void
check_length (GpuPaletteWalkKind walk, guint history)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (history);
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {
    .walk = walk,
  });

  for (guint i = 0; i < history + 8; i++) {
    g_autofree guint8 *rgba = picture_new (random, WIDTH, HEIGHT);

    show (film, "fixed length", rgba, &(GpuPaletteSettings) {
      .making.radius = 0.2, .making.weighting = i % 2,
      .counting.history = history,
      .making.min_frequency =
          min_frequencies[i / 2 % G_N_ELEMENTS (min_frequencies)],
    });
  }
}

static void
test_lengths (void)
{
  /* The last one in full. */
  static const guint lengths[] = { 1, 3, 7, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    for (guint h = 0; h < (is_full ? 4 : 3); h++)
      check_length (walks[i], lengths[h]);
}

/* Where nothing attracts anything, nothing moves. */
static void
test_nothing_attracts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {
      .walk = walks[i],
    });
    g_autofree guint8 *rgba = generated_picture_new ("noise", WIDTH, HEIGHT, 1);
    g_autofree guint8 *got = engine_run (film->engine,
        &(GpuPaletteSettings) {.making.radius = 0.02, .counting.history = 2,
          .making.min_frequency = 1000},
        rgba);

    compare_pixels ("nothing attracts", got, rgba, WIDTH, HEIGHT);
  }
}

/* --- windows that change --- */

static void
end_early (Film * film, const GpuPaletteSettings * settings,
    const guint8 * rgba)
{
  film->engine->let_through = 0;
  FAILS (GPU_ERROR_CANCELLED, engine_try (film->engine, settings, rgba,
          engine_record_cancelled, &error));
}

/* What empties a window. */
static void
empty (GRand * random, Film * film, const GpuPaletteSettings * settings,
    const guint8 * rgba)
{
  switch (g_rand_int_range (random, 0, 3)) {
    case 0:
      gpu_palette_forget (film->engine->palette);
      break;
    case 1:
      gpu_palette_set_transfer (film->engine->palette,
          gpu_palette_transfer_srgb, NULL);
      break;
    default:
      end_early (film, settings, rgba);
      break;
  }
  g_byte_array_set_size (film->window, 0);
}

/* Frames that are other ones, nearly the same, or the same; with and without a
 * change of what is wanted of them; and windows that are emptied. */
static void
check_sequence (GpuPaletteWalkKind walk, guint slice, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (Film) film =
      film_new (PADDED_WIDTH, HEIGHT, &(GpuPaletteTuning) {
        .walk = walk, .slice = slice,
      });
  g_autofree guint8 *rgba = picture_new (random, PADDED_WIDTH, HEIGHT);
  GpuPaletteSettings settings = {.making.radius = 0.05, .counting.history = 3};

  for (guint i = 0; i < (is_full ? 40 : 20); i++) {
    guint what = g_rand_int_range (random, 0, 4);

    if (what == 0) {
      g_free (rgba);
      rgba = picture_new (random, PADDED_WIDTH, HEIGHT);
    } else if (what == 1)
      edit (random, rgba, PADDED_WIDTH * HEIGHT);
    if (g_rand_int_range (random, 0, 3) == 0)
      settings.counting.history = g_rand_int_range (random, 0, 8);
    if (g_rand_int_range (random, 0, 3) == 0)
      choose_settings (random, &settings);
    if (g_rand_int_range (random, 0, 8) == 0)
      empty (random, film, &settings, rgba);
    show (film, "sequence", rgba, &settings);
  }
}

static void
test_sequences (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    for (guint slice = is_full ? 0 : i; slice < (is_full ? 2 : i + 1); slice++)
      check_sequence (walks[i], slice * 256, 1 + i + 2 * slice);
}

static void
darken (guint8 * rgba, gsize n_pixels)
{
  for (gsize i = 0; i < 4 * n_pixels; i++)
    if (i % 4 < 3)
      rgba[i] /= 4;
}

/* Scenes of some frames each, in windows that become longer and shorter. */
static void
test_cuts (void)
{
  static const GpuPixels formats[] = { GPU_PIXELS_RGBA, GPU_PIXELS_BGR };
  static const guint histories[] = { 4, 1, 3, 2 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (GRand) random = g_rand_new_with_seed (f);
    g_autoptr (Film) film =
        film_new_of (formats[f], 51, 35, &(GpuPaletteTuning) {
          0,
        });

    for (guint i = 0; i < 24; i++) {
      g_autofree guint8 *rgba = picture_new (random, 51, 35);

      if (i % 6 > 2)
        darken (rgba, 51 * 35);
      show (film, "cuts", rgba, &(GpuPaletteSettings) {.making.radius = 0.2,
        .counting.history = histories[i / 6], .making.min_frequency = i % 4,
        .counting.scene_cut_threshold = i < 18 ? 0.05 : 1e-6});
    }
    g_assert_cmpuint (film->n_cuts, >, 3);
  }
}

static void
test_nv12_cuts (void)
{
  const guint width = 49, height = 35;
  const GpuPaletteSettings settings = {.making.radius = 0.2,
    .counting.history = 3, .counting.scene_cut_threshold = 0.05};
  g_autoptr (Film) film = film_new (width, height, &(GpuPaletteTuning) {0});
  const GpuFrameInfo *in = &film->engine->in;
  g_autofree guint8 *bytes = NULL;

  engine_configure (film->engine, GPU_PALETTE_EXACT, GPU_PIXELS_NV12,
      GPU_PIXELS_RGBA, width, height);
  bytes = g_malloc (in->size);
  for (guint frame = 0; frame < 8; frame++) {
    g_autofree guint8 *picture = NULL, *got = NULL;

    for (gsize i = 0; i < in->size; i++)
      bytes[i] = (i < in->offset[1] ? frame % 4 < 2 ? 60 : 90 : 120)
          + i % 7 * (frame + 1);
    picture = engine_picture_in_nv12 (film->engine, bytes);
    got = engine_run_yuv (film->engine, &settings, bytes);
    compare (film, "nv12", picture, &settings, 3, got);
  }
  g_assert_cmpuint (film->n_cuts, ==, 3);
}

/* A frame alone is counted anew where that is cheaper, and those behind it are
 * added to what was. */
static void
test_anew (void)
{
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {0});

  for (guint i = 0; i < 6; i++) {
    g_autofree guint8 *rgba =
        generated_picture_new ("alpha-noise", WIDTH, HEIGHT, i);
    const GpuPaletteSettings settings = {.making.radius = 0.1,
      .counting.history = i < 3 || i == 5 ? 1 : 2};

    show (film, "anew", rgba, &settings);
    g_assert_cmpint (film->engine->report.counted.recounted, ==, i == 0
        || i == 2);
  }
}

/* A frame that is as the one before changes what colours weigh until all of the
 * window are. */
static void
test_unchanged (void)
{
  static const struct
  {
    GpuPaletteWeighting weighting;
    guint min_frequency;
    gboolean solved[6];
  } cases[] = {
    {GPU_PALETTE_FREQUENCY, 1, {TRUE, TRUE, TRUE, FALSE, FALSE, TRUE}},
    {GPU_PALETTE_PALETTE, 1, {TRUE, FALSE, FALSE, FALSE, FALSE, TRUE}},
    /* Two frames of it are enough. */
    {GPU_PALETTE_PALETTE, 2, {TRUE, TRUE, FALSE, FALSE, FALSE, TRUE}},
  };
  g_autofree guint8 *rgba = g_malloc (WIDTH * HEIGHT * 4);

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    ((guint32 *) rgba)[i] = GUINT32_TO_LE (0xff000000 | i * 0x0731);
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {0});

    for (guint i = 0; i < 6; i++) {
      const GpuPaletteSettings settings = {.making.radius = 0.05,
        .making.weighting = cases[c].weighting, .counting.history = 3,
        .making.min_frequency = i == 5 ? 3 : cases[c].min_frequency};

      show (film, "unchanged", rgba, &settings);
      g_test_message ("case %u, frame %u", c, i);
      g_assert_cmpint (film->engine->report.made.solved, ==,
          cases[c].solved[i]);
    }
  }
}

/* Without a pixel that changes: other settings, and room for fewer colours, so
 * that they are handed out in other slices. */
static void
test_untouched (void)
{
  const guint width = 256, height = 72;
  g_autoptr (Film) film = film_new (width, height, &(GpuPaletteTuning) {
    .slice = 256,
  });
  g_autofree guint8 *nothing = g_malloc0 (width * height * 4);
  g_autofree guint8 *noise = generated_picture_new ("noise", width, height, 1);

  show (film, "nothing", nothing, &(GpuPaletteSettings) {
    .making.radius = 0.003, .counting.history = 2,
  });
  show (film, "noise", noise, &(GpuPaletteSettings) {.making.radius = 0.003,
    .counting.history = 2});
  show (film, "noise", noise, &(GpuPaletteSettings) {.making.radius = 0.004,
    .counting.history = 1});
}

/* Colours that are heavier than any is for walks of a single frame, and more of
 * them than one could have, near the surface of each other's balls. */
static void
test_heavy (void)
{
  const guint size = 1024, n_frames = 8;

  for (guint i = 0; i < G_N_ELEMENTS (walks); i++) {
    g_autoptr (Film) film = film_new (size, size, &(GpuPaletteTuning) {
      .walk = walks[i],
    });
    g_autofree guint32 *rgba = g_new (guint32, size * size);

    for (guint frame = 0; frame < n_frames; frame++) {
      guint shade = frame * 3;

      for (guint p = 0; p < size * size; p++)
        rgba[p] = GUINT32_TO_LE (0xff808080 + shade * 0x010101);
      show (film, "heavy", (guint8 *) rgba, &(GpuPaletteSettings) {
        .making.radius = 0.029, .counting.history = frame + 1,
      });
    }
  }
}

/* --- memory --- */

static guint64
memory_without_solver (Film * film)
{
  return gpu_palette_get_memory (film->engine->palette)
      - film->engine->report.effort.memory;
}

/* As many frames are counted as fit into half of what is left; when there is more
 * memory, a change is what tells. */
static void
test_budget (void)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {0});
  static const struct
  {
    guint history, left, room;  /* in frames */
  } steps[] = {
    {1, 100, 1}, {7, 9, 5}, {7, 100, 5}, {6, 100, 6}, {4, 0, 4}, {5, 0, 4},
    {7, 100, 7}, {0, 0, 1},
  };
  guint64 others;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    played_memory_leave (device, steps[i].left * film->size);
    for (guint k = 0; k < 8; k++) {
      g_autofree guint8 *rgba = picture_new (random, WIDTH, HEIGHT);

      show_within (film, "budget", rgba, &(GpuPaletteSettings) {
        .making.radius = 0.2, .counting.history = steps[i].history,
      },
          steps[i].room);
    }
    if (i == 0)
      others = memory_without_solver (film) - film->size;
    g_assert_cmpuint (memory_without_solver (film), ==,
        others + steps[i].room * film->size);
  }
  played_memory_end (device);
}

/* What others take while the window fills counts too, and what they give back when
 * another history is asked for. */
static void
test_taken_by_others (void)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {0});
  GpuPaletteSettings settings = {.making.radius = 0.2, .counting.history = 7};

  for (guint i = 0; i < 12; i++) {
    g_autofree guint8 *rgba = picture_new (random, WIDTH, HEIGHT);
    gboolean is_taken = i >= 3 && i < 8;

    played_memory_leave (device, is_taken ? film->size - 1 : 100 * film->size);
    if (i == 9)
      settings.counting.history = 5;
    show_within (film, "taken by others", rgba, &settings,
        i < 3 ? 7 : i < 9 ? 3 : 5);
  }
  played_memory_end (device);
}

static guint frames_left;

/* A driver that has no more than so many frames. */
static VkResult VKAPI_CALL
refuse_frames (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  if (info->size == WIDTH * HEIGHT * 4 && frames_left-- == 0)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return gpu_hooks_get_driver ()->vkCreateBuffer (device, info, allocator,
      buffer);
}

static void
test_refused (void)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  g_autoptr (Film) film = film_new (WIDTH, HEIGHT, &(GpuPaletteTuning) {0});
  GpuPaletteSettings settings = {.making.radius = 0.2, .counting.history = 7};

  gpu_hooks_install (device);
  device->vk.vkCreateBuffer = refuse_frames;
  /* More than one is there already. */
  frames_left = 3;
  for (guint i = 0; i < 12; i++) {
    g_autofree guint8 *rgba = picture_new (random, WIDTH, HEIGHT);

    if (i == 9)
      settings.counting.history = 2;
    show_within (film, "refused", rgba, &settings, i < 4 ? 7 : i < 9 ? 4 : 2);
  }
  gpu_hooks_remove (device);
}

/* Weights add up to no more than a word holds. */
static void
test_too_many (void)
{
  static const guint max_sums[] = {
    5 * WIDTH * HEIGHT, 5 * WIDTH * HEIGHT - 1, WIDTH * HEIGHT
  };
  static const guint rooms[] = { 5, 4, 1 };
  g_autoptr (GRand) random = g_rand_new_with_seed (4);

  for (guint i = 0; i < G_N_ELEMENTS (max_sums); i++) {
    const GpuPaletteTuning tuning = {.max_sum = max_sums[i]};
    g_autoptr (Film) film = film_new (WIDTH, HEIGHT, &tuning);
    GpuPaletteSettings settings = {.making.radius = 0.2};

    for (guint k = 0; k < 7; k++) {
      g_autofree guint8 *rgba = picture_new (random, WIDTH, HEIGHT);

      settings.counting.history = k < 2 ? 1 : 6;
      show_within (film, "too many", rgba, &settings, k < 2 ? 1 : rooms[i]);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  if (gpu_fixture_skips_all ())
    return 0;
  g_test_add_func ("/window/lengths", test_lengths);
  g_test_add_func ("/window/nothing-attracts", test_nothing_attracts);
  g_test_add_func ("/window/sequences", test_sequences);
  g_test_add_func ("/window/cuts", test_cuts);
  g_test_add_func ("/window/nv12-cuts", test_nv12_cuts);
  g_test_add_func ("/window/anew", test_anew);
  g_test_add_func ("/window/unchanged", test_unchanged);
  g_test_add_func ("/window/untouched", test_untouched);
  g_test_add_func ("/window/heavy", test_heavy);
  g_test_add_func ("/window/budget", test_budget);
  g_test_add_func ("/window/taken-by-others", test_taken_by_others);
  g_test_add_func ("/window/refused", test_refused);
  g_test_add_func ("/window/too-many", test_too_many);
  return gpu_fixture_run_tests ();
}
