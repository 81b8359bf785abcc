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

/* Returns the words of shared memory of a group of @threads threads. */
static guint
get_box_shared_words (guint threads, gboolean has_alpha)
{
  /* And one: samples are read up to a column beyond the last. */
  return STRIPS_BOX_ROWS * STRIPS_BOX_PITCH (threads) * (has_alpha ? 4 : 2) + 1;
}

/* Returns the largest radius along rows for which groups have few threads, which are faster
 * where a strip needs few columns beyond its own. */
static guint
get_box_near_radius (guint components)
{
  return 4 * NEAR_APRON / components;
}

guint
gpu_blur_box_strips_threads (GpuDevice * device, const GpuBlurBoxPlane * plane,
    guint radius)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);
  guint threads = radius <= get_box_near_radius (plane->components)
      ? NEAR_THREADS : FAR_THREADS;

  while (threads > LEAST_THREADS
      && get_box_shared_words (threads, plane->has_alpha)
      > info->max_shared / 4)
    threads /= 2;
  return threads;
}

/* Returns the most columns that a strip can have; less than 1 if there are none. */
static gint
most_columns (GpuDevice * device, const GpuBlurBoxPlane * plane,
    const GpuBlurAxes * axes)
{
  gint threads = gpu_blur_box_strips_threads (device, plane, axes->x.radius);
  gint apron = STRIPS_BOX_APRON (axes->x.radius, plane->components);

  return ROUND_DOWN (threads - 2 * apron, STRIPS_BOX_OUTPUTS);
}

/* If less than a quarter of the threads had outputs, other methods would be faster. */
gboolean
gpu_blur_box_strips_reach (GpuDevice * device, const GpuBlurBoxPlane * plane,
    const GpuBlurAxes * axes)
{
  gint threads = gpu_blur_box_strips_threads (device, plane, axes->x.radius);

  return MAX (axes->x.radius, axes->y.radius) <= STRIPS_BOX_MAX_RADIUS
      && 4 * most_columns (device, plane, axes) >= threads
      && plane->columns / (threads / 4)
      < gpu_device_get_info (device)->max_groups[0];
}

