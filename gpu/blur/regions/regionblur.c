/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionblur.h"
#include "regiontables.h"
#include "gpu/blur/weights.h"
#include "gpu/core/compute/components.h"
#include "shaders.h"

#include <math.h>
#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* The most bytes of gpu_stream_write(). */
#define WRITE_SIZE 65536

/* Estimated ns per pixel of a block, and per word that is painted, with and without a search;
 * see gpu_slicer_run(). */
#define MEAN_NS 20
#define PAINT_NS 50
#define SEARCH_NS 500

/* A workgroup for each block; the number of their threads fits into 32 bits. */
#define GROUP 256
#define MOST_BLOCKS (1 << 20)

typedef enum
{
  TABLES,                       /* regiontables.h */
  MEANS,                        /* of blocks */
  GATHERED,                     /* the atlas */
  BLURRED,                      /* the atlas or the frame, blurred */
  N_BUFFERS
} Buffer;

static const gchar *const buffer_names[N_BUFFERS] = {
  "region tables", "region means", "region atlas", "regions blurred"
};

/* A kernel that paints: its specialization constants PAINT_ACTION, PAINT_MIXES and
 * PAINT_SHAPES. */
typedef struct
{
  guint action;
  gboolean mixes, has_shapes;
} Variant;

/* Kernels of a plane, owned by the device. */
typedef struct
{
  GpuKernel *copy;
  GpuKernel *gather[2];         /* by GATHER_INSIDE */
  GpuKernel *paint[PAINT_SEARCH + 1][2][2];     /* by Variant */
} Kernels;

struct _GpuRegionBlur
{
  GpuDevice *device;
  GpuBlur *blur;
  GpuBuffer *buffers[N_BUFFERS];
  guint most_blocks;            /* that MEANS has room for */
  GpuPixels pixels;             /* that kernels are for */
  Kernels kernels[GPU_MAX_PLANES];
  GpuKernel *find_means;        /* of all planes; owned by the device */
};

GpuRegionBlur *
gpu_region_blur_new (GpuDevice * device, GpuBlur * blur)
{
  GpuRegionBlur *self = g_new0 (GpuRegionBlur, 1);

  self->device = gpu_device_ref (device);
  self->blur = blur;
  return self;
}

void
gpu_region_blur_free (GpuRegionBlur * self)
{
  for (Buffer i = 0; i < N_BUFFERS; i++)
    g_clear_pointer (&self->buffers[i], gpu_buffer_unref);
  gpu_device_unref (self->device);
  g_free (self);
}

gsize
gpu_region_blur_get_memory (GpuRegionBlur * self)
{
  return gpu_buffers_get_size (self->buffers, N_BUFFERS);
}

static gboolean
is_cpu (GpuRegionBlur * self)
{
  return gpu_device_get_info (self->device)->kind == GPU_DEVICE_CPU;
}

/* --- buffers --- */

static guint
count_tiles (const GpuFrameInfo * info, guint side)
{
  return DIV_UP (info->width, side) * DIV_UP (info->height, side);
}

static gboolean
ensure_buffer (GpuRegionBlur * self, Buffer i, gsize size, GError ** error)
{
  GpuBuffer *buffer = self->buffers[i];

  if (buffer && gpu_buffer_get_size (buffer) >= size)
    return TRUE;
  buffer = gpu_buffer_new (self->device, GPU_BUFFER_DEVICE, size,
      buffer_names[i], error);
  if (!buffer)
    return FALSE;
  g_clear_pointer (&self->buffers[i], gpu_buffer_unref);
  self->buffers[i] = buffer;
  return TRUE;
}

