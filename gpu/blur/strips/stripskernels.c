/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stripskernels.h"
#include "shaders.h"
#include "shaders/blur/strips/shared.h"
#include "gpu/core/rounding.h"

/* The radii of the unrolled kernels. */
static const guint buckets[] = { 1, 2, 3, 4, 6, 9, 13, STRIPS_MAX_UNROLLED };

#define N_BUCKETS G_N_ELEMENTS (buckets)

/* The threads of a group, if a large enough ring fits into shared memory. */
#define MOST_THREADS 128

/* The largest radius that the zero padding of weights in the buffer allows. Row sums read
 * the weights of whole chunks of up to 16 pixels, relative to the last output of a thread;
 * a column has at most four pixels. */
#define MAX_REACH ROUND_DOWN (STRIPS_PADDED - (4 * STRIPS_OUTPUTS (1) - 1), 16)

/* --- whole boxes --- */

/* The threads of a group that measured best for few columns beyond a strip's own, on each
 * side, and for more; and the fewest. */
#define NEAR_APRON 16
#define NEAR_THREADS 128
#define FAR_THREADS 256
#define LEAST_THREADS 64

static gboolean
has_alpha (const GpuBlurStripsPlane * plane)
{
  return plane->plane.format->alpha >= 0;
}

/* Returns the words of shared memory of a group of @threads threads. */
static guint
get_box_shared_words (const GpuBlurStripsPlane * plane, guint threads)
{
  /* And one: samples are read up to a column beyond the last. */
  return STRIPS_BOX_ROWS * STRIPS_BOX_PITCH (threads)
      * (has_alpha (plane) ? 4 : 2) + 1;
}

/* Returns the largest radius along rows for which groups have few threads, which are faster
 * where a strip needs few columns beyond its own. */
static guint
get_box_near_radius (const GpuBlurStripsPlane * plane)
{
  return 4 * NEAR_APRON / plane->plane.components;
}

static guint
get_box_threads (GpuDevice * device, const GpuBlurStripsPlane * plane,
    guint radius)
{
  guint threads = radius <= get_box_near_radius (plane) ? NEAR_THREADS
      : FAR_THREADS;

  while (threads > LEAST_THREADS && get_box_shared_words (plane, threads)
      > gpu_device_get_info (device)->max_shared / 4)
    threads /= 2;
  return threads;
}

guint
gpu_blur_box_strips_threads (GpuDevice * device,
    const GpuBlurStripsPlane * plane)
{
  return get_box_threads (device, plane, plane->plane.axes.x.radius);
}

/* Returns the most columns that a strip can have; less than 1 if there are none. */
static gint
get_most_columns (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  gint threads = gpu_blur_box_strips_threads (device, plane);
  gint apron = STRIPS_BOX_APRON (plane->plane.axes.x.radius,
      plane->plane.components);

  return ROUND_DOWN (threads - 2 * apron, STRIPS_BOX_OUTPUTS);
}

/* If less than a quarter of the threads had outputs, other methods would be faster. */
static gboolean
box_strips_reach (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  const GpuBlurAxes *axes = &plane->plane.axes;
  gint threads = gpu_blur_box_strips_threads (device, plane);

  return MAX (axes->x.radius, axes->y.radius) <= STRIPS_BOX_MAX_RADIUS
      && 4 * get_most_columns (device, plane) >= threads
      && plane->columns / (threads / 4)
      < gpu_device_get_info (device)->max_groups[0];
}

guint
gpu_blur_box_strips_columns (GpuDevice * device,
    const GpuBlurStripsPlane * plane)
{
  guint most = get_most_columns (device, plane);
  guint n_strips = DIV_UP (plane->columns, most);

  return ROUND_UP (DIV_UP (plane->columns, n_strips), STRIPS_BOX_OUTPUTS);
}

/* The reciprocal is 2^(32 + shift) / n, rounded up, and has 32 bits, as n > 2^shift. It is too
 * large by less than 1, so a quotient by less than 2^31 / 2^(32 + shift). That is at most 1 / n,
 * as n <= 2^(shift + 1): too little to reach the next whole number. */
