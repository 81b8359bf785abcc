/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/memory/heap.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "tests.h"

#include <string.h>

#define BLOCK ((guint64) 64 << 20)
#define MIB ((guint64) 1 << 20)

typedef struct
{
  GpuDevice *device;
  GpuHeap *heap;
} Fixture;

#define HOST_VISIBLE VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define HOST_COHERENT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
#define HOST_CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
#define DEVICE_LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT

static void
open_heap (Fixture * fixture, GpuDevice * device, VkMemoryPropertyFlags wish)
{
  static VkMemoryPropertyFlags wishes[2];

  wishes[0] = wish;
  fixture->device = device;
  /* Any other type if those that are wished for are full, except for host memory. */
  fixture->heap = gpu_heap_new (device, wishes, wish == DEVICE_LOCAL ? 2 : 1,
      (wish & HOST_VISIBLE) != 0, FALSE);
}

/* A heap of host memory. */
static Fixture
setup (void)
{
  Fixture fixture = { gpu_fixture_open_another (), NULL };

  gpu_hooks_install (fixture.device);
  open_heap (&fixture, fixture.device, HOST_VISIBLE | HOST_COHERENT);
  return fixture;
}

static void
teardown (Fixture * fixture)
{
  gpu_heap_free (fixture->heap);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
  gpu_device_unref (fixture->device);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, teardown)
/* @types: those that the buffer may live in, as bits. */
     static GpuHeapPiece
         take_of (Fixture * fixture, guint64 size, guint64 alignment,
    guint32 types)
{
  const VkMemoryRequirements needs = { size, alignment, types };
  GpuHeapPiece piece = { NULL };

  OK (gpu_heap_take (fixture->heap, &needs, &piece, &error));
  g_assert_nonnull (piece.block);
  g_assert_cmpuint (piece.size, >=, size);
  return piece;
}

static GpuHeapPiece
take (Fixture * fixture, guint64 size, guint64 alignment)
{
  return take_of (fixture, size, alignment, G_MAXUINT32);
}

