/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "exact_fixture.h"

#include "gpu/core/device/vulkan.h"
#include "generated.h"

#include <string.h>

/* Of the test at hand; 0: what the device is best at. */
static GpuPaletteWalkKind walk;

/* --- adding tests --- */

typedef struct
{
  GpuPaletteWalkKind walk;
  void (*run) (void);
} WalkTest;

static void
run_with_walk (gconstpointer data)
{
  const WalkTest *test = data;

  walk = test->walk;
  test->run ();
  walk = 0;
}

static void
add_with_walk (GpuPaletteWalkKind kind, const gchar * name, void (*run) (void))
{
  g_autofree gchar *path = g_strdup_printf ("/palette/%s/%s",
      kind == GPU_PALETTE_WALK_GROUPS ? "groups" : "lanes", name);
  WalkTest *test = g_new (WalkTest, 1);

  test->walk = kind;
  test->run = run;
  g_test_add_data_func_full (g_strdelimit (path, "_", '-'), test,
      run_with_walk, g_free);
}

void
exact_add (guint walks, const gchar * name, void (*run) (void))
{
  if (walks & IN_GROUPS)
    add_with_walk (GPU_PALETTE_WALK_GROUPS, name, run);
  if (walks & IN_LANES)
    add_with_walk (GPU_PALETTE_WALK_LANES, name, run);
}

/* --- engines --- */

static Engine *
with_walk (Engine * engine)
{
  engine->walk = walk;
  engine_tune (engine, &(GpuPaletteTuning) {0});
  return engine;
}

Engine *
exact_engine_new_for (GpuPixels in, GpuPixels out, guint width, guint height,
    gboolean is_linear)
{
  return with_walk (engine_new_for (GPU_PALETTE_EXACT, in, out, width, height,
          is_linear));
}

Engine *
exact_engine_new (guint width, guint height)
{
  return exact_engine_new_for (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, width, height,
      FALSE);
}

Engine *
exact_engine_new_slow (guint width, guint height)
{
  return with_walk (engine_new_as (GPU_DEVICE_CPU, GPU_PALETTE_EXACT, width,
          height));
}

/* --- comparing --- */

static guint8 *
oracle (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba, ReferencePaletteStats * stats)
{
  ReferencePaletteSettings wanted =
      engine_reference_settings (engine, settings);
  guint8 *picture = engine_picture_in (engine, rgba);

  reference_palette (&wanted, picture, engine->in.width, engine->in.height,
      picture, stats);
  engine_make_picture_out (engine, picture);
  return picture;
}

void
exact_check (Engine * engine, const gchar * picture, const guint8 * rgba,
    const GpuPaletteSettings * settings)
{
  ReferencePaletteStats stats;
  g_autofree guint8 *got = engine_run (engine, settings, rgba);
  g_autofree guint8 *expected = oracle (engine, settings, rgba, &stats);
  g_autofree gchar *what = engine_describe (engine, picture);

  compare_pixels (what, got, expected, engine->in.width, engine->in.height);
  g_assert_cmpuint (engine->report.counted.colours, ==, stats.n_colours);
  g_assert_cmpuint (engine->report.made.fixed_points, ==, stats.n_ends);
  g_assert_cmpuint (engine->report.made.output_colours, ==,
      stats.n_output_colours);
}

void
exact_check_generated (Engine * engine, const gchar * picture, guint32 seed,
    const GpuPaletteSettings * settings)
{
  g_autofree guint8 *rgba = generated_picture_new (picture, engine->in.width,
      engine->in.height, seed);

  exact_check (engine, picture, rgba, settings);
}

void
exact_check_samples (Engine * engine, const gchar * what, const guint8 * rgba,
    const guint8 * got, guint step)
{
  const ReferencePaletteSettings wanted =
      engine_reference_settings (engine, &engine->settings);
  guint n_pixels = engine->in.width * engine->in.height;
  guint n = (n_pixels + step - 1) / step;
  g_autofree guint8 *samples = g_malloc (n * 4);
  g_autofree guint8 *expected = g_malloc (n * 4);
  const ReferencePixels counted = { rgba, n_pixels }, input = { samples, n };

  for (guint i = 0; i < n; i++)
    memcpy (samples + i * 4, rgba + (gsize) i * step * 4, 4);
  reference_palette_from (&wanted, &counted, &input, expected, NULL);
  for (guint i = 0; i < n; i++)
    memcpy (samples + i * 4, got + (gsize) i * step * 4, 4);
  compare_pixels (what, samples, expected, n, 1);
}

/* --- many colours --- */

const GpuPaletteSettings exact_few_neighbours = {.making =
      {0.001, GPU_PALETTE_FREQUENCY}
};

guint8 *
exact_colours_new (guint n_pixels, guint n)
{
  guint8 *rgba = g_malloc ((gsize) n_pixels * 4);

  for (guint i = 0; i < n_pixels; i++) {
    /* An odd factor permutes the colours. */
    guint colour = i % n * 0x9e3779b1u & 0xffffff;

    rgba[i * 4] = colour >> 16;
    rgba[i * 4 + 1] = colour >> 8;
    rgba[i * 4 + 2] = colour;
    rgba[i * 4 + 3] = 255;
  }
  return rgba;
}

void
exact_check_colours (Engine * engine, guint n, GpuPaletteWeighting weighting)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.004, .weighting = weighting},
  };
  g_autofree gchar *what = g_strdup_printf ("%u colours", n);
  g_autoptr (Engine) fresh = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);
  g_autofree guint8 *rgba = exact_colours_new (MANY_WIDTH * MANY_HEIGHT, n);
  g_autofree guint8 *got = engine_run (engine, &settings, rgba);
  g_autofree guint8 *expected = engine_run (fresh, &settings, rgba);

  g_assert_cmpuint (engine->report.counted.colours, ==, n);
  g_assert_true (engine->report.made.solved);
  compare_pixels (what, got, expected, MANY_WIDTH, MANY_HEIGHT);
  exact_check_samples (engine, what, rgba, got, 9151);
  g_assert_cmpuint (engine->report.made.fixed_points, ==,
      fresh->report.made.fixed_points);
  g_assert_cmpuint (engine->report.made.output_colours, ==,
      fresh->report.made.output_colours);
}

/* --- without room --- */

guint exact_buffers_left;
static PFN_vkCreateBuffer create_counted;

static VkResult VKAPI_CALL
create_buffer (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  if (exact_buffers_left-- == 0)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return create_counted (device, info, allocator, buffer);
}

gboolean
exact_record_without_room (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error)
{
  struct VolkDeviceTable *vk = &gpu_stream_get_device (stream)->vk;
  gboolean done;

  create_counted = vk->vkCreateBuffer;
  vk->vkCreateBuffer = create_buffer;
  done = engine_record (stream, in, out, data, error);
  vk->vkCreateBuffer = create_counted;
  return done;
}
