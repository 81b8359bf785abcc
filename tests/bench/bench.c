/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench.h"
#include "gpu_fixture.h"
#include "test_shaders.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Bytes that a thread of copy.comp copies, its workgroup's threads, and so
 * many groups along an axis as all devices take. */
#define COPIED_BY_THREAD 16
#define COPY_THREADS 256
#define MAX_GROUPS 32768

/* --- pictures --- */

static BenchPicture *
picture_new (const gchar * name, guint width, guint height)
{
  BenchPicture *picture = g_new0 (BenchPicture, 1);

  picture->name = g_strdup (name);
  picture->width = width;
  picture->height = height;
  picture->bytes = g_malloc ((gsize) width * height * 4);
  return picture;
}

void
bench_picture_free (BenchPicture * picture)
{
  g_free (picture->name);
  g_free (picture->bytes);
  g_free (picture);
}

/* Words of which some bits are 1. */
static BenchPicture *
noise (guint width, guint height, guint32 ones, guint32 seed)
{
  BenchPicture *picture = picture_new ("noise", width, height);
  GRand *random = g_rand_new_with_seed (seed);

  for (gsize i = 0; i < (gsize) width * height; i++) {
    guint32 word = g_rand_int (random) | ones;
    memcpy (picture->bytes + 4 * i, &word, 4);
  }
  g_rand_free (random);
  return picture;
}

BenchPicture *
bench_picture_noise (guint width, guint height, guint32 seed)
{
  return noise (width, height, 0xff000000, seed);
}

BenchPicture *
bench_picture_transparent_noise (guint width, guint height, guint32 seed)
{
  return noise (width, height, 0, seed);
}

static BenchPicture *
parse_ppm (const gchar * name, const guint8 * data, gsize size)
{
  guint width = 0, height = 0, max = 0;
  int header = 0;
  BenchPicture *picture;

  if (sscanf ((const char *) data, "P6 %u %u %u%n", &width, &height, &max,
          &header) != 3 || max != 255 || !width || !height
      || size < (gsize) header + 1 + (gsize) width * height * 3)
    return NULL;
  picture = picture_new (name, width, height);
  data += header + 1;
  for (gsize i = 0; i < (gsize) width * height; i++) {
    memcpy (picture->bytes + 4 * i, data + 3 * i, 3);
    picture->bytes[4 * i + 3] = 255;
  }
  return picture;
}

BenchPicture *
bench_picture_load (const gchar * file, guint width, guint height,
    GError ** error)
{
  g_autofree gchar *content = NULL;
  g_autofree gchar *name = g_path_get_basename (file);
  gsize size = 0, wanted = (gsize) width * height * 4;
  BenchPicture *picture = NULL;

  if (!g_file_get_contents (file, &content, &size, error))
    return NULL;
  if (!g_str_has_suffix (file, ".rgba")) {
    picture = parse_ppm (name, (const guint8 *) content, size);
  } else if (size == wanted) {
    picture = picture_new (name, width, height);
    memcpy (picture->bytes, content, size);
  }
  if (picture && wanted > 0
      && (picture->width != width || picture->height != height))
    g_clear_pointer (&picture, bench_picture_free);
  if (!picture)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
        "%s is neither a binary PPM of 8 bits nor raw .rgba, of %ux%u pixels",
        file, width, height);
  return picture;
}

/* --- frames --- */

/* Any bytes will do as samples of formats that are not RGBA. */
static void
fill_from_picture (guint8 * data, gsize size, const BenchPicture * picture)
{
  gsize available = (gsize) picture->width * picture->height * 4;

  for (gsize at = 0; at < size; at += available)
    memcpy (data + at, picture->bytes, MIN (available, size - at));
}

/* As values any bytes will do from which the mantissa alone is taken: 1/2 to 1. As codes of
 * two bytes, any that have no bits above. */
static void
make_samples (GpuPixels pixels, guint8 * data, gsize size)
{
  guint sample = gpu_pixels_get_format (pixels)->sample;
  guint32 full = (1u << (SAMPLE_CODE_BITS (sample)
          + SAMPLE_LOW_BITS (sample))) - 1;
  guint32 *words = (guint32 *) data;

  for (gsize i = 0; i < size / 4; i++)
    words[i] = sample == SAMPLE_HALF ? (words[i] & 0x03ff03ff) | 0x38003800
        : sample == SAMPLE_FLOAT ? (words[i] & 0x007fffff) | 0x3f000000
        : words[i] & (full | full << 16);
}

