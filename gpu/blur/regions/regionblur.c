/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionblur.h"
#include "regionkernels.h"
#include "regionplan.h"
#include "gpu/core/compute/components.h"
#include "gpu/core/rounding.h"
#include "shaders.h"

#include <math.h>
#include <string.h>

/* The most bytes of gpu_stream_write(). */
#define WRITE_SIZE 65536

/* A workgroup for each block; the number of their threads fits into 32 bits. So many that no
 * block of GPU_REGION_MAX_BLOCK must be doubled: sums of a block are of 20 bits of pixels
 * (region_means.comp). */
#define MOST_BLOCKS (1 << 22)

typedef enum
{
  TABLES,                       /* regionplan.h */
  MEANS,                        /* of blocks */
  GATHERED,                     /* the atlas */
  BLURRED,                      /* the atlas or the frame, blurred */
  N_BUFFERS
} Buffer;

static const gchar *const buffer_names[N_BUFFERS] = {
  "region tables", "region means", "region atlas", "regions blurred"
};

struct _GpuRegionBlur
{
  GpuDevice *device;
  GpuBlur *blur;
  GpuBuffer *buffers[N_BUFFERS];
  guint most_blocks;            /* that MEANS has room for */
  GpuRegionKernels kernels;
};

GpuRegionBlur *
gpu_region_blur_new (GpuDevice * device, GpuBlur * blur)
{
  GpuRegionBlur *self = g_new0 (GpuRegionBlur, 1);

  self->device = gpu_device_ref (device);
  self->kernels.device = device;
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

/* --- buffers --- */

static guint
count_tiles (const GpuFrameInfo * info, guint side)
{
  return DIV_UP (info->width, side) * DIV_UP (info->height, side);
}

/* Shaders bind all buffers, so those of the atlas exist even if nothing is blurred in it. */
static gboolean
ensure_buffers (GpuRegionBlur * self, const GpuFrameInfo * info,
    gboolean with_frames, GError ** error)
{
  guint blocks = MIN (count_tiles (info, GPU_REGION_MIN_BLOCK), MOST_BLOCKS)
      + REGIONS_MOST;
  const gsize word = sizeof (guint32);
  const gsize sizes[N_BUFFERS] = {
    [TABLES] = gpu_region_tables_get_most (info->width, info->height),
    [MEANS] = blocks * REGION_BLOCK_WORDS * word,
    [GATHERED] = with_frames ? info->size : word,
    [BLURRED] = with_frames ? info->size : word,
  };

  for (Buffer i = 0; i < N_BUFFERS; i++)
    if (!gpu_buffer_ensure (&self->buffers[i], self->device, sizes[i],
            buffer_names[i], error))
      return FALSE;
  self->most_blocks = blocks;
  return TRUE;
}

static gboolean
check_sides (guint width, guint height, GError ** error)
{
  if (MAX (width, height) <= REGION_MOST_SIDE)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "Regions, mixing and masks need frames of at most %u columns and rows, "
      "and these have %u x %u. Scale or crop them before.", REGION_MOST_SIDE,
      width, height);
  return FALSE;
}

gboolean
gpu_region_blur_prepare (GpuRegionBlur * self, GpuPixels pixels, guint width,
    guint height, const GpuAreas * areas, GError ** error)
{
  gboolean with_frames = areas->mask == GPU_AREAS_INVERSE_ALPHA
      || gpu_areas_have_action (areas, GPU_REGION_BLUR);
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, height);
  return check_sides (width, height, error)
      && gpu_components_check_size (self->device, &info, error)
      && ensure_buffers (self, &info, with_frames, error)
      && gpu_region_kernels_ensure (&self->kernels, pixels, areas, error);
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
  GpuRegionPlan plan;
  GpuFrame source;              /* what is blurred and summed: the input, or a copy of it
                                   with inverted alpha */
} FrameRun;

static gboolean
is_in_place (const FrameRun * run)
{
  return run->in->buffer == run->out->buffer;
}

/* --- the source --- */

/* @kernel: one of those that copy. */
static void
copy_planes (FrameRun * run, const GpuFrame * to, GpuRegionKernel kernel)
{
  gpu_stream_begin_disjoint (run->stream);
  for (guint plane = 0; plane < run->format->n_planes; plane++) {
    const GpuDispatch dispatch = {
      .kernel = run->owner->kernels.kernels[plane][kernel],
      .buffers = {
        [BLUR_REGION_COPY_INPUT] = run->in->buffer,
        [BLUR_REGION_COPY_OUTPUT] = to->buffer},
    };

    gpu_components_run (&run->slicer, &dispatch,
        &run->in->info, &to->info, plane);
  }
  gpu_stream_end_disjoint (run->stream);
}