guint
gpu_blur_box_strips_columns (GpuDevice * device, const GpuBlurBoxPlane * plane,
    const GpuBlurAxes * axes)
{
  guint most = most_columns (device, plane, axes);
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

/* --- kernels --- */

/* The place of a strip in the plane. Edges are periodic if they are mirrored or wrapped. */
typedef enum
{
  INSIDE,
  AT_EDGES,
  AT_PERIODIC_EDGES,
  N_PLACES
} Place;

/* One of the kernels of a set. */
typedef struct
{
  guint radius;                 /* the largest radius that its ring has room for */
  gboolean is_unrolled;         /* whether it is unrolled for this radius */
  Place place;
} Variant;

/* Kernels are NULL until they are requested. */
struct _GpuBlurStripsSet
{
  const GpuShader *shader;
  guint sample, components;
  guint column_words;
  gint alpha, unused;
  gboolean half, linear;
  GpuBlurSums sums;
  GpuKernel *unrolled[N_BUCKETS][N_PLACES];
  GpuKernel *rolled[2];         /* with a small ring and with the largest ring; of whole
                                   boxes: for small and for large radii along rows */
};

struct _GpuBlurStripsKernels
{
  GpuDevice *device;
  GPtrArray *sets;              /* GpuBlurStripsSet */
};

GpuBlurStripsKernels *
gpu_blur_strips_kernels_new (GpuDevice * device)
{
  GpuBlurStripsKernels *all = g_new0 (GpuBlurStripsKernels, 1);

  all->device = gpu_device_ref (device);
  all->sets = g_ptr_array_new_with_free_func (g_free);
  return all;
}

void
gpu_blur_strips_kernels_free (GpuBlurStripsKernels * all)
{
  g_ptr_array_unref (all->sets);
  gpu_device_unref (all->device);
  g_free (all);
}

/* Returns the words of a row of the ring. */
static guint
ring_row_words (gint unused, gboolean half)
{
  guint lanes = unused < 0 ? 4 : 3;

  return STRIPS_COLUMNS * lanes / (half ? 2 : 1);
}

/* Returns the most rows that a ring can have. */
static guint
max_ring_rows (GpuDevice * device, guint column_words, gint unused,
    gboolean half)
{
  return ROUND_DOWN (gpu_device_get_info (device)->max_shared / 4
      / ring_row_words (unused, half), STRIPS_OUTPUTS (column_words));
}

/* Returns the rows that @threads threads process in a step. */
static guint
step_rows (guint column_words, guint threads)
{
  return threads / STRIPS_COLUMNS * STRIPS_OUTPUTS (column_words);
}

/* Returns the rows of a ring: those of a step of @threads threads, and those above and
 * below that their sums need. */
static guint
ring_rows (guint column_words, guint threads, guint radius)
{
  return ROUND_UP (2 * radius + step_rows (column_words, threads),
      STRIPS_OUTPUTS (column_words));
}

guint
gpu_blur_strips_kernels_max_radius (GpuDevice * device, guint column_words,
    gboolean half)
{
  guint rows = max_ring_rows (device, column_words, -1, half);
  guint step = step_rows (column_words, STRIPS_COLUMNS);

  return rows > step ? MIN ((rows - step) / 2, MAX_REACH) : 0;
}

/* Returns the threads of a group: MOST_THREADS, which measured best, or half as many if the
 * ring would be too large; 0 if it is too large even then. */
static guint
choose_threads (GpuDevice * device, const GpuBlurStripsSet * kernels,
    guint radius)
{
  guint most = max_ring_rows (device, kernels->column_words, kernels->unused,
      kernels->half);

  for (guint threads = MOST_THREADS; threads >= STRIPS_COLUMNS; threads /= 2)
    if (ring_rows (kernels->column_words, threads, radius) <= most)
      return threads;
  return 0;
}

static const GpuShader *
choose_shader (guint sample, GpuBlurSums sums)
{
  if (sums == GPU_BLUR_SUMS_INTEGERS)
    return &gpu_shader_blur_box_strips;
  if (sums == GPU_BLUR_SUMS_IN_HALVES)
    return &gpu_shader_blur_strips_in_halves;
  switch (sample) {
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

static gboolean
are_boxes (const GpuBlurStripsSet * kernels)
{
  return kernels->sums == GPU_BLUR_SUMS_INTEGERS;
}

/* Sets the constants of the group and its shared memory. */
static void
get_group (GpuDevice * device, const GpuBlurStripsSet * kernels,
    const Variant * variant, guint32 * constants)
{
  guint threads = choose_threads (device, kernels, variant->radius);
  guint rows = ring_rows (kernels->column_words, threads, variant->radius);

  constants[STRIPS_THREADS] = threads;
  constants[STRIPS_RING_ROWS] = rows;
  constants[STRIPS_SHARED_WORDS] =
      rows * ring_row_words (kernels->unused, kernels->half);
}

static void
get_box_group (GpuDevice * device, const GpuBlurStripsSet * kernels,
    guint radius, guint32 * constants)
{
  gboolean has_alpha = kernels->alpha >= 0;
  const GpuBlurBoxPlane plane = { kernels->components, has_alpha };
  guint threads = gpu_blur_box_strips_threads (device, &plane, radius);

  constants[STRIPS_THREADS] = threads;
  constants[STRIPS_RING_ROWS] = 0;
  constants[STRIPS_SHARED_WORDS] = get_box_shared_words (threads, has_alpha);
}

static void
get_constants (GpuDevice * device, const GpuBlurStripsSet * kernels,
    const Variant * variant, guint32 * constants)
{
  if (are_boxes (kernels))
    get_box_group (device, kernels, variant->radius, constants);
  else
    get_group (device, kernels, variant, constants);
  constants[STRIPS_RADIUS] = variant->is_unrolled ? variant->radius : 0;
  constants[STRIPS_EDGES] = variant->place != INSIDE;
  constants[STRIPS_PERIODIC] = variant->place == AT_PERIODIC_EDGES;
  constants[STRIPS_COMPONENTS] = kernels->components;
  constants[STRIPS_HAS_ALPHA] = kernels->alpha >= 0;
  constants[STRIPS_HAS_UNUSED] = kernels->unused >= 0;
  constants[STRIPS_IS_FIRST] = kernels->alpha == 0 || kernels->unused == 0;
  constants[STRIPS_HALF] = kernels->half;
  constants[STRIPS_LINEAR] = kernels->linear;
  /* On CPU devices the additional code makes the shader slower, and its compilation. */
  constants[STRIPS_HOPES] = kernels->alpha >= 0
      && kernels->sample == SAMPLE_BYTE && !gpu_device_is_slow (device);
  constants[STRIPS_SHORTS] = kernels->sample;
}

static gboolean
request_kernel (GpuBlurStripsKernels * all, const GpuBlurStripsSet * kernels,
    const Variant * variant, GpuKernelUrgency urgency, GpuKernel ** slot,
    GError ** error)
{
  guint32 constants[STRIPS_CONSTANTS];

  get_constants (all->device, kernels, variant, constants);
  *slot = gpu_kernel_request (all->device, kernels->shader, constants,
      STRIPS_CONSTANTS, urgency, error);
  return *slot != NULL;
}

static gboolean
is_built (GpuKernel * kernel)
{
  return kernel && gpu_kernel_is_built (kernel);
}

/* Returns the index in buckets[] for @axes, N_BUCKETS if none fits. None fits axes that
 * differ, as their weights are too many for push constants, or whole boxes, which have no
 * buckets. */
static guint
find_bucket (GpuBlurStripsKernels * all, const GpuBlurStripsSet * kernels,
    const GpuBlurAxes * axes)
{
  guint i = 0;

  if (are_boxes (kernels) || !gpu_blur_axes_are_alike (axes))
    return N_BUCKETS;
  while (i < N_BUCKETS && buckets[i] < axes->x.radius)
    i++;
  if (i < N_BUCKETS && choose_threads (all->device, kernels, buckets[i]))
    return i;
  return N_BUCKETS;
}

static Place
place_of_edges (gboolean periodic)
{
  return periodic ? AT_PERIODIC_EDGES : AT_EDGES;
}

static Variant
unrolled_variant (guint bucket, Place place)
{
  return (Variant) {
    .radius = buckets[bucket],
    .is_unrolled = TRUE,
    .place = place,
  };
}

/* A rolled kernel runs at all places, including periodic edges. */
static Variant
rolled_variant (guint radius)
{
  return (Variant) {.radius = radius, .place = AT_EDGES};
}

static gboolean
request_unrolled (GpuBlurStripsKernels * all, GpuBlurStripsSet * kernels,
    guint i, Place place, GpuKernelUrgency urgency, GError ** error)
{
  const Variant variant = unrolled_variant (i, place);

  return request_kernel (all, kernels, &variant, urgency,
      &kernels->unrolled[i][place], error);
}

static gboolean
request_bucket (GpuBlurStripsKernels * all, GpuBlurStripsSet * kernels,
    guint i, gboolean periodic, GpuKernelUrgency urgency, GError ** error)
{
  return request_unrolled (all, kernels, i, INSIDE, urgency, error)
      && request_unrolled (all, kernels, i, place_of_edges (periodic), urgency,
      error);
}

static gboolean
is_bucket_built (GpuBlurStripsSet * kernels, guint i, gboolean periodic)
{
  return is_built (kernels->unrolled[i][INSIDE])
      && is_built (kernels->unrolled[i][place_of_edges (periodic)]);
}

static guint
near_radius (GpuBlurStripsKernels * all, const GpuBlurStripsSet * kernels)
{
  if (are_boxes (kernels))
    return get_box_near_radius (kernels->components);
  return MIN (STRIPS_MAX_UNROLLED,
      gpu_blur_strips_kernels_max_radius (all->device, kernels->column_words,
          kernels->half));
}

static guint
far_radius (GpuBlurStripsKernels * all, const GpuBlurStripsSet * kernels)
{
  return are_boxes (kernels) ? STRIPS_BOX_MAX_RADIUS
      : gpu_blur_strips_kernels_max_radius (all->device,
      kernels->column_words, kernels->half);
}

/* Whether @axes need the second rolled kernel. */
static gboolean
is_far (GpuBlurStripsKernels * all, const GpuBlurStripsSet * kernels,
    const GpuBlurAxes * axes)
{
  guint radius = are_boxes (kernels) ? axes->x.radius
      : MAX (axes->x.radius, axes->y.radius);

  return radius > near_radius (all, kernels);
}

static gboolean
request_rolled (GpuBlurStripsKernels * all, GpuBlurStripsSet * kernels,
    gboolean far, GpuKernelUrgency urgency, GError ** error)
{
  const Variant variant = rolled_variant (far ? far_radius (all, kernels)
      : near_radius (all, kernels));

  return request_kernel (all, kernels, &variant, urgency,
      &kernels->rolled[far], error);
}

GpuBlurStripsSet *
gpu_blur_strips_kernels_get_set (GpuBlurStripsKernels * all,
    const GpuBlurPlaneKind * kind, GpuBlurSums sums)
{
  const GpuPixelFormat *format = kind->format;
  const GpuBlurStripsSet wanted = {
    .shader = choose_shader (format->sample, sums),
    .sample = format->sample,
    .components = format->components[kind->plane],
    .column_words = STRIPS_COLUMN_WORDS (format->sample),
    .alpha = format->alpha,
    .unused = format->unused,
    .half = kind->half,
    .linear = kind->linear,
    .sums = sums,
  };
  GpuBlurStripsSet *kernels;

  for (guint i = 0; i < all->sets->len; i++) {
    kernels = all->sets->pdata[i];
    if (kernels->components == wanted.components
        && kernels->sample == wanted.sample
        && kernels->alpha == wanted.alpha
        && kernels->unused == wanted.unused && kernels->half == wanted.half
        && kernels->linear == wanted.linear && kernels->sums == wanted.sums)
      return kernels;
  }
  kernels = g_new0 (GpuBlurStripsSet, 1);
  *kernels = wanted;
  g_ptr_array_add (all->sets, kernels);
  return kernels;
}

gboolean
gpu_blur_strips_kernels_request (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * kernels, const GpuBlurAxes * axes, gboolean periodic,
    GpuKernelUrgency urgency, GError ** error)
{
  guint bucket = find_bucket (all, kernels, axes);

  return bucket < N_BUCKETS
      ? request_bucket (all, kernels, bucket, periodic, urgency, error)
      : request_rolled (all, kernels, is_far (all, kernels, axes), urgency,
      error);
}

gboolean
gpu_blur_strips_kernels_request_rolled (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * kernels, GpuKernelUrgency urgency, GError ** error)
{
  return request_rolled (all, kernels, FALSE, urgency, error)
      && request_rolled (all, kernels, TRUE, urgency, error);
}

/* Returns the index in buckets[] of the narrowest built kernels for @axes, N_BUCKETS if
 * none are built. */
static guint
find_built_bucket (GpuBlurStripsKernels * all, GpuBlurStripsSet * kernels,
    const GpuBlurAxes * axes, gboolean periodic)
{
  guint bucket = find_bucket (all, kernels, axes);

  while (bucket < N_BUCKETS && !is_bucket_built (kernels, bucket, periodic))
    bucket++;
  return bucket;
}

gboolean
gpu_blur_strips_kernels_are_ready (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * kernels, const GpuBlurAxes * axes, gboolean periodic)
{
  return find_built_bucket (all, kernels, axes, periodic) < N_BUCKETS
      || is_built (kernels->rolled[is_far (all, kernels, axes)]);
}

static void
choose_bucket (GpuBlurStripsSet * kernels, guint i, gboolean periodic,
    GpuBlurStripsChoice * choice)
{
  choice->inside = kernels->unrolled[i][INSIDE];
  choice->edges = kernels->unrolled[i][place_of_edges (periodic)];
  choice->unrolled = buckets[i];
  choice->reads_weights = periodic;
}

static void
choose_rolled (GpuBlurStripsSet * kernels, gboolean far,
    GpuBlurStripsChoice * choice)
{
  choice->inside = choice->edges = kernels->rolled[far];
  choice->unrolled = 0;
  choice->reads_weights = !are_boxes (kernels);
}

gboolean
gpu_blur_strips_kernels_choose (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * kernels, const GpuBlurAxes * axes, gboolean periodic,
    GpuBlurStripsChoice * choice, GError ** error)
{
  guint built = find_built_bucket (all, kernels, axes, periodic);
  guint best = find_bucket (all, kernels, axes);
  gboolean far = is_far (all, kernels, axes);
  gboolean is_ready = built < N_BUCKETS || is_built (kernels->rolled[far]);

  choice->sums = kernels->sums;
  if (!gpu_blur_strips_kernels_request (all, kernels, axes, periodic,
          is_ready ? GPU_KERNEL_LATER : GPU_KERNEL_SOON, error))
    return FALSE;
  if (built < N_BUCKETS)
    choose_bucket (kernels, built, periodic, choice);
  else if (is_ready || best == N_BUCKETS)
    choose_rolled (kernels, far, choice);
  else
    choose_bucket (kernels, best, periodic, choice);
  return TRUE;
}
