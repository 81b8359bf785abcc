/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a frame to a frame: histogram, solver, map. */
#include "palette.h"
#include "exact.h"
#include "histogram.h"
#include "lattice.h"
#include "shaders.h"

struct _GpuPalette
{
  GpuDevice *device;
  GpuPaletteWork work;
  GpuPaletteHistogram histogram;
  GpuPaletteSolver *solver;     /* NULL until it is needed */
  GpuKernel *apply;
  GpuPaletteTables tables;
  GpuPaletteTuning tuning;

  /* What work.results holds. */
  gboolean is_solved;
  GpuPaletteSettings solved;    /* for these settings */
  guint solved_n;               /* and so many colours */
  guint output_colours, ends;
};

GpuPalette *
gpu_palette_new (GpuDevice * device)
{
  GpuPalette *palette = g_new0 (GpuPalette, 1);

  palette->device = gpu_device_ref (device);
  gpu_palette_set_transfer (palette, gpu_palette_transfer_srgb, NULL);
  return palette;
}

static void
drop_solver (GpuPalette * palette)
{
  if (palette->solver)
    palette->solver->type->free (palette->solver);
  palette->solver = NULL;
}

static void
unconfigure (GpuPalette * palette)
{
  drop_solver (palette);
  gpu_palette_work_clear (&palette->work);
  gpu_palette_histogram_clear (&palette->histogram);
  *palette = (GpuPalette) {
  .device = palette->device,.tables = palette->tables,.tuning =
        palette->tuning};
}

void
gpu_palette_free (GpuPalette * palette)
{
  unconfigure (palette);
  gpu_device_unref (palette->device);
  g_free (palette);
}

void
gpu_palette_set_transfer (GpuPalette * palette, GpuPaletteTransfer transfer,
    gpointer data)
{
  gpu_palette_tables_fill (&palette->tables, transfer, data);
  palette->is_solved = FALSE;
}

void
gpu_palette_set_tuning (GpuPalette * palette, const GpuPaletteTuning * tuning)
{
  palette->tuning = *tuning;
  palette->is_solved = FALSE;
}

gsize
gpu_palette_get_memory (GpuPalette * palette)
{
  const GpuPaletteWork *work = &palette->work;
  const GpuPaletteHistogram *histogram = &palette->histogram;
  GpuPaletteSolver *solver = palette->solver;
  GpuBuffer *buffers[] = {
    work->control, work->readback, work->blocks, work->list, work->weights,
    work->results, work->points,
    histogram->colours, histogram->counts, histogram->touched,
    histogram->present, histogram->ranks
  };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers))
      + (solver ? solver->type->get_memory (solver) : 0);
}

static gboolean
check_format (GpuPixels pixels, GError ** error)
{
  if (pixels != GPU_PIXELS_GRAY8)
    return TRUE;
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "the palette does not take GRAY8; convert to a format with colours");
  return FALSE;
}

static gboolean
build (GpuPalette * palette, GpuPixels in, GpuPixels out, guint width,
    guint height, const GpuYuv * yuv, GError ** error)
{
  GpuDevice *device = palette->device;
  guint32 constants[GPU_PALETTE_PIXEL_CONSTANTS];

  gpu_palette_pixel_constants (in, out, yuv, constants);
  palette->apply = gpu_kernel_get (device,
      gpu_pixels_get_format (out)->is_yuv ? &gpu_shader_palette_apply_yuv
      : &gpu_shader_palette_apply, constants, GPU_PALETTE_PIXEL_CONSTANTS,
      error);
  return palette->apply
      && gpu_palette_work_init (&palette->work, device, width * height, error)
      && gpu_palette_histogram_init (&palette->histogram, device, in, out,
      width, height, yuv, error);
}

gboolean
gpu_palette_configure (GpuPalette * palette, GpuPixels in, GpuPixels out,
    guint width, guint height, const GpuYuv * yuv, GError ** error)
{
  g_return_val_if_fail (width > 0 && height > 0, FALSE);
  unconfigure (palette);
  if (!check_format (in, error) || !check_format (out, error))
    return FALSE;
  g_return_val_if_fail (yuv || (!gpu_pixels_get_format (in)->is_yuv
          && !gpu_pixels_get_format (out)->is_yuv), FALSE);
  if ((guint64) width * height > G_MAXUINT32 / 4) {
    g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
        "%u x %u pixels are too many to count; use smaller frames", width,
        height);
    return FALSE;
  }
  if (build (palette, in, out, width, height, yuv, error))
    return TRUE;
  unconfigure (palette);
  return FALSE;
}

/* --- a frame --- */

/* Whether the map that is there was made for the settings of this frame. */
static gboolean
is_solved (GpuPalette * palette, const GpuPaletteRun * run)
{
  const GpuPaletteSettings *wanted = run->settings;
  const GpuPaletteSettings *have = &palette->solved;

  return palette->is_solved && wanted->radius == have->radius
      && wanted->weighting == have->weighting
      && wanted->iteration_limit == have->iteration_limit;
}

/* Whether it is this frame's too. */
static gboolean
is_map_valid (GpuPalette * palette, const GpuPaletteRun * run)
{
  return is_solved (palette, run) && run->n == palette->solved_n
      && !run->control[CONTROL_SET_CHANGED]
      && (run->settings->weighting == GPU_PALETTE_PALETTE
      || !run->control[CONTROL_WEIGHTS_CHANGED]);
}