void
gpu_blur_box_strips_get_reciprocal (guint n, guint32 * reciprocal,
    guint32 * shift)
{
  *shift = g_bit_storage (n - 1) - 1;
  *reciprocal = ((G_GUINT64_CONSTANT (1) << (32 + *shift)) + n - 1) / n;
}

/* --- the ring of weighted sums --- */

/* Returns the outputs of a thread in a column. */
static guint
get_outputs (const GpuBlurStripsPlane * plane)
{
  return STRIPS_OUTPUTS (STRIPS_COLUMN_WORDS (plane->plane.format->sample));
}

/* Returns the words of a row of the ring, for pixels of @lanes samples. */
static guint
get_row_words (const GpuBlurStripsPlane * plane, guint lanes)
{
  return STRIPS_COLUMNS * lanes / (plane->plane.half ? 2 : 1);
}

static guint
count_lanes (const GpuBlurStripsPlane * plane)
{
  return plane->plane.format->unused < 0 ? 4 : 3;
}

/* Returns the most rows that a ring can have. */
static guint
get_most_rows (GpuDevice * device, const GpuBlurStripsPlane * plane,
    guint lanes)
{
  return ROUND_DOWN (gpu_device_get_info (device)->max_shared / 4
      / get_row_words (plane, lanes), get_outputs (plane));
}

/* Returns the rows that @threads threads process in a step. */
static guint
get_step_rows (const GpuBlurStripsPlane * plane, guint threads)
{
  return threads / STRIPS_COLUMNS * get_outputs (plane);
}

/* Returns the rows of a ring: those of a step of @threads threads, and those above and
 * below that their sums need. */
static guint
get_ring_rows (const GpuBlurStripsPlane * plane, guint threads, guint radius)
{
  return ROUND_UP (2 * radius + get_step_rows (plane, threads),
      get_outputs (plane));
}

/* Returns the largest radius whose row sums fit into shared memory. It is the same with and
 * without unused samples. */
static guint
get_max_radius (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  guint rows = get_most_rows (device, plane, 4);
  guint step = get_step_rows (plane, STRIPS_COLUMNS);

  return rows > step ? MIN ((rows - step) / 2, MAX_REACH) : 0;
}

/* Returns the threads of a group: MOST_THREADS, which measured best, or half as many if the
 * ring would be too large; 0 if it is too large even then. */
static guint
choose_threads (GpuDevice * device, const GpuBlurStripsPlane * plane,
    guint radius)
{
  guint most = get_most_rows (device, plane, count_lanes (plane));

  for (guint threads = MOST_THREADS; threads >= STRIPS_COLUMNS; threads /= 2)
    if (get_ring_rows (plane, threads, radius) <= most)
      return threads;
  return 0;
}

static gboolean
are_boxes (const GpuBlurStripsPlane * plane)
{
  return plane->sums == GPU_BLUR_SUMS_INTEGERS;
}

gboolean
gpu_blur_strips_reach (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  const GpuBlurAxes *axes = &plane->plane.axes;

  return are_boxes (plane) ? box_strips_reach (device, plane)
      : MAX (axes->x.radius, axes->y.radius) <= get_max_radius (device, plane);
}

/* --- kernels --- */

/* The place of a strip in the plane. */
typedef enum
{
  INSIDE,
  AT_EDGES,
  AT_PERIODIC_EDGES,
} Place;

/* A kernel for a plane. */
typedef struct
{
  guint radius;                 /* the largest radius that its ring has room for */
  gboolean is_unrolled;         /* whether it is unrolled for this radius */
  Place place;
} Variant;

static const GpuShader *
choose_shader (const GpuBlurStripsPlane * plane)
{
  if (are_boxes (plane))
    return &gpu_shader_blur_box_strips;
  if (plane->sums == GPU_BLUR_SUMS_IN_HALVES)
    return &gpu_shader_blur_strips_in_halves;
  switch (plane->plane.format->sample) {
    case SAMPLE_BYTE:
      return &gpu_shader_blur_strips_of_bytes;
    case SAMPLE_HALF:
      return &gpu_shader_blur_strips_of_halves;
    case SAMPLE_FLOAT:
      return &gpu_shader_blur_strips_of_floats;
    default:
      return &gpu_shader_blur_strips_of_shorts;
  }
}

