/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels that read texels have the same results as kernels that do not. */
#include "gpu/core/device/bindings.h"
#include "gpu/core/kernel/kernel.h"
#include "stream_fixture.h"
#include "gpu_fixture.h"
#include "test_shaders.h"

#include <string.h>

#define HEADER 3                /* words before the words */
#define RESULTS 8

typedef struct
{
  gint32 number;
  gfloat weight;
  guint32 pair[2];
} Item;

typedef struct
{
  guint32 words[HEADER + N + 1];        /* whole quads */
  Item items[N];
  guint32 counters[N][2];
  guint32 results[N][RESULTS];
} Content;

static Content *
make_content (void)
{
  Content *content = g_new0 (Content, 1);

  for (guint i = 0; i < G_N_ELEMENTS (content->words); i++)
    content->words[i] = 0x9e3779b9u * (i + 1);
  for (guint i = 0; i < N; i++) {
    content->items[i].number = 50 - (gint) i;
    content->items[i].weight = i * 0.75f;
    content->items[i].pair[0] = i << 20;
    content->items[i].pair[1] = ~i;
    content->counters[i][0] = 7 * i;
  }
  return content;
}

/* The sums of texels.comp. */
static void
calculate (Content * content)
{
  const guint32 *words = content->words;

  for (guint i = 0; i < N; i++) {
    const Item *item = &content->items[i];
    guint32 *counters = content->counters[i];
    const guint32 *quad = words + i / 4 * 4;
    const guint32 *four = words + 4 + i / 8 * 4;
    const guint32 results[RESULTS] = {
      words[2] + words[HEADER + i], words[i],
      quad[0] + 2 * quad[1] + 3 * quad[2] + 4 * quad[3],
      item->number + (gint) item->weight, item->pair[0] ^ item->pair[1],
      counters[0] + 3, 2 * (counters[0] + 3),
      (words[0] ^ four[0]) + 2 * (words[1] ^ four[1])
          + 3 * (words[2] ^ four[2]) + 4 * (words[3] ^ four[3])
    };

    memcpy (content->results[i], results, sizeof results);
    counters[0] += 3;
    counters[1] = 2 * counters[0];
  }
}

static GpuBuffer *
upload (GpuDevice * device, gconstpointer data, gsize size)
{
  GpuBuffer *buffer = new_buffer (device, GPU_BUFFER_HOST, size / 4);

  memcpy (gpu_buffer_get_data (buffer), data, size);
  g_assert_true (gpu_buffer_flush (buffer, NULL));
  return buffer;
}

static void
download (gpointer data, gsize size, GpuBuffer * buffer)
{
  g_assert_true (gpu_buffer_invalidate (buffer, NULL));
  memcpy (data, gpu_buffer_get_data (buffer), size);
}

static void
run (GpuDevice * device, Content * content)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GpuStream) stream = new_stream (device, 1);
  g_autoptr (GpuBuffer) words =
      upload (device, content->words, sizeof content->words);
  g_autoptr (GpuBuffer) items =
      upload (device, content->items, sizeof content->items);
  g_autoptr (GpuBuffer) counters =
      upload (device, content->counters, sizeof content->counters);
  g_autoptr (GpuBuffer) results =
      upload (device, content->results, sizeof content->results);
  const GpuDispatch dispatch = {
    .kernel = gpu_kernel_get (device, &gpu_shader_texels, NULL, 0, &error),
    .buffers = {
      [TEXELS_WORDS] = words,[TEXELS_ITEMS] = items,[TEXELS_COUNTERS] =
          counters,[TEXELS_RESULTS] = results,[TEXELS_FOURS] = words,
    },
    .push = &(GpuTexelsPush) {N},
  };

  g_assert_no_error (error);
  begin (stream);
  gpu_stream_dispatch (stream, &dispatch, (N + 63) / 64, 1, 1);
  submit (stream, NULL);
  wait_idle (stream);
  download (content->counters, sizeof content->counters, counters);
  download (content->results, sizeof content->results, results);
}

static gboolean reads_texels;

static void
choose_texels (GpuDevice * device)
{
  device->reads_texels = reads_texels;
}

static void
check_results (gboolean with_texels)
{
  g_autofree Content *expected = make_content (), *content = make_content ();
  void (*edit) (GpuDevice *) = gpu_device_edit;
  g_autoptr (GpuDevice) device = NULL;

  reads_texels = with_texels;
  gpu_device_edit = choose_texels;
  device = gpu_fixture_open_another ();
  gpu_device_edit = edit;
  calculate (expected);
  run (device, content);
  g_assert_cmpmem (content->counters, sizeof content->counters,
      expected->counters, sizeof expected->counters);
  g_assert_cmpmem (content->results, sizeof content->results,
      expected->results, sizeof expected->results);
}

static void
test_results (void)
{
  check_results (TRUE);
  check_results (FALSE);
}

/* SPIR-V: the first word of a decoration of four words, and the decoration. */
#define DECORATE (4 << 16 | 71)
#define BINDING 33

/* Only buffers that are not written have texels, whatever they are declared as. */
static void
test_bindings (void)
{
  const guint32 *words = gpu_shader_texels.texels;
  guint32 bindings = 0;

  for (gsize i = 0; i + 3 < gpu_shader_texels.n_texels; i++)
    if (words[i] == DECORATE && words[i + 2] == BINDING)
      bindings |= 1u << words[i + 3];
  g_assert_cmphex (bindings, ==, 1u << (GPU_MAX_BINDINGS + TEXELS_WORDS)
      | 1u << (GPU_MAX_BINDINGS + TEXELS_ITEMS)
      | 1u << (GPU_MAX_BINDINGS + TEXELS_FOURS));
  g_assert_cmphex (gpu_shader_texels.fours, ==, 1u << TEXELS_FOURS);
}

/* Only Mesa's CPU device gains by texels, and bindings must not be larger than they are. */
static void
test_choice (void)
{
  GpuDevice device = {
    .info.max_binding = 1 << 20,
    .info.max_buffers = GPU_MAX_BINDINGS,
    .driver = VK_DRIVER_ID_MESA_LLVMPIPE,
    .properties.limits = {
      .maxTexelBufferElements = 1 << 18,
      .maxPerStageDescriptorSampledImages = GPU_MAX_BINDINGS,
      .maxPerStageResources = 2 * GPU_MAX_BINDINGS,
    },
  };

  g_assert_true (gpu_bindings_want_texels (&device));
  device.driver = VK_DRIVER_ID_MESA_RADV;
  g_assert_false (gpu_bindings_want_texels (&device));
  device.driver = VK_DRIVER_ID_MESA_LLVMPIPE;
  device.info.max_binding += 4;
  g_assert_false (gpu_bindings_want_texels (&device));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/texels/results", test_results);
  gpu_fixture_add_test ("/texels/bindings", test_bindings);
  gpu_fixture_add_test ("/texels/choice", test_choice);
  return gpu_fixture_run_tests ();
}