/* Shaders bind all buffers, also those of an atlas that there is not. */
static gboolean
ensure_buffers (GpuRegionBlur * self, const GpuFrameInfo * info,
    gboolean with_blur, GError ** error)
{
  guint blocks = MIN (count_tiles (info, GPU_REGION_MIN_BLOCK), MOST_BLOCKS)
      + REGIONS_MOST;
  const gsize word = sizeof (guint32);
  const gsize sizes[N_BUFFERS] = {
    [TABLES] = gpu_region_tables_get_most (info->width, info->height),
    [MEANS] = blocks * BLOCK_WORDS * word,
    [GATHERED] = with_blur ? info->size : word,
    [BLURRED] = with_blur ? info->size : word,
  };

  for (Buffer i = 0; i < N_BUFFERS; i++)
    if (!ensure_buffer (self, i, sizes[i], error))
      return FALSE;
  self->most_blocks = blocks;
  return TRUE;
}

/* --- kernels --- */

/* Returns the words of a row of a tile with sides of @side pixels in a plane. */
static guint
count_tile_words (const GpuPixelFormat * format, guint plane, guint side)
{
  return (side >> format->shift_x[plane])
      * gpu_pixel_format_get_size (format, plane) / 4;
}

static guint
count_tile_rows (const GpuPixelFormat * format, guint plane, guint side)
{
  return side >> format->shift_y[plane];
}

/* @own: the constants behind those of the format. */
static GpuKernel *
request (GpuRegionBlur * self, const GpuShader * shader, guint plane,
    const guint32 * own, guint n_own, GError ** error)
{
  guint32 constants[FORMAT_CONSTANTS + PAINT_CONSTANTS];

  gpu_components_get_constants (self->pixels, self->pixels, plane, constants);
  for (guint i = 0; i < n_own; i++)
    constants[FORMAT_CONSTANTS + i] = own[i];
  return gpu_kernel_request (self->device, shader, constants,
      FORMAT_CONSTANTS + n_own, GPU_KERNEL_SOON, error);
}

/* Returns the kernel of a variant; NULL with @error set on failure. */
static GpuKernel *
get_paint_kernel (GpuRegionBlur * self, guint plane, const Variant * variant,
    GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (self->pixels);
  GpuKernel **kernel = &self->kernels[plane].paint[variant->action]
      [variant->mixes][variant->has_shapes];
  const guint32 constants[PAINT_CONSTANTS] = {
    [PAINT_ACTION] = variant->action,
    [PAINT_MIXES] = variant->mixes,
    [PAINT_SHAPES] = variant->has_shapes,
    [PAINT_TILE_WORDS] = count_tile_words (format, plane, REGION_TILE),
    [PAINT_TILE_ROWS] = count_tile_rows (format, plane, REGION_TILE),
  };

  if (!*kernel)
    *kernel = request (self, &gpu_shader_blur_region_paint, plane, constants,
        PAINT_CONSTANTS, error);
  return *kernel;
}

static gboolean
request_gather (GpuRegionBlur * self, guint plane, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (self->pixels);

  for (guint32 is_inside = 0; is_inside < 2; is_inside++) {
    const guint32 constants[GATHER_CONSTANTS] = {
      [GATHER_INSIDE] = is_inside,
      [GATHER_TILE_WORDS] = count_tile_words (format, plane, ATLAS_TILE),
      [GATHER_TILE_ROWS] = count_tile_rows (format, plane, ATLAS_TILE),
    };
    GpuKernel *kernel = request (self, &gpu_shader_blur_region_gather, plane,
        constants, GATHER_CONSTANTS, error);

    if (!kernel)
      return FALSE;
    self->kernels[plane].gather[is_inside] = kernel;
  }
  return TRUE;
}

/* Threads of CPU devices add to a sum one after the other. */
static gboolean
request_means (GpuRegionBlur * self, GError ** error)
{
  const guint32 constants[MEANS_CONSTANTS] = {
    [MEANS_THREADS] = is_cpu (self) ? 32 : GROUP,
  };

  self->find_means = request (self, &gpu_shader_blur_region_means, 0,
      constants, MEANS_CONSTANTS, error);
  return self->find_means != NULL;
}

