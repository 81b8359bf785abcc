/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the allocator and the pool make, and what they refuse. */
#include "memory_fixture.h"
#include "gpu/core/device/vulkan.h"
#include "gst/memory/gstgpubufferpool.h"

TEST (allocation_params)
{
  GstAllocationParams impossible[] = {
    {0, 4095, 0, 0}, {0, 127, 0, 0}, {GST_MEMORY_FLAG_ZERO_PADDED, 0, 0, 16},
    {0, 0, 6, 0}, {0, 0, G_MAXSIZE - 3, 0},
    {0, 0, 64, G_MAXSIZE - MEMORY_FIXTURE_SIZE - 60},
  };
  GstAllocationParams possible = { 0, 63, 64, 100 };
  g_auto (MemoryFixture) f = memory_fixture_open ();
  GstMemory *memory;
  GstMapInfo map;

  for (guint i = 0; i < G_N_ELEMENTS (impossible); i++)
    g_assert_null (gst_allocator_alloc (f.allocator, MEMORY_FIXTURE_SIZE,
            &impossible[i]));
  g_assert_null (gst_allocator_alloc (f.allocator, 0, NULL));
  f.device->info.max_buffer = MEMORY_FIXTURE_SIZE + 163;
  g_assert_null (gst_allocator_alloc (f.allocator, MEMORY_FIXTURE_SIZE + 1,
          &possible));

  f.device->info.max_buffer = MEMORY_FIXTURE_SIZE + 164;
  memory = gst_allocator_alloc (f.allocator, MEMORY_FIXTURE_SIZE, &possible);
  g_assert_cmpuint (memory->align, ==, 63);
  g_assert_cmpuint (memory->offset, ==, 64);
  g_assert_cmpuint (memory->maxsize, ==, 64 + MEMORY_FIXTURE_SIZE + 100);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  g_assert_cmpuint ((gsize) map.data % 64, ==, 0);
  memset (map.data - 64, 1, 64 + MEMORY_FIXTURE_SIZE + 100);
  gst_memory_unmap (memory, &map);
  gst_memory_unref (memory);
}

/* Bytes of sides that exist, however many views there are. */
TEST (held)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  GstMemory *a, *b, *view;

  a = memory_fixture_alloc (&f);
  b = memory_fixture_alloc (&f);
  g_assert_cmpuint (gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR
          (f.allocator)), ==, 0);
  memory_fixture_write (a, 1);
  g_assert_cmpuint (gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR
          (f.allocator)), ==, MEMORY_FIXTURE_SIZE);
  memory_fixture_copy (&f, a, b, FALSE);
  view = gst_memory_share (b, 16, -1);
  g_assert_cmpuint (view->size, ==, MEMORY_FIXTURE_SIZE - 16);
  gst_memory_unref (b);
  g_assert_cmpuint (gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR
          (f.allocator)), ==,
      (2 + fixture_transfers (1)) * MEMORY_FIXTURE_SIZE);
  gst_memory_unref (view);
  gst_memory_unref (a);
  g_assert_cmpuint (gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR
          (f.allocator)), ==, 0);
}

/* --- the pool --- */

TEST (pool_layout)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstCaps) caps = fixture_caps ("I420", 17, 9);
  GstBufferPool *pool;
  GstBuffer *buffer;
  GstVideoInfo info;
  GstVideoMeta *meta;

  gst_video_info_from_caps (&info, caps);
  pool = gst_gpu_buffer_pool_new_for_caps (f.allocator, caps, 1, TRUE);
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_true (gst_buffer_pool_acquire_buffer (pool, &buffer,
          NULL) == GST_FLOW_OK);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, info.size);
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 1);
  meta = gst_buffer_get_video_meta (buffer);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpint (meta->stride[i], ==, info.stride[i]);
    g_assert_cmpuint (meta->offset[i], ==, info.offset[i]);
  }
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

