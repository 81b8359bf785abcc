/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Work in pieces: gpu_pieces_next(), and the rows that slices bind. */
#include "gpu/core/compute/slicer.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "test_shaders.h"
#include "tests.h"

#include <string.h>

/* Units of a dispatch, of 1 ms each: nothing is learned of them. */
#define DISPATCH_UNITS (GPU_PACER_DISPATCH_NS / 1000000)

static GpuStream *
begin_stream (GpuDevice * device)
{
  GpuStream *stream = OK (gpu_stream_new (device, 1, "test", &error));

  stream->pacer.first_ns = 1e6;
  OK (gpu_stream_begin (stream, &error));
  return stream;
}

/* Every piece begins where the one before ends, and has @items of them, but for the
 * last. */
static void
check_pieces (GpuPieces pieces, guint64 items)
{
  g_autoptr (GpuStream) stream = begin_stream (gpu_fixture_device ());
  g_autoptr (GpuBuffer) buffer =
      OK (gpu_buffer_new (gpu_fixture_device (), GPU_BUFFER_DEVICE, 4, "test",
          &error));
  guint64 end = 0;

  pieces.is_in_place = TRUE;
  while (gpu_pieces_next (&pieces, stream)) {
    g_assert_cmpuint (pieces.first, ==, end);
    g_assert_cmpuint (pieces.end, ==, MIN (end + items, pieces.n));
    end = pieces.end;
    gpu_stream_fill (stream, buffer, 0, 4, 0);
  }
  g_assert_cmpuint (end, ==, pieces.n);
  OK (gpu_stream_submit (stream, NULL, &error));
}

TEST (sizes)
{
  static const struct
  {
    guint64 n, units, step, most, items;
  } cases[] = {
    {100, 1, 1, 1000, DISPATCH_UNITS},
    /* Whole steps, as many as there is time for, but one at least. */
    {100, 1, 8, 1000, DISPATCH_UNITS / 8 * 8},
    {100, 1, 64, 1000, 64},
    {10, 3, 1, 1000, DISPATCH_UNITS / 3},
    {3, 1000, 1, 1000, 1},
    /* No more than can be. */
    {100, 1, 3, 2, 6},
    {0, 1, 1, 1000, 0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_pieces ((GpuPieces) {.units = cases[i].units, .n = cases[i].n,
      .step = cases[i].step, .most = cases[i].most},
        cases[i].items);
}

static gboolean
is_unwanted (gpointer data)
{
  return TRUE;
}

TEST (cancelled)
{
  g_autoptr (GpuStream) stream = begin_stream (gpu_fixture_device ());
  GpuPieces pieces = {.units = 1, .n = 1000, .step = 1, .most = 1000};

  gpu_stream_set_hooks (stream, &(GpuStreamHooks) {is_unwanted});
  while (gpu_pieces_next (&pieces, stream));
  FAILS (GPU_ERROR_CANCELLED, gpu_stream_check (stream, &error));
  g_assert_cmpuint (pieces.end, <, pieces.n);
  g_assert_cmpuint (pieces.end, >, 0);
}

static guint
choose_slice (GpuStream * stream, gconstpointer work)
{
  const GpuSlicer slicer = {.stream = stream};
  GpuSlicerItems items = {.most = 1 << 20, .work = work, .units = 4};

  gpu_slicer_choose_slice (&slicer, &items);
  return items.slice;
}

/* Slices of items whose number only the device knows do not become too long on a slow device,
 * however short they seemed to be. */
TEST (slices)
{
  g_autoptr (GpuStream) stream = begin_stream (gpu_fixture_device ());
  gboolean is_slow = gpu_device_is_slow (gpu_fixture_device ());
  const guint first = 33280, longest = 166656;  /* multiples of 256 */

  stream->pacer.first_ns = 150;
  g_assert_cmpuint (choose_slice (stream, "items"), ==, first);
  g_assert_cmpuint (choose_slice (stream, NULL), ==, is_slow ? longest : first);
  g_assert_cmpuint (stream->pacer.n_kinds, ==, 1);
  stream->pacer.kinds[0].ns = 0.1;
  if (is_slow)
    g_assert_cmpuint (choose_slice (stream, "items"), ==, longest);
  else
    g_assert_cmpuint (choose_slice (stream, "items"), >, longest);
}

/* --- rows --- */

#define SIDE 256                /* pixels of an array, whose rows are as many words */
#define HALO 3

/* Of a dispatch: what it was told, and the bytes that it has. */
static GpuQuotientPush told;
static VkDescriptorBufferInfo bound;
static PFN_vkUpdateDescriptorSets update_sets;
static guint n_dispatches;

static void VKAPI_CALL
see_update (VkDevice device, uint32_t n, const VkWriteDescriptorSet * writes,
    uint32_t n_copies, const VkCopyDescriptorSet * copies)
{
  bound = *writes[0].pBufferInfo;
  update_sets (device, n, writes, n_copies, copies);
}

static void VKAPI_CALL
see_push (VkCommandBuffer commands, VkPipelineLayout layout,
    VkShaderStageFlags stages, uint32_t offset, uint32_t size,
    const void *values)
{
  memcpy (&told, values, sizeof told);
}

/* In place of the dispatch, whose shader knows nothing of rows: it has those of its items, and
 * those above and below that it reads. */
static void VKAPI_CALL
check_rows (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
  const guint first = told.first / SIDE, end = (told.step - 1) / SIDE + 1;
  const guint first_row = told.n, stride = SIDE * sizeof (guint32);

  g_assert_cmpuint (first_row, <=, first - MIN (first, HALO));
  g_assert_cmpuint (bound.offset, ==, first_row * stride);
  g_assert_cmpuint (bound.offset + bound.range, >=,
      MIN (end + HALO, SIDE) * stride);
  n_dispatches++;
}

TEST (halo)
{
  const GpuRowBinding rows = {.width = SIDE, .height = SIDE, .items = SIDE,
    .step = 1, .halo = HALO, .arrays = 1};
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  g_autoptr (GpuStream) stream = begin_stream (device);
  g_autoptr (GpuBuffer) buffer =
      OK (gpu_buffer_new_large (device, GPU_BUFFER_DEVICE,
          SIDE * SIDE * sizeof (guint32), "test", &error));
  const GpuSlicer slicer = {.stream = stream, .slice = 4 * SIDE,
    .max_part = SIDE / 2 * SIDE * sizeof (guint32)};
  const GpuDispatch dispatch = {
    .kernel = OK (gpu_kernel_get (device, &gpu_shader_quotient, NULL, 0, &error)),
    .buffers = {buffer},
  };

  update_sets = device->vk.vkUpdateDescriptorSets;
  device->vk.vkUpdateDescriptorSets = see_update;
  device->vk.vkCmdPushConstants = see_push;
  device->vk.vkCmdDispatch = check_rows;
  n_dispatches = 0;
  gpu_slicer_run_over_rows (&slicer, &dispatch, &rows, SIDE * SIDE);
  OK (gpu_stream_check (stream, &error));
  g_assert_cmpuint (n_dispatches, >=, SIDE / 4);
  gpu_stream_abandon (stream);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  tests_add ("/pieces/", g_test_add_func);
  return gpu_fixture_run_tests ();
}
