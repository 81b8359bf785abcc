/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "choice.h"
#include "shaders/blur/strips/shared.h"

/* --- what decides --- */

/* The first plane stands for all: it has the largest radius and most of the samples. */
typedef struct
{
  GpuBlurAxes axes;
  guint radius;                 /* the larger one of both axes */
  gboolean is_alike;            /* both axes have the same weights */
  guint samples;                /* of a pixel, without unused ones */
  guint n_planes;
  gdouble pixels;
  gboolean is_box, has_alpha;
  gboolean is_of_shorts;        /* samples have two bytes */
  gboolean is_half;             /* sums are stored as halves */
  gboolean wants_half;          /* and the settings say so */
} Traits;

static void
init_traits (Traits * traits, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  const GpuBlurPlane plane = gpu_blur_plane_get (settings, format, 0);

  *traits = (Traits) {
    .axes = plane.axes,
    .radius = MAX (plane.axes.x.radius, plane.axes.y.radius),
    .is_alike = gpu_blur_axes_are_alike (&plane.axes),
    .samples = format->components[0] - (format->unused >= 0),
    .n_planes = format->n_planes,
    .pixels = (gdouble) info->width * info->height,
    .is_box = settings->kernel == GPU_BLUR_BOX,
    .has_alpha = format->alpha >= 0,
    .is_of_shorts = SAMPLE_SIZE (format->sample) == 2,
    .is_half = plane.half,
    .wants_half = settings->precision == GPU_BLUR_HALF,
  };
}

/* Methods, the fastest first. A method can be in it twice. */
typedef struct
{
  guint n;
  struct
  {
    GpuBlurMethod method;
    const gchar *reason;        /* for the log */
  } ranks[10];
} Ranking;

static void
add (Ranking * ranking, GpuBlurMethod method, const gchar * reason)
{
  ranking->ranks[ranking->n].method = method;
  ranking->ranks[ranking->n++].reason = reason;
}

/* --- CPU devices --- */

/* The largest radius of a whole box for which strips are faster than running sums: with alpha;
 * and without, multiplied by the samples of a pixel. */
#define CPU_ALPHA_BOX 12
#define CPU_BOX 150

/* The largest radius of other kernels for which strips are faster than separable, with samples
 * of two bytes. If sums are stored as halves, they are as long as kernels are unrolled. With
 * other samples they never are. */
#define CPU_SHORTS 13

static void
rank_for_cpu (const Traits * traits, Ranking * ranking)
{
  guint box = traits->has_alpha ? CPU_ALPHA_BOX : CPU_BOX / traits->samples;
  guint unrolled = traits->is_half ? STRIPS_MAX_UNROLLED
      : traits->is_of_shorts ? CPU_SHORTS : 0;

  add (ranking, GPU_BLUR_WALK, "the radius is small");
  add (ranking, GPU_BLUR_PYRAMID, "it is a wide Gaussian");
  if (traits->axes.exact && traits->radius <= box)
    add (ranking, GPU_BLUR_STRIPS, "it is a box of whole pixels");
  if (traits->is_box)
    add (ranking, GPU_BLUR_RUNNING_SUMS, "it is a box");
  if (traits->is_alike && traits->radius <= unrolled)
    add (ranking, GPU_BLUR_STRIPS, "its kernels are unrolled");
  if (traits->is_half && traits->samples >= 3)
    add (ranking, GPU_BLUR_SEPARABLE_SHARED, "pixels have several samples");
}

/* --- GPUs --- */

/* These thresholds come from an H100 and an H200 (docs/internals/benchmarks.md). No integrated
 * GPU was measured: its lower memory bandwidth slows down all methods. */

/* A thread of strips sums all taps of its outputs, one after the other. A frame of one plane
 * that has fewer pixels than this for each tap and sample leaves most of the device idle. */
#define PIXELS_A_TAP 6000

/* The largest radius of a Gaussian for which strips are faster than the pyramid: in general; if
 * axes differ, as kernels are then not unrolled; with three or more samples of two bytes; and
 * with one sample a pixel, if all sums are halves. */
#define NARROW 13
#define NARROW_ROLLED 9
#define NARROW_SHORTS 9
#define NARROW_HALVES STRIPS_MAX_UNROLLED

