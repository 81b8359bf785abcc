/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "strips.h"
#include "gpu/core/builder.h"
#include "method.h"
#include "shaders.h"
#include "shaders/blur/strips.h"

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))
#define ROUND_UP(x, n) (DIV_UP (x, n) * (n))
#define ROUND_DOWN(x, n) ((x) / (n) * (n))

/* Radii that kernels are unrolled for. */
static const guint buckets[] = { 1, 2, 3, 4, 6, 9, 13, STRIPS_MAX_UNROLLED };

#define N_BUCKETS G_N_ELEMENTS (buckets)

/* Weights in the buffer reach this far: sums of rows go on to whole chunks of 16
 * pixels, as the last output sees them, a column of which is four pixels at most. */
#define MAX_REACH ROUND_DOWN (STRIPS_PADDED - (4 * STRIPS_OUTPUTS - 1), 16)

/* As many groups as keep a large device busy, and rows of one. */
#define WANTED_GROUPS 512
#define MIN_SECTION 32
#define MAX_SECTION 256

/* What a weight takes at worst. */
#define SLOW_TAP_NS 4
#define TAP_NS 0.2

/* *INDENT-OFF* */
typedef struct
{
  STRIPS_PUSH (guint32, gfloat)
} Push;
/* *INDENT-ON* */

G_STATIC_ASSERT (sizeof (Push) <= 128);

/* What serves a radius: NULL where it is not built. */
typedef struct
{
  GpuKernel *inside, *edges;    /* atomic; of strips by where they lie */
  gboolean is_requested;
} Unrolled;

/* Of planes that are alike to shaders. They stay until the end: the builder may
 * be about to write to them. */
typedef struct
{
  guint components;
  gint alpha, unused;
  gboolean half;
  Unrolled unrolled[N_BUCKETS];
  GpuKernel *rolled, *rolled_far;       /* atomic; with a small ring, and with
                                           the largest */
} Kernels;

struct _GpuBlurStrips
{
  GpuDevice *device;
  GpuBuilder *builder;
  GPtrArray *kernels;
  GpuBuffer *weights;           /* padded, of both axes of each plane */
};

GpuBlurStrips *
gpu_blur_strips_new (GpuDevice * device)
{
  GpuBlurStrips *strips = g_new0 (GpuBlurStrips, 1);

  strips->device = gpu_device_ref (device);
  strips->builder = gpu_builder_new (device);
  strips->kernels = g_ptr_array_new_with_free_func (g_free);
  return strips;
}

void
gpu_blur_strips_free (GpuBlurStrips * strips)
{
  gpu_builder_free (strips->builder);
  g_ptr_array_unref (strips->kernels);
  g_clear_pointer (&strips->weights, gpu_buffer_unref);
  gpu_device_unref (strips->device);
  g_free (strips);
}

gsize
gpu_blur_strips_get_memory (GpuBlurStrips * strips)
{
  return strips->weights ? gpu_buffer_get_size (strips->weights) : 0;
}

void
gpu_blur_strips_wait (GpuBlurStrips * strips)
{
  gpu_builder_wait (strips->builder);
}

/* --- kernels --- */

/* Words of a row of the ring. */
static guint
ring_row_words (gint unused, gboolean half)
{
  guint lanes = unused < 0 ? 4 : 3;

  return STRIPS_COLUMNS * lanes / (half ? 2 : 1);
}

/* The most rows that a ring can have. */
static guint
max_ring_rows (GpuDevice * device, gint unused, gboolean half)
{
  return ROUND_DOWN (gpu_device_get_info (device)->max_shared / 4
      / ring_row_words (unused, half), STRIPS_OUTPUTS);
}

/* Rows of the ring with @threads: a row for each STRIPS_OUTPUTS, which they do in a
 * step, besides those above and below. */
static guint
ring_rows (guint threads, guint radius)
{
  return ROUND_UP (2 * radius + threads / STRIPS_OUTPUTS, STRIPS_OUTPUTS);
}

guint
gpu_blur_strips_max_radius (GpuDevice * device, GpuBlurPrecision precision)
{
  guint rows = max_ring_rows (device, -1, precision != GPU_BLUR_FLOAT);
  guint step = STRIPS_COLUMNS / STRIPS_OUTPUTS;

  return rows > step ? MIN ((rows - step) / 2, MAX_REACH) : 0;
}

