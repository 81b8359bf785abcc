/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of every parallel reduction of a 1080p frame to small pictures of luma.
 *
 *   reduction_tables --frames 200 --csv reductions.csv
 *
 * tests/bench/tables runs it, and draws what it found. */
#include "bench.h"
#include "gpu_fixture.h"
#include "reduction.h"

#define WIDTH 1920
#define HEIGHT 1080
#define SLOTS 8
/* Half of it is what comes in, more than twice the largest cache there is. */
#define FOOTPRINT ((gsize) 320 << 20)

static gint option_frames = 40;

static const GOptionEntry options[] = {
  {"frames", 'n', 0, G_OPTION_ARG_INT, &option_frames,
      "frames of a measurement", "N"},
  {NULL}
};

static const guint tiles[] = { 16, 32, 64 };

/* --- numbers --- */

static gboolean
check_tile (GpuStream * stream, guint tile, const BenchPicture * picture,
    GError ** error)
{
  g_autoptr (GArray) reductions = reduction_list (tile);
  g_autofree guint32 *means =
      reduction_sum_pixels (picture->bytes, 4 * WIDTH, WIDTH,
      HEIGHT, tile);
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, WIDTH, HEIGHT);
  for (guint i = 0; i < reductions->len; i++)
    if (!reduction_check (stream, &g_array_index (reductions, Reduction, i),
            &info, picture->bytes, means, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_all (GpuStream * stream, const BenchPicture * picture, GError ** error)
{
  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    if (!check_tile (stream, tiles[i], picture, error))
      return FALSE;
  g_print ("all give what sums one pixel after the other do\n");
  return TRUE;
}

/* --- times --- */

static void
print_header (const GpuFrameInfo * means)
{
  g_print ("\n%ux%u to %ux%u, GPU ms\n%7s %5s", WIDTH, HEIGHT, means->width,
      means->height, "threads", "ahead");
  for (guint way = 0; way < REDUCTION_WAYS; way++)
    g_print (" %12s", reduction_way_get_name (way));
}

static void
print_time (GpuStream * stream, const Reduction * reduction,
    const GpuFrameInfo * means, const BenchResult * result, gdouble copy,
    FILE * csv)
{
  GpuDevice *device = gpu_stream_get_device (stream);

  if (reduction->way == 0)
    g_print ("\n%7u %5u", reduction->threads, reduction->ahead);
  g_print (" %12.4f", result->gpu);
  if (csv)
    fprintf (csv, "\"%s\",%u,%u,%u,%u,%u,%u,%u,%s,%.5f,%.5f,%.5f,%.5f\n",
        gpu_device_get_info (device)->name, WIDTH, HEIGHT, means->width,
        means->height, reduction->tile, reduction->threads, reduction->ahead,
        reduction_way_get_name (reduction->way), result->gpu, result->wall,
        result->longest, copy);
}

static gboolean
measure_tile (const BenchSeries * series, guint tile, gdouble copy, FILE * csv,
    GError ** error)
{
  g_autoptr (GArray) reductions = reduction_list (tile);
  GpuFrameInfo means;

  reduction_get_means_info (&series->frames->in[0].info, tile, &means);
  print_header (&means);
  for (guint i = 0; i < reductions->len; i++) {
    Reduction *reduction = &g_array_index (reductions, Reduction, i);
    BenchResult result;

    if (!bench_run (series, reduction_record, reduction, &result, error))
      return FALSE;
    print_time (series->stream, reduction, &means, &result, copy, csv);
  }
  g_print ("\n");
  return TRUE;
}

static gboolean
measure_all (GpuStream * stream, BenchFrames * frames, FILE * csv,
    GError ** error)
{
  const BenchSeries series = {.stream = stream, .frames = frames,
    .n = option_frames, .slots = SLOTS};
  BenchResult copy;

  if (!bench_run (&series, bench_copy, NULL, &copy, error))
    return FALSE;
  g_print ("copying a frame takes %.4f ms\n", copy.gpu);
  if (csv)
    fprintf (csv, "device,width,height,columns,rows,tile,threads,ahead,way,"
        "gpu_ms,wall_ms,longest_ms,copy_ms\n");
  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    if (!measure_tile (&series, tiles[i], copy.gpu, csv, error))
      return FALSE;
  return TRUE;
}

static gboolean
run (FILE * csv, GError ** error)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuStream) stream =
      device ? gpu_stream_new (device, SLOTS, "bench", error) : NULL;
  BenchPicture *noise;
  BenchFrames *frames = NULL;
  gboolean ok;

  if (!stream)
    return FALSE;
  g_print ("%s, noise\n", gpu_device_get_info (device)->name);
  noise = bench_picture_noise (WIDTH, HEIGHT, 1);
  ok = check_all (stream, noise, error)
      && (frames = bench_frames_new (stream, GPU_PIXELS_RGBA, &noise, 1,
          FOOTPRINT, error))
      && measure_all (stream, frames, csv, error);
  g_clear_pointer (&frames, bench_frames_free);
  bench_picture_free (noise);
  return ok;
}

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "reduction_tables", options, run);
}