static const GpuPaletteSolverType *
wanted_solver (GpuPalette * palette)
{
  return palette->tuning.solver ? palette->tuning.solver : &gpu_palette_exact;
}

static gboolean
is_solver_there (GpuPalette * palette)
{
  return palette->solver && palette->solver->type == wanted_solver (palette);
}

/* Makes the solver that is wanted the one in use. */
static gboolean
take_solver (GpuPalette * palette, GError ** error)
{
  if (is_solver_there (palette))
    return TRUE;
  drop_solver (palette);
  palette->solver = wanted_solver (palette)->create (&palette->work, error);
  return palette->solver != NULL;
}

static gboolean
prepare (GpuPalette * palette, GpuPaletteRun * run, GError ** error)
{
  const GpuPaletteSolverType *type = palette->solver->type;

  return !type->prepare || type->prepare (palette->solver, run,
      !is_solved (palette, run), error);
}

/* For @n colours in the list, and what becomes of them. */
static gboolean
make_room (GpuPalette * palette, GpuPaletteRun * run, guint n, GError ** error)
{
  if (n <= palette->work.room)
    return TRUE;
  palette->is_solved = FALSE;
  return gpu_palette_work_grow (&palette->work, n, error)
      && gpu_palette_histogram_list (&palette->histogram, run, error);
}

/* Waits for the number of colours, and for what the solver prepared. */
static gboolean
read_counts (GpuPalette * palette, GpuPaletteRun * run, GError ** error)
{
  gboolean is_prepared = is_solver_there (palette);

  if (is_prepared && !prepare (palette, run, error))
    return FALSE;
  if (!gpu_palette_histogram_read (&palette->histogram, run, error))
    return FALSE;
  if (run->n == 0 || (is_prepared && run->n <= palette->work.room))
    return TRUE;
  /* Before a solver's first frame nobody knows that one is needed. */
  return make_room (palette, run, run->n, error)
      && take_solver (palette, error) && prepare (palette, run, error)
      && gpu_palette_histogram_read (&palette->histogram, run, error);
}

/* A solver that finds no room for all it needs does not keep the rest. */
static gboolean
run_solver (GpuPalette * palette, GpuPaletteRun * run, GError ** error)
{
  GError *failure = NULL;

  if (palette->solver->type->solve (palette->solver, run, &failure))
    return TRUE;
  if (g_error_matches (failure, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY))
    drop_solver (palette);
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
solve (GpuPalette * palette, GpuPaletteRun * run, GError ** error)
{
  palette->is_solved = FALSE;
  if (!run_solver (palette, run, error))
    return FALSE;
  palette->output_colours = run->report->output_colours;
  palette->ends = run->report->ends;
  palette->solved = *run->settings;
  palette->solved_n = run->n;
  palette->is_solved = TRUE;
  run->report->solved = TRUE;
  return TRUE;
}

/* Brings the map to the colours that were counted. */
static gboolean
update_map (GpuPalette * palette, GpuPaletteRun * run, GError ** error)
{
  if (!wanted_solver (palette)->needs_count)
    return make_room (palette, run, palette->work.max_colours, error)
        && take_solver (palette, error) && solve (palette, run, error);
  if (!read_counts (palette, run, error))
    return FALSE;
  if (run->n == 0)
    return TRUE;
  if (!is_map_valid (palette, run))
    return solve (palette, run, error);
  run->report->output_colours = palette->output_colours;
  run->report->ends = palette->ends;
  return TRUE;
}

static gboolean
record_apply (GpuPalette * palette, GpuPaletteRun * run, const GpuFrame * in,
    const GpuFrame * out, GError ** error)
{
  GpuBuffer *buffers[] = {
    in->buffer, out->buffer, palette->histogram.colours,
    palette->histogram.present, palette->histogram.ranks,
    palette->work.results
  };

  gpu_stream_stage (run->stream, "palette-apply");
  return gpu_palette_run_over_pixels (run, palette->apply, buffers,
      G_N_ELEMENTS (buffers), &in->info, &out->info, FALSE, error);
}

static gboolean
run_frame (GpuPalette * palette, GpuPaletteRun * run, const GpuFrame * in,
    const GpuFrame * out, GError ** error)
{
  if (!gpu_palette_histogram_update (&palette->histogram, run, in, error)
      || !update_map (palette, run, error))
    return FALSE;
  if (palette->solver)
    run->report->memory = palette->solver->type->get_memory (palette->solver);
  return record_apply (palette, run, in, out, error);
}

gboolean
gpu_palette_record (GpuPalette * palette, GpuStream * stream,
    const GpuPaletteSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuPaletteReport * report, GError ** error)
{
  GpuPaletteReport ignored;
  GpuPaletteRun run = {
    .work = &palette->work,
    .stream = stream,
    .settings = settings,
    .tuning = &palette->tuning,
    .tables = &palette->tables,
    .report = report ? report : &ignored,
    .first_serial = gpu_stream_get_serial (stream),
  };

  if (!palette->apply) {
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
        "The palette could not be set up for these frames; see the error "
        "before this one, and use frames of another size or format, or another "
        "device.");
    return FALSE;
  }
  *run.report = (GpuPaletteReport) {
  0};
  if (run_frame (palette, &run, in, out, error))
    return TRUE;
  /* Counters and lists may be of two frames. */
  palette->is_solved = FALSE;
  palette->histogram.is_known = FALSE;
  gpu_stream_abandon (stream);
  return FALSE;
}