/* @words: what the message names. */
static void
assert_none (Fixture * fixture, guint64 size, guint32 types, gint code,
    const gchar * words)
{
  const VkMemoryRequirements needs = { size, 4, types };
  g_autoptr (GError) error = NULL;
  GpuHeapPiece piece = { NULL };

  g_assert_false (gpu_heap_take (fixture->heap, &needs, &piece, &error));
  g_assert_error (error, GPU_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_null (piece.block);
}

static void
give_back (Fixture * fixture, const GpuHeapPiece * pieces, guint n)
{
  for (guint i = 0; i < n; i++)
    gpu_heap_give_back (fixture->heap, &pieces[i]);
}

/* Bytes that the driver gave the heap. */
static void
assert_allocated (const Fixture * fixture, guint64 bytes)
{
  g_assert_cmpuint (gpu_device_get_allocated (fixture->device), ==, bytes);
}

static void
assert_disjoint (const GpuHeapPiece * a, const GpuHeapPiece * b)
{
  if (a->memory == b->memory)
    g_assert_true (a->offset + a->size <= b->offset
        || b->offset + b->size <= a->offset);
}

TEST (alignment)
{
  g_auto (Fixture) fixture = setup ();
  GpuHeapPiece pieces[40];

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
}

TEST (reuse)
{
  g_auto (Fixture) fixture = setup ();
  GpuHeapPiece a, b, c, d;

  a = take (&fixture, 5000, 4);
  b = take (&fixture, 3000, 4);
  c = take (&fixture, 1000, 4);
  gpu_heap_give_back (fixture.heap, &b);
  d = take (&fixture, 2000, 4);
  g_assert_cmpuint (d.offset, ==, b.offset);
  /* What is left of the gap is too small. */
  b = take (&fixture, 3000, 4);
  g_assert_cmpuint (b.offset, >, c.offset);
  give_back (&fixture, (GpuHeapPiece[]) {a, b, c, d}, 4);
  assert_allocated (&fixture, BLOCK);
}

/* A block that came back in parts, in whatever order, is whole again. */
TEST (coalescing)
{
  static const guint orders[][4] = {
    {0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 1, 3}, {1, 3, 0, 2}, {2, 0, 3, 1},
    {1, 2, 0, 3}, {3, 0, 1, 2}, {0, 3, 2, 1},
  };
  g_auto (Fixture) fixture = setup ();
  GpuHeapPiece pieces[4], halves[2];

  for (guint o = 0; o < G_N_ELEMENTS (orders); o++) {
    for (guint i = 0; i < 4; i++)
      pieces[i] = take (&fixture, BLOCK / 4, 4);
    for (guint i = 0; i < 4; i++)
      gpu_heap_give_back (fixture.heap, &pieces[orders[o][i]]);
    for (guint i = 0; i < 2; i++)
      halves[i] = take (&fixture, BLOCK / 2, 4);
    assert_allocated (&fixture, BLOCK);
    give_back (&fixture, halves, 2);
  }
}

/* Any history leaves no piece in another and no hole behind. */
TEST (random)
{
  g_auto (Fixture) fixture = setup ();
  GpuHeapPiece pieces[64] = { {NULL}
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint64 most = 0;

  for (guint round = 0; round < 4000; round++) {
    guint i = g_rand_int_range (random, 0, G_N_ELEMENTS (pieces));

    if (pieces[i].block) {
      gpu_heap_give_back (fixture.heap, &pieces[i]);
      pieces[i].block = NULL;
      continue;
    }
    pieces[i] = take (&fixture, g_rand_int_range (random, 1, 4 * MIB),
        1u << g_rand_int_range (random, 0, 17));
    most = MAX (most, gpu_device_get_allocated (fixture.device));
    for (guint j = 0; j < G_N_ELEMENTS (pieces); j++)
      if (j != i && pieces[j].block)
        assert_disjoint (&pieces[i], &pieces[j]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    if (pieces[i].block)
      gpu_heap_give_back (fixture.heap, &pieces[i]);

  /* All blocks but one were found to be whole again. */
  g_assert_cmpuint (most, >, BLOCK);
  assert_allocated (&fixture, BLOCK);
  pieces[0] = take (&fixture, BLOCK / 2, 1);
  pieces[1] = take (&fixture, BLOCK / 2, 1);
  assert_allocated (&fixture, BLOCK);
  give_back (&fixture, pieces, 2);
}

TEST (dedicated)
{
  g_auto (Fixture) fixture = setup ();
  GpuHeapPiece small, large;

  small = take (&fixture, 1000, 4);
  assert_allocated (&fixture, BLOCK);
  large = take (&fixture, 80 * MIB, 4);
  assert_allocated (&fixture, BLOCK + 80 * MIB);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 2);
  gpu_heap_give_back (fixture.heap, &large);
  assert_allocated (&fixture, BLOCK);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 1);
  gpu_heap_give_back (fixture.heap, &small);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 1);
}

/* Another thread that wants something of the heap while the driver frees memory. */
static struct
{
  GpuHeap *heap;
  PFN_vkFreeMemory free;
  GMutex lock;
  GCond changed;
  gboolean has_come, is_locked;
} other;

static gpointer
use_heap (gpointer data)
{
  const VkMemoryRequirements needs = { 4, 4, G_MAXUINT32 };
  GpuHeapPiece piece;

  OK (gpu_heap_take (other.heap, &needs, &piece, &error));
  gpu_heap_give_back (other.heap, &piece);
  g_mutex_lock (&other.lock);
  other.has_come = TRUE;
  g_cond_signal (&other.changed);
  g_mutex_unlock (&other.lock);
  return NULL;
}

static void VKAPI_CALL
free_beside_other (VkDevice device, VkDeviceMemory memory,
    const VkAllocationCallbacks * allocator)
{
  gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  g_thread_unref (g_thread_new ("other", use_heap, NULL));
  g_mutex_lock (&other.lock);
  while (!other.has_come && !other.is_locked)
    other.is_locked = !g_cond_wait_until (&other.changed, &other.lock, end);
  g_mutex_unlock (&other.lock);
  other.free (device, memory, allocator);
}

/* Drivers may take long to free memory; nobody waits for that. */
TEST (freeing)
{
  g_auto (Fixture) fixture = setup ();
  GpuHeapPiece large;

  other.heap = fixture.heap;
  large = take (&fixture, 80 * MIB, 4);
  other.free = fixture.device->vk.vkFreeMemory;
  fixture.device->vk.vkFreeMemory = free_beside_other;
  gpu_heap_give_back (fixture.heap, &large);
  fixture.device->vk.vkFreeMemory = other.free;
  g_assert_true (other.has_come);
  g_assert_false (other.is_locked);
}

/* What has an allocation of its own goes back with it, however large it is;
 * of the others one may stay empty. */
TEST (empty_blocks)
{
  static const guint64 dedicated[] = { BLOCK / 2 + 1, BLOCK, BLOCK + 1 };
  g_auto (Fixture) fixture = setup ();
  GpuHeapPiece pieces[8];

  for (guint i = 0; i < G_N_ELEMENTS (dedicated); i++) {
    pieces[0] = take (&fixture, dedicated[i], 4);
    g_assert_cmpint (gpu_hooks_get_allocations (), ==, 1);
    gpu_heap_give_back (fixture.heap, &pieces[0]);
    g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
    g_assert_cmpuint (gpu_device_get_allocated (fixture.device), ==, 0);
  }
  /* Two to a block. */
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    pieces[i] = take (&fixture, BLOCK / 2, 4);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 4);
  g_assert_cmpuint (gpu_device_get_allocated (fixture.device), ==, 4 * BLOCK);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++) {
    gpu_heap_give_back (fixture.heap, &pieces[i]);
    g_assert_cmpint (gpu_hooks_get_allocations (), ==,
        5 - MAX ((gint) (i + 1) / 2, 1));
  }
  g_assert_cmpuint (gpu_device_get_allocated (fixture.device), ==, BLOCK);
}