static gboolean
has_shapes (const GArray * regions)
{
  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = &g_array_index (regions, GpuRegion, i);

    if (region->shape != GPU_REGION_RECTANGLE || region->feather > 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
mixes (const GpuAreas * areas)
{
  return areas->amount < 1 || areas->by_alpha
      || areas->components != GPU_AREAS_ALL_COMPONENTS;
}

/* Returns the bits of the actions in @areas. */
static guint
find_actions (const GpuAreas * areas)
{
  guint actions = 0;

  if (areas->rest)
    return 1 << areas->rest->action;
  for (guint i = 0; i < areas->regions->len; i++)
    actions |= 1 << g_array_index (areas->regions, GpuRegion, i).action;
  return actions;
}

/* Requests the kernels that paint @areas. */
static gboolean
request_paint (GpuRegionBlur * self, guint plane, const GpuAreas * areas,
    GError ** error)
{
  guint kinds = find_actions (areas) | 1 << PAINT_SEARCH;
  Variant variant = {.mixes = mixes (areas),
    .has_shapes = has_shapes (areas->regions)
  };

  for (variant.action = 0; variant.action <= PAINT_SEARCH; variant.action++)
    if ((kinds >> variant.action & 1) != 0
        && !get_paint_kernel (self, plane, &variant, error))
      return FALSE;
  return TRUE;
}

static gboolean
request_kernels (GpuRegionBlur * self, const GpuAreas * areas, GError ** error)
{
  guint n_planes = gpu_pixels_get_format (self->pixels)->n_planes;

  for (guint i = 0; i < n_planes; i++) {
    Kernels *kernels = &self->kernels[i];

    kernels->copy = request (self, &gpu_shader_blur_region_copy, i, NULL, 0,
        error);
    if (!kernels->copy || !request_gather (self, i, error)
        || !request_paint (self, i, areas, error))
      return FALSE;
  }
  return request_means (self, error);
}

gboolean
gpu_region_blur_prepare (GpuRegionBlur * self, GpuPixels pixels, guint width,
    guint height, const GpuAreas * areas, GError ** error)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, height);
  if (!gpu_components_check_size (self->device, &info, error)
      || !ensure_buffers (self, &info,
          find_actions (areas) >> GPU_REGION_BLUR & 1, error))
    return FALSE;
  if (self->pixels != pixels)
    memset (self->kernels, 0, sizeof self->kernels);
  self->pixels = pixels;
  return request_kernels (self, areas, error);
}

/* --- recording --- */

/* A progressive frame or a field that is being recorded. */
typedef struct
{
  GpuRegionBlur *owner;
  GpuStream *stream;
  GpuSlicer slicer;
  const GpuBlurSettings *settings;
  const GpuAreas *areas;
  const GpuFrame *in, *out;
  const GpuPixelFormat *format;
  GArray *regions;              /* those of @areas that do something, sorted; the first
                                   is the rest if there is one */
  guint n_blocks;               /* of all regions */
  GpuAtlasGroup groups[GPU_REGION_MAX_STRENGTHS];       /* of regions to blur */
  guint n_groups;
  GpuRegionAtlas atlas;
  GpuFrameInfo blurred;         /* the layout of the buffers of atlas and blur */
  GpuRegionTables tables;       /* without words if there are no regions */
} Part;

static const GpuRegion *
get_region (const Part * part, guint i)
{
  return &g_array_index (part->regions, GpuRegion, i);
}

static gboolean
is_in_atlas (const Part * part)
{
  return part->atlas.width > 0;
}

static gboolean
is_in_place (const Part * part)
{
  return part->in->buffer == part->out->buffer;
}

/* --- the regions of a part --- */

/* Adds the region that stands for all pixels outside of the others, which stay and so do
 * nothing. */
static void
insert_rest (Part * part)
{
  const GpuFrameInfo *info = &part->in->info;
  GpuRegion rest = *part->areas->rest;

  rest.box = (GpuRegionBox) {
  0, 0, info->width, info->height};
  rest.shape = GPU_REGION_RECTANGLE;
  rest.feather = 0;
  for (guint i = 0; i < part->regions->len; i++)
    g_array_index (part->regions, GpuRegion, i).action = GPU_REGION_FILL;
  g_array_insert_val (part->regions, 0, rest);
}