/* On a small frame the pyramid's dispatches take longer than separable-shared. Up to this
 * radius, the tiles of separable-shared leave shared memory for other groups. */
#define SMALL_FRAME 128e3
#define SMALL_TILE 16

/* With at least this product of radius and pixels, in a frame of at least this many pixels,
 * running sums are faster than separable-shared. */
#define WIDE_BOX 40e6
#define MIDDLE_FRAME 800e3

static guint
find_narrow_for_gpu (const Traits * traits)
{
  if (!traits->is_alike)
    return NARROW_ROLLED;
  if (traits->is_of_shorts && traits->samples >= 3)
    return NARROW_SHORTS;
  return traits->wants_half && traits->samples == 1 ? NARROW_HALVES : NARROW;
}

static void
rank_for_gpu (const Traits * traits, Ranking * ranking)
{
  guint radius = traits->radius;
  /* Strips do several planes side by side. */
  gboolean is_rolled_plane = !traits->is_alike && traits->n_planes == 1;
  gboolean fills_device = traits->n_planes > 1
      || (gdouble) radius * traits->samples * PIXELS_A_TAP <= traits->pixels;
  gboolean has_small_tiles = traits->axes.y.radius <= SMALL_TILE;
  gboolean is_small = traits->pixels < MIDDLE_FRAME;

  if (traits->axes.exact && (!is_small || has_small_tiles))
    add (ranking, GPU_BLUR_STRIPS, "it is a box of whole pixels");
  if (fills_device && !is_rolled_plane
      && radius <= find_narrow_for_gpu (traits))
    add (ranking, GPU_BLUR_STRIPS, "the radius is small");
  if (!fills_device && traits->pixels <= SMALL_FRAME && radius <= SMALL_TILE)
    add (ranking, GPU_BLUR_SEPARABLE_SHARED, "the frame is small");
  add (ranking, GPU_BLUR_PYRAMID, "it is a wide Gaussian");
  if (fills_device && radius <= STRIPS_MAX_UNROLLED
      && (!is_rolled_plane || !has_small_tiles))
    add (ranking, GPU_BLUR_STRIPS, "the radius is not large");
  if (traits->is_box && !is_small && radius * traits->pixels >= WIDE_BOX)
    add (ranking, GPU_BLUR_RUNNING_SUMS, "it is a wide box");
  if (traits->is_half && traits->samples == 1 && !is_small && !has_small_tiles)
    add (ranking, GPU_BLUR_STRIPS, "large tiles of single samples are slow");
  add (ranking, GPU_BLUR_SEPARABLE_SHARED, "the radius is large");
  add (ranking, GPU_BLUR_RUNNING_SUMS, "it is a very wide box");
}

/* --- the choice --- */

static void
rank_bilateral (GpuDevice * device, const Traits * traits, Ranking * ranking)
{
  /* CPU devices take several times as long for a window as for its axes. */
  if (!gpu_device_is_slow (device)
      && traits->radius <= GPU_BLUR_BILATERAL_AUTO_RADIUS)
    add (ranking, GPU_BLUR_DIRECT_SHARED, "the radius is small");
}

static void
rank (GpuDevice * device, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, Ranking * ranking)
{
  Traits traits;

  init_traits (&traits, settings, info);
  ranking->n = 0;
  if (settings->kernel == GPU_BLUR_BILATERAL)
    rank_bilateral (device, &traits, ranking);
  else if (gpu_device_is_slow (device))
    rank_for_cpu (&traits, ranking);
  else
    rank_for_gpu (&traits, ranking);
  add (ranking, GPU_BLUR_STAND_IN, "no faster method can do it");
}

/* Returns the index of the first method that can do @settings. */
static guint
find_best (GpuBlurFamilies * families, const Ranking * ranking,
    const GpuBlurSettings * settings, const GpuFrameInfo * info)
{
  guint i = 0;
  GpuBlurTask task = { ranking->ranks[0].method, settings, info };

  while (i + 1 < ranking->n && !gpu_blur_families_reach (families, &task))
    task.method = ranking->ranks[++i].method;
  return i;
}

GpuBlurTask
gpu_blur_choose (GpuBlurFamilies * families, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  GpuBlurTask task = { settings->method, settings, info };
  Ranking ranking;

  if (settings->method == GPU_BLUR_AUTO) {
    rank (families->device, settings, info, &ranking);
    task.method =
        ranking.ranks[find_best (families, &ranking, settings, info)].method;
  } else if (!gpu_blur_families_reach (families, &task))
    task.method = GPU_BLUR_STAND_IN;
  return task;
}