GPU_HOOK_RETURNS (refuse_allocate, VK_ERROR_OUT_OF_DEVICE_MEMORY,
    VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory);

TEST (exhaustion)
{
  g_auto (Fixture) fixture = setup ();
  GpuHeapPiece first, second;
  PFN_vkAllocateMemory allocate;

  first = take (&fixture, 1000, 4);
  allocate = fixture.device->vk.vkAllocateMemory;
  fixture.device->vk.vkAllocateMemory = refuse_allocate;
  assert_none (&fixture, 100 * MIB, G_MAXUINT32, GPU_ERROR_OUT_OF_MEMORY,
      "100 MiB of host memory");
  assert_allocated (&fixture, BLOCK);
  g_assert_false (gpu_device_is_lost (fixture.device));
  /* What is there already is still handed out. */
  second = take (&fixture, MIB, 4);
  gpu_heap_give_back (fixture.heap, &second);
  /* Later allocations are tried again. */
  fixture.device->vk.vkAllocateMemory = allocate;
  second = take (&fixture, 100 * MIB, 4);
  give_back (&fixture, (GpuHeapPiece[]) {first, second}, 2);
}

/* --- several types --- */

/* A card, as the tests' devices are none: memory of its own, a little of that
 * which the host sees, the host's own, and what must not be touched. */
static const VkMemoryPropertyFlags card_types[] = {
  HOST_VISIBLE | HOST_COHERENT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD
      | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD | DEVICE_LOCAL,
  DEVICE_LOCAL,
  HOST_VISIBLE | HOST_COHERENT,
  HOST_VISIBLE | HOST_COHERENT | HOST_CACHED,
  DEVICE_LOCAL | HOST_VISIBLE | HOST_COHERENT,
};

static guint32 real_type, full_types, last_type;
static guint64 most_at_once;    /* bytes */
static guint n_tried;
static PFN_vkAllocateMemory counted_allocate;

static VkResult VKAPI_CALL
allocate_on_card (VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory)
{
  VkMemoryAllocateInfo real = *info;

  n_tried++;
  last_type = info->memoryTypeIndex;
  real.memoryTypeIndex = real_type;
  if ((full_types & (1u << info->memoryTypeIndex))
      || info->allocationSize > most_at_once)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return counted_allocate (device, &real, allocator, memory);
}

