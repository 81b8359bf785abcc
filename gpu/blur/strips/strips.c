/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stripskernels.h"
#include "shaders.h"
#include "shaders/blur/strips/shared.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/core/rounding.h"

#include <math.h>
#include <string.h>

/* The number of groups that keeps a large device busy, for whole boxes that of threads, and
 * the most rows of a section. */
#define WANTED_GROUPS 512
#define WANTED_BOX_THREADS (1 << 19)
#define MAX_SECTION 256

/* The least rows of a section, without the rows above and below that its sums need. */
#define MIN_SECTION 32

/* All shaders of strips have the same push constants. */
typedef GpuBlurStripsOfBytesPush Push;

/* The family's only buffer: padded weights, of both axes of each plane. */
#define WEIGHTS 0

/* --- planes --- */

/* The largest radius for which halves are precise enough with any weights. */
#define FEW_TAPS 8

/* Whether the rounding errors of weights stay small in sums of halves. If many weights are
 * nearly equal, they are rounded in the same direction and the errors add up. They do not
 * for a Gaussian that is cut off where it is low. */
static gboolean
dies_away (const GpuBlurAxis * axis)
{
  return axis->radius <= FEW_TAPS
      || (axis->sigma > 0 && axis->radius >= 2.5 * axis->sigma);
}

/* Whether all sums are halves: if that is requested, faster and precise enough. It is not
 * precise enough for wide kernels, for premultiplied colours, and for linear light, in
 * which dark codes are close together. */
static gboolean
are_in_halves (GpuDevice * device, const GpuBlurSettings * settings,
    const GpuBlurPlane * plane)
{
  const GpuBlurAxes *axes = &plane->axes;

  return settings->precision == GPU_BLUR_HALF
      && gpu_blur_is_of_bytes (plane->format) && plane->format->alpha < 0
      && !plane->linear
      && MAX (axes->x.radius, axes->y.radius) <= STRIPS_MAX_UNROLLED
      && dies_away (&axes->x) && dies_away (&axes->y)
      && gpu_device_get_info (device)->has_float16
      && !gpu_device_is_slow (device);
}

GpuBlurSums
gpu_blur_strips_choose_sums (GpuDevice * device,
    const GpuBlurSettings * settings, const GpuBlurPlane * plane)
{
  if (plane->axes.exact)
    return GPU_BLUR_SUMS_INTEGERS;
  if (are_in_halves (device, settings, plane))
    return GPU_BLUR_SUMS_IN_HALVES;
  return plane->half ? GPU_BLUR_SUMS_HALF : GPU_BLUR_SUMS_FLOAT;
}

static GpuBlurStripsPlane
get_plane (GpuDevice * device, const GpuBlurTask * task, guint index)
{
  const GpuBlurSettings *settings = task->settings;
  const GpuBlurPlane plane = gpu_blur_task_get_plane (task, index);
  guint64 width = gpu_frame_info_plane_width (task->info, index);

  return (GpuBlurStripsPlane) {
    .plane = plane,
    .sums = gpu_blur_strips_choose_sums (device, settings, &plane),
    .is_periodic = settings->edge == GPU_BLUR_MIRROR
        || settings->edge == GPU_BLUR_WRAP,
    .columns = DIV_UP (width * plane.components, 4),
  };
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  GpuDevice *device = family->device;
  guint most = MIN (gpu_device_get_info (device)->max_groups[0],
      G_MAXUINT16);

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    const GpuBlurStripsPlane plane = get_plane (device, task, i);

    if (!gpu_blur_strips_reach (device, &plane)
        || plane.columns > (guint64) STRIPS_COLUMNS * most)
      return FALSE;
  }
  return TRUE;
}

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  return gpu_buffer_ensure (&family->buffers[WEIGHTS], family->device,
      2 * STRIPS_AXIS_WEIGHTS * GPU_BLUR_MAX_PLANES * sizeof (gfloat),
      "strips weights", error);
}

/* --- kernels --- */

/* Lists the rolled kernels: for the widest kernels, for narrow ones, which may have other sums,
 * and for whole boxes, if the settings' kernel is a box. */
static void
list_rolled (GpuDevice * device, const GpuBlurTask * task,
    const GpuBlurStripsPlane * plane, GArray * wanted)
{
  const GpuBlurAxes axes[] = {
    plane->plane.axes,
    {.exact = FALSE},
    {.exact = gpu_blur_can_sum_integers (task->settings, plane->plane.format)},
  };
  GpuBlurStripsPlane other = *plane;

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++) {
    other.plane.axes = axes[i];
    other.sums = gpu_blur_strips_choose_sums (device, task->settings,
        &other.plane);
    gpu_blur_strips_list_rolled (device, &other, wanted);
  }
}