static gboolean
is_reached (GpuDevice * device, const GpuBlurAxes * axes, gboolean half)
{
  return MAX (axes->x.radius, axes->y.radius)
      <= gpu_blur_strips_max_radius (device,
      half ? GPU_BLUR_HALF : GPU_BLUR_FLOAT);
}

/* 128 threads on a ring measured best; half as many where they do not fit. 0:
 * nor do these. */
static guint
choose_threads (GpuDevice * device, const Kernels * kernels, guint radius)
{
  guint most = max_ring_rows (device, kernels->unused, kernels->half);

  for (guint threads = 2 * STRIPS_COLUMNS; threads >= STRIPS_COLUMNS;
      threads /= 2)
    if (ring_rows (threads, radius) <= most)
      return threads;
  return 0;
}

static const GpuShader *
get_shader (const Kernels * kernels)
{
  static const GpuShader *const shaders[] = {
    &gpu_shader_blur_strips_1, &gpu_shader_blur_strips_2,
    &gpu_shader_blur_strips_3, &gpu_shader_blur_strips_4,
  };

  return shaders[kernels->components - 1];
}

/* @unrolled: 0, or the radius itself. */
static void
get_constants (GpuDevice * device, const Kernels * kernels, guint radius,
    guint unrolled, gboolean edges, guint32 * constants)
{
  guint threads = choose_threads (device, kernels, radius);
  guint rows = ring_rows (threads, radius);

  constants[STRIPS_THREADS] = threads;
  constants[STRIPS_RADIUS] = unrolled;
  constants[STRIPS_EDGES] = edges;
  constants[STRIPS_ALPHA] = kernels->alpha;
  constants[STRIPS_UNUSED] = kernels->unused;
  constants[STRIPS_HALF] = kernels->half;
  constants[STRIPS_RING_ROWS] = rows;
  constants[STRIPS_SHARED_WORDS] =
      rows * ring_row_words (kernels->unused, kernels->half);
}

/* Where @slot has no kernel, builds it now. */
static gboolean
ensure_kernel (GpuBlurStrips * strips, const Kernels * kernels, guint radius,
    guint unrolled, gboolean edges, GpuKernel ** slot, GError ** error)
{
  guint32 constants[STRIPS_CONSTANTS];
  GpuKernel *kernel = g_atomic_pointer_get (slot);

  if (kernel)
    return TRUE;
  get_constants (strips->device, kernels, radius, unrolled, edges, constants);
  kernel = gpu_kernel_get (strips->device, get_shader (kernels), constants,
      STRIPS_CONSTANTS, error);
  if (kernel)
    g_atomic_pointer_set (slot, kernel);
  return kernel != NULL;
}

static void
request_kernel (GpuBlurStrips * strips, const Kernels * kernels, guint radius,
    guint unrolled, gboolean edges, GpuKernel ** slot)
{
  guint32 constants[STRIPS_CONSTANTS];

  get_constants (strips->device, kernels, radius, unrolled, edges, constants);
  gpu_builder_request (strips->builder, get_shader (kernels), constants,
      STRIPS_CONSTANTS, slot);
}

/* The bucket for @axes, N_BUCKETS where none is: axes that differ have more
 * weights than can be pushed. */
static guint
find_bucket (GpuBlurStrips * strips, const Kernels * kernels,
    const GpuBlurAxes * axes)
{
  guint i = 0;

  if (!gpu_blur_axes_are_alike (axes))
    return N_BUCKETS;
  while (i < N_BUCKETS && buckets[i] < axes->x.radius)
    i++;
  if (i < N_BUCKETS && choose_threads (strips->device, kernels, buckets[i]))
    return i;
  return N_BUCKETS;
}

static void
request_bucket (GpuBlurStrips * strips, Kernels * kernels, guint i)
{
  Unrolled *unrolled = &kernels->unrolled[i];

  if (unrolled->is_requested)
    return;
  unrolled->is_requested = TRUE;
  request_kernel (strips, kernels, buckets[i], buckets[i], FALSE,
      &unrolled->inside);
  request_kernel (strips, kernels, buckets[i], buckets[i], TRUE,
      &unrolled->edges);
}

static gboolean
ensure_bucket (GpuBlurStrips * strips, Kernels * kernels, guint i,
    GError ** error)
{
  Unrolled *unrolled = &kernels->unrolled[i];

  unrolled->is_requested = TRUE;
  return ensure_kernel (strips, kernels, buckets[i], buckets[i], FALSE,
      &unrolled->inside, error)
      && ensure_kernel (strips, kernels, buckets[i], buckets[i], TRUE,
      &unrolled->edges, error);
}

