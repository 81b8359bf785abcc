/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionblur.h"
#include "regionatlas.h"
#include "gpu/blur/planekind.h"
#include "gpu/blur/weights.h"
#include "gpu/core/compute/components.h"
#include "shaders.h"

#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* The most bytes of gpu_stream_write(). */
#define WRITE_SIZE 65536

/* Estimated ns per pixel of a block, see gpu_slicer_run(); a workgroup has 256 items. */
#define MEAN_NS 10

/* The same per word that is painted. */
#define PAINT_NS 500

typedef enum
{
  TILES,                        /* of the frame: those that regions meet */
  REGIONS,
  ATLAS_TILES,
  CELLS,
  GATHERED,                     /* the atlas */
  BLURRED,                      /* the atlas or the frame, blurred */
  MEANS,                        /* of blocks, plane by plane */
  N_BUFFERS
} Buffer;

static const gchar *const buffer_names[N_BUFFERS] = {
  "region tiles", "regions", "region atlas tiles", "region cells",
  "region atlas", "regions blurred", "region means"
};

typedef enum
{
  COPY,
  GATHER,
  FIND_MEANS,
  PAINT,
  N_KERNELS
} Kernel;

static const GpuShader *const shaders[N_KERNELS] = {
  &gpu_shader_blur_region_copy, &gpu_shader_blur_region_gather,
  &gpu_shader_blur_region_means, &gpu_shader_blur_region_paint
};

struct _GpuRegionBlur
{
  GpuDevice *device;
  GpuBlur *blur;
  GpuBuffer *buffers[N_BUFFERS];
  guint most_means;             /* blocks of a plane that MEANS has room for */
  GpuKernel *kernels[N_KERNELS][GPU_MAX_PLANES];        /* owned by the device */
};

gboolean
gpu_region_blur_takes (GpuPixels pixels)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  return gpu_blur_takes (pixels) && gpu_blur_is_of_bytes (format)
      && format->grouping == GPU_SINGLE;
}

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

/* --- preparation --- */

static guint
count_tiles (const GpuFrameInfo * info, guint side)
{
  return DIV_UP (info->width, side) * DIV_UP (info->height, side);
}

static gboolean
ensure_buffers (GpuRegionBlur * self, const GpuFrameInfo * info,
    GError ** error)
{
  guint blocks = count_tiles (info, GPU_REGION_MIN_BLOCK);
  const gsize sizes[N_BUFFERS] = {
    [TILES] = count_tiles (info, REGION_TILE) * PAINTED_TILE_WORDS * 4,
    [REGIONS] = REGIONS_MOST * REGION_WORDS * 4,
    [ATLAS_TILES] = count_tiles (info, ATLAS_TILE) * 4,
    [CELLS] = REGIONS_MOST * CELL_WORDS * 4,
    [GATHERED] = info->size,
    [BLURRED] = info->size,
    [MEANS] = (gsize) blocks * 4 *
        gpu_pixels_get_format (info->pixels)->n_planes,
  };

  for (Buffer i = 0; i < N_BUFFERS; i++) {
    GpuBuffer *buffer = self->buffers[i];

    if (buffer && gpu_buffer_get_size (buffer) >= sizes[i])
      continue;
    buffer = gpu_buffer_new (self->device, GPU_BUFFER_DEVICE, sizes[i],
        buffer_names[i], error);
    if (!buffer)
      return FALSE;
    g_clear_pointer (&self->buffers[i], gpu_buffer_unref);
    self->buffers[i] = buffer;
  }
  self->most_means = blocks;
  return TRUE;
}

static gboolean
request_kernels (GpuRegionBlur * self, GpuPixels pixels, GError ** error)
{
  guint32 constants[FORMAT_CONSTANTS];

  for (guint plane = 0; plane < gpu_pixels_get_format (pixels)->n_planes;
      plane++) {
    gpu_components_get_constants (pixels, pixels, plane, constants);
    for (Kernel i = 0; i < N_KERNELS; i++) {
      self->kernels[i][plane] = gpu_kernel_request (self->device, shaders[i],
          constants, FORMAT_CONSTANTS, GPU_KERNEL_SOON, error);
      if (!self->kernels[i][plane])
        return FALSE;
    }
  }
  return TRUE;
}