/* Sets the constants of the group and its shared memory. */
static void
get_group (GpuDevice * device, const GpuBlurStripsPlane * plane, guint radius,
    guint32 * constants)
{
  guint threads = choose_threads (device, plane, radius);
  guint rows = get_ring_rows (plane, threads, radius);

  constants[STRIPS_THREADS] = threads;
  constants[STRIPS_RING_ROWS] = rows;
  constants[STRIPS_SHARED_WORDS] =
      rows * get_row_words (plane, count_lanes (plane));
}

static void
get_box_group (GpuDevice * device, const GpuBlurStripsPlane * plane,
    guint radius, guint32 * constants)
{
  guint threads = get_box_threads (device, plane, radius);

  constants[STRIPS_THREADS] = threads;
  constants[STRIPS_SHARED_WORDS] = get_box_shared_words (plane, threads);
}

static GpuBlurWanted
get_wanted (GpuDevice * device, const GpuBlurStripsPlane * plane,
    const Variant * variant)
{
  const GpuPixelFormat *format = plane->plane.format;
  GpuBlurWanted wanted = {
    .shader = choose_shader (plane),
    .n_constants = STRIPS_CONSTANTS,
    .constants = {
      [STRIPS_RADIUS] = variant->is_unrolled ? variant->radius : 0,
      [STRIPS_EDGES] = variant->place != INSIDE,
      [STRIPS_PERIODIC] = variant->place == AT_PERIODIC_EDGES,
      [STRIPS_COMPONENTS] = plane->plane.components,
      [STRIPS_HAS_ALPHA] = has_alpha (plane),
      [STRIPS_HAS_UNUSED] = format->unused >= 0,
      [STRIPS_IS_FIRST] = format->alpha == 0 || format->unused == 0,
      [STRIPS_HALF] = plane->plane.half,
      [STRIPS_LINEAR] = plane->plane.linear,
      /* On CPU devices the additional code makes the shader slower, and its compilation. */
      [STRIPS_HOPES] = has_alpha (plane) && format->sample == SAMPLE_BYTE
          && !gpu_device_is_slow (device),
      [STRIPS_SHORTS] = format->sample,
    },
  };

  (are_boxes (plane) ? get_box_group : get_group) (device, plane,
      variant->radius, wanted.constants);
  return wanted;
}

/* --- candidates: kernels that run for a plane; those of each bucket, then the rolled one --- */

#define ROLLED N_BUCKETS
#define N_CANDIDATES (ROLLED + 1)
#define MAX_KERNELS 2           /* inside and at edges */

/* Returns the best candidate. It is the rolled kernel for axes that differ, as their weights are
 * too many for push constants, and for whole boxes, which have no buckets. */
static guint
find_best (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  guint i = 0;

  if (are_boxes (plane) || !gpu_blur_axes_are_alike (&plane->plane.axes))
    return ROLLED;
  while (i < N_BUCKETS && buckets[i] < plane->plane.axes.x.radius)
    i++;
  return i < N_BUCKETS && choose_threads (device, plane, buckets[i]) ? i
      : ROLLED;
}

/* Rolled kernels have a small ring or the largest; those of whole boxes are for small or for
 * large radii along rows. */
static guint
get_near_radius (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  return are_boxes (plane) ? get_box_near_radius (plane)
      : MIN (STRIPS_MAX_UNROLLED, get_max_radius (device, plane));
}

static guint
get_far_radius (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  return are_boxes (plane) ? STRIPS_BOX_MAX_RADIUS
      : get_max_radius (device, plane);
}

/* A rolled kernel runs at all places, including periodic edges. */
static GpuBlurWanted
get_rolled (GpuDevice * device, const GpuBlurStripsPlane * plane,
    gboolean is_far)
{
  const Variant variant = {
    .radius = is_far ? get_far_radius (device, plane)
        : get_near_radius (device, plane),
    .place = AT_EDGES,
  };

  return get_wanted (device, plane, &variant);
}