/* Sets what is blurred and summed. */
static void
make_source (FrameRun * run)
{
  const GpuFrameInfo *info = &run->in->info;

  run->source = *run->in;
  if (run->areas->mask != GPU_AREAS_INVERSE_ALPHA)
    return;
  gpu_frame_info_init (&run->source.info, info->pixels, info->width,
      info->height);
  run->source.buffer = run->owner->buffers[GATHERED];
  gpu_stream_stage (run->stream, "region mask");
  copy_planes (run, &run->source, GPU_REGION_COPY_INVERTED);
}

/* --- the blur --- */

static void
gather_plane (FrameRun * run, guint plane)
{
  GpuRegionBlur *self = run->owner;
  const GpuFrameInfo *info = &run->in->info;
  /* Half a pair is no whole word. */
  guint whole_pixels = run->format->grouping == GPU_PAIRS
      ? info->width / 2 : gpu_frame_info_plane_width (info, plane);
  gboolean full_range = run->settings->full_range;
  const GpuDispatch dispatch = {
    .kernel = self->kernels.kernels[plane][run->plan.is_inside
        ? GPU_REGION_GATHER_INSIDE : GPU_REGION_GATHER],
    .buffers = {
      [BLUR_REGION_GATHER_INPUT] = run->in->buffer,
      [BLUR_REGION_GATHER_OUTPUT] = self->buffers[GATHERED],
      [BLUR_REGION_GATHER_TABLES] = self->buffers[TABLES]},
    .push = &(GpuBlurRegionGatherPush) {
      .first_tile = run->plan.tables.atlas_tiles,
      .first_cell = run->plan.tables.cells,
      .frame_width = info->width,
      .frame_height = info->height,
      .frame_words = whole_pixels
          * gpu_pixel_format_get_size (run->format, plane) / 4,
      .frame_rows = gpu_frame_info_plane_height (info, plane),
      .edge = run->settings->edge,
      .black_luma =
          gpu_pixel_format_get_black (run->format, 0, full_range),
      .black_chroma = gpu_pixel_format_get_black (run->format, 1,
          full_range)},
  };

  gpu_components_run (&run->slicer, &dispatch, info, &run->plan.blurred, plane);
}

static void
gather (FrameRun * run)
{
  gpu_stream_stage (run->stream, "region gather");
  gpu_stream_begin_disjoint (run->stream);
  for (guint plane = 0; plane < run->format->n_planes; plane++)
    gather_plane (run, plane);
  gpu_stream_end_disjoint (run->stream);
}

/* Returns the rows of a group as a frame. */
static GpuFrame
frame_of_group (const FrameRun * run, const GpuAtlasGroup * group,
    Buffer buffer)
{
  GpuFrame frame = { run->plan.blurred, run->owner->buffers[buffer] };

  frame.info.height = group->height;
  for (guint i = 0; i < run->format->n_planes; i++)
    frame.info.offset[i] += (group->y >> run->format->shift_y[i])
        * frame.info.stride[i];
  return frame;
}

static gboolean
blur_group (FrameRun * run, const GpuAtlasGroup * group, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error)
{
  const GpuBlurSettings settings = gpu_region_plan_get_settings (&run->plan,
      group, run->settings);
  const GpuFrames frames = { in, out };

  return gpu_blur_record (run->owner->blur, run->stream, &settings, &frames,
      report, error);
}

/* The first group is the strongest. */
static gboolean
blur (FrameRun * run, GpuBlurReport * report, GError ** error)
{
  const GpuFrame blurred = { run->plan.blurred, run->owner->buffers[BLURRED] };
  GpuBlurReport of_others;

  if (run->plan.n_groups == 0)
    return TRUE;
  if (!run->plan.has_atlas)
    return blur_group (run, run->plan.groups, &run->source, &blurred, report,
        error);
  gather (run);
  for (guint i = 0; i < run->plan.n_groups; i++) {
    const GpuAtlasGroup *group = &run->plan.groups[i];
    const GpuFrame cells = frame_of_group (run, group, GATHERED);
    const GpuFrame of_group = frame_of_group (run, group, BLURRED);

    if (!blur_group (run, group, &cells, &of_group, i == 0 ? report
            : &of_others, error))
      return FALSE;
  }
  return TRUE;
}