TEST (pool_alignment)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstCaps) caps = fixture_caps ("NV12", 33, 9);
  GstAllocationParams params = { 0, 63, 64, 16 };
  GstVideoAlignment alignment;
  GstBufferPool *pool;
  GstStructure *config;
  GstBuffer *buffer;
  GstVideoMeta *meta;
  GstMapInfo map;

  gst_video_alignment_reset (&alignment);
  alignment.padding_top = 2;
  alignment.padding_bottom = 4;
  for (guint i = 0; i < 2; i++)
    alignment.stride_align[i] = 63;

  pool = gst_gpu_buffer_pool_new (f.allocator);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, 4096, 2, 0);
  gst_buffer_pool_config_set_allocator (config, NULL, &params);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &alignment);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_true (gst_buffer_pool_acquire_buffer (pool, &buffer,
          NULL) == GST_FLOW_OK);
  meta = gst_buffer_get_video_meta (buffer);
  g_assert_cmpint (meta->stride[0], ==, 64);
  g_assert_cmpint (meta->stride[1], ==, 64);
  g_assert_cmpuint (meta->offset[0], ==, 2 * 64);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  g_assert_cmpuint ((gsize) map.data % 64, ==, 0);
  g_assert_cmpuint (map.maxsize, >=, map.size + 16);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

static GstStructure *
pool_config (const gchar * caps, guint size, gsize align, gsize prefix,
    guint stride_align)
{
  GstStructure *config = gst_structure_new_empty ("GstBufferPoolConfig");
  GstCaps *video = caps ? gst_caps_from_string (caps) : NULL;
  GstAllocationParams params = { 0, align, prefix, 0 };
  GstVideoAlignment alignment;

  gst_video_alignment_reset (&alignment);
  alignment.stride_align[0] = stride_align;
  gst_buffer_pool_config_set_params (config, video, size, 1, 1);
  gst_buffer_pool_config_set_allocator (config, NULL, &params);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &alignment);
  g_clear_pointer (&video, gst_caps_unref);
  return config;
}

#define LARGE "video/x-raw, format=NV12, width=64, height=64"

/* What the pool refuses leaves it as it was. */
TEST (pool_refuses)
{
  GstStructure *impossible[] = {
    pool_config (NULL, 100, 0, 0, 0),
    pool_config ("audio/x-raw", 6144, 0, 0, 0),
    pool_config (LARGE, 6143, 0, 0, 0),
    pool_config (LARGE, 6144, 4095, 0, 0),
    pool_config (LARGE, 6144, 0, 6, 0),
    pool_config (LARGE, 8192, 0, 0, 127),
    pool_config (LARGE, 8192, 0, 0, 6),
  };
  /* With a prefix; with lines that are padded. */
  GstStructure *too_large[] = {
    pool_config (LARGE, 8192, 0, 64, 0),
    pool_config ("video/x-raw, format=GRAY8, width=33, height=129", 5160, 0, 0,
        63),
  };
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstCaps) caps = fixture_caps ("GRAY8", 17, 9);
  GstBufferPool *pool;
  GstBuffer *buffer;

  pool = gst_gpu_buffer_pool_new_for_caps (f.allocator, caps, 1, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (impossible); i++)
    g_assert_false (gst_buffer_pool_set_config (pool, impossible[i]));
  f.device->info.max_buffer = 8192;
  for (guint i = 0; i < G_N_ELEMENTS (too_large); i++)
    g_assert_false (gst_buffer_pool_set_config (pool, too_large[i]));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 20 * 9);
  g_assert_cmpuint (gst_buffer_peek_memory (buffer, 0)->align, ==, 0);
  g_assert_cmpint (gst_buffer_get_video_meta (buffer)->width, ==, 17);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

TEST (pool_keeps_allocator)
{
  g_auto (MemoryFixture) f = memory_fixture_open ();
  g_autoptr (GstCaps) caps = fixture_caps ("GRAY8", 17, 9);
  GstAllocator *foreign = gst_allocator_find (GST_ALLOCATOR_SYSMEM), *set;
  GstBufferPool *pool;
  GstStructure *config;
  GstBuffer *buffer;

  pool = gst_gpu_buffer_pool_new_for_caps (f.allocator, caps, 1, TRUE);
  g_assert_true (GST_IS_VIDEO_BUFFER_POOL (pool));
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_allocator (config, foreign, NULL);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_allocator (config, &set, NULL);
  g_assert_true (set == f.allocator);
  gst_structure_free (config);
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  g_assert_true (gst_buffer_peek_memory (buffer, 0)->allocator == f.allocator);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_object_unref (foreign);
}

FIXTURE_MAIN ("/memory/")