gboolean
gpu_blur_may_run_another (const GpuBlurSettings * settings)
{
  return settings->method == GPU_BLUR_AUTO
      && settings->kernel != GPU_BLUR_BILATERAL;
}

/* --- meanwhile --- */

/* With more taps a frame, a method that sums all of them takes a CPU device longer than most
 * kernels take to be built: about a second. */
#define MOST_TAPS 1e9

static gboolean
takes_seconds (GpuDevice * device, const GpuBlurTask * task)
{
  Traits traits;

  if (!gpu_device_is_slow (device) || (task->method != GPU_BLUR_SEPARABLE
          && task->method != GPU_BLUR_SEPARABLE_SHARED))
    return FALSE;
  init_traits (&traits, task->settings, task->info);
  return traits.pixels * traits.samples * 2 * (2 * traits.radius + 1)
      > MOST_TAPS;
}

static gboolean
can_serve_now (GpuBlurFamilies * families, const GpuBlurTask * task)
{
  return gpu_blur_families_reach (families, task)
      && gpu_blur_families_are_ready (families, task)
      && !takes_seconds (families->device, task);
}

static gboolean
can_serve_soon (GpuBlurFamilies * families, const GpuBlurTask * task)
{
  return gpu_blur_families_reach (families, task)
      && !gpu_blur_families_get (families, task)->type->builds_slowly;
}

GpuBlurTask
gpu_blur_choose_now (GpuBlurFamilies * families, const GpuBlurTask * best)
{
  GpuBlurTask now = *best;
  Ranking ranking;

  if (!gpu_blur_may_run_another (best->settings)
      || gpu_blur_families_are_ready (families, best))
    return now;
  rank (families->device, best->settings, best->info, &ranking);
  for (guint i = 0; i < ranking.n; i++) {
    now.method = ranking.ranks[i].method;
    if (can_serve_now (families, &now))
      return now;
  }
  for (guint i = 0; i < ranking.n; i++) {
    now.method = ranking.ranks[i].method;
    if (can_serve_soon (families, &now))
      return now;
  }
  return *best;
}

/* --- the log --- */

/* A size that is too large for no method. */
#define USUAL_WIDTH 1920
#define USUAL_HEIGHT 1080

static const gchar *
name_of (GpuBlurMethod method)
{
  return gpu_blur_method_get_info (method)->name;
}

/* Returns whether there was something to log. */
static gboolean
log_too_large (GpuBlurFamilies * families, const GpuBlurTask * best,
    GpuBlurMethod faster)
{
  const GpuFrameInfo *info = best->info;
  GpuFrameInfo usual;
  const GpuBlurTask task = { faster, best->settings, &usual };

  gpu_frame_info_init (&usual, info->pixels, MIN (info->width, USUAL_WIDTH),
      MIN (info->height, USUAL_HEIGHT));
  if (!gpu_blur_families_reach (families, &task))
    return FALSE;
  g_info ("frames of %u x %u are too large for %s with these settings on this "
      "device: %s runs, which takes longer", info->width, info->height,
      name_of (faster), name_of (best->method));
  return TRUE;
}

void
gpu_blur_log_choice (GpuBlurFamilies * families, const GpuBlurTask * best,
    const GpuBlurTask * now)
{
  const GpuBlurSettings *settings = best->settings;
  const GpuFrameInfo *info = best->info;
  Ranking ranking;
  guint i;

  if (settings->method != GPU_BLUR_AUTO)
    return;
  rank (families->device, settings, info, &ranking);
  i = find_best (families, &ranking, settings, info);
  if (info->width > USUAL_WIDTH || info->height > USUAL_HEIGHT)
    for (guint k = 0; k < i && !log_too_large (families, best,
            ranking.ranks[k].method); k++);
  g_debug ("method=auto with frames of %u x %u: %s, as %s%s%s", info->width,
      info->height, name_of (best->method), ranking.ranks[i].reason,
      now->method == best->method ? ""
      : "; until its kernels are built, ", now->method == best->method ? ""
      : name_of (now->method));
}
