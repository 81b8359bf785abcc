/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu_fixture.h"
#include "gpu_hooks.h"

#include <string.h>

#define BLOCK ((guint64) 64 << 20)
#define MIB ((guint64) 1 << 20)

typedef struct
{
  GpuDevice *device;
  GpuHeap *heap;
} Fixture;

/* A heap of host memory beside the device's own. */
static void
setup (Fixture * fixture)
{
  GpuDevice *device = gpu_fixture_open_another ();

  gpu_hooks_install (device);
  fixture->device = device;
  fixture->heap = gpu_heap_new (device,
      gpu_heap_get_memory_type (device->heaps[GPU_BUFFER_HOST]), TRUE);
}

static void
teardown (Fixture * fixture)
{
  gpu_heap_free (fixture->heap);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
  gpu_device_unref (fixture->device);
}

static GpuHeapPiece
take (Fixture * fixture, guint64 size, guint64 alignment)
{
  g_autoptr (GError) error = NULL;
  GpuHeapPiece piece = { NULL };

  gpu_heap_take (fixture->heap, size, alignment, &piece, &error);
  g_assert_no_error (error);
  g_assert_nonnull (piece.block);
  g_assert_cmpuint (piece.size, >=, size);
  return piece;
}

static void
assert_disjoint (const GpuHeapPiece * a, const GpuHeapPiece * b)
{
  if (a->memory == b->memory)
    g_assert_true (a->offset + a->size <= b->offset
        || b->offset + b->size <= a->offset);
}

static void
test_alignment (void)
{
  Fixture fixture;
  GpuHeapPiece pieces[40];

  setup (&fixture);
  fixture.device->atom = 256;
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++) {
    guint64 alignment = 1u << (i % 14);

    pieces[i] = take (&fixture, 1 + 97 * i, alignment);
    g_assert_cmpuint (pieces[i].offset % alignment, ==, 0);
    /* Whole atoms, or flushing one piece would touch another. */
    g_assert_cmpuint (pieces[i].offset % 256, ==, 0);
    g_assert_cmpuint (pieces[i].size % 256, ==, 0);
    for (guint j = 0; j < i; j++)
      assert_disjoint (&pieces[i], &pieces[j]);
    memset (pieces[i].data, i, pieces[i].size);
  }
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++) {
    for (guint k = 0; k < pieces[i].size; k++)
      g_assert_cmpuint (pieces[i].data[k], ==, i);
    gpu_heap_give_back (fixture.heap, &pieces[i]);
  }
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 1);
  teardown (&fixture);
}

static void
test_reuse (void)
{
  Fixture fixture;
  GpuHeapPiece a, b, c, d;

  setup (&fixture);
  a = take (&fixture, 5000, 4);
  b = take (&fixture, 3000, 4);
  c = take (&fixture, 1000, 4);
  gpu_heap_give_back (fixture.heap, &b);
  d = take (&fixture, 2000, 4);
  g_assert_cmpuint (d.offset, ==, b.offset);
  /* What is left of the gap is too small. */
  b = take (&fixture, 3000, 4);
  g_assert_cmpuint (b.offset, >, c.offset);
  gpu_heap_give_back (fixture.heap, &a);
  gpu_heap_give_back (fixture.heap, &b);
  gpu_heap_give_back (fixture.heap, &c);
  gpu_heap_give_back (fixture.heap, &d);
  g_assert_cmpuint (gpu_heap_get_allocated (fixture.heap), ==, BLOCK);
  teardown (&fixture);
}

/* A block that came back in parts, in whatever order, is whole again. */
static void
test_coalescing (void)
{
  static const guint orders[][4] = {
    {0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 1, 3}, {1, 3, 0, 2}, {2, 0, 3, 1},
    {1, 2, 0, 3}, {3, 0, 1, 2}, {0, 3, 2, 1},
  };
  Fixture fixture;
  GpuHeapPiece pieces[4], whole;

  setup (&fixture);
  for (guint o = 0; o < G_N_ELEMENTS (orders); o++) {
    for (guint i = 0; i < 4; i++)
      pieces[i] = take (&fixture, BLOCK / 4, 4);
    for (guint i = 0; i < 4; i++)
      gpu_heap_give_back (fixture.heap, &pieces[orders[o][i]]);
    whole = take (&fixture, BLOCK, 4);
    g_assert_cmpuint (gpu_heap_get_allocated (fixture.heap), ==, BLOCK);
    gpu_heap_give_back (fixture.heap, &whole);
  }
  teardown (&fixture);
}