static gboolean
is_far (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  const GpuBlurAxes *axes = &plane->plane.axes;
  guint radius = are_boxes (plane) ? axes->x.radius
      : MAX (axes->x.radius, axes->y.radius);

  return radius > get_near_radius (device, plane);
}

/* Fills in the kernels of a candidate, and returns their number. */
static guint
get_candidate (GpuDevice * device, const GpuBlurStripsPlane * plane, guint i,
    GpuBlurWanted wanted[MAX_KERNELS])
{
  const Place places[MAX_KERNELS] = { INSIDE,
    plane->is_periodic ? AT_PERIODIC_EDGES : AT_EDGES
  };

  if (i == ROLLED) {
    wanted[0] = get_rolled (device, plane, is_far (device, plane));
    return 1;
  }
  for (guint k = 0; k < MAX_KERNELS; k++) {
    const Variant variant = { buckets[i], TRUE, places[k] };

    wanted[k] = get_wanted (device, plane, &variant);
  }
  return MAX_KERNELS;
}

static gboolean
is_built (GpuDevice * device, const GpuBlurStripsPlane * plane, guint i)
{
  GpuBlurWanted wanted[MAX_KERNELS];
  guint n = get_candidate (device, plane, i, wanted);

  for (guint k = 0; k < n; k++)
    if (!gpu_blur_wanted_is_built (&wanted[k], device))
      return FALSE;
  return TRUE;
}

/* Returns the first candidate from @best on that is built; N_CANDIDATES if none is. */
static guint
find_built (GpuDevice * device, const GpuBlurStripsPlane * plane, guint best)
{
  guint i = best;

  while (i < N_CANDIDATES && !is_built (device, plane, i))
    i++;
  return i;
}

void
gpu_blur_strips_list (GpuDevice * device, const GpuBlurStripsPlane * plane,
    GArray * wanted)
{
  GpuBlurWanted best[MAX_KERNELS];
  guint n = get_candidate (device, plane, find_best (device, plane), best);

  g_array_append_vals (wanted, best, n);
}

void
gpu_blur_strips_list_rolled (GpuDevice * device,
    const GpuBlurStripsPlane * plane, GArray * wanted)
{
  const GpuBlurWanted rolled[] = {
    get_rolled (device, plane, FALSE), get_rolled (device, plane, TRUE)
  };

  g_array_append_vals (wanted, rolled, G_N_ELEMENTS (rolled));
}

gboolean
gpu_blur_strips_are_ready (GpuDevice * device, const GpuBlurStripsPlane * plane)
{
  return find_built (device, plane, find_best (device, plane)) < N_CANDIDATES;
}

/* Requests the kernels of a candidate, and sets those of *@choice if it is not NULL. */
static gboolean
request (GpuDevice * device, const GpuBlurStripsPlane * plane, guint i,
    GpuKernelUrgency urgency, GpuBlurStripsChoice * choice, GError ** error)
{
  GpuBlurWanted wanted[MAX_KERNELS];
  GpuKernel *kernels[MAX_KERNELS];
  guint n = get_candidate (device, plane, i, wanted);

  for (guint k = 0; k < n; k++) {
    kernels[k] = gpu_blur_wanted_request (&wanted[k], device, urgency, error);
    if (!kernels[k])
      return FALSE;
  }
  if (choice) {
    choice->inside = kernels[0];
    choice->edges = kernels[n - 1];
  }
  return TRUE;
}

gboolean
gpu_blur_strips_choose (GpuDevice * device, const GpuBlurStripsPlane * plane,
    GpuBlurStripsChoice * choice, GError ** error)
{
  guint best = find_best (device, plane);
  guint built = find_built (device, plane, best);
  guint i = built < N_CANDIDATES ? built : best;
  GpuBlurStripsChoice chosen = {
    .unrolled = i == ROLLED ? 0 : buckets[i],
    .reads_weights = i == ROLLED ? !are_boxes (plane) : plane->is_periodic,
    .is_best = i == best,
  };

  if (!request (device, plane, i, GPU_KERNEL_SOON, &chosen, error)
      || (i != best
          && !request (device, plane, best, GPU_KERNEL_LATER, NULL, error)))
    return FALSE;
  *choice = chosen;
  return TRUE;
}