static void
list_kernels (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurWhich which, GArray * wanted)
{
  GpuDevice *device = family->device;

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    const GpuBlurStripsPlane plane = get_plane (device, task, i);

    if (which == GPU_BLUR_ALL_KERNELS)
      list_rolled (device, task, &plane, wanted);
    else
      gpu_blur_strips_list (device, &plane, wanted);
  }
}

static gboolean
is_ready (GpuBlurFamily * family, const GpuBlurTask * task)
{
  GpuDevice *device = family->device;

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    const GpuBlurStripsPlane plane = get_plane (device, task, i);

    if (!gpu_blur_strips_are_ready (device, &plane))
      return FALSE;
  }
  return TRUE;
}

/* The plan is an array of these. */
typedef struct
{
  GpuBlurStripsPlane plane;
  GpuBlurStripsChoice kernels;
} PlannedPlane;

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  GpuDevice *device = family->device;
  guint n_planes = gpu_blur_task_get_format (task)->n_planes;
  g_autofree PlannedPlane *planes = g_new (PlannedPlane, n_planes);

  for (guint i = 0; i < n_planes; i++) {
    planes[i].plane = get_plane (device, task, i);
    if (!gpu_blur_strips_choose (device, &planes[i].plane, &planes[i].kernels,
            error))
      return NULL;
  }
  return g_steal_pointer (&planes);
}

/* --- recording --- */

/* The recording of one plane, or of planes that are processed together. */
typedef struct
{
  const GpuBlurFamily *family;
  GpuStream *stream;
  GpuDispatch dispatch;         /* without kernel and push constants */
  const GpuBlurStripsPlane *plane;      /* the first plane */
  guint n_planes;
  guint n_strips, left, right;  /* number of strips; left…right - 1 are inside */
  guint box_columns;            /* of a strip of whole boxes; 0: weighted sums */
  guint wanted_groups, min_section;
  const GpuBlurStripsChoice *kernels;
  Push push;
} March;

static const GpuBlurAxes *
get_axes (const March * march)
{
  return &march->plane->plane.axes;
}

static gboolean
is_unrolled (const March * march)
{
  return march->kernels->unrolled > 0;
}

/* Returns a word of two halves, both @weight, which is 0…1, rounded to nearest even. */
static guint32
pack_half (gfloat weight)
{
  gint exponent;
  guint32 bits;

  frexp (MAX (weight, G_MINFLOAT), &exponent);
  /* Halves below the least normal one (subnormals) are less precise. */
  exponent = MAX (exponent, -13);
  bits = (exponent + 13) * 1024 + (guint32) nearbyint (ldexp (weight,
          11 - exponent));
  return bits | bits << 16;
}

/* Writes the weights of the distances 0…radius in the form that the shader reads. */
static void
get_weights (const March * march, const GpuBlurAxis * axis, gfloat * weights)
{
  gpu_blur_axis_weights (axis, weights);
  if (march->plane->sums == GPU_BLUR_SUMS_IN_HALVES)
    for (guint i = 0; i <= axis->radius; i++) {
      guint32 word = pack_half (weights[i]);

      memcpy (&weights[i], &word, sizeof word);
    }
}

/* For unrolled kernels: sets the weights in the push constants, and finds the strips inside
 * the plane, whose kernel does not handle edges. */
static void
init_unrolled (March * march)
{
  guint components = march->plane->plane.components;
  guint apron = ROUND_UP (DIV_UP (march->kernels->unrolled * components, 4), 4);
  guint whole = march->push.width * components / 4;

  get_weights (march, &get_axes (march)->x, march->push.weights);
  march->left = 1;
  march->right = whole > apron ? (whole - apron) / STRIPS_COLUMNS : 0;
}

/* Returns the rows of a section. There should be as many groups as a device needs, a section
 * should have at least as many rows as the radius, and at most @most; but it has at least
 * 16. */
static guint
choose_section (March * march, guint64 most)
{
  guint64 rows = (guint64) march->push.height * march->n_strips
      * march->n_planes / march->wanted_groups;

  rows = CLAMP (MAX (rows, get_axes (march)->y.radius), march->min_section,
      MAX_SECTION);
  return MAX (MIN (ROUND_UP (rows, 16), ROUND_DOWN (most, 16)), 16);
}