/* Any history leaves no piece in another and no hole behind. */
static void
test_random (void)
{
  Fixture fixture;
  GpuHeapPiece pieces[64] = { {NULL} };
  GRand *random = g_rand_new_with_seed (7);
  guint64 blocks;

  setup (&fixture);
  for (guint round = 0; round < 4000; round++) {
    guint i = g_rand_int_range (random, 0, G_N_ELEMENTS (pieces));

    if (pieces[i].block) {
      gpu_heap_give_back (fixture.heap, &pieces[i]);
      pieces[i].block = NULL;
      continue;
    }
    pieces[i] = take (&fixture, g_rand_int_range (random, 1, 4 * MIB),
        1u << g_rand_int_range (random, 0, 17));
    for (guint j = 0; j < G_N_ELEMENTS (pieces); j++)
      if (j != i && pieces[j].block)
        assert_disjoint (&pieces[i], &pieces[j]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    if (pieces[i].block)
      gpu_heap_give_back (fixture.heap, &pieces[i]);

  blocks = gpu_heap_get_allocated (fixture.heap) / BLOCK;
  g_assert_cmpuint (blocks, >, 1);
  for (guint i = 0; i < blocks; i++)
    pieces[i] = take (&fixture, BLOCK, 1);
  g_assert_cmpuint (gpu_heap_get_allocated (fixture.heap), ==, blocks * BLOCK);
  for (guint i = 0; i < blocks; i++)
    gpu_heap_give_back (fixture.heap, &pieces[i]);
  g_rand_free (random);
  teardown (&fixture);
}

static void
test_dedicated (void)
{
  Fixture fixture;
  GpuHeapPiece small, large;

  setup (&fixture);
  small = take (&fixture, 1000, 4);
  g_assert_cmpuint (gpu_heap_get_allocated (fixture.heap), ==, BLOCK);
  large = take (&fixture, 80 * MIB, 4);
  g_assert_cmpuint (gpu_heap_get_allocated (fixture.heap), ==,
      BLOCK + 80 * MIB);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 2);
  gpu_heap_give_back (fixture.heap, &large);
  g_assert_cmpuint (gpu_heap_get_allocated (fixture.heap), ==, BLOCK);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 1);
  gpu_heap_give_back (fixture.heap, &small);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 1);
  teardown (&fixture);
}

static VkResult VKAPI_CALL
refuse_allocate (VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory)
{
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static void
test_exhaustion (void)
{
  g_autoptr (GError) error = NULL;
  Fixture fixture;
  GpuHeapPiece first, second, refused = { NULL };
  PFN_vkAllocateMemory allocate;

  setup (&fixture);
  first = take (&fixture, 1000, 4);
  allocate = fixture.device->vk.vkAllocateMemory;
  fixture.device->vk.vkAllocateMemory = refuse_allocate;
  g_assert_false (gpu_heap_take (fixture.heap, 100 * MIB, 4, &refused, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
  g_assert_nonnull (strstr (error->message, "100 MiB of host memory"));
  g_assert_null (refused.block);
  g_assert_cmpuint (gpu_heap_get_allocated (fixture.heap), ==, BLOCK);
  g_assert_false (gpu_device_is_lost (fixture.device));
  /* What is there already is still handed out. */
  second = take (&fixture, MIB, 4);
  gpu_heap_give_back (fixture.heap, &second);
  /* And it is no grudge. */
  fixture.device->vk.vkAllocateMemory = allocate;
  second = take (&fixture, 100 * MIB, 4);
  gpu_heap_give_back (fixture.heap, &second);
  gpu_heap_give_back (fixture.heap, &first);
  teardown (&fixture);
}

static VkResult VKAPI_CALL
refuse_map (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
    VkDeviceSize size, VkMemoryMapFlags flags, void **data)
{
  return VK_ERROR_MEMORY_MAP_FAILED;
}

static void
test_map_failure (void)
{
  g_autoptr (GError) error = NULL;
  Fixture fixture;
  GpuHeapPiece piece;

  setup (&fixture);
  fixture.device->vk.vkMapMemory = refuse_map;
  g_assert_false (gpu_heap_take (fixture.heap, 1000, 4, &piece, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_FAILED);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
  g_assert_cmpuint (gpu_heap_get_allocated (fixture.heap), ==, 0);
  teardown (&fixture);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/heap/alignment", test_alignment);
  gpu_fixture_add_test ("/heap/reuse", test_reuse);
  gpu_fixture_add_test ("/heap/coalescing", test_coalescing);
  gpu_fixture_add_test ("/heap/random", test_random);
  gpu_fixture_add_test ("/heap/dedicated", test_dedicated);
  gpu_fixture_add_test ("/heap/exhaustion", test_exhaustion);
  gpu_fixture_add_test ("/heap/map-failure", test_map_failure);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