static gboolean
upload (GpuStream * stream, GpuBuffer * staging, GpuFrame * frame,
    const BenchPicture * picture, GError ** error)
{
  fill_from_picture (gpu_buffer_get_data (staging), frame->info.size, picture);
  if (gpu_pixels_get_format (frame->info.pixels)->sample != SAMPLE_BYTE)
    make_samples (frame->info.pixels, gpu_buffer_get_data (staging),
        frame->info.size);
  if (!gpu_buffer_flush (staging, error) || !gpu_stream_begin (stream, error))
    return FALSE;
  gpu_stream_copy (stream, staging, 0, frame->buffer, 0,
      gpu_buffer_get_size (staging));
  return gpu_stream_submit (stream, NULL, error)
      && gpu_stream_wait_idle (stream, error);
}

BenchFrames *
bench_frames_new (GpuStream * stream, GpuPixels pixels,
    BenchPicture * const *pictures, guint n_pictures, gsize footprint,
    GError ** error)
{
  GpuDevice *device = gpu_stream_get_device (stream);
  BenchFrames *frames = g_new0 (BenchFrames, 1);
  g_autoptr (GpuBuffer) staging = NULL;
  GpuFrameInfo info;
  gboolean made;
  gsize size;

  gpu_frame_info_init (&info, pixels, pictures[0]->width, pictures[0]->height);
  size = (info.size + COPIED_BY_THREAD - 1) & ~(gsize) (COPIED_BY_THREAD - 1);
  frames->n = CLAMP (footprint / (2 * info.size), 2, 256);
  frames->in = g_new0 (GpuFrame, frames->n);
  frames->out = g_new0 (GpuFrame, frames->n);
  staging = gpu_buffer_new (device, GPU_BUFFER_HOST, info.size,
      "bench upload", error);
  made = staging != NULL;
  for (guint i = 0; made && i < frames->n; i++) {
    frames->in[i].info = frames->out[i].info = info;
    frames->in[i].buffer = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
        size, "bench in", error);
    frames->out[i].buffer = frames->in[i].buffer ? gpu_buffer_new (device,
        GPU_BUFFER_DEVICE, size, "bench out", error) : NULL;
    made = frames->out[i].buffer && upload (stream, staging, &frames->in[i],
        pictures[i % n_pictures], error);
  }
  if (!made)
    g_clear_pointer (&frames, bench_frames_free);
  return frames;
}

void
bench_frames_free (BenchFrames * frames)
{
  for (guint i = 0; i < frames->n; i++) {
    g_clear_pointer (&frames->in[i].buffer, gpu_buffer_unref);
    g_clear_pointer (&frames->out[i].buffer, gpu_buffer_unref);
  }
  g_free (frames->in);
  g_free (frames->out);
  g_free (frames);
}

/* --- measuring --- */

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

gdouble
bench_median (GArray * values)
{
  g_array_sort (values, compare_doubles);
  return values->len ? g_array_index (values, gdouble, values->len / 2) : 0;
}

/* What is done to frames, and how many of them are queued at present. */
typedef struct
{
  const BenchSeries *series;
  guint slots;
  BenchRecord record;
  gpointer data;
} Work;

static gboolean
submit_frame (const Work * work, guint i, GpuTicket * ticket, GError ** error)
{
  GpuStream *stream = work->series->stream;
  BenchFrames *frames = work->series->frames;
  guint f = i % frames->n;

  gpu_stream_next_frame (stream);
  if (!gpu_stream_begin (stream, error))
    return FALSE;
  if (!work->record (stream, &frames->in[f], &frames->out[f], work->data,
          error)) {
    gpu_stream_abandon (stream);
    return FALSE;
  }
  return gpu_stream_submit (stream, ticket, error);
}

static void
note_timings (GpuStream * stream, GArray * spans, BenchResult * result)
{
  GpuTimings *timings = &result->timings;
  gdouble span;

  gpu_stream_get_timings (stream, timings);
  span = timings->span / 1e6;
  g_array_append_val (spans, span);
  result->longest = MAX (result->longest, timings->longest_dispatch / 1e6);
}