static void
be_a_card (GpuDevice * device)
{
  VkPhysicalDeviceMemoryProperties *memory = &device->memory;
  static const VkMemoryPropertyFlags needed = HOST_VISIBLE | HOST_COHERENT;

  real_type = 0;
  while (needed & ~memory->memoryTypes[real_type].propertyFlags)
    real_type++;
  memory->memoryTypeCount = G_N_ELEMENTS (card_types);
  for (guint i = 0; i < memory->memoryTypeCount; i++) {
    memory->memoryTypes[i].propertyFlags = card_types[i];
    memory->memoryTypes[i].heapIndex = 0;
  }
  gpu_hooks_install (device);
  counted_allocate = device->vk.vkAllocateMemory;
  device->vk.vkAllocateMemory = allocate_on_card;
}

/* A heap of device memory on a card. @separate: bytes of its fastest memory if that is a Vulkan
 * heap of its own, the second; 0: there is only one. */
static Fixture
setup_card (guint64 separate)
{
  void (*edit) (GpuDevice *) = gpu_device_edit;
  Fixture fixture;

  full_types = 0;
  most_at_once = G_MAXUINT64;
  gpu_device_edit = be_a_card;
  open_heap (&fixture, gpu_fixture_open_another (), DEVICE_LOCAL);
  gpu_device_edit = edit;
  n_tried = 0;
  if (separate > 0) {
    fixture.device->memory.memoryHeapCount = 2;
    fixture.device->memory.memoryHeaps[1].size = separate;
    fixture.device->memory.memoryTypes[1].heapIndex = 1;
  }
  return fixture;
}

/* While a type is full, the next one in the order of the wishes serves; each is tried once. */
TEST (full_types)
{
  static const guint32 order[] = { 1, 4, 2, 3 };
  g_auto (Fixture) fixture = setup_card (0);
  GpuHeapPiece pieces[G_N_ELEMENTS (order)];

  for (guint i = 0; i < G_N_ELEMENTS (order); i++) {
    n_tried = 0;
    pieces[i] = take (&fixture, 60 * MIB, 4);
    g_assert_cmpuint (n_tried, ==, i + 1);
    g_assert_cmpuint (last_type, ==, order[i]);
    g_assert_cmphex (pieces[i].flags, ==, card_types[order[i]]);
    g_assert_null (pieces[i].data);
    full_types |= 1u << order[i];
  }
  assert_none (&fixture, 60 * MIB, G_MAXUINT32, GPU_ERROR_OUT_OF_MEMORY,
      "60 MiB of device memory");
  give_back (&fixture, pieces, G_N_ELEMENTS (order));

  /* Only types that the buffer may live in. */
  full_types = 0;
  for (guint type = 1; type <= 2; type++) {
    pieces[type] = take_of (&fixture, 100, 4, 1u << type);
    g_assert_cmpuint (last_type, ==, type);
  }
  assert_none (&fixture, 100, 1u << 0, GPU_ERROR_FAILED, "");
  give_back (&fixture, pieces + 1, 2);
}

/* Once there is room again in the best type, that is what is handed out, and
 * nothing is kept of the others. */
TEST (shortage)
{
  g_auto (Fixture) fixture = setup_card (0);
  GpuHeapPiece worse, better;

  full_types = 1u << 1;
  worse = take (&fixture, MIB, 4);
  g_assert_cmpuint (last_type, ==, 4);
  full_types = 0;
  better = take (&fixture, MIB, 4);
  g_assert_cmpuint (last_type, ==, 1);
  g_assert_cmphex (better.flags, ==, card_types[1]);

  gpu_heap_give_back (fixture.heap, &worse);
  assert_allocated (&fixture, BLOCK);
  gpu_heap_give_back (fixture.heap, &better);
  assert_allocated (&fixture, BLOCK);
  n_tried = 0;
  better = take (&fixture, MIB, 4);
  g_assert_cmphex (better.flags, ==, card_types[1]);
  g_assert_cmpuint (n_tried, ==, 0);
  gpu_heap_give_back (fixture.heap, &better);
}