static gboolean
does_nothing (const GpuRegion * region, const GpuBlurSettings * settings)
{
  return region->action == GPU_REGION_BLUR && gpu_blur_is_identity (settings);
}

static void
remove_idle (GArray * regions, const GpuBlurSettings * settings)
{
  guint n = 0;

  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = &g_array_index (regions, GpuRegion, i);

    if (!does_nothing (region, settings))
      g_array_index (regions, GpuRegion, n++) = *region;
  }
  g_array_set_size (regions, n);
}

/* Regions that are blurred alike follow each other. */
static void
find_groups (Part * part)
{
  gdouble strength = 0;

  for (guint i = 0; i < part->regions->len; i++) {
    const GpuRegion *region = get_region (part, i);

    if (region->action != GPU_REGION_BLUR)
      continue;
    if (part->n_groups == 0 || region->strength != strength)
      part->groups[part->n_groups++].first = i;
    strength = region->strength;
    part->groups[part->n_groups - 1].n++;
  }
}

static void
take_regions (Part * part, const GArray * regions)
{
  const GpuFrameInfo *info = &part->in->info;

  part->regions = g_array_copy ((GArray *) regions);
  gpu_regions_clip (part->regions, info->width, info->height);
  if (part->areas->rest) {
    gpu_regions_keep_largest (part->regions, REGIONS_MOST - 1);
    insert_rest (part);
    if (does_nothing (part->areas->rest, part->settings))
      g_array_set_size (part->regions, 0);
  } else {
    remove_idle (part->regions, part->settings);
    gpu_regions_merge (part->regions, REGIONS_MOST, info->width, info->height);
    gpu_regions_sort (part->regions);
  }
  part->n_blocks = gpu_regions_limit_blocks (part->regions,
      part->owner->most_blocks, info->width, info->height);
  find_groups (part);
}

/* --- the blur --- */

static GpuBlurSettings
settings_of_group (const Part * part, const GpuAtlasGroup * group)
{
  gdouble strength = get_region (part, group->first)->strength;
  GpuBlurSettings settings = *part->settings;

  settings.sigma_x = MIN (settings.sigma_x * strength, GPU_BLUR_MAX_SIGMA);
  settings.sigma_y = MIN (settings.sigma_y * strength, GPU_BLUR_MAX_SIGMA);
  if (settings.radius > 0)
    settings.radius = MIN (ceil (settings.radius * strength),
        GPU_BLUR_MAX_RADIUS);
  return settings;
}

/* Returns how many pixels to each side the blur of an axis of a plane reads: those of all
 * samples within the radius. A pyramid, which does Gaussians without a radius, reads farther
 * than the radius of 3 sigma; its weights beyond 3.5 sigma are 0.0005 together, which is an
 * eighth of a code value of 8 bits at most. */
static guint
get_reach (const GpuBlurSettings * settings, const GpuBlurAxis * axis,
    guint shift)
{
  guint rounds = settings->kernel == GPU_BLUR_BILATERAL ? settings->rounds : 1;
  gboolean may_exceed = settings->kernel == GPU_BLUR_GAUSSIAN
      && settings->radius < 0;
  guint samples = rounds
      * (may_exceed ? DIV_UP (axis->radius * 7, 6) : axis->radius);

  return (samples << shift) + (1 << shift) - 1;
}

static void
find_reach (const Part * part, GpuAtlasGroup * group)
{
  const GpuBlurSettings settings = settings_of_group (part, group);
  const GpuPixelFormat *format = part->format;
  GpuBlurAxes axes;

  for (guint i = 0; i < format->n_planes; i++) {
    gpu_blur_axes_init (&axes, &settings, format, i);
    group->reach_x = MAX (group->reach_x,
        get_reach (&settings, &axes.x, format->shift_x[i]));
    group->reach_y = MAX (group->reach_y,
        get_reach (&settings, &axes.y, format->shift_y[i]));
  }
}