/* What all threads of the process took so far, ms. */
static gdouble
get_cpu_time (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

/* A value for each frame, or for each batch of them. */
enum
{
  SPANS, WALLS, CPUS, N_SAMPLES
};

/* One batch of queued frames. */
static gboolean
run_batch (const Work * work, guint start, GArray ** samples,
    BenchResult * result, GError ** error)
{
  const guint slots = work->slots;
  GpuTicket tickets[8] = { {0} };
  gint64 begin = g_get_monotonic_time ();
  gdouble cpu = get_cpu_time (), wall;
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < slots; i++)
    ok = submit_frame (work, start + i, &tickets[i], error);
  for (guint i = 0; i < slots; i++) {
    ok = ok && gpu_ticket_wait (&tickets[i], error);
    if (ok)
      note_timings (work->series->stream, samples[SPANS], result);
    gpu_ticket_clear (&tickets[i]);
  }
  wall = (g_get_monotonic_time () - begin) / 1e3 / slots;
  g_array_append_val (samples[WALLS], wall);
  cpu = (get_cpu_time () - cpu) / slots;
  g_array_append_val (samples[CPUS], cpu);
  return ok;
}

/* Cards that had nothing to do, as while kernels are built, have slowed down, and
 * take a second and more to come back: measured at once, small frames took up to
 * five times as long. */
#define WARM_UP (2 * G_USEC_PER_SEC)
/* What had nothing to do for less has not. */
#define STAYS_WARM (G_USEC_PER_SEC / 100)

static gint64 last_worked;

static gint64
end_of_warm_up (void)
{
  gint64 now = g_get_monotonic_time ();

  return now - last_worked < STAYS_WARM ? now : now + WARM_UP;
}

gboolean
bench_run (const BenchSeries * series, BenchRecord record, gpointer data,
    BenchResult * result, GError ** error)
{
  Work work = {.series = series, .slots = 1, .record = record, .data = data};
  GArray *samples[N_SAMPLES];
  gint64 warm = end_of_warm_up ();
  gboolean ok;

  g_return_val_if_fail (series->slots > 0 && series->slots <= 8, FALSE);
  *result = (BenchResult) {0};
  for (guint i = 0; i < N_SAMPLES; i++)
    samples[i] = g_array_new (FALSE, FALSE, sizeof (gdouble));
  ok = run_batch (&work, 0, samples, result, error);
  /* The stream has timings of the newest frame only, and of that what is done:
   * the parts of several frames must not be in flight at once. */
  if (result->timings.submissions <= 1)
    work.slots = series->slots;
  while (ok && g_get_monotonic_time () < warm)
    ok = run_batch (&work, 1, samples, result, error);
  for (guint i = 0; i < N_SAMPLES; i++)
    g_array_set_size (samples[i], 0);
  result->longest = 0;
  for (guint i = 0; ok && i < series->n; i += work.slots)
    ok = run_batch (&work, 1 + work.slots + i, samples, result, error);
  result->gpu = bench_median (samples[SPANS]);
  result->wall = bench_median (samples[WALLS]);
  result->cpu = bench_median (samples[CPUS]);
  for (guint i = 0; i < N_SAMPLES; i++)
    g_array_unref (samples[i]);
  if (ok)
    last_worked = g_get_monotonic_time ();
  return ok;
}

gboolean
bench_copy (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  GpuKernel *kernel = gpu_kernel_get (gpu_stream_get_device (stream),
      &gpu_shader_copy, NULL, 0, error);
  const GpuCopyPush push = {
    gpu_buffer_get_size (in->buffer) / COPIED_BY_THREAD
  };
  const GpuDispatch copy = {
    .kernel = kernel,
    .buffers = {[COPY_SOURCE] = in->buffer,[COPY_TARGET] = out->buffer},
    .push = &push,
  };
  guint groups = (push.n + COPY_THREADS - 1) / COPY_THREADS;

  if (!kernel)
    return FALSE;
  gpu_stream_stage (stream, "copy");
  gpu_stream_dispatch (stream, &copy, MIN (groups, MAX_GROUPS),
      (groups + MAX_GROUPS - 1) / MAX_GROUPS, 1);
  return TRUE;
}

/* --- tables --- */