static gboolean
ensure_rolled (GpuBlurStrips * strips, Kernels * kernels, guint radius,
    GpuKernel ** kernel, GError ** error)
{
  guint most = gpu_blur_strips_max_radius (strips->device,
      kernels->half ? GPU_BLUR_HALF : GPU_BLUR_FLOAT);
  guint near = MIN (STRIPS_MAX_UNROLLED, most);
  GpuKernel **slot = radius <= near ? &kernels->rolled : &kernels->rolled_far;

  if (!ensure_kernel (strips, kernels, radius <= near ? near : most, 0, TRUE,
          slot, error))
    return FALSE;
  *kernel = g_atomic_pointer_get (slot);
  return TRUE;
}

static Kernels *
find_kernels (GpuBlurStrips * strips, const GpuPixelFormat * format,
    guint plane, gboolean half)
{
  const Kernels wanted = {
    .components = format->components[plane],
    .alpha = format->alpha,
    .unused = format->unused,
    .half = half,
  };
  Kernels *kernels;

  for (guint i = 0; i < strips->kernels->len; i++) {
    kernels = strips->kernels->pdata[i];
    if (kernels->components == wanted.components
        && kernels->alpha == wanted.alpha && kernels->unused == wanted.unused
        && kernels->half == wanted.half)
      return kernels;
  }
  kernels = g_new0 (Kernels, 1);
  *kernels = wanted;
  g_ptr_array_add (strips->kernels, kernels);
  return kernels;
}

/* What the settings need at once; nothing, where they are not reached. */
static gboolean
prepare_plane (GpuBlurStrips * strips, Kernels * kernels,
    const GpuBlurAxes * axes, GError ** error)
{
  guint bucket = find_bucket (strips, kernels, axes);
  guint radius = MAX (axes->x.radius, axes->y.radius);
  GpuKernel *rolled;

  if (axes->exact || !is_reached (strips->device, axes, kernels->half))
    return TRUE;
  return (bucket == N_BUCKETS || ensure_bucket (strips, kernels, bucket, error))
      && ensure_rolled (strips, kernels, MIN (radius, STRIPS_MAX_UNROLLED),
      &rolled, error)
      && ensure_rolled (strips, kernels, radius, &rolled, error);
}

gboolean
gpu_blur_strips_prepare (GpuBlurStrips * strips, GpuPixels pixels,
    const GpuBlurSettings * settings, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);
  gboolean half = gpu_blur_choose_precision (settings) == GPU_BLUR_HALF;

  if (!strips->weights)
    strips->weights = gpu_buffer_new (strips->device, GPU_BUFFER_DEVICE,
        2 * STRIPS_AXIS_WEIGHTS * GPU_MAX_PLANES * sizeof (gfloat),
        "strips weights", error);
  if (!strips->weights)
    return FALSE;
  for (guint i = 0; i < format->n_planes; i++) {
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, settings, format->shift[i]);
    if (!prepare_plane (strips, find_kernels (strips, format, i, half), &axes,
            error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_blur_strips_reaches (GpuBlurStrips * strips,
    const GpuBlurSettings * settings, const GpuFrameInfo * info)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gboolean half = gpu_blur_choose_precision (settings) == GPU_BLUR_HALF;
  guint max_strips = MIN (gpu_device_get_info (strips->device)->max_groups[0],
      G_MAXUINT16);

  for (guint i = 0; i < format->n_planes; i++) {
    guint64 width = gpu_frame_info_plane_width (info, i);
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, settings, format->shift[i]);
    if (axes.exact || !is_reached (strips->device, &axes, half)
        || width * format->components[i] > 4ull * STRIPS_COLUMNS * max_strips)
      return FALSE;
  }
  return TRUE;
}

/* --- recording --- */

/* Planes on their way into a stream: one, or some that are alike. */
typedef struct
{
  GpuBlurStrips *strips;
  GpuStream *stream;
  GpuBuffer *buffers[STRIPS_BINDINGS];
  guint plane;                  /* the first */
  guint n_planes;
  GpuBlurAxes axes;
  guint n_strips, left, right;  /* all, and those inside: left to right - 1 */
  GpuKernel *inside, *edges;    /* the same where nothing is unrolled */
  Push push;
} March;

/* What serves at once: the bucket that is asked for, or a larger one, or what
 * is not unrolled. */
