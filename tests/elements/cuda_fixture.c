/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cuda_fixture.h"

#include "fake_cuda.h"
#include "gpu/core/device/vulkan.h"
#include "gst/memory/gstgpucuda.h"
#include "loader_fixture.h"

#include <dlfcn.h>

static const GstGpuCuda *cuda;
static FakeCuda *driver;
static GstCudaContext *context;
static GstCudaStream *upstream, *downstream;

typedef GstCudaContext *(*NewContext) (guint device);

/* --- the libraries --- */

static GstCudaContext *
new_context (void)
{
  void *library = dlopen ("libgstcuda-1.0.so.0", RTLD_NOW);
  NewContext make = (NewContext) dlsym (library, "gst_cuda_context_new");

  return make (0);
}

/* The UUID of @device is that of the card. */
static void
play_card (GpuDevice * device)
{
  const gchar *digits = device->info.uuid;

  for (guint i = 0; i < sizeof driver->uuid; i++, digits += 2) {
    digits += *digits == '-';
    driver->uuid[i] = g_ascii_xdigit_value (digits[0]) << 4
        | g_ascii_xdigit_value (digits[1]);
  }
}

void
cuda_begin (void)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);
  GpuDevice *device;

  driver = library ? dlsym (library, "fake_cuda") : NULL;
  if (!driver || !fixture_device ())
    return;
  cuda = gst_gpu_cuda_open (NULL);
  if (!cuda)
    return;
  use_fake_loader ();
  fake->exports = TRUE;
  device = open_device (test_selector ());
  g_assert_true (device->info.exports_semaphores);
  play_card (device);
  fixture_replace_device (device);
  context = new_context ();
  upstream = cuda->gst_cuda_stream_new (context);
  downstream = cuda->gst_cuda_stream_new (context);
  g_assert_true (upstream && downstream);
}

void
cuda_swap_card (void)
{
  driver->uuid[0] ^= 1;
}

gboolean
cuda_is_there (void)
{
  if (!context)
    g_test_skip ("there is no CUDA library of GStreamer 1.24 or newer");
  return context != NULL;
}

/* --- what upstream knows --- */

gboolean cuda_hides_context;

static GstPadProbeReturn
answer_context (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  g_autoptr (GstContext) answer = NULL;
  const gchar *type;

  if (cuda_hides_context || GST_QUERY_TYPE (query) != GST_QUERY_CONTEXT
      || !gst_query_parse_context_type (query, &type)
      || !g_str_equal (type, GST_CUDA_CONTEXT_TYPE))
    return GST_PAD_PROBE_OK;
  answer = gst_context_new (type, TRUE);
  gst_structure_set (gst_context_writable_structure (answer), type,
      cuda->gst_cuda_context_get_type (), context, NULL);
  gst_query_set_context (query, answer);
  return GST_PAD_PROBE_HANDLED;
}

void
cuda_set_rate (GstHarness * harness, const gchar * format, guint width,
    guint height, guint rate)
{
  GstCaps *caps = port_caps (CUDA_MEMORY, format, width, height);

  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, rate, 1, NULL);
  gst_harness_set_src_caps (harness, caps);
}

void
cuda_set_caps (GstHarness * harness, const gchar * format, guint width,
    guint height)
{
  static const gchar key[] = "has-context";

  if (!g_object_get_data (G_OBJECT (harness->srcpad), key))
    gst_pad_add_probe (harness->srcpad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM,
        answer_context, NULL, NULL);
  g_object_set_data (G_OBJECT (harness->srcpad), key, harness);
  gst_harness_set_src_caps (harness, port_caps (CUDA_MEMORY, format, width,
          height));
}

/* --- frames --- */

static GstBufferPool *
new_pool (GstCudaContext * owner, GstCudaStream * stream, GstCaps * caps)
{
  GstBufferPool *pool = cuda->gst_cuda_buffer_pool_new (owner);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, 1, 1, 0);
  if (stream)
    cuda->gst_buffer_pool_config_set_cuda_stream (config, stream);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

/* It is all that is left of a pool. */
static GstBuffer *
new_buffer (GstCudaContext * owner, GstCudaStream * stream,
    const gchar * format, guint width, guint height)
{
  g_autoptr (GstCaps) caps = port_caps (CUDA_MEMORY, format, width, height);
  g_autoptr (GstBufferPool) pool = new_pool (owner, stream, caps);
  GstBuffer *buffer;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  gst_buffer_pool_set_active (pool, FALSE);
  return buffer;
}