/* Whether samples beyond the edges of the frame are not what the edge mode makes of those inside:
 * alpha or luma of several pixels weighs a sample of chroma, or a filter is repeated. */
static gboolean
has_own_edges (const Part * part)
{
  const GpuPixelFormat *format = part->format;

  return part->settings->kernel == GPU_BLUR_BILATERAL
      || (format->alpha >= 0 && gpu_pixel_format_is_subsampled (format));
}

/* Whether all cells lie inside the frame, of which words count that have samples inside only. */
static gboolean
is_inside (const Part * part)
{
  const GpuFrameInfo *info = &part->in->info;
  gint width = info->width / ATLAS_TILE * ATLAS_TILE;
  gint height = info->height / ATLAS_TILE * ATLAS_TILE;

  for (guint i = part->groups[0].first; i < part->regions->len; i++) {
    const GpuAtlasCell *cell = &part->atlas.cells[i];

    if (cell->x < 0 || cell->y < 0 || cell->x + (gint) cell->width > width
        || cell->y + (gint) cell->height > height)
      return FALSE;
  }
  return TRUE;
}

/* A rest has the whole frame, and needs no atlas. */
static void
plan_blur (Part * part)
{
  const GpuFrameInfo *info = &part->in->info;

  for (guint i = 0; i < part->n_groups; i++)
    find_reach (part, &part->groups[i]);
  if (!part->areas->rest)
    gpu_region_atlas_init (&part->atlas, part->regions, part->groups,
        part->n_groups, info->width, info->height);
  if (has_own_edges (part) && !is_inside (part))
    part->atlas.width = 0;
  if (is_in_atlas (part))
    gpu_frame_info_init (&part->blurred, info->pixels, part->atlas.width,
        part->atlas.height);
  else
    gpu_frame_info_init (&part->blurred, info->pixels, info->width,
        info->height);
}

static gboolean
gather_plane (Part * part, guint plane, GError ** error)
{
  GpuRegionBlur *self = part->owner;
  const GpuFrameInfo *info = &part->in->info;
  /* Half a pair is no whole word. */
  guint whole_pixels = part->format->grouping == GPU_PAIRS
      ? info->width / 2 : gpu_frame_info_plane_width (info, plane);
  gboolean full_range = part->settings->full_range;
  const GpuDispatch dispatch = {
    .kernel = self->kernels[plane].gather[is_inside (part)],
    .buffers = {
          [BLUR_REGION_GATHER_INPUT] = part->in->buffer,
          [BLUR_REGION_GATHER_OUTPUT] = self->buffers[GATHERED],
        [BLUR_REGION_GATHER_TABLES] = self->buffers[TABLES]},
    .push = &(GpuBlurRegionGatherPush) {
          .first_tile = part->tables.atlas_tiles,
          .first_cell = part->tables.cells,
          .frame_width = info->width,
          .frame_height = info->height,
          .frame_words = whole_pixels
          * gpu_pixel_format_get_size (part->format, plane) / 4,
          .frame_rows = gpu_frame_info_plane_height (info, plane),
          .edge = part->settings->edge,
          .black_luma =
          gpu_pixel_format_get_black (part->format, 0, full_range),
          .black_chroma = gpu_pixel_format_get_black (part->format, 1,
            full_range)},
  };

  return gpu_components_run (&part->slicer, &dispatch, info, &part->blurred,
      plane, error);
}

static gboolean
gather (Part * part, GError ** error)
{
  gpu_stream_stage (part->stream, "region gather");
  for (guint plane = 0; plane < part->format->n_planes; plane++)
    if (!gather_plane (part, plane, error))
      return FALSE;
  return TRUE;
}

