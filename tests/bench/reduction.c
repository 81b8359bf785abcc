/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reduction.h"
#include "gpu_fixture.h"
#include "test_shaders.h"

static const guint thread_counts[] = { 16, 64, 256 };
static const guint aheads[] = { 1, 2, 4 };

const gchar *
reduction_way_get_name (ReductionWay way)
{
  static const gchar *names[REDUCTION_WAYS] = {
    "interleaved", "sequential", "unrolled", "few-barriers", "subgroup-sum"
  };

  return names[way];
}

GArray *
reduction_list (guint tile)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Reduction));

  for (guint t = 0; t < G_N_ELEMENTS (thread_counts); t++)
    for (guint a = 0; a < G_N_ELEMENTS (aheads); a++)
      for (guint way = 0; way < REDUCTION_WAYS; way++) {
        Reduction reduction = { tile, thread_counts[t], aheads[a], way };

        if (reduction.threads * reduction.ahead <= tile * tile)
          g_array_append_val (list, reduction);
      }
  return list;
}

void
reduction_get_means_info (const GpuFrameInfo * in, guint tile,
    GpuFrameInfo * means)
{
  gpu_frame_info_init (means, GPU_PIXELS_RGBA, (in->width + tile - 1) / tile,
      (in->height + tile - 1) / tile);
}

gboolean
reduction_record (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error)
{
  const Reduction *reduction = data;
  GpuDevice *device = gpu_stream_get_device (stream);
  guint32 constants[] = {
    reduction->threads, reduction->way, reduction->tile, reduction->ahead,
    gpu_device_get_info (device)->subgroup_size
  };
  const GpuReductionPush push = {
    in->info.width, in->info.height, in->info.stride[0] / 4
  };
  GpuKernel *kernel = gpu_kernel_get (device, &gpu_shader_reduction,
      constants, G_N_ELEMENTS (constants), error);
  const GpuDispatch dispatch = {
    .kernel = kernel,
    .buffers = {[REDUCTION_FRAME] = in->buffer,[REDUCTION_MEANS] = out->buffer},
    .push = &push,
  };
  GpuFrameInfo means;

  if (!kernel)
    return FALSE;
  reduction_get_means_info (&in->info, reduction->tile, &means);
  gpu_stream_stage (stream, "reduction");
  gpu_stream_dispatch (stream, &dispatch, means.width, means.height, 1);
  return TRUE;
}

/* One pixel after the other. */
static guint32
mean_of (const guint8 * rgba, gsize stride, guint width, guint height)
{
  guint64 sum = 0;

  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++) {
      const guint8 *pixel = rgba + y * stride + 4 * x;

      sum += 54 * pixel[0] + 183 * pixel[1] + 19 * pixel[2];
    }
  return sum / (width * height);
}

guint32 *
reduction_sum_pixels (const guint8 * rgba, gsize stride, guint width,
    guint height, guint tile)
{
  guint columns = (width + tile - 1) / tile, rows = (height + tile - 1) / tile;
  guint32 *means = g_new (guint32, columns * rows);

  for (guint i = 0; i < columns * rows; i++) {
    guint x = i % columns * tile, y = i / columns * tile;

    means[i] = mean_of (rgba + y * stride + 4 * x, stride,
        MIN (tile, width - x), MIN (tile, height - y));
  }
  return means;
}

static gboolean
compare (const Reduction * reduction, const GpuFrameInfo * info,
    const guint32 * result, const guint32 * means, GError ** error)
{
  for (guint i = 0; i < info->width * info->height; i++)
    if (result[i] != means[i]) {
      g_set_error (error, GPU_ERROR, GPU_ERROR_FAILED,
          "%s, %u threads, %u ahead: tile %u, %u of %ux%u pixels is %u, not %u",
          reduction_way_get_name (reduction->way), reduction->threads,
          reduction->ahead, i % info->width, i / info->width, reduction->tile,
          reduction->tile, result[i], means[i]);
      return FALSE;
    }
  return TRUE;
}

gboolean
reduction_check (GpuStream * stream, const Reduction * reduction,
    const GpuFrameInfo * info, const guint8 * frame, const guint32 * means,
    GError ** error)
{
  g_autofree guint8 *result = NULL;
  GpuFrameInfo means_info;
  const GpuFixtureWork work = {
    reduction_record, (gpointer) reduction, info, &means_info
  };

  reduction_get_means_info (info, reduction->tile, &means_info);
  result = gpu_fixture_run (stream, &work, frame, error);
  return result && compare (reduction, &means_info, (guint32 *) result, means,
      error);
}