gboolean
gpu_region_blur_prepare (GpuRegionBlur * self, GpuPixels pixels, guint width,
    guint height, GError ** error)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, height);
  return ensure_buffers (self, &info, error)
      && request_kernels (self, pixels, error);
}

/* --- recording --- */

/* A progressive frame or a field that is being recorded. */
typedef struct
{
  GpuRegionBlur *owner;
  GpuStream *stream;
  const GpuBlurSettings *settings;
  const GpuFrame *in, *out;
  const GpuPixelFormat *format;
  GArray *regions;              /* arranged */
  guint n_blocks;               /* of all regions */
  guint n_tiles;                /* that regions meet */
  gboolean has_blur;            /* a region is to be blurred */
  GpuRegionAtlas atlas;
  GpuFrameInfo blurred;         /* the layout of the buffers of atlas and blur */
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

static void
write_words (Part * part, Buffer buffer, gconstpointer words, gsize size)
{
  for (gsize at = 0; at < size; at += WRITE_SIZE)
    gpu_stream_write (part->stream, part->owner->buffers[buffer], at,
        (const guint8 *) words + at, MIN (size - at, WRITE_SIZE));
}

/* --- the tables that shaders read --- */

static guint32
pack_colour (const guint8 * colour)
{
  return colour[0] | colour[1] << 8 | colour[2] << 16
      | (guint32) colour[3] << 24;
}

static void
fill_region (const Part * part, guint i, guint32 * words)
{
  const GpuRegion *region = get_region (part, i);
  const GpuRegionBox *box = &region->box;
  const GpuRegionBox inside = gpu_region_box_clip (box, part->in->info.width,
      part->in->info.height);

  words[REGION_LEFT] = inside.x;
  words[REGION_TOP] = inside.y;
  words[REGION_RIGHT] = inside.x + inside.width;
  words[REGION_BOTTOM] = inside.y + inside.height;
  words[REGION_BOX_X] = box->x;
  words[REGION_BOX_Y] = box->y;
  words[REGION_BOX_WIDTH] = box->width;
  words[REGION_BOX_HEIGHT] = box->height;
  words[REGION_SHAPE] = region->shape;
  words[REGION_FEATHER] = region->feather;
  words[REGION_ACTION] = region->action;
  words[REGION_BLOCK] = region->block;
  words[REGION_COLOUR] = pack_colour (region->colour);
  if (region->action == GPU_REGION_BLUR && is_in_atlas (part)) {
    words[REGION_SHIFT_X] = part->atlas.cells[i].atlas_x
        - part->atlas.cells[i].x;
    words[REGION_SHIFT_Y] = part->atlas.cells[i].atlas_y
        - part->atlas.cells[i].y;
  }
}

/* Also counts the blocks. */
static void
write_regions (Part * part)
{
  gsize size = part->regions->len * REGION_WORDS * sizeof (guint32);
  g_autofree guint32 *words = g_malloc0 (size);
  guint columns, rows;

  for (guint i = 0; i < part->regions->len; i++) {
    guint32 *region = words + i * REGION_WORDS;

    fill_region (part, i, region);
    if (get_region (part, i)->action != GPU_REGION_PIXELATE)
      continue;
    region[REGION_FIRST_MEAN] = part->n_blocks;
    gpu_region_count_blocks (get_region (part, i), part->in->info.width,
        part->in->info.height, &columns, &rows);
    part->n_blocks += columns * rows;
  }
  write_words (part, REGIONS, words, size);
}

static gboolean
is_met (const guint32 * masks)
{
  guint32 any = 0;

  for (guint i = 0; i < REGION_TILE_WORDS; i++)
    any |= masks[i];
  return any != 0;
}

/* Returns the number of the region that has all pixels of tile @i: the first one that meets
 * it, if its rectangle covers it. Shaders need not look for a region there. */
static guint
find_owner (const Part * part, guint i, const guint32 * masks)
{
  const GpuFrameInfo *info = &part->in->info;
  guint tiles_a_row = DIV_UP (info->width, REGION_TILE);
  guint left = i % tiles_a_row * REGION_TILE;
  guint top = i / tiles_a_row * REGION_TILE;
  guint right = MIN (left + REGION_TILE, info->width);
  guint bottom = MIN (top + REGION_TILE, info->height);
  guint first = 0;
  GpuRegionBox box;

  while ((masks[first / 32] >> first % 32 & 1) == 0)
    first++;
  box = gpu_region_box_clip (&get_region (part, first)->box, info->width,
      info->height);
  return get_region (part, first)->shape == GPU_REGION_RECTANGLE
      && box.x <= (gint) left && box.y <= (gint) top
      && box.x + box.width >= (gint) right
      && box.y + box.height >= (gint) bottom ? first + 1 : 0;
}

/* Also counts the tiles. */
static void
write_tiles (Part * part)
{
  guint n = count_tiles (&part->in->info, REGION_TILE);
  g_autofree guint32 *masks = g_new (guint32, n * REGION_TILE_WORDS);
  g_autofree guint32 *tiles = g_new (guint32, n * PAINTED_TILE_WORDS);

  gpu_regions_make_tiles (part->regions, part->in->info.width,
      part->in->info.height, masks);
  for (guint i = 0; i < n; i++)
    if (is_met (masks + i * REGION_TILE_WORDS)) {
      guint32 *tile = tiles + part->n_tiles++ * PAINTED_TILE_WORDS;

      tile[PAINTED_TILE_INDEX] = i;
      tile[PAINTED_TILE_OWNER] =
          find_owner (part, i, masks + i * REGION_TILE_WORDS);
      memcpy (tile + PAINTED_TILE_MASKS, masks + i * REGION_TILE_WORDS,
          REGION_TILE_WORDS * sizeof *masks);
    }
  write_words (part, TILES, tiles,
      part->n_tiles * PAINTED_TILE_WORDS * sizeof *tiles);
}

static void
write_atlas (Part * part)
{
  gsize size = count_tiles (&part->blurred, ATLAS_TILE) * sizeof (guint32);
  g_autofree guint32 *tiles = g_malloc (size);
  gint32 cells[REGIONS_MOST * CELL_WORDS];

  gpu_region_atlas_make_tiles (&part->atlas, part->regions->len, tiles);
  write_words (part, ATLAS_TILES, tiles, size);
  for (guint i = 0; i < part->regions->len; i++) {
    const GpuAtlasCell *cell = &part->atlas.cells[i];

    cells[i * CELL_WORDS + CELL_SHIFT_X] = cell->x - (gint) cell->atlas_x;
    cells[i * CELL_WORDS + CELL_SHIFT_Y] = cell->y - (gint) cell->atlas_y;
  }
  write_words (part, CELLS, cells,
      part->regions->len * CELL_WORDS * sizeof *cells);
}

static void
write_tables (Part * part)
{
  gpu_stream_stage (part->stream, "regions");
  write_regions (part);
  write_tiles (part);
  if (part->has_blur && is_in_atlas (part))
    write_atlas (part);
  gpu_stream_barrier (part->stream);
}

/* --- the blur --- */

/* Returns how far to each side the blur of an axis reads. A pyramid reads farther than the
 * radius of 3 sigma; its weights beyond 3.5 sigma are 0.0005 together, which is an eighth
 * of a code value at most. */
static guint
get_reach (const GpuBlurSettings * settings, const GpuBlurAxis * axis)
{
  guint rounds = settings->kernel == GPU_BLUR_BILATERAL ? settings->rounds : 1;

  return DIV_UP (axis->radius * rounds * 7, 6);
}

static void
plan_blur (Part * part)
{
  const GpuFrameInfo *info = &part->in->info;
  GpuBlurAxes axes;

  gpu_blur_axes_init (&axes, part->settings, part->format, 0);
  gpu_region_atlas_init (&part->atlas, part->regions, info->width,
      info->height, get_reach (part->settings, &axes.x),
      get_reach (part->settings, &axes.y));
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
  const GpuSlicer slicer = {.stream = part->stream };
  const GpuDispatch dispatch = {
    .kernel = self->kernels[GATHER][plane],
    .buffers = {
          [BLUR_REGION_GATHER_INPUT] = part->in->buffer,
          [BLUR_REGION_GATHER_OUTPUT] = self->buffers[GATHERED],
          [BLUR_REGION_GATHER_TILES] = self->buffers[ATLAS_TILES],
        [BLUR_REGION_GATHER_CELLS] = self->buffers[CELLS]},
    .push = &(GpuBlurRegionGatherPush) {
          .plane = plane,
          .shift_x = part->format->shift_x[plane],
          .shift_y = part->format->shift_y[plane],
          .frame_width = gpu_frame_info_plane_width (info, plane),
          .frame_height = gpu_frame_info_plane_height (info, plane),
          .edge = part->settings->edge,
          .black = gpu_pixel_format_get_black (part->format, plane,
            part->settings->full_range)},
  };

  return gpu_components_run (&slicer, &dispatch, info, &part->blurred, plane,
      error);
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

static gboolean
blur (Part * part, GpuBlurReport * report, GError ** error)
{
  GpuRegionBlur *self = part->owner;
  const GpuFrame atlas = { part->blurred, self->buffers[GATHERED] };
  const GpuFrame blurred = { part->blurred, self->buffers[BLURRED] };
  const GpuFrames frames = {
    .in = is_in_atlas (part) ? &atlas : part->in,.out = &blurred
  };

  gpu_stream_barrier (part->stream);
  return gpu_blur_record (self->blur, part->stream, part->settings, &frames,
      report, error);
}

/* --- means and paint --- */

static gboolean
find_means (Part * part, GError ** error)
{
  GpuRegionBlur *self = part->owner;
  const GpuSlicer slicer = {.stream = part->stream };

  gpu_stream_stage (part->stream, "region means");
  for (guint plane = 0; plane < part->format->n_planes; plane++) {
    GpuBlurRegionMeansPush push = {
      .plane = plane,
      .shift_x = part->format->shift_x[plane],
      .shift_y = part->format->shift_y[plane],
      .n_regions = part->regions->len,
      .first_mean = plane * self->most_means,
    };
    const GpuDispatch dispatch = {
      .kernel = self->kernels[FIND_MEANS][plane],
      .buffers = {
            [BLUR_REGION_MEANS_INPUT] = part->in->buffer,
            [BLUR_REGION_MEANS_MEANS] = self->buffers[MEANS],
          [BLUR_REGION_MEANS_REGIONS] = self->buffers[REGIONS]},
      .push = &push,
    };

    for (guint i = 0; i < GPU_MAX_PLANES; i++) {
      push.in_offset[i] = part->in->info.offset[i] / 4;
      push.in_stride[i] = part->in->info.stride[i] / 4;
    }
    if (!gpu_slicer_run (&slicer, &dispatch, part->n_blocks * 256, MEAN_NS,
            error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
copy (Part * part, GError ** error)
{
  const GpuSlicer slicer = {.stream = part->stream };

  gpu_stream_stage (part->stream, "region copy");
  for (guint plane = 0; plane < part->format->n_planes; plane++) {
    const GpuDispatch dispatch = {
      .kernel = part->owner->kernels[COPY][plane],
      .buffers = {
            [BLUR_REGION_COPY_INPUT] = part->in->buffer,
          [BLUR_REGION_COPY_OUTPUT] = part->out->buffer},
      .push = &(GpuBlurRegionCopyPush) {.plane = plane},
    };

    if (!gpu_components_run (&slicer, &dispatch, &part->in->info,
            &part->out->info, plane, error))
      return FALSE;
  }
  return TRUE;
}

static GpuBlurRegionPaintPush
make_paint_push (const Part * part, guint plane)
{
  const GpuFrameInfo *in = &part->in->info, *out = &part->out->info;
  guint plane_width = gpu_frame_info_plane_width (in, plane);
  GpuBlurRegionPaintPush push = {
    .row_words = DIV_UP (plane_width
        * gpu_pixel_format_get_size (part->format, plane), 4),
    .width = in->width,
    .height = in->height,
    .plane_width = plane_width,
    .out_offset = out->offset[plane] / 4,
    .out_stride = out->stride[plane] / 4,
    .plane = plane,
    .shift_x = part->format->shift_x[plane],
    .shift_y = part->format->shift_y[plane],
    .plane_height = gpu_frame_info_plane_height (in, plane),
    .blurred_offset = part->blurred.offset[plane] / 4,
    .blurred_stride = part->blurred.stride[plane] / 4,
    .first_mean = plane * part->owner->most_means,
  };

  push.in_offset[plane] = in->offset[plane] / 4;
  push.in_stride[plane] = in->stride[plane] / 4;
  return push;
}

static gboolean
paint_plane (Part * part, guint plane, GError ** error)
{
  GpuRegionBlur *self = part->owner;
  const GpuSlicer slicer = {.stream = part->stream };
  const GpuBlurRegionPaintPush push = make_paint_push (part, plane);
  guint words_a_tile = (REGION_TILE >> push.shift_x)
      * gpu_pixel_format_get_size (part->format, plane) / 4
      * (REGION_TILE >> push.shift_y);
  const GpuDispatch dispatch = {
    .kernel = self->kernels[PAINT][plane],
    .buffers = {
          [BLUR_REGION_PAINT_INPUT] = part->in->buffer,
          [BLUR_REGION_PAINT_OUTPUT] = part->out->buffer,
          [BLUR_REGION_PAINT_TILES] = self->buffers[TILES],
          [BLUR_REGION_PAINT_REGIONS] = self->buffers[REGIONS],
          [BLUR_REGION_PAINT_BLURRED] = self->buffers[BLURRED],
        [BLUR_REGION_PAINT_MEANS] = self->buffers[MEANS]},
    .push = &push,
  };

  return gpu_slicer_run (&slicer, &dispatch, part->n_tiles * words_a_tile,
      PAINT_NS, error);
}

static gboolean
paint (Part * part, GError ** error)
{
  gpu_stream_barrier (part->stream);
  gpu_stream_stage (part->stream, "region paint");
  for (guint plane = 0; plane < part->format->n_planes; plane++)
    if (!paint_plane (part, plane, error))
      return FALSE;
  return TRUE;
}

/* --- a frame --- */

/* Adds the regions that do something, arranged. */
static void
take_regions (Part * part, const GArray * regions)
{
  const GpuFrameInfo *info = &part->in->info;

  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = &g_array_index (regions, GpuRegion, i);

    if (region->action != GPU_REGION_BLUR
        || !gpu_blur_is_identity (part->settings))
      g_array_append_vals (part->regions, region, 1);
  }
  gpu_regions_arrange (part->regions, info->width, info->height);
  gpu_regions_limit_blocks (part->regions, info->width, info->height,
      part->owner->most_means);
  for (guint i = 0; i < part->regions->len; i++)
    part->has_blur |= get_region (part, i)->action == GPU_REGION_BLUR;
}

static gboolean
record_part (Part * part, const GArray * regions, GpuBlurReport * report,
    GError ** error)
{
  gboolean done;

  part->format = gpu_pixels_get_format (part->in->info.pixels);
  part->regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  take_regions (part, regions);
  if (part->has_blur)
    plan_blur (part);
  write_tables (part);
  /* The first three do not depend on each other. */
  done = copy (part, error)
      && (part->n_blocks == 0 || find_means (part, error))
      && (!part->has_blur || !is_in_atlas (part) || gather (part, error))
      && (!part->has_blur || blur (part, report, error))
      && paint (part, error);
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
get_regions_of_field (const GArray * regions, guint i)
{
  GArray *of_field = g_array_copy ((GArray *) regions);

  for (guint k = 0; k < of_field->len; k++) {
    GpuRegionBox *box = &g_array_index (of_field, GpuRegion, k).box;
    gint bottom = count_rows (box->y + box->height, i);

    box->y = count_rows (box->y, i);
    box->height = bottom - box->y;
  }
  return of_field;
}

static gboolean
record_field (const Part * frame, guint i, const GArray * regions,
    GpuBlurReport * report, GError ** error)
{
  g_autoptr (GArray) of_field = get_regions_of_field (regions, i);
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
record_fields (const Part * frame, const GArray * regions,
    GpuBlurReport * report, GError ** error)
{
  guint n = gpu_frame_info_count_fields (&frame->in->info);
  GpuBlurReport of_second;

  for (guint i = 0; i < n; i++)
    if (!record_field (frame, i, regions, i == 0 ? report : &of_second, error))
      return FALSE;
  return TRUE;
}

gboolean
gpu_region_blur_record (GpuRegionBlur * self, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    const GArray * regions, GpuBlurReport * report, GError ** error)
{
  Part part = {
    .owner = self,
    .stream = stream,
    .settings = settings,
    .in = frames->in,
    .out = frames->out,
  };
  gboolean done;

  *report = (GpuBlurReport) {
  .method = settings->method};
  done = frames->in->info.is_interlaced
      ? record_fields (&part, regions, report, error)
      : record_part (&part, regions, report, error);
  if (!done)
    gpu_stream_abandon (stream);
  return done;
}