/* Returns the rows of a group as a frame. */
static GpuFrame
frame_of_group (const Part * part, const GpuAtlasGroup * group, Buffer buffer)
{
  GpuFrame frame = { part->blurred, part->owner->buffers[buffer] };

  frame.info.height = group->height;
  for (guint i = 0; i < part->format->n_planes; i++)
    frame.info.offset[i] += (group->y >> part->format->shift_y[i])
        * frame.info.stride[i];
  return frame;
}

static gboolean
blur_group (Part * part, const GpuAtlasGroup * group, GpuBlurReport * report,
    GError ** error)
{
  const GpuBlurSettings settings = settings_of_group (part, group);
  const GpuFrame cells = frame_of_group (part, group, GATHERED);
  const GpuFrame blurred = frame_of_group (part, group, BLURRED);
  const GpuFrames frames = {.in = &cells,.out = &blurred };

  gpu_stream_barrier (part->stream);
  return gpu_blur_record (part->owner->blur, part->stream, &settings, &frames,
      report, error);
}

/* The first group is the strongest. */
static gboolean
blur_frame (Part * part, GpuBlurReport * report, GError ** error)
{
  const GpuBlurSettings settings = settings_of_group (part, part->groups);
  const GpuFrame blurred = { part->blurred, part->owner->buffers[BLURRED] };
  const GpuFrames frames = {.in = part->in,.out = &blurred };

  return gpu_blur_record (part->owner->blur, part->stream, &settings, &frames,
      report, error);
}

static gboolean
blur (Part * part, GpuBlurReport * report, GError ** error)
{
  GpuBlurReport of_others;

  if (part->n_groups == 0)
    return TRUE;
  if (!is_in_atlas (part))
    return blur_frame (part, report, error);
  if (!gather (part, error))
    return FALSE;
  for (guint i = 0; i < part->n_groups; i++)
    if (!blur_group (part, &part->groups[i], i == 0 ? report : &of_others,
            error))
      return FALSE;
  return TRUE;
}

/* --- the tables that shaders read --- */

static void
write_tables (Part * part)
{
  const GArray *words = part->tables.words;
  gsize size = words->len * sizeof (guint32);

  gpu_stream_stage (part->stream, "regions");
  for (gsize at = 0; at < size; at += WRITE_SIZE)
    gpu_stream_write (part->stream, part->owner->buffers[TABLES], at,
        words->data + at, MIN (size - at, WRITE_SIZE));
  gpu_stream_barrier (part->stream);
}

/* --- means --- */

static gboolean
find_means (Part * part, GError ** error)
{
  GpuRegionBlur *self = part->owner;
  const GpuFrameInfo *info = &part->in->info;
  const GpuComponentsItems threads = { part->n_blocks * GROUP, MEAN_NS };
  GpuBlurRegionMeansPush push = { 0 };
  const GpuDispatch dispatch = {
    .kernel = self->find_means,
    .buffers = {
          [BLUR_REGION_MEANS_INPUT] = part->in->buffer,
          [BLUR_REGION_MEANS_MEANS] = self->buffers[MEANS],
        [BLUR_REGION_MEANS_TABLES] = self->buffers[TABLES]},
    .push = &push,
  };

  if (part->n_blocks == 0)
    return TRUE;
  while (get_region (part, push.first_region)->action != GPU_REGION_PIXELATE)
    push.first_region++;
  for (guint i = push.first_region; i < part->regions->len; i++)
    push.n_regions += get_region (part, i)->action == GPU_REGION_PIXELATE;
  gpu_stream_stage (part->stream, "region means");
  return gpu_components_run_over (&part->slicer, &dispatch, info, info, 0,
      &threads, error);
}

/* --- the output --- */

static gboolean
copy_plane (Part * part, guint plane, GError ** error)
{
  const GpuDispatch dispatch = {
    .kernel = part->owner->kernels[plane].copy,
    .buffers = {
          [BLUR_REGION_COPY_INPUT] = part->in->buffer,
        [BLUR_REGION_COPY_OUTPUT] = part->out->buffer},
  };

  return gpu_components_run (&part->slicer, &dispatch, &part->in->info,
      &part->out->info, plane, error);
}