static gboolean
choose_kernels (March * march, Kernels * kernels, GError ** error)
{
  GpuBlurStrips *strips = march->strips;
  const GpuBlurAxes *axes = &march->axes;
  guint bucket = find_bucket (strips, kernels, axes);

  if (bucket < N_BUCKETS)
    request_bucket (strips, kernels, bucket);
  for (; bucket < N_BUCKETS; bucket++) {
    Unrolled *unrolled = &kernels->unrolled[bucket];

    march->inside = g_atomic_pointer_get (&unrolled->inside);
    march->edges = g_atomic_pointer_get (&unrolled->edges);
    if (march->inside && march->edges) {
      guint apron = ROUND_UP (DIV_UP (buckets[bucket] * kernels->components,
              4), 4);
      guint whole = march->push.width * kernels->components / 4;

      gpu_blur_axis_weights (&axes->x, march->push.weights);
      march->left = 1;
      march->right = whole > apron ? (whole - apron) / STRIPS_COLUMNS : 0;
      return TRUE;
    }
  }
  if (!ensure_rolled (strips, kernels, MAX (axes->x.radius, axes->y.radius),
          &march->edges, error))
    return FALSE;
  march->inside = march->edges;
  return TRUE;
}

/* Rows of a section: enough groups, not more rows above them than in them, and
 * no more than @most, if that can be. */
static guint
choose_section (March * march, guint64 most)
{
  guint64 rows = (guint64) march->push.height * march->n_strips
      * march->n_planes / WANTED_GROUPS;

  rows = CLAMP (MAX (rows, march->axes.y.radius), MIN_SECTION, MAX_SECTION);
  return MAX (MIN (ROUND_UP (rows, 16), ROUND_DOWN (most, 16)), 16);
}

static void
write_axis (March * march, const GpuBlurAxis * axis, guint at)
{
  gfloat weights[STRIPS_AXIS_WEIGHTS] = { 0 };
  gfloat *middle = weights + STRIPS_PADDED;

  gpu_blur_axis_weights (axis, middle);
  for (guint i = 1; i <= axis->radius; i++)
    *(middle - i) = middle[i];
  gpu_stream_write (march->stream, march->strips->weights,
      (at - STRIPS_PADDED) * sizeof (gfloat), weights, sizeof weights);
}

static void
dispatch (March * march, GpuKernel * kernel, guint n_strips, guint sections)
{
  if (n_strips > 0)
    gpu_stream_dispatch (march->stream, kernel, march->buffers,
        STRIPS_BINDINGS, &march->push, sizeof march->push, n_strips, sections,
        march->n_planes);
}

/* All strips of some sections, side by side. Those at the edges take longer, so
 * they begin. */
static void
record_sections (March * march, guint sections)
{
  guint inside = march->right > march->left ? march->right - march->left : 0;

  march->push.strips = inside > 0 ? march->left | inside << 16
      : march->n_strips;
  dispatch (march, march->edges, march->n_strips - inside, sections);
  march->push.strips = march->left << 16;
  if (inside > 0)
    gpu_stream_join (march->stream);
  dispatch (march, march->inside, inside, sections);
}

static guint
count_taps (const March * march)
{
  return 2 * march->axes.x.radius + 1 + 2 * march->axes.y.radius + 1;
}

static gboolean
is_unrolled (const March * march)
{
  return march->inside != march->edges;
}

static const gchar *
stage_name (const March * march)
{
  return is_unrolled (march) ? "strips" : "strips-rolled";
}

static gboolean
record_march (March * march, guint * dispatches, GError ** error)
{
  GpuDevice *device = march->strips->device;
  const GpuCost cost = {
    stage_name (march), gpu_device_is_slow (device) ? SLOW_TAP_NS : TAP_NS
  };
  guint64 row_taps = (guint64) march->push.width * march->n_planes
      * count_taps (march);
  guint64 most = gpu_stream_get_dispatch_units (march->stream, &cost);
  guint rows, all, max_groups = gpu_device_get_info (device)->max_groups[1];

  rows = choose_section (march, most / row_taps);
  march->push.section |= rows << 16;
  all = DIV_UP (march->push.height, rows);
  for (guint first = 0; first < all;) {
    guint sections = CLAMP (most / row_taps / rows, 1, max_groups);
    guint64 units;

    sections = MIN (sections, all - first);
    units = row_taps * rows * sections;
    if (!gpu_stream_pace (march->stream, &cost, units, error))
      return FALSE;
    gpu_stream_measure (march->stream, &cost, units);
    march->push.reach = march->axes.x.radius | march->axes.y.radius << 8
        | first << 16;
    record_sections (march, sections);
    (*dispatches)++;
    first += sections;
  }
  return TRUE;
}