/* Where there is no room for a block there may be some for a buffer. */
TEST (little_left)
{
  g_auto (Fixture) fixture = setup_card (0);
  GpuHeapPiece pieces[2];

  most_at_once = 32 * MIB;
  for (guint i = 0; i < 2; i++) {
    pieces[i] = take (&fixture, MIB, 4);
    g_assert_cmphex (pieces[i].flags, ==, card_types[1]);
    assert_allocated (&fixture, (i + 1) * MIB);
  }
  give_back (&fixture, pieces, 2);
  assert_allocated (&fixture, 0);
}

/* More than a type's memory is never asked for. */
TEST (small_memory)
{
  g_auto (Fixture) fixture = setup_card (32 * MIB);
  GpuHeapPiece piece;

  piece = take (&fixture, 40 * MIB, 4);
  g_assert_cmpuint (n_tried, ==, 1);
  g_assert_cmpuint (last_type, ==, 4);
  gpu_heap_give_back (fixture.heap, &piece);
  assert_none (&fixture, 40 * MIB, 1u << 1, GPU_ERROR_OUT_OF_MEMORY, "");
  g_assert_cmpuint (n_tried, ==, 1);
  piece = take_of (&fixture, MIB, 4, 1u << 1);
  assert_allocated (&fixture, MIB);
  gpu_heap_give_back (fixture.heap, &piece);
}

/* --- what is left --- */

static void
assert_left (const Fixture * fixture, guint64 bytes)
{
  g_assert_cmpuint (gpu_heap_get_left (fixture->heap), ==, bytes);
}

/* Without a budget: what was taken from other heaps is not missing in this one. */
TEST (left_of_heap)
{
  g_auto (Fixture) fixture = setup_card (1000 * MIB);
  Fixture others;
  GpuHeapPiece piece, foreign;

  open_heap (&others, fixture.device, HOST_VISIBLE);
  fixture.device->get_memory_budget = NULL;
  foreign = take (&others, 40 * MIB, 4);
  assert_left (&fixture, 1000 * MIB);
  piece = take (&fixture, 40 * MIB, 4);
  assert_left (&fixture, 960 * MIB);
  g_assert_cmpuint (gpu_device_get_allocated (fixture.device), ==, 80 * MIB);
  gpu_heap_give_back (others.heap, &foreign);
  gpu_heap_give_back (fixture.heap, &piece);
  assert_left (&fixture, 1000 * MIB);
  fixture.device->memory.memoryHeaps[1].size = 0;
  assert_left (&fixture, 0);
  gpu_heap_free (others.heap);
}

static VkDeviceSize budget, usage;

static void VKAPI_CALL
say_budget (VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2 * memory)
{
  VkPhysicalDeviceMemoryBudgetPropertiesEXT *answer = memory->pNext;

  answer->heapBudget[0] = answer->heapUsage[0] = 1;
  answer->heapBudget[1] = budget;
  answer->heapUsage[1] = usage;
}

/* Of that heap, and as it is now: a process beside this one takes some. */
TEST (budget)
{
  static const guint64 budgets[] = { 700, 300, 50 }, left[] = { 600, 200, 0 };
  g_auto (Fixture) fixture = setup_card (1000 * MIB);

  fixture.device->get_memory_budget = say_budget;
  usage = 100 * MIB;
  for (guint i = 0; i < G_N_ELEMENTS (budgets); i++) {
    budget = budgets[i] * MIB;
    assert_left (&fixture, left[i] * MIB);
  }
}

GPU_HOOK_RETURNS (refuse_map, VK_ERROR_MEMORY_MAP_FAILED, VkDevice device,
    VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
    VkMemoryMapFlags flags, void **data);

TEST (map_failure)
{
  g_auto (Fixture) fixture = setup ();

  fixture.device->vk.vkMapMemory = refuse_map;
  assert_none (&fixture, 1000, G_MAXUINT32, GPU_ERROR_FAILED, "");
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
  assert_allocated (&fixture, 0);
}

GPU_FIXTURE_MAIN ("/heap/", gpu_fixture_add_test)