static gboolean
is_laid_out_alike (const Part * part)
{
  const GpuFrameInfo *in = &part->in->info, *out = &part->out->info;

  return memcmp (in->offset, out->offset, sizeof in->offset) == 0
      && memcmp (in->stride, out->stride, sizeof in->stride) == 0
      && in->size == out->size;
}

/* Copies the frame, of which some tiles are painted afterwards. */
static gboolean
copy (Part * part, GError ** error)
{
  if (is_in_place (part)
      || gpu_region_tables_count_tiles (&part->tables) ==
      count_tiles (&part->in->info, REGION_TILE))
    return TRUE;
  gpu_stream_stage (part->stream, "region copy");
  if (is_cpu (part->owner) && is_laid_out_alike (part)) {
    gpu_stream_copy (part->stream, part->in->buffer, 0, part->out->buffer, 0,
        part->in->info.size);
    return TRUE;
  }
  for (guint plane = 0; plane < part->format->n_planes; plane++)
    if (!copy_plane (part, plane, error))
      return FALSE;
  return TRUE;
}

static GpuBlurRegionPaintPush
make_paint_push (const Part * part, guint plane, GpuRegionTiles kind)
{
  const GpuAreas *areas = part->areas;
  const GpuBlurRegionPaintPush push = {
    .plane_rows = gpu_frame_info_plane_height (&part->in->info, plane),
    .first_word = part->tables.tiles[kind].first_word,
    .masks = part->tables.tiles[kind].masks,
    .has_one_owner = part->tables.has_one_owner,
    .is_inverted = areas->rest != NULL,
    .amount = floor (areas->amount * REGION_WHOLE + .5),
    .components = areas->by_alpha ? areas->components & ~(1 << 3)
        : areas->components,
    .by_alpha = areas->by_alpha,
    .blurred_offset = part->blurred.offset[plane] / 4,
    .blurred_stride = part->blurred.stride[plane] / 4,
  };

  return push;
}

static gboolean
paint_tiles (Part * part, guint plane, GpuRegionTiles kind, GError ** error)
{
  GpuRegionBlur *self = part->owner;
  gboolean searches = kind >= PAINT_SEARCH;
  const Variant variant = { MIN (kind, PAINT_SEARCH), mixes (part->areas),
    searches && has_shapes (part->regions)
  };
  const GpuBlurRegionPaintPush push = make_paint_push (part, plane, kind);
  const GpuSlicer slicer = {.stream = part->stream,.is_in_place =
        is_in_place (part)
  };
  const GpuComponentsItems words = {
    part->tables.tiles[kind].n
        * count_tile_words (part->format, plane, REGION_TILE)
        * count_tile_rows (part->format, plane, REGION_TILE),
    searches ? SEARCH_NS : PAINT_NS
  };
  const GpuDispatch dispatch = {
    .kernel = get_paint_kernel (self, plane, &variant, error),
    .buffers = {
          [BLUR_REGION_PAINT_INPUT] = part->in->buffer,
          [BLUR_REGION_PAINT_OUTPUT] = part->out->buffer,
          [BLUR_REGION_PAINT_TABLES] = self->buffers[TABLES],
          [BLUR_REGION_PAINT_BLURRED] = self->buffers[BLURRED],
        [BLUR_REGION_PAINT_MEANS] = self->buffers[MEANS]},
    .push = &push,
  };

  return dispatch.kernel && gpu_components_run_over (&slicer, &dispatch,
      &part->in->info, &part->out->info, plane, &words, error);
}

static gboolean
paint_plane (Part * part, guint plane, GError ** error)
{
  for (GpuRegionTiles kind = 0; kind < GPU_REGION_N_TILES; kind++)
    if (part->tables.tiles[kind].n > 0
        && !paint_tiles (part, plane, kind, error))
      return FALSE;
  return TRUE;
}