/* Whether the plane after @plane, which is of chroma too, differs from it in where
 * it begins alone. */
static gboolean
has_twin (const GpuFrameInfo * in, const GpuFrameInfo * out, guint plane)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (in->pixels);

  return plane > 0 && plane + 1 < format->n_planes
      && format->shift[plane + 1] == format->shift[plane]
      && format->components[plane + 1] == format->components[plane]
      && in->stride[plane + 1] == in->stride[plane]
      && out->stride[plane + 1] == out->stride[plane];
}

static Push
make_push (const GpuFrameInfo * in, const GpuFrameInfo * out, guint plane,
    guint n_planes)
{
  guint last = plane + n_planes - 1;
  Push push = {
    .width = gpu_frame_info_plane_width (in, plane),
    .height = gpu_frame_info_plane_height (in, plane),
    .source_offset = in->offset[plane] / 4,
    .source_stride = in->stride[plane] / 4,
    .source_step = in->offset[last] / 4 - in->offset[plane] / 4,
    .target_offset = out->offset[plane] / 4,
    .target_stride = out->stride[plane] / 4,
    .target_step = out->offset[last] / 4 - out->offset[plane] / 4,
  };

  return push;
}

static gboolean
init_march (March * march, GpuBlurStrips * strips, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, guint plane, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (in->info.pixels);
  gboolean half = gpu_blur_choose_precision (settings) == GPU_BLUR_HALF;

  *march = (March) {
  .strips = strips,.stream = stream,.buffers =
        { in->buffer, out->buffer, strips->weights },.plane =
        plane,.n_planes = has_twin (&in->info, &out->info, plane) ? 2 : 1,};
  march->push = make_push (&in->info, &out->info, plane, march->n_planes);
  gpu_blur_axes_init (&march->axes, settings, format->shift[plane]);
  march->n_strips = DIV_UP (march->push.width * format->components[plane],
      4 * STRIPS_COLUMNS);
  march->push.section = settings->edge | plane << 2
      | gpu_blur_black_sample (format, plane, settings->full_range) << 8;
  return choose_kernels (march, find_kernels (strips, format, plane, half),
      error);
}

/* What is not unrolled reads them in memory, and what mirrors or wraps. */
static gboolean
needs_weights (const March * march)
{
  guint edge = march->push.section & 3;

  return !is_unrolled (march) || edge == BLUR_EDGE_MIRROR
      || edge == BLUR_EDGE_WRAP;
}

static void
record_weights (March * marches, guint n)
{
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++) {
    const GpuBlurAxes *axes = &marches[i].axes;

    if (!needs_weights (&marches[i]))
      continue;
    if (!any)
      gpu_stream_stage (marches[i].stream, "weights");
    write_axis (&marches[i], &axes->x, STRIPS_WEIGHTS_X (marches[i].plane));
    write_axis (&marches[i], &axes->y, STRIPS_WEIGHTS_Y (marches[i].plane));
    any = TRUE;
  }
  if (any)
    gpu_stream_barrier (marches[0].stream);
}

static void
report_march (GpuBlurReport * report, const March * march, guint dispatches)
{
  guint at = report->n_stages++;

  report->stages[at].name = stage_name (march);
  report->stages[at].plane = march->plane;
  report->stages[at].dispatches = dispatches;
  report->stages[at].taps = count_taps (march);
}

gboolean
gpu_blur_strips_record (GpuBlurStrips * strips, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (in->info.pixels);
  March marches[GPU_MAX_PLANES];
  guint n = 0;

  report->method = GPU_BLUR_STRIPS;
  for (guint plane = 0; plane < format->n_planes;
      plane += marches[n - 1].n_planes)
    if (!init_march (&marches[n++], strips, stream, settings, in, out, plane,
            error))
      return FALSE;
  record_weights (marches, n);
  gpu_stream_stage (stream, "strips");
  for (guint i = 0; i < n; i++) {
    guint dispatches = 0;

    /* Planes are done side by side. */
    if (i > 0)
      gpu_stream_join (stream);
    if (!record_march (&marches[i], &dispatches, error))
      return FALSE;
    report_march (report, &marches[i], dispatches);
  }
  return TRUE;
}