/* --- the tables that shaders read --- */

static void
write_tables (FrameRun * run)
{
  const GArray *words = run->plan.tables.words;
  gsize size = words->len * sizeof (guint32);

  gpu_stream_stage (run->stream, "regions");
  for (gsize at = 0; at < size; at += WRITE_SIZE)
    gpu_stream_write (run->stream, run->owner->buffers[TABLES], at,
        words->data + at, MIN (size - at, WRITE_SIZE));
}

/* --- means --- */

/* Fills in the regions to pixelate, which are neighbours in the sorted list. */
static void
find_pixelated (const GArray * regions, GpuBlurRegionMeansPush * push)
{
  for (guint i = 0; i < regions->len; i++)
    if (g_array_index (regions, GpuRegion, i).action == GPU_REGION_PIXELATE) {
      push->first_region = push->n_regions == 0 ? i : push->first_region;
      push->n_regions++;
    }
}

/* Returns the number of pixels of a thread, which has a share of a block. */
static guint
count_thread_pixels (const GpuRegionPlan * plan)
{
  return MAX (1, plan->block_pixels / ((guint64) plan->n_blocks * MEANS_ITEMS));
}

static void
find_means (FrameRun * run)
{
  GpuRegionBlur *self = run->owner;
  const GpuFrameInfo *info = &run->source.info;
  const GpuComponentsItems threads = {
    .n = run->plan.n_blocks * MEANS_ITEMS,
  };
  GpuSlicer slicer = run->slicer;
  GpuBlurRegionMeansPush push = { 0 };
  const GpuDispatch dispatch = {
    .kernel = self->kernels.kernels[0][GPU_REGION_FIND_MEANS],
    .buffers = {
      [BLUR_REGION_MEANS_INPUT] = run->source.buffer,
      [BLUR_REGION_MEANS_MEANS] = self->buffers[MEANS],
      [BLUR_REGION_MEANS_TABLES] = self->buffers[TABLES]},
    .push = &push,
  };

  find_pixelated (run->plan.regions, &push);
  gpu_stream_stage (run->stream, "region means");
  slicer.units = count_thread_pixels (&run->plan);
  gpu_components_run_over (&slicer, &dispatch, info, info, &threads);
}

/* --- the output --- */

/* Slow devices, mostly CPUs, copy buffers faster than shaders do. A field has only some rows
 * of its buffer. */
static gboolean
may_copy_buffer (const FrameRun * run)
{
  const GpuFrameInfo *in = &run->in->info, *out = &run->out->info;

  return gpu_device_is_slow (run->owner->device) && !run->settings->is_field
      && memcmp (in->offset, out->offset, sizeof in->offset) == 0
      && memcmp (in->stride, out->stride, sizeof in->stride) == 0
      && in->size == out->size;
}

/* Copies the frame, of which some tiles are painted afterwards. */
static void
copy (FrameRun * run)
{
  if (is_in_place (run)
      || gpu_region_tables_count_tiles (&run->plan.tables) ==
      count_tiles (&run->in->info, REGION_TILE))
    return;
  gpu_stream_stage (run->stream, "region copy");
  if (may_copy_buffer (run))
    gpu_stream_copy (run->stream, run->in->buffer, 0, run->out->buffer, 0,
        run->in->info.size);
  else
    copy_planes (run, run->out, GPU_REGION_COPY);
}

static GpuBlurRegionPaintPush
make_paint_push (const FrameRun * run, guint plane, GpuRegionTiles kind)
{
  const GpuAreas *areas = run->areas;
  const GpuBlurRegionPaintPush push = {
    .plane_rows = gpu_frame_info_plane_height (&run->in->info, plane),
    .first_word = run->plan.tables.tiles[kind].first_word,
    .masks = run->plan.tables.tiles[kind].masks,
    .has_one_owner = run->plan.tables.has_one_owner,
    .is_inverted = areas->rest != NULL,
    .amount = floor (areas->amount * REGION_WHOLE + .5),
    .components = areas->mask == GPU_AREAS_NO_MASK ? areas->components
        : areas->components & ~(1 << 3),
    .blurred_offset = run->plan.blurred.offset[plane] / 4,
    .blurred_stride = run->plan.blurred.stride[plane] / 4,
  };

  return push;
}