static gboolean
paint (Part * part, GError ** error)
{
  if (gpu_region_tables_count_tiles (&part->tables) == 0)
    return TRUE;
  gpu_stream_barrier (part->stream);
  gpu_stream_stage (part->stream, "region paint");
  for (guint plane = 0; plane < part->format->n_planes; plane++)
    if (!paint_plane (part, plane, error))
      return FALSE;
  return TRUE;
}

/* --- a frame --- */

/* Copy, means and the gathering do not depend on each other. */
static gboolean
record_regions (Part * part, GpuBlurReport * report, GError ** error)
{
  if (part->n_groups > 0)
    plan_blur (part);
  gpu_region_tables_init (&part->tables, part->regions,
      part->areas->rest != NULL, is_in_atlas (part) ? &part->atlas : NULL,
      part->in->info.width, part->in->info.height);
  write_tables (part);
  return copy (part, error) && find_means (part, error)
      && blur (part, report, error) && paint (part, error);
}

static gboolean
record_part (Part * part, const GArray * regions, GpuBlurReport * report,
    GError ** error)
{
  gboolean done;

  part->format = gpu_pixels_get_format (part->in->info.pixels);
  take_regions (part, regions);
  done = part->regions->len > 0 ? record_regions (part, report, error)
      : copy (part, error);
  gpu_region_tables_clear (&part->tables);
  g_array_unref (part->regions);
  return done;
}

/* Returns the number of rows of field @i above row @y of the frame. */
static gint
count_rows (gint y, gint i)
{
  return (y - i + 1) >> 1;
}

/* Returns a new array of the regions in field @i. */
static GArray *
get_regions_of_field (const Part * frame, guint i)
{
  GArray *of_field = g_array_copy ((GArray *) frame->areas->regions);

  gpu_regions_clip (of_field, frame->in->info.width, frame->in->info.height);
  for (guint k = 0; k < of_field->len; k++) {
    GpuRegionBox *box = &g_array_index (of_field, GpuRegion, k).box;
    gint bottom = count_rows (box->y + box->height, i);

    box->y = count_rows (box->y, i);
    box->height = bottom - box->y;
  }
  return of_field;
}

static gboolean
record_field (const Part * frame, guint i, GpuBlurReport * report,
    GError ** error)
{
  g_autoptr (GArray) of_field = get_regions_of_field (frame, i);
  GpuBlurSettings settings = *frame->settings;
  GpuFrame in = *frame->in, out = *frame->out;
  Part field = *frame;

  settings.is_field = TRUE;
  gpu_frame_info_get_field (&frame->in->info, i, &in.info);
  gpu_frame_info_get_field (&frame->out->info, i, &out.info);
  field.settings = &settings;
  field.in = &in;
  field.out = &out;
  /* Both fields use the same buffers. */
  if (i > 0)
    gpu_stream_barrier (frame->stream);
  return record_part (&field, of_field, report, error);
}

static gboolean
record_fields (const Part * frame, GpuBlurReport * report, GError ** error)
{
  guint n = gpu_frame_info_count_fields (&frame->in->info);
  GpuBlurReport of_second;

  for (guint i = 0; i < n; i++)
    if (!record_field (frame, i, i == 0 ? report : &of_second, error))
      return FALSE;
  return TRUE;
}

gboolean
gpu_region_blur_record (GpuRegionBlur * self, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    const GpuAreas * areas, GpuBlurReport * report, GError ** error)
{
  Part part = {
    .owner = self,
    .stream = stream,
    .slicer = {.stream = stream},
    .settings = settings,
    .areas = areas,
    .in = frames->in,
    .out = frames->out,
  };
  gboolean done;

  *report = (GpuBlurReport) {
  .method = settings->method};
  done = frames->in->info.is_interlaced ? record_fields (&part, report, error)
      : record_part (&part, areas->regions, report, error);
  if (!done)
    gpu_stream_abandon (stream);
  return done;
}