static void
map (GstBuffer * buffer, GstMapInfo * info, GstMapFlags access)
{
  g_assert_true (gst_memory_map (gst_buffer_peek_memory (buffer, 0), info,
          access | GST_MAP_CUDA));
}

/* Enqueues a copy of all bytes. */
static void
copy (GstBuffer * to, GstBuffer * from, GstCudaStream * stream)
{
  GstMapInfo source, target;
  CUDA_MEMCPY2D bytes = {
    .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .Height = 1,
  };

  map (from, &source, GST_MAP_READ);
  map (to, &target, GST_MAP_WRITE);
  bytes.srcDevice = (CUdeviceptr) (gsize) source.data;
  bytes.dstDevice = (CUdeviceptr) (gsize) target.data;
  bytes.srcPitch = bytes.dstPitch = bytes.WidthInBytes = source.size;
  g_assert_true (cuda->gst_cuda_context_push (context));
  g_assert_cmpint (cuda->cuMemcpy2DAsync (&bytes,
          cuda->gst_cuda_stream_get_handle (stream)), ==, CUDA_SUCCESS);
  cuda->gst_cuda_context_pop (NULL);
  gst_memory_unmap (source.memory, &source);
  gst_memory_unmap (target.memory, &target);
}

/* Takes over @other. To free CUDA memory waits for all streams. */
static void
keep (GstBuffer * buffer, GstBuffer * other)
{
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (buffer),
      g_quark_from_static_string ("other"), other,
      (GDestroyNotify) gst_buffer_unref);
}

GstBuffer *
cuda_frame (const gchar * format, guint width, guint height, guint seed)
{
  GstBuffer *source = new_buffer (context, upstream, format, width, height);
  GstBuffer *frame = new_buffer (context, upstream, format, width, height);
  g_autoptr (GstCaps) caps = port_caps (CUDA_MEMORY, format, width, height);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  fixture_fill (source, &info, seed);
  copy (frame, source, upstream);
  keep (frame, source);
  return frame;
}

GPtrArray *
cuda_frames (const gchar * format, guint width, guint height, guint n)
{
  GPtrArray *frames =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (frames, cuda_frame (format, width, height, i));
  return frames;
}

GstBuffer *
cuda_frame_of_another (const gchar * format, guint width, guint height)
{
  GstCudaContext *another = new_context ();
  GstBuffer *frame = new_buffer (another, NULL, format, width, height);

  gst_object_unref (another);
  return frame;
}

gboolean
cuda_is_frame (GstBuffer * buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  return gst_buffer_n_memory (buffer) == 1 && cuda->gst_is_cuda_memory (memory)
      && cuda->gst_cuda_memory_get_stream ((GstCudaMemory *) memory);
}

/* --- what downstream proposes --- */

void
cuda_propose_pool (GstHarness * harness, const gchar * format, guint width,
    guint height)
{
  g_autoptr (GstCaps) caps = port_caps (CUDA_MEMORY, format, width, height);
  GstBufferPool *pool = new_pool (context, downstream, caps);

  gst_buffer_pool_set_active (pool, FALSE);
  port_propose_pool (harness, pool);
}

gboolean
cuda_is_of_proposed_pool (GstBuffer * buffer)
{
  return cuda_is_frame (buffer)
      && cuda->gst_cuda_memory_get_stream ((GstCudaMemory *)
      gst_buffer_peek_memory (buffer, 0)) == downstream;
}

GstBuffer *
cuda_read_later (GstBuffer * frame, const gchar * format, guint width,
    guint height)
{
  GstBuffer *copied = new_buffer (context, downstream, format, width, height);
  GstBuffer *other = new_buffer (context, downstream, format, width, height);

  for (guint i = 0; i < 20; i++)
    copy (copied, other, downstream);
  if (frame)
    copy (copied, frame, downstream);
  keep (copied, other);
  return copied;
}

/* --- the driver --- */

void
cuda_fail (const gchar * function, guint after)
{
  driver->calls_before_failure = after;
  driver->failing = function;
}

gint
cuda_count_objects (void)
{
  return g_atomic_int_get (&driver->alive);
}