static void
paint_tiles (FrameRun * run, guint plane, GpuRegionTiles kind)
{
  GpuRegionBlur *self = run->owner;
  const GpuBlurRegionPaintPush push = make_paint_push (run, plane, kind);
  const GpuSlicer slicer = {
    .stream = run->stream, .is_in_place = is_in_place (run),
  };
  const GpuComponentsItems words = {
    .plane = plane,
    .n = run->plan.tables.tiles[kind].n
        * gpu_region_tile_words (run->format, plane, REGION_TILE)
        * gpu_region_tile_rows (run->format, plane, REGION_TILE),
  };
  const GpuDispatch dispatch = {
    .kernel = self->kernels.kernels[plane][GPU_REGION_PAINT
        + MIN (kind, PAINT_SEARCH)],
    .buffers = {
      [BLUR_REGION_PAINT_INPUT] = run->in->buffer,
      [BLUR_REGION_PAINT_OUTPUT] = run->out->buffer,
      [BLUR_REGION_PAINT_TABLES] = self->buffers[TABLES],
      [BLUR_REGION_PAINT_BLURRED] = self->buffers[BLURRED],
      [BLUR_REGION_PAINT_MEANS] = self->buffers[MEANS]},
    .push = &push,
  };

  if (words.n > 0)
    gpu_components_run_over (&slicer, &dispatch,
        &run->in->info, &run->out->info, &words);
}

static void
paint (FrameRun * run)
{
  if (gpu_region_tables_count_tiles (&run->plan.tables) == 0)
    return;
  gpu_stream_stage (run->stream, "region paint");
  if (!is_in_place (run))
    gpu_stream_begin_disjoint (run->stream);
  for (guint plane = 0; plane < run->format->n_planes; plane++)
    for (GpuRegionTiles kind = 0; kind < GPU_REGION_N_TILES; kind++)
      paint_tiles (run, plane, kind);
  if (!is_in_place (run))
    gpu_stream_end_disjoint (run->stream);
}

/* --- a frame --- */

/* Copy, means and the gathering do not depend on each other, unless alpha is inverted. */
static gboolean
record_regions (FrameRun * run, GpuBlurReport * report, GError ** error)
{
  write_tables (run);
  copy (run);
  make_source (run);
  if (run->plan.n_blocks > 0)
    find_means (run);
  if (!blur (run, report, error))
    return FALSE;
  paint (run);
  return TRUE;
}

static gboolean
record_part (FrameRun * run, const GArray * regions, GpuBlurReport * report,
    GError ** error)
{
  gboolean done = TRUE;

  run->format = gpu_pixels_get_format (run->in->info.pixels);
  gpu_region_plan_init (&run->plan, &run->in->info, run->settings,
      run->areas, regions, run->owner->most_blocks);
  if (run->plan.regions->len > 0)
    done = record_regions (run, report, error);
  else
    copy (run);
  gpu_region_plan_clear (&run->plan);
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
get_regions_of_field (const FrameRun * frame, guint i)
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
record_field (const FrameRun * frame, guint i, GpuBlurReport * report,
    GError ** error)
{
  g_autoptr (GArray) of_field = get_regions_of_field (frame, i);
  GpuBlurSettings settings = *frame->settings;
  GpuFrame in = *frame->in, out = *frame->out;
  FrameRun field = *frame;

  settings.is_field = TRUE;
  gpu_frame_info_get_field (&frame->in->info, i, &in.info);
  gpu_frame_info_get_field (&frame->out->info, i, &out.info);
  field.settings = &settings;
  field.in = &in;
  field.out = &out;
  return record_part (&field, of_field, report, error);
}

static gboolean
record_fields (const FrameRun * frame, GpuBlurReport * report, GError ** error)
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
  FrameRun run = {
    .owner = self,
    .stream = stream,
    .slicer = {.stream = stream},
    .settings = settings,
    .areas = areas,
    .in = frames->in,
    .out = frames->out,
  };
  gboolean done;

  *report = (GpuBlurReport) {.method = settings->method};
  done = gpu_region_kernels_ensure (&self->kernels, frames->in->info.pixels,
      areas, error)
      && (frames->in->info.is_interlaced ? record_fields (&run, report, error)
      : record_part (&run, areas->regions, report, error));
  return gpu_stream_accept (stream, done, error);
}