static void
write_axis (March * march, const GpuBlurAxis * axis, guint at)
{
  gfloat weights[STRIPS_AXIS_WEIGHTS] = { 0 };
  gfloat *middle = weights + STRIPS_PADDED;

  get_weights (march, axis, middle);
  for (guint i = 1; i <= axis->radius; i++)
    *(middle - i) = middle[i];
  gpu_stream_write (march->stream, march->family->buffers[WEIGHTS],
      (at - STRIPS_PADDED) * sizeof (gfloat), weights, sizeof weights);
}

static void
dispatch (March * march, GpuKernel * kernel, guint n_strips, guint sections)
{
  march->dispatch.kernel = kernel;
  march->dispatch.push = &march->push;
  if (n_strips > 0)
    gpu_stream_dispatch (march->stream, &march->dispatch, n_strips, sections,
        march->n_planes);
}

/* Records all strips of some sections, which run concurrently. Strips at the edges take
 * longer, so they are dispatched first. */
static void
record_sections (March * march, guint sections)
{
  guint inside = march->right > march->left ? march->right - march->left : 0;

  march->push.strips = inside > 0 ? march->left | inside << 16
      : march->n_strips;
  dispatch (march, march->kernels->edges, march->n_strips - inside, sections);
  march->push.strips = march->left << 16;
  if (inside > 0)
    gpu_stream_join (march->stream);
  dispatch (march, march->kernels->inside, inside, sections);
}

/* The strips of whole boxes have one kernel, at edges and inside. */
static void
record_box_sections (March * march, guint sections)
{
  march->push.strips = march->box_columns;
  dispatch (march, march->kernels->edges, march->n_strips, sections);
}

static guint
count_taps (const March * march)
{
  const GpuBlurAxes *axes = get_axes (march);

  return 2 * axes->x.radius + 1 + 2 * axes->y.radius + 1;
}

static const gchar *
stage_name (const March * march)
{
  if (march->box_columns > 0)
    return "box-strips";
  return is_unrolled (march) ? "strips" : "strips-rolled";
}

static void
record_march (March * march, guint * dispatches)
{
  GpuDevice *device = march->family->device;
  const GpuBlurAxes *axes = get_axes (march);
  const gchar *work = stage_name (march);
  guint64 row_taps = (guint64) march->push.width * march->n_planes
      * count_taps (march);
  guint rows = choose_section (march,
      gpu_stream_get_dispatch_units (march->stream, work) / row_taps);
  GpuPieces sections = {
    .work = work,
    .units = row_taps * rows,
    .n = DIV_UP (march->push.height, rows),
    .step = 1,
    .most = gpu_device_get_info (device)->max_groups[1],
  };

  march->push.section |= rows << 4;
  while (gpu_pieces_next (&sections, march->stream)) {
    march->push.reach = axes->x.radius | axes->y.radius << 8
        | (guint32) sections.first << 16;
    if (march->box_columns > 0)
      record_box_sections (march, sections.end - sections.first);
    else
      record_sections (march, sections.end - sections.first);
    (*dispatches)++;
  }
}

/* Whether @plane is a chroma plane and the next plane differs from it only in its offset:
 * both are then processed together. */
static gboolean
has_twin (const GpuFrameInfo * in, const GpuFrameInfo * out, guint plane)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (in->pixels);

  return plane > 0 && plane + 1 < format->n_planes
      && format->shift_x[plane + 1] == format->shift_x[plane]
      && format->shift_y[plane + 1] == format->shift_y[plane]
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

/* Sets how sums over a whole box are divided. */
static void
write_reciprocal (March * march)
{
  const GpuBlurAxes *axes = get_axes (march);
  guint n = (2 * axes->x.radius + 1) * (2 * axes->y.radius + 1);
  guint32 reciprocal, shift;

  gpu_blur_box_strips_get_reciprocal (n, &reciprocal, &shift);
  memcpy (&march->push.weights[STRIPS_BOX_RECIPROCAL], &reciprocal, 4);
  memcpy (&march->push.weights[STRIPS_BOX_SHIFT], &shift, 4);
}

static void
init_box_strips (March * march)
{
  GpuDevice *device = march->family->device;

  march->box_columns = gpu_blur_box_strips_columns (device, march->plane);
  march->n_strips = DIV_UP (march->plane->columns, march->box_columns);
  march->wanted_groups = WANTED_BOX_THREADS
      / gpu_blur_box_strips_threads (device, march->plane);
  march->min_section = GPU_BLUR_BOX_STRIPS_MIN_SECTION;
  write_reciprocal (march);
}