/* Without what is at the end of the last column. */
static void
print_cells (const BenchColumn * columns, gchar ** cells)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; cells[i]; i++)
    if (columns[i].title)
      g_string_append_printf (line, "%s%*s", line->len ? " " : "",
          columns[i].width, cells[i]);
  g_print ("%s\n", g_strchomp (line->str));
}

static void
write_cells (const BenchColumn * columns, gchar ** cells, FILE * csv)
{
  const gchar *separator = "";

  for (guint i = 0; csv && cells[i]; i++)
    if (columns[i].name) {
      fprintf (csv, strchr (cells[i], ',') ? "%s\"%s\"" : "%s%s", separator,
          cells[i]);
      separator = ",";
    }
  if (csv)
    fputc ('\n', csv);
}

void
bench_print_titles (const BenchColumn * columns, FILE * csv)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; columns[i].title || columns[i].name; i++) {
    g_ptr_array_add (titles,
        (gpointer) (columns[i].title ? columns[i].title : ""));
    g_ptr_array_add (names,
        (gpointer) (columns[i].name ? columns[i].name : ""));
  }
  g_ptr_array_add (titles, NULL);
  g_ptr_array_add (names, NULL);
  print_cells (columns, (gchar **) titles->pdata);
  write_cells (columns, (gchar **) names->pdata, csv);
}

void
bench_print_row (const BenchColumn * columns, FILE * csv,
    const gchar * format, ...)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) cells = NULL;
  va_list values;

  va_start (values, format);
  text = g_strdup_vprintf (format, values);
  va_end (values);
  cells = g_strsplit (text, "|", -1);
  print_cells (columns, cells);
  write_cells (columns, cells, csv);
}

void
bench_print_stages (const GpuTimings * timings)
{
  for (guint i = 0; i < timings->n_stages; i++)
    if (timings->stages[i].total > 0)
      g_print ("    %-24s %8.4f ms in %u dispatches, longest %.4f\n",
          timings->stages[i].name, timings->stages[i].total / 1e6,
          timings->stages[i].dispatches, timings->stages[i].longest / 1e6);
}

/* --- options --- */

static void
fail_parse (const gchar * text)
{
  g_printerr ("\"%s\" is not a list like 1920x1080,640x360 or 3,9,19\n", text);
  exit (2);
}

GArray *
bench_parse_sizes (const gchar * text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  GArray *sizes = g_array_new (FALSE, FALSE, 2 * sizeof (guint));

  for (guint i = 0; parts[i]; i++) {
    guint size[2];

    if (sscanf (parts[i], "%ux%u", &size[0], &size[1]) != 2
        || !size[0] || !size[1])
      fail_parse (text);
    g_array_append_vals (sizes, size, 1);
  }
  return sizes;
}

GArray *
bench_parse_numbers (const gchar * text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; parts[i]; i++) {
    guint number;

    if (sscanf (parts[i], "%u", &number) != 1)
      fail_parse (text);
    g_array_append_val (numbers, number);
  }
  return numbers;
}

gboolean
bench_is_chosen (const gchar * option, const gchar * name)
{
  g_auto (GStrv) chosen = g_strsplit (option, ",", -1);

  return !strcmp (option, "both") || !strcmp (option, "all")
      || g_strv_contains ((const gchar * const *) chosen, name);
}

int
bench_main (int argc, char **argv, const gchar * name,
    const GOptionEntry * options, BenchRun run)
{
  g_autofree gchar *path = NULL;
  const GOptionEntry csv_option[] = {
    {"csv", 0, 0, G_OPTION_ARG_FILENAME, &path, "write the rows there too",
        "FILE"},
    {NULL}
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  FILE *csv = NULL;
  gboolean ok;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_main_entries (context, csv_option, NULL);
  ok = g_option_context_parse (context, &argc, &argv, &error);
  if (ok && path && !(csv = fopen (path, "w"))) {
    g_set_error (&error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
        "cannot write %s", path);
    ok = FALSE;
  }
  /* A run that is ended leaves what it measured. */
  if (csv)
    setvbuf (csv, NULL, _IOLBF, 0);
  ok = ok && run (csv, &error);
  if (csv)
    fclose (csv);
  if (!ok)
    g_printerr ("%s: %s\n", name, error ? error->message : "no device");
  gpu_fixture_close ();
  return ok ? 0 : 1;
}
