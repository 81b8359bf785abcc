/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blur_cell.h"

#include "gpu/blur/methods.h"
#include "gpu/blur/passes/pass.h"
#include "gpu/core/rounding.h"

struct _BlurCells
{
  GpuDevice *device;
  GpuBlur *blur;
  GpuBlurFamily *passes;
  GpuBuffer *no_light;          /* bound, and not read */
  GpuBlurShape shape;           /* of the groups of passes */
  gpointer plan;                /* for these */
  guint max_radius;
  BlurCell cell;
  GpuBlurReport report;         /* of the frame recorded last */
};

BlurCells *
blur_cells_new (GpuDevice * device, guint max_radius)
{
  BlurCells *cells = g_new0 (BlurCells, 1);

  cells->device = gpu_device_ref (device);
  cells->blur = gpu_blur_new (device);
  cells->passes = gpu_blur_family_new (&gpu_blur_passes_type, device);
  cells->max_radius = max_radius;
  return cells;
}

void
blur_cells_free (BlurCells * cells)
{
  gpu_blur_free (cells->blur);
  g_free (cells->plan);
  gpu_blur_family_free (cells->passes);
  g_clear_pointer (&cells->no_light, gpu_buffer_unref);
  gpu_device_unref (cells->device);
  g_free (cells);
}

static gboolean
refuse (const BlurCell * cell, GError ** error)
{
  g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "%s cannot do radius %d with groups of %ux%u, %u down",
      blur_method_get_name (cell->settings.method), cell->settings.radius,
      cell->group_x, cell->group_y, cell->groups_down);
  return FALSE;
}

static gboolean
prepare_shape (BlurCells * cells, const GpuFrameInfo * info, GError ** error)
{
  const BlurCell *cell = &cells->cell;
  const GpuBlurTask task = { cell->settings.method, &cell->settings, info };

  cells->shape = (GpuBlurShape) {
    .width = cell->group_x,
    .rows = cell->group_y,
    .bucket = cells->max_radius,
  };

  if (cell->groups_down > 0)
    cells->shape.section_rows =
        DIV_UP (DIV_UP (info->height, cell->groups_down),
        cell->group_y) * cell->group_y;
  /* Walks are unrolled for their own shapes. */
  if (!gpu_blur_get_pass (cell->settings.method, 0)
      || cell->settings.method == GPU_BLUR_WALK)
    return refuse (cell, error);
  gpu_blur_passes_set_shape (cells->passes, &cells->shape);
  if (!gpu_blur_passes_type.reaches (cells->passes, &task))
    return refuse (cell, error);
  if (!cells->no_light)
    cells->no_light = gpu_buffer_new (cells->device, GPU_BUFFER_DEVICE, 4,
        "no light", error);
  if (!cells->no_light)
    return FALSE;
  g_free (cells->plan);
  cells->plan = gpu_blur_passes_type.make_plan (cells->passes, &task, error);
  return cells->plan
      && gpu_blur_passes_type.prepare (cells->passes, &cell->settings, info,
      error);
}

gboolean
blur_cells_prepare (BlurCells * cells, const BlurCell * cell,
    const GpuFrameInfo * info, GError ** error)
{
  cells->cell = *cell;
  return cell->group_x > 0 ? prepare_shape (cells, info, error)
      : gpu_blur_prepare (cells->blur, info->pixels, info->width, info->height,
      &cell->settings, error);
}

static gboolean
slides_down (GpuBlurMethod method)
{
  const GpuBlurPass *pass;
  gboolean slides = FALSE;

  for (guint i = 0; (pass = gpu_blur_get_pass (method, i)); i++)
    slides |= pass->motion == GPU_BLUR_SLIDES_DOWN_COLUMNS;
  return slides;
}

GpuBlurMethod
blur_cells_get_method (BlurCells * cells)
{
  return cells->report.method;
}

guint
blur_cells_get_groups_down (BlurCells * cells)
{
  const GpuBlurReport *report = &cells->report;

  return slides_down (report->method) ?
      report->stages[report->n_stages - 1].groups_down : 0;
}

/* Whether neither the method nor its groups are others than those asked for. */
static gboolean
is_as_asked (BlurCells * cells)
{
  const BlurCell *cell = &cells->cell;
  const GpuBlurReport *report = &cells->report;

  if (report->method != cell->settings.method
      && cell->settings.method != GPU_BLUR_AUTO)
    return FALSE;
  for (guint i = 0; cell->group_x > 0 && i < report->n_stages; i++)
    if (report->stages[i].group_x != cell->group_x
        || report->stages[i].group_y != cell->group_y)
      return FALSE;
  return cell->groups_down == 0
      || cell->groups_down == blur_cells_get_groups_down (cells);
}

static void
record_shape (BlurCells * cells, GpuStream * stream, const GpuFrames * frames)
{
  const GpuBlurRecording recording = {
    .stream = stream,
    .settings = &cells->cell.settings,
    .light = cells->no_light,
    .in = frames->in,
    .out = frames->out,
    .report = &cells->report,
  };

  cells->report.method = cells->cell.settings.method;
  gpu_blur_passes_type.record (cells->passes, cells->plan, &recording);
}

gboolean
blur_cells_record (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error)
{
  BlurCells *cells = data;
  const BlurCell *cell = &cells->cell;
  const GpuFrames frames = {.in = in, .out = out};

  cells->report = (GpuBlurReport) {0};
  if (cell->group_x > 0)
    record_shape (cells, stream, &frames);
  else if (!gpu_blur_record (cells->blur, stream, &cell->settings, &frames,
          &cells->report, error))
    return FALSE;
  return is_as_asked (cells) || refuse (cell, error);
}

/* --- names --- */

const gchar *
blur_method_get_name (GpuBlurMethod method)
{
  return gpu_blur_method_get_info (method)->name;
}

gint
blur_find_method (const gchar * name)
{
  for (guint i = 0; i < GPU_BLUR_N_METHODS; i++)
    if (!g_strcmp0 (blur_method_get_name (i), name))
      return i;
  return -1;
}

gint
blur_find_pixels (const gchar * name)
{
  for (guint i = 0; i < GPU_N_PIXELS; i++)
    if (gpu_blur_takes (i)
        && !g_strcmp0 (gpu_pixels_get_format (i)->name, name))
      return i;
  return -1;
}

gint
blur_find_edge (const gchar * name)
{
  static const gchar *const names[] = {
    [GPU_BLUR_CLAMP] = "clamp",
    [GPU_BLUR_MIRROR] = "mirror",
    [GPU_BLUR_WRAP] = "wrap",
    [GPU_BLUR_BLACK] = "black",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!g_strcmp0 (names[i], name))
      return i;
  return -1;
}