static void
init_strips (March * march)
{
  march->n_strips = DIV_UP (march->plane->columns, STRIPS_COLUMNS);
  march->wanted_groups = WANTED_GROUPS;
  march->min_section = MIN_SECTION;
  if (is_unrolled (march))
    init_unrolled (march);
}

static void
init_march (March * march, const GpuBlurFamily * family,
    const PlannedPlane * planned, const GpuBlurRecording * recording)
{
  const GpuBlurPlane *plane = &planned->plane.plane;
  const GpuBlurSettings *settings = recording->settings;
  const GpuFrame *in = recording->in, *out = recording->out;

  *march = (March) {
    .family = family,
    .stream = recording->stream,
    .dispatch.buffers = {
      [STRIPS_SOURCE] = in->buffer,
      [STRIPS_TARGET] = out->buffer,
      [STRIPS_WEIGHTS] = family->buffers[WEIGHTS],
      [STRIPS_LIGHT] = recording->light,
    },
    .plane = &planned->plane,
    .kernels = &planned->kernels,
    .n_planes = has_twin (&in->info, &out->info, plane->index) ? 2 : 1,
  };
  march->push = make_push (&in->info, &out->info, plane->index,
      march->n_planes);
  march->push.section = settings->edge | plane->index << 2
      | gpu_pixel_format_get_black (plane->format, plane->index,
      settings->full_range) << 16;
  if (plane->axes.exact)
    init_box_strips (march);
  else
    init_strips (march);
}

static void
record_weights (March * marches, guint n)
{
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++) {
    const GpuBlurPlane *plane = &marches[i].plane->plane;

    if (!marches[i].kernels->reads_weights)
      continue;
    if (!any)
      gpu_stream_stage (marches[i].stream, "weights");
    write_axis (&marches[i], &plane->axes.x, STRIPS_WEIGHTS_X (plane->index));
    write_axis (&marches[i], &plane->axes.y, STRIPS_WEIGHTS_Y (plane->index));
    any = TRUE;
  }
}

static void
report_march (GpuBlurReport * report, const March * march, guint dispatches)
{
  guint at = report->n_stages++;

  report->stages[at].name = stage_name (march);
  report->stages[at].plane = march->plane->plane.index;
  report->stages[at].dispatches = dispatches;
  report->stages[at].taps = count_taps (march);
}

/* Chooses the kernels again if better ones may be built now. */
static void
renew_plan (GpuDevice * device, PlannedPlane * planes, guint n_planes,
    GpuStream * stream)
{
  GError *error = NULL;

  for (guint i = 0; i < n_planes; i++) {
    if (!planes[i].kernels.is_best
        && !gpu_blur_strips_choose (device, &planes[i].plane,
            &planes[i].kernels, &error)) {
      gpu_stream_fail (stream, error);
      return;
    }
  }
}

/* Planes that one dispatch processes together are one stage. */
static void
record (GpuBlurFamily * family, gpointer plan,
    const GpuBlurRecording * recording)
{
  PlannedPlane *planes = plan;
  guint n_planes = gpu_pixels_get_format (recording->in->info.pixels)->n_planes;
  March marches[GPU_BLUR_MAX_PLANES];
  guint n = 0;

  renew_plan (family->device, planes, n_planes, recording->stream);
  for (guint i = 0; i < n_planes; i += marches[n - 1].n_planes)
    init_march (&marches[n++], family, &planes[i], recording);
  record_weights (marches, n);
  gpu_stream_stage (recording->stream, "strips");
  gpu_stream_begin_disjoint (recording->stream);
  for (guint i = 0; i < n; i++) {
    guint dispatches = 0;

    /* The planes' dispatches run concurrently. */
    if (i > 0)
      gpu_stream_join (recording->stream);
    record_march (&marches[i], &dispatches);
    report_march (recording->report, &marches[i], dispatches);
  }
  gpu_stream_end_disjoint (recording->stream);
}

const GpuBlurFamilyType gpu_blur_strips_type = {
  .builds_slowly = TRUE,
  .size = sizeof (GpuBlurFamily),
  .prepare = prepare,
  .reaches = reaches,
  .list_kernels = list_kernels,
  .is_ready = is_ready,
  .make_plan = make_plan,
  .record = record,
};
